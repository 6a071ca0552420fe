// Numbers as bytes of a packet, at a place in it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace protobeam {

using Bytes = std::span<std::uint8_t>;

template <std::unsigned_integral T>
void put_little(Bytes bytes, std::size_t at, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

template <std::unsigned_integral T>
void put_big(Bytes bytes, std::size_t at, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * (sizeof(T) - 1 - i)));
  }
}

}  // namespace protobeam
