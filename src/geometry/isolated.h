// Work on hostile input in a process of its own; nobody but the reader of models includes it.
#pragma once

#include <functional>
#include <string>

namespace protobeam {

/// Runs `work` in a child process and returns its result. Parsers of 3D formats crash on damaged
/// files; here that costs the child only. Throws std::runtime_error: with the message of what
/// `work` threw, or saying how the child ended.
std::string run_isolated(const std::function<std::string()>& work);

}  // namespace protobeam
