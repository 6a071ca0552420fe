#ifndef WEBOTS_CONSOLE_H
#define WEBOTS_CONSOLE_H

#define WB_STDOUT 1
#define WB_STDERR 2

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the text to the stream; programs use stdout and stderr themselves. */
void wb_console_print(const char* text, int stream);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_CONSOLE_H */
