// Scenes for the tests of what is drawn over a world.
#pragma once

#include <memory>

#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"

namespace protobeam {

/// Body 0 with a box around it, Solid 0.
inline std::shared_ptr<SceneDescription> look_with_body(const Vec3& size = {1, 2, 1}) {
  auto description = std::make_shared<SceneDescription>();
  description->load = 1;
  description->solids.resize(1);
  description->solids[0].body = 0;
  description->solids[0].body_mass = 1;
  description->collisions.push_back({std::make_shared<Geometry>(Box{size}), {}, 0, 0});
  return description;
}

inline SceneState body_at(const Pose& X_WB) {
  SceneState state;
  state.load = 1;
  state.bodies = {X_WB};
  state.solids = {{X_WB}};
  return state;
}

inline SceneDescription::Device camera(double fov, double vertical_fov, double from, double to) {
  SceneDescription::Device device;
  device.solid = 0;
  device.fov = fov;
  device.vertical_fov = vertical_fov;
  device.min_range = from;
  device.max_range = to;
  return device;
}

}  // namespace protobeam
