// Messages for whoever wrote the fields of a vehicle's nodes.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace protobeam {

/// The arguments one after another, as text.
template <class... Parts>
std::string text_of(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// Throws std::invalid_argument unless `good`; `parts` make the message, which names the field.
template <class... Parts>
void require(bool good, const Parts&... parts) {
  if (!good) throw std::invalid_argument(text_of(parts...));
}

}  // namespace protobeam
