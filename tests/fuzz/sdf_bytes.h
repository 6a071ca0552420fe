#pragma once

#include <cstddef>
#include <cstdint>

namespace protobeam::sdf {

/// Reads the bytes as an SDF, without any other file or environment, and makes a world of it,
/// twice. Aborts when the results differ, when a place lies outside of its text, when a world
/// without errors is no text of the language, or when a number in it is not finite.
void read_bytes(const std::uint8_t* data, std::size_t size);

}  // namespace protobeam::sdf
