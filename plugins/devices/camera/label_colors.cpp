#include "label_colors.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace protobeam {
namespace {

constexpr std::uint32_t kMask = (1u << 24) - 1, kMostInstances = (1u << 16) - 1;
constexpr std::uint32_t kFactor = 0x9E3779B1 & kMask;  // odd: it has an inverse modulo 2^24

/// Newton's iteration: each step doubles the right bits, of which an odd number has three.
constexpr std::uint32_t inverse_of(std::uint32_t odd) {
  std::uint32_t inverse = odd;
  for (int i = 0; i < 4; ++i) inverse *= 2 - odd * inverse;
  return inverse & kMask;
}
static_assert((inverse_of(kFactor) * kFactor & kMask) == 1);

std::uint32_t label_of_model(const std::string& model) {
  std::uint32_t label = 0;
  const char* const end = model.data() + model.size();
  const auto [rest, error] = std::from_chars(model.data(), end, label);
  return error == std::errc() && rest == end && label <= 255 ? label : 0;
}

}  // namespace

std::vector<std::uint32_t> labels_of(std::span<const RecognizableObject> objects, bool instances) {
  std::vector<std::uint32_t> out;
  std::array<std::uint32_t, 256> count{};
  for (const RecognizableObject& object : objects) {
    std::uint32_t label = label_of_model(object.model);
    if (instances && label != 0)
      label |= (count[label] = std::min(count[label] + 1, kMostInstances)) << 8;
    out.push_back(label);
  }
  return out;
}

void write_label_color(std::uint32_t label, std::uint8_t* bgr) {
  std::uint32_t mixed = label * kFactor & kMask;
  mixed ^= mixed >> 12;  // its own inverse on 24 bits
  mixed = mixed * kFactor & kMask;
  for (int i = 0; i < 3; ++i) bgr[i] = static_cast<std::uint8_t>(mixed >> 8 * i);
}

std::uint32_t label_of_color(const std::uint8_t* bgr) {
  constexpr std::uint32_t kInverse = inverse_of(kFactor);
  std::uint32_t mixed =
      bgr[0] | static_cast<std::uint32_t>(bgr[1]) << 8 | static_cast<std::uint32_t>(bgr[2]) << 16;
  mixed = mixed * kInverse & kMask;
  mixed ^= mixed >> 12;
  return mixed * kInverse & kMask;
}

}  // namespace protobeam
