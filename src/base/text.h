// Foreign text on a terminal and in the command lines of a shell.
#pragma once

#include <string>
#include <string_view>

namespace protobeam {

/// With "\x1b" for the control characters (also those beyond ASCII), so that a name in a world cannot
/// move the cursor or change colours. Line ends and tabs stay when `lines` is true.
std::string printable(std::string_view text, bool lines = false);

/// As one word of a command line, in quotes where it needs them.
std::string shell_word(std::string_view text);

}  // namespace protobeam
