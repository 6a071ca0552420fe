// `$(command)`: only when the user allowed it.
#pragma once

#include <string>

namespace protobeam::mvsim {

/// What the command wrote to its standard output. Throws std::runtime_error that says why there is
/// none: not started, a status other than 0, too slow (its process group is killed), too much
/// output.
std::string run_shell_command(const std::string& command, double seconds);

}  // namespace protobeam::mvsim
