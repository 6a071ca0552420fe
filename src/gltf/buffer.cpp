#include "gltf/buffer.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <vector>

namespace protobeam::gltf {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF's numbers are little-endian");

constexpr int kFloat = 5126, kUnsignedInt = 5125;  // of OpenGL

struct ShapeFacts {
  const char* name;
  std::size_t numbers;
};
ShapeFacts facts(Shape shape) {
  switch (shape) {
    case Shape::kScalar:
      return {"SCALAR", 1};
    case Shape::kVec2:
      return {"VEC2", 2};
    case Shape::kVec3:
      return {"VEC3", 3};
    case Shape::kVec4:
      break;
  }
  return {"VEC4", 4};
}

}  // namespace

int Buffer::view(const void* data, std::size_t size, Use use) {
  bytes_.resize((bytes_.size() + 3) / 4 * 4);  // numbers of four bytes begin at multiples of four
  nlohmann::json view{{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}};
  if (use != Use::kNone) view["target"] = static_cast<int>(use);
  bytes_.append(static_cast<const char*>(data), size);
  views_.push_back(std::move(view));
  return static_cast<int>(views_.size()) - 1;
}

int Buffer::add_bytes(std::string_view bytes) {
  return view(bytes.data(), bytes.size(), Use::kNone);
}

int Buffer::add(std::span<const float> numbers, Shape shape, Use use) {
  const auto [name, width] = facts(shape);
  std::vector<float> least(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(width));
  std::vector<float> most = least;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    least[i % width] = std::min(least[i % width], numbers[i]);
    most[i % width] = std::max(most[i % width], numbers[i]);
  }
  accessors_.push_back({{"bufferView", view(numbers.data(), numbers.size_bytes(), use)},
                        {"componentType", kFloat},
                        {"count", numbers.size() / width},
                        {"type", name},
                        {"min", least},
                        {"max", most}});
  return static_cast<int>(accessors_.size()) - 1;
}

int Buffer::add_indices(std::span<const std::uint32_t> indices) {
  accessors_.push_back({{"bufferView", view(indices.data(), indices.size_bytes(), Use::kIndices)},
                        {"componentType", kUnsignedInt},
                        {"count", indices.size()},
                        {"type", "SCALAR"}});
  return static_cast<int>(accessors_.size()) - 1;
}

}  // namespace protobeam::gltf
