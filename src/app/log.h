// What the program itself has to say, on stderr: "protobeam: error: ...".
#pragma once

#include <string>

namespace protobeam {

void log_error(const std::string& message);
void log_note(const std::string& message);

}  // namespace protobeam
