#pragma once

#include <cstddef>
#include <cstdint>

namespace protobeam::wbt {

/// Parses the bytes as a world and as a PROTO, expands and checks both without any other file, and
/// writes them back. Aborts when the text that it wrote does not parse to the same text.
void load_bytes(const std::uint8_t* data, std::size_t size);

}  // namespace protobeam::wbt
