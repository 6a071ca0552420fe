#pragma once

#include <cstddef>
#include <cstdint>

namespace protobeam::urdf {

/// Reads the bytes as a URDF, without any other file or environment, and makes a PROTO and a world
/// of it, twice. Aborts when the results differ, when a place lies outside of its text, when a
/// robot without errors gives a PROTO that is no text of the language, or when a number in it is
/// not finite.
void read_bytes(const std::uint8_t* data, std::size_t size);

}  // namespace protobeam::urdf
