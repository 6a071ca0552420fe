// Bodies and worlds that the tests are made of.
#pragma once

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "physics/world.h"
#include "tests/unit/support/constants.h"

namespace protobeam::physics {

inline MassProperties box_mass(double mass, const Vec3& size) {
  const Vec3 s2 = size.cwiseProduct(size);
  return {mass, Vec3::Zero(),
          Vec3(s2.y() + s2.z(), s2.x() + s2.z(), s2.x() + s2.y()).asDiagonal() * Mat3::Identity() *
              (mass / 12)};
}

inline MassProperties ball_mass(double mass, double radius) {
  return {mass, Vec3::Zero(), Mat3::Identity() * (0.4 * mass * radius * radius)};
}

/// About z.
inline MassProperties cylinder_mass(double mass, double radius, double height) {
  const double across = mass * (3 * radius * radius + height * height) / 12;
  return {mass, Vec3::Zero(),
          Vec3(across, across, 0.5 * mass * radius * radius).asDiagonal() * Mat3::Identity()};
}

inline CollisionShape shape(const Geometry& geometry, const Pose& X_BS = {}, int material = 0,
                            int owner = -1) {
  return {std::make_shared<Geometry>(geometry), X_BS, material, owner};
}

inline BodySpec ground() {
  BodySpec spec;
  spec.name = "ground";
  spec.shapes = {shape(Plane{}, {}, 0, 1000)};
  return spec;
}

inline BodySpec box(const std::string& name, double mass, const Vec3& size, const Vec3& p_W) {
  BodySpec spec;
  spec.name = name;
  spec.motion = Motion::kDynamic;
  spec.X_WB = Pose::translation(p_W);
  spec.mass = box_mass(mass, size);
  spec.shapes = {shape(Box{size})};
  return spec;
}

inline BodySpec ball(const std::string& name, double mass, double radius, const Vec3& p_W) {
  BodySpec spec;
  spec.name = name;
  spec.motion = Motion::kDynamic;
  spec.X_WB = Pose::translation(p_W);
  spec.mass = ball_mass(mass, radius);
  spec.shapes = {shape(Sphere{radius})};
  return spec;
}

/// A hinge about `axis` through `anchor`, both in W, between the environment and `child`.
inline JointSpec hinge(BodyId child, const Pose& X_WC, const Vec3& axis, const Vec3& anchor) {
  JointSpec spec;
  spec.name = "hinge";
  spec.child = child;
  spec.X_PC0 = X_WC;
  spec.anchor_P = anchor;
  spec.axes[0].axis_P = axis;
  return spec;
}

/// Along x.
inline JointSpec slider(BodyId child, const Pose& X_WC) {
  JointSpec spec;
  spec.name = "rail";
  spec.kind = JointKind::kSlider;
  spec.child = child;
  spec.X_PC0 = X_WC;
  return spec;
}

inline void run(World& world, double seconds) {
  const double end = world.time() + seconds - 1e-9;
  while (world.time() < end) world.step();
}

inline WorldSpec world_spec(double time_step, const Vec3& gravity = {0, 0, -kGravity}) {
  WorldSpec spec;
  spec.time_step = time_step;
  spec.gravity = gravity;
  return spec;
}

inline ContactRule rule(double friction, double bounce = 0) {
  ContactRule rule;
  rule.friction = friction;
  rule.bounce = bounce;
  return rule;
}

}  // namespace protobeam::physics
