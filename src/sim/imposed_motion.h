// Robots that ride along what one of their devices says (DeviceType::moves_robot).
#pragma once

#include <vector>

#include "sim/model.h"

namespace protobeam {

class ImposedMotions {
 public:
  /// Their devices, once bodies are made, or when some have come or gone. Each robot is put where it
  /// has to be at `time`.
  void follow(physics::World& world, const std::vector<Device*>& devices, double time);
  /// Gives each body the velocity that brings it in the coming step to where it has to be.
  void prepare_step(physics::World& world, double time, double step);
  /// After the step, which ended at `time`: poses and velocities are the exact ones, not the mean of
  /// the step. What an accelerometer differences is then the true velocity.
  void finish_step(physics::World& world, double time);
  /// Whether the body was moved in no time in the last step.
  bool jumped(physics::BodyId body) const;

 private:
  struct Guide {
    Device* device;
    bool jumped = false;
  };
  std::vector<Guide> guides_;
};

}  // namespace protobeam
