// Work on hostile input in a process of its own; nobody but the reader of models includes it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace protobeam {

/// What a child may use up, beyond what it starts with.
struct Allowance {
  unsigned cpu_seconds = 0;
  std::size_t memory = 0;  ///< bytes
};

/// Runs `work` in a child process and returns its result. Parsers of 3D formats crash, loop or ask
/// for endless memory on damaged files; here that costs the child only. Throws std::runtime_error:
/// with the message of what `work` threw, or saying how the child ended.
std::string run_isolated(const Allowance& allowance, const std::function<std::string()>& work);

}  // namespace protobeam
