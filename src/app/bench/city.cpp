#include "app/bench/city.h"

#include <cmath>

#include "app/bench/dice.h"
#include "app/bench/sheet.h"
#include "base/libm.h"

namespace protobeam::bench {
namespace {

/// Four walls with windows set back, and a flat roof.
Mesh house(const Vec3& size) {
  Mesh mesh;
  const auto wall = [&](const Vec3& from, const Vec3& along, const Vec3& inwards) {
    add_sheet(mesh, 12, 8, [&](double u, double v) -> Vec3 {
      const int i = static_cast<int>(std::lround(u * 12)), j = static_cast<int>(std::lround(v * 8));
      const bool window = i % 4 >= 2 && j % 3 == 1;
      return from + u * along + Vec3(0, 0, v * size.z()) + (window ? 0.25 : 0.0) * inwards;
    });
  };
  const double x = size.x(), y = size.y();
  wall({-x / 2, -y / 2, 0}, {x, 0, 0}, {0, 1, 0});
  wall({x / 2, -y / 2, 0}, {0, y, 0}, {-1, 0, 0});
  wall({x / 2, y / 2, 0}, {-x, 0, 0}, {0, -1, 0});
  wall({-x / 2, y / 2, 0}, {0, -y, 0}, {1, 0, 0});
  add_sheet(mesh, 2, 2,
            [&](double u, double v) { return Vec3((u - 0.5) * x, (v - 0.5) * y, size.z()); });
  return mesh;
}

/// A trunk and a crown of leaves, each a triangle of its own.
Mesh tree(Dice& dice) {
  Mesh mesh;
  add_sheet(mesh, 8, 4, [](double u, double v) {
    return Vec3(0.2 * libm::cos(2 * kPi * u), 0.2 * libm::sin(2 * kPi * u), 3 * v);
  });
  for (int leaf = 0; leaf < 300; ++leaf) {
    const double a = dice(0, 2 * kPi), h = dice(-1, 1), r = 2 * libm::cbrt(dice(0, 1));
    const Vec3 center(r * std::sqrt(1 - h * h) * libm::cos(a),
                      r * std::sqrt(1 - h * h) * libm::sin(a), 4.5 + r * h);
    const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int k = 0; k < 3; ++k) {
      mesh.vertices.push_back(center + Vec3(dice(-0.2, 0.2), dice(-0.2, 0.2), dice(-0.2, 0.2)));
    }
    mesh.triangles.push_back({base, base + 1, base + 2});
  }
  return mesh;
}

/// A rounded body 4.4 m long.
Mesh car() {
  Mesh mesh;
  add_sheet(mesh, 24, 14, [](double u, double v) {
    const double a = 2 * kPi * u, b = kPi * v;
    const auto boxy = [](double c) { return std::copysign(libm::pow(std::abs(c), 0.4), c); };
    return Vec3(2.2 * boxy(libm::cos(a)) * boxy(libm::sin(b)),
                0.9 * boxy(libm::sin(a)) * boxy(libm::sin(b)), 0.85 + 0.65 * boxy(libm::cos(b)));
  });
  return mesh;
}

std::vector<VisibleShape> shape(Geometry geometry) {
  return {{std::make_shared<Geometry>(std::move(geometry)), {}}};
}

}  // namespace

City add_city(RayScene& scene) {
  Dice dice(20);
  Mesh ground;
  add_sheet(ground, 60, 60, [](double u, double v) {
    const double x = (u - 0.5) * 240, y = (v - 0.5) * 240;
    return Vec3(x, y, 0.05 * libm::sin(0.31 * x) * libm::cos(0.23 * y));
  });
  scene.add(shape(std::move(ground)), {});

  // Blocks of 30 m, streets of 12 m between them.
  for (int i = -3; i < 3; ++i) {
    for (int j = -3; j < 3; ++j) {
      const Vec3 corner(42.0 * i + 6, 42.0 * j + 6, 0);
      for (int part = 0; part < 2; ++part) {
        const Vec3 size(dice(10, 14), dice(18, 29), dice(6, 24));
        const Vec3 place = corner + Vec3(7.5 + 15.0 * part, 15, 0);
        scene.add(shape(house(size)), Pose::translation(place));
      }
    }
  }
  const auto cars = shape(car());
  const std::vector<VisibleShape> trees[] = {shape(tree(dice)), shape(tree(dice)),
                                             shape(tree(dice))};
  for (int k = 0; k < 60; ++k) {
    const double along = dice(-115, 115), side = k % 2 == 0 ? 4.9 : -4.9;
    const double street = 42.0 * (k % 5 - 2);
    const Vec3 place = k % 4 < 2 ? Vec3(along, street + side, 0) : Vec3(street + side, along, 0);
    scene.add(trees[k % 3], {axis_angle(Vec3::UnitZ(), dice(0, 6)), place});
  }
  City city;
  for (int k = 0; k < 50; ++k) {
    const double along = dice(8, 110) * (k % 2 == 0 ? 1 : -1), side = k % 4 < 2 ? 2.2 : -2.2;
    const double street = 42.0 * (k % 3 - 1);
    const bool east = k % 8 < 4;
    const Vec3 place = east ? Vec3(along, street + side, 0) : Vec3(street + side, along, 0);
    city.cars.push_back(scene.add(cars, {axis_angle(Vec3::UnitZ(), east ? 0 : kPi / 2), place}));
  }
  return city;
}

}  // namespace protobeam::bench
