// The bytes and the JSON of frames.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace protobeam::foxglove {

// Of binary frames to clients.
inline constexpr std::uint8_t kMessageData = 1, kTimeData = 2, kServiceResponse = 3, kAsset = 4;
// From clients.
inline constexpr std::uint8_t kClientMessageData = 1, kServiceRequest = 2;

template <class T>
void append(std::string& out, T number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof bytes);
}

/// Takes a number from the front. Throws std::runtime_error where there is none.
template <class T>
T take(std::span<const std::uint8_t>& bytes) {
  T number;
  if (bytes.size() < sizeof number) throw std::runtime_error("a binary frame that ends too early");
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes = bytes.subspan(sizeof number);
  return number;
}

inline std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Throw std::runtime_error where there is no such number, text (of at most so many bytes) or array.
std::uint32_t number_in(const nlohmann::json& object, const char* name);
std::string text_in(const nlohmann::json& object, const char* name, std::size_t most = 256);
const nlohmann::json& array_in(const nlohmann::json& object, const char* name);

/// What answers a request for a file: its bytes, or why there are none.
std::string asset_response(std::uint32_t request, const std::string& problem,
                           std::string_view bytes);

}  // namespace protobeam::foxglove
