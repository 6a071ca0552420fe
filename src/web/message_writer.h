// Puts a message together, see messages.h.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "web/messages.h"

namespace protobeam::web {

static_assert(std::endian::native == std::endian::little, "messages are the memory's bytes");

class Writer {
 public:
  explicit Writer(Kind kind) { add(static_cast<std::uint32_t>(kind)); }
  template <typename T>
  void add(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void set(std::size_t at, std::uint32_t value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace protobeam::web
