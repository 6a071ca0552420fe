#pragma once

#include <cstddef>
#include <cstdint>

namespace protobeam {

/// Takes the bytes as what a supervisor asks and changes, and steps, in a small world. Aborts when
/// a body's pose is no longer finite and nobody says so, or when a reset does not bring back the
/// world as it was loaded.
void supervise_bytes(const std::uint8_t* data, std::size_t size);

}  // namespace protobeam
