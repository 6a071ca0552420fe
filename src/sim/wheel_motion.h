// Robots without Physics that drive by their wheels: Webots moves them as their two wheels roll.
#pragma once

#include <array>
#include <vector>

#include "physics/world.h"

namespace protobeam {

/// A kinematic body on two wheels of one radius and parallel axes.
struct RollingBody {
  struct Wheel {
    physics::JointId joint = -1;
    Vec3 axis_B = Vec3::UnitX();  ///< unit
    Vec3 anchor_B = Vec3::Zero();
  };
  physics::BodyId body = physics::kWorldBody;
  std::array<Wheel, 2> wheels;
  double radius = 0;  ///< m
};

/// Gives each body the velocity at which its wheels, as they turn now, roll without slip in the
/// coming step of `step` s: along an arc about where their axes would meet.
void roll(physics::World& world, const std::vector<RollingBody>& bodies, const Vec3& up_W,
          double step);

}  // namespace protobeam
