// Standard output and standard error. What they do not take is noticed and told at the end; it never
// ends what the program does.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace protobeam {

/// First of all: a descriptor from 0 to 2 that the program was started without would be the next
/// file's, and whatever is printed would go into that file. Reading and writing such a stream fails.
void open_standard_streams();

/// Writes to stdout or stderr; from any thread. A failure is noted for close_standard_streams().
void write_to(std::FILE* stream, std::string_view text);

/// Something was written to stdout by then.
bool has_printed();

/// What is in the buffer goes out now.
void flush(std::FILE* stream);

template <class... Args>
void print_out(fmt::format_string<Args...> format, Args&&... args) {
  write_to(stdout, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
void print_err(fmt::format_string<Args...> format, Args&&... args) {
  write_to(stderr, fmt::format(format, std::forward<Args>(args)...));
}

/// At the end: writes what is left. Returns `exit_code`, or kExitData when it was good and something
/// was lost; says on stderr what happened to stdout unless its reader has gone away (`| head`).
int close_standard_streams(int exit_code);

}  // namespace protobeam
