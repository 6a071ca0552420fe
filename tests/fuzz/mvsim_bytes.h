#pragma once

#include <cstddef>
#include <cstdint>

namespace protobeam::mvsim {

/// Loads the bytes as an MVSim world, without any other file, environment or command, twice. Aborts
/// when the two trees differ, or when a place of one lies outside of its text.
void load_bytes(const std::uint8_t* data, std::size_t size);

}  // namespace protobeam::mvsim
