#ifndef WEBOTS_UTILS_ANSI_CODES_HPP
#define WEBOTS_UTILS_ANSI_CODES_HPP

#include <webots/utils/ansi_codes.h>

#include <string>

namespace webots {
/// Colours and styles of a terminal.
namespace AnsiCodes {

static const std::string RESET = ANSI_RESET;
static const std::string BOLD = ANSI_BOLD;
static const std::string UNDERLINE = ANSI_UNDERLINE;
static const std::string CLEAR_SCREEN = ANSI_CLEAR_SCREEN;

static const std::string BLACK_FOREGROUND = ANSI_BLACK_FOREGROUND;
static const std::string BLACK_BACKGROUND = ANSI_BLACK_BACKGROUND;
static const std::string RED_FOREGROUND = ANSI_RED_FOREGROUND;
static const std::string RED_BACKGROUND = ANSI_RED_BACKGROUND;
static const std::string GREEN_FOREGROUND = ANSI_GREEN_FOREGROUND;
static const std::string GREEN_BACKGROUND = ANSI_GREEN_BACKGROUND;
static const std::string YELLOW_FOREGROUND = ANSI_YELLOW_FOREGROUND;
static const std::string YELLOW_BACKGROUND = ANSI_YELLOW_BACKGROUND;
static const std::string BLUE_FOREGROUND = ANSI_BLUE_FOREGROUND;
static const std::string BLUE_BACKGROUND = ANSI_BLUE_BACKGROUND;
static const std::string MAGENTA_FOREGROUND = ANSI_MAGENTA_FOREGROUND;
static const std::string MAGENTA_BACKGROUND = ANSI_MAGENTA_BACKGROUND;
static const std::string CYAN_FOREGROUND = ANSI_CYAN_FOREGROUND;
static const std::string CYAN_BACKGROUND = ANSI_CYAN_BACKGROUND;
static const std::string WHITE_FOREGROUND = ANSI_WHITE_FOREGROUND;
static const std::string WHITE_BACKGROUND = ANSI_WHITE_BACKGROUND;

}  // namespace AnsiCodes
}  // namespace webots

#endif  // WEBOTS_UTILS_ANSI_CODES_HPP
