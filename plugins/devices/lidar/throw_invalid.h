// Messages about fields, for whoever wrote the world.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace protobeam {

template <typename... Parts>
std::string joined(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

template <typename... Parts>
[[noreturn]] void throw_invalid(const Parts&... parts) {
  throw std::invalid_argument(joined(parts...));
}

}  // namespace protobeam
