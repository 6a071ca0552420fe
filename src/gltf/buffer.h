// The binary part of a glTF document: arrays of numbers and pictures, one behind the other.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace protobeam::gltf {

/// How an array is read ("accessor.type").
enum class Shape { kScalar, kVec2, kVec3, kVec4 };
/// What a graphics card uses it for ("bufferView.target"); kNone for animations.
enum class Use { kNone = 0, kVertices = 34962, kIndices = 34963 };

class Buffer {
 public:
  /// Both are arrays of the document, to which entries are added. They outlive the buffer.
  Buffer(nlohmann::json& views, nlohmann::json& accessors) : views_(views), accessors_(accessors) {}

  /// The accessor's index. Limits ("min", "max") are written with each array: some need them.
  int add(std::span<const float> numbers, Shape shape, Use use);
  int add_indices(std::span<const std::uint32_t> indices);
  /// The view's index.
  int add_bytes(std::string_view bytes);

  const std::string& bytes() const { return bytes_; }

 private:
  int view(const void* data, std::size_t size, Use use);

  nlohmann::json &views_, &accessors_;
  std::string bytes_;
};

}  // namespace protobeam::gltf
