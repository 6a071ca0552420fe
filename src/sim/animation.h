// Bodies that move along poses given by time.
#pragma once

#include <vector>

#include "base/math.h"
#include "physics/world.h"

namespace protobeam {

/// Poses at rising times; between them straight lines and even turns, the shorter way round.
struct Keyframes {
  std::vector<double> times;       ///< s, rising; one or more
  std::vector<Vec3> translations;  ///< one a time, or empty
  std::vector<Quat> rotations;     ///< likewise
  bool loop = true;                ///< time runs modulo the last one; otherwise it stays there

  Pose pose(double time) const;
  /// It starts a new round between the two times, and that is not where the last one ended.
  bool jumps(double from, double to) const;
};

/// Gives the body the velocity that brings it in the coming step to `after`.
void move_within_step(physics::World& world, physics::BodyId body, const Pose& after, double step);
/// The body is there at once and at rest.
void put(physics::World& world, physics::BodyId body, const Pose& X_WB);

/// A KeyframeAnimation of the world text.
struct Animation {
  physics::BodyId body = physics::kWorldBody;
  int parent = -1;  ///< index of the animation that carries it; -1: the world
  Pose X_PA;        ///< of the Solid as it is written, in the parent's body or the world
  Keyframes keyframes;
  const void* unit = nullptr;  ///< see WorldModel
};

/// Moves the bodies of all animations. Parents stand before those that they carry.
class Animator {
 public:
  int add(Animation animation);
  std::vector<Animation>& all() { return animations_; }
  Pose pose(int animation, double time) const;  ///< in the world
  /// Gives each body the velocity that brings it in the coming step to where it is at its end. One
  /// that jumps is there at once and at rest.
  void prepare_step(physics::World& world, double time, double step);
  /// Whether the body jumped in prepare_step.
  bool jumped(physics::BodyId body) const;

 private:
  std::vector<Animation> animations_;
  std::vector<bool> jumped_;  ///< by animation
};

}  // namespace protobeam
