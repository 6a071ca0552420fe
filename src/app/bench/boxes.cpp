#include "app/bench/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/libm.h"
#include "base/rng.h"

namespace protobeam::bench {
namespace {

constexpr double kDensity = 500;  // kg/m^3
constexpr double kCell = 0.6;     // m; the diagonal of the largest box is 0.69, but few are upright

BenchBox wall(const Vec3& size, const Vec3& p_W) {
  BenchBox box;
  box.size = size;
  box.p_W = p_W;
  return box;
}

}  // namespace

std::vector<BenchBox> tumbling_boxes(int count) {
  // About six layers: the boxes fall on each other and lie in a heap.
  const int side = std::max(2, static_cast<int>(std::ceil(std::sqrt(count / 6.0))));
  const double half = side * kCell / 2 + 0.2;
  std::vector<BenchBox> boxes = {wall({2 * half + 2, 2 * half + 2, 1}, {0, 0, -0.5}),
                                 wall({1, 2 * half + 2, 4}, {half + 0.5, 0, 2}),
                                 wall({1, 2 * half + 2, 4}, {-half - 0.5, 0, 2}),
                                 wall({2 * half + 2, 1, 4}, {0, half + 0.5, 2}),
                                 wall({2 * half + 2, 1, 4}, {0, -half - 0.5, 2})};
  const NoiseKey key{.seed = 1, .device = 0, .stream = 0, .frame = 0};
  std::uint64_t drawn = 0;
  const auto draw = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(uniform(key, drawn++));
  };
  const auto vector = [&](double low, double high) {
    const double x = draw(low, high), y = draw(low, high);
    return Vec3(x, y, draw(low, high));
  };
  for (int i = 0; i < count; ++i) {
    const int layer = i / (side * side), place = i % (side * side);
    BenchBox box;
    box.size = vector(0.2, 0.4);
    box.p_W = {(place % side + 0.5) * kCell - half + 0.2, (place / side + 0.5) * kCell - half + 0.2,
               0.5 + kCell * layer};
    box.R_WB = axis_angle((vector(-1, 1) + Vec3(0, 0, 1e-3)).normalized(), draw(-3, 3));
    box.v_W = {draw(-0.5, 0.5), draw(-0.5, 0.5), 0};
    box.w_W = vector(-4, 4);
    box.mass = kDensity * box.size.prod();
    boxes.push_back(box);
  }
  return boxes;
}

std::vector<BenchBox> resting_boxes(int count) {
  constexpr double kSize = 0.3;
  const int side = static_cast<int>(std::ceil(std::sqrt(count)));
  std::vector<BenchBox> boxes = {wall({side + 2.0, side + 2.0, 1}, {0, 0, -0.5})};
  for (int i = 0; i < count; ++i) {
    BenchBox box;
    box.size = Vec3::Constant(kSize);
    box.p_W = {i % side - 0.5 * side, i / side - 0.5 * side, kSize / 2};
    box.mass = kDensity * box.size.prod();
    boxes.push_back(box);
  }
  return boxes;
}

std::string boxes_world(const std::vector<BenchBox>& boxes) {
  std::string out = "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 10 }\n";
  const auto vector = [](const Vec3& v) {
    return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z());
  };
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const BenchBox& box = boxes[i];
    const double sine = box.R_WB.vec().norm();
    const Vec3 axis = sine > 0 ? Vec3(box.R_WB.vec() / sine) : Vec3::UnitZ();
    fmt::format_to(std::back_inserter(out),
                   "Solid {{ name \"box {}\" translation {} rotation {} {:.17g} "
                   "boundingObject Box {{ size {} }}",
                   i, vector(box.p_W), vector(axis), 2 * libm::atan2(sine, box.R_WB.w()),
                   vector(box.size));
    if (box.mass > 0)
      fmt::format_to(std::back_inserter(out),
                     " linearVelocity {} angularVelocity {} physics Physics {{ density -1 mass "
                     "{:.17g} }}",
                     vector(box.v_W), vector(box.w_W), box.mass);
    out += " }\n";
  }
  return out;
}

}  // namespace protobeam::bench
