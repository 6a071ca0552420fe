// Numbers of a message.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace protobeam::web {

template <typename T>
T read(const std::string& bytes, std::size_t at) {
  T value{};
  if (at + sizeof value > bytes.size()) {
    ADD_FAILURE() << at << " of " << bytes.size() << " bytes";
  } else {
    std::memcpy(&value, bytes.data() + at, sizeof value);
  }
  return value;
}

}  // namespace protobeam::web
