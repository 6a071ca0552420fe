/* Colours and styles of a terminal. The macros that print are for C, as in Webots. */
#ifndef WEBOTS_UTILS_ANSI_CODES_H
#define WEBOTS_UTILS_ANSI_CODES_H

#define ANSI_RESET "\x1b[0m"
#define ANSI_BOLD "\x1b[1m"
#define ANSI_UNDERLINE "\x1b[4m"
#define ANSI_CLEAR_SCREEN "\x1b[2J"
#define ANSI_BLACK_FOREGROUND "\x1b[30m"
#define ANSI_BLACK_BACKGROUND "\x1b[40m"
#define ANSI_RED_FOREGROUND "\x1b[31m"
#define ANSI_RED_BACKGROUND "\x1b[41m"
#define ANSI_GREEN_FOREGROUND "\x1b[32m"
#define ANSI_GREEN_BACKGROUND "\x1b[42m"
#define ANSI_YELLOW_FOREGROUND "\x1b[33m"
#define ANSI_YELLOW_BACKGROUND "\x1b[43m"
#define ANSI_BLUE_FOREGROUND "\x1b[34m"
#define ANSI_BLUE_BACKGROUND "\x1b[44m"
#define ANSI_MAGENTA_FOREGROUND "\x1b[35m"
#define ANSI_MAGENTA_BACKGROUND "\x1b[45m"
#define ANSI_CYAN_FOREGROUND "\x1b[36m"
#define ANSI_CYAN_BACKGROUND "\x1b[46m"
#define ANSI_WHITE_FOREGROUND "\x1b[37m"
#define ANSI_WHITE_BACKGROUND "\x1b[47m"

#ifndef __cplusplus
#include <stdio.h>

#define ANSI_PRINTF_IN_BLACK(...) \
  (fputs(ANSI_BLACK_FOREGROUND, stdout), printf(__VA_ARGS__), fputs(ANSI_RESET, stdout))
#define ANSI_PRINTF_IN_RED(...) \
  (fputs(ANSI_RED_FOREGROUND, stdout), printf(__VA_ARGS__), fputs(ANSI_RESET, stdout))
#define ANSI_PRINTF_IN_GREEN(...) \
  (fputs(ANSI_GREEN_FOREGROUND, stdout), printf(__VA_ARGS__), fputs(ANSI_RESET, stdout))
#define ANSI_PRINTF_IN_YELLOW(...) \
  (fputs(ANSI_YELLOW_FOREGROUND, stdout), printf(__VA_ARGS__), fputs(ANSI_RESET, stdout))
#define ANSI_PRINTF_IN_BLUE(...) \
  (fputs(ANSI_BLUE_FOREGROUND, stdout), printf(__VA_ARGS__), fputs(ANSI_RESET, stdout))
#define ANSI_PRINTF_IN_MAGENTA(...) \
  (fputs(ANSI_MAGENTA_FOREGROUND, stdout), printf(__VA_ARGS__), fputs(ANSI_RESET, stdout))
#define ANSI_PRINTF_IN_CYAN(...) \
  (fputs(ANSI_CYAN_FOREGROUND, stdout), printf(__VA_ARGS__), fputs(ANSI_RESET, stdout))
#define ANSI_PRINTF_IN_WHITE(...) \
  (fputs(ANSI_WHITE_FOREGROUND, stdout), printf(__VA_ARGS__), fputs(ANSI_RESET, stdout))

#define ANSI_CLEAR_CONSOLE() (fputs(ANSI_CLEAR_SCREEN "\n", stdout))
#endif

#endif /* WEBOTS_UTILS_ANSI_CODES_H */
