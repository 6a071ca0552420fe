// Text files of numbers, a record a line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>

namespace protobeam::mvsim {

/// Calls `take` with the first `count` numbers of each line. Between them are blanks or commas;
/// lines that are empty or begin with # or % are left out. `more`: what follows them has no effect.
/// Throws std::runtime_error that names file and line, and says what a line has: "points has two
/// numbers, x y"; also when there is no line.
void read_number_lines(const std::filesystem::path& file, std::size_t count, bool more,
                       const char* what, const std::function<void(std::span<const double>)>& take);

}  // namespace protobeam::mvsim
