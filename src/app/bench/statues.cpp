#include "app/bench/statues.h"

#include <algorithm>
#include <cmath>

#include "app/bench/sheet.h"
#include "base/libm.h"

namespace protobeam::bench {
namespace {

constexpr double kStatueHeight = 2, kStatuesApart = 4;  // m

/// Of the figure at a height of 0 to 1: base, robe, shoulders, neck and head, m.
double radius_at(double height) {
  struct Ring {
    double height, radius;
  };
  constexpr Ring kRings[] = {{0, 0.25},    {0.08, 0.25}, {0.09, 0.17}, {0.45, 0.13}, {0.72, 0.2},
                             {0.82, 0.16}, {0.85, 0.06}, {0.9, 0.1},   {0.96, 0.09}, {1, 0}};
  const auto* above =
      std::ranges::find_if(kRings, [=](const Ring& r) { return r.height >= height; });
  if (above == std::begin(kRings)) return above->radius;
  const Ring& below = above[-1];
  const double part = (height - below.height) / (above->height - below.height);
  return below.radius + part * (above->radius - below.radius);
}

}  // namespace

Mesh statue(int triangles, int kind) {
  // Cells as wide as they are high: 1.1 m around, 2 m up.
  const int around = std::max(3, static_cast<int>(std::sqrt(triangles * 0.275)));
  const int up = std::max(2, triangles / (2 * around));
  const double folds = 7 + 2 * (kind % 5), twist = 0.5 * (kind % 3);
  Mesh mesh;
  add_sheet(mesh, around, up, [&](double u, double v) -> Vec3 {
    const double angle = 2 * kPi * u;
    const double fold = 1 + 0.06 * libm::sin(folds * angle + twist * 2 * kPi * v);
    const double radius = radius_at(v) * fold;
    return {radius * libm::cos(angle), radius * libm::sin(angle), kStatueHeight * v};
  });
  return mesh;
}

std::vector<PlacedMesh> statue_field(int count, int triangles) {
  const int side = static_cast<int>(std::ceil(std::sqrt(count)));
  std::vector<PlacedMesh> field;
  for (int i = 0; i < count; ++i) {
    const int column = i % side, row = i / side;
    const double middle = 0.5 * (side - 1);
    Vec3 at((column - middle) * kStatuesApart, (row - middle) * kStatuesApart, 0);
    if (at.isZero(0)) at.x() = kStatuesApart / 2;
    field.push_back({statue(triangles, i), {axis_angle(Vec3::UnitZ(), i), at}});
  }
  PlacedMesh& ground = field.emplace_back();
  const double size = kStatuesApart * (side + 4);
  add_sheet(ground.mesh, 8, 8,
            [&](double u, double v) { return Vec3((u - 0.5) * size, (v - 0.5) * size, 0); });
  return field;
}

}  // namespace protobeam::bench
