// Where a wheel meets the ground: a disc that can be moved up and down over the shapes below it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "physics/world.h"

namespace protobeam {

/// The middle plane of a wheel, or with radius 0 a point.
struct ProbeDisc {
  Vec3 centre_W = Vec3::Zero();
  Vec3 forward_W = Vec3::UnitX();  ///< unit, in the disc's plane
  Vec3 up_W = Vec3::UnitZ();       ///< unit, in the disc's plane, across forward_W: how it can move
  double radius = 0;               ///< m
  double clearance = 0;            ///< m above the lowest point: how high ground may stand
  double reach = 0;                ///< m below the lowest point that still count
};

struct ProbeContact {
  double lift = 0;  ///< m by which the disc has to move up to just touch; negative: down
  Vec3 point_W = Vec3::Zero();  ///< where it touches then
  Vec3 normal_W = Vec3::UnitZ();
  const physics::NearShape* shape = nullptr;
};

/// A straight piece of the ground's profile in the disc's plane: x forward, z up from the centre.
struct ProbeFace {
  const physics::NearShape* shape = nullptr;
  double begin = 0, end = 0;  ///< x
  double x = 0, z = 0;        ///< a point on its line
  double slope = 0;           ///< dz/dx
  Vec3 normal_W = Vec3::UnitZ();

  double at(double other) const { return z + slope * (other - x); }
};

/// What a probe reuses from call to call.
struct ProbeMemory {
  std::vector<std::array<Vec3, 3>> triangles;
  std::vector<ProbeFace> faces;
};

/// The highest contact with the shapes below; nothing when all of them are out of reach. Exact for
/// half spaces, meshes, terrains and boxes, whose faces the disc's plane cuts. On other shapes rays search for
/// the highest place, to about a hundredth of the radius. Steps that stand higher than the wheel's
/// centre are walls: they stop the chassis, not the wheel.
std::optional<ProbeContact> probe(const physics::World& world,
                                  std::span<const physics::NearShape> shapes, const ProbeDisc& disc,
                                  ProbeMemory& memory);

}  // namespace protobeam
