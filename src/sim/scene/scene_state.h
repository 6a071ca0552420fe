// A world as viewers know it: a snapshot of its state at one moment.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/device_data.h"
#include "render/picture_label.h"
#include "sim/model.h"
#include "sim/robot_driver.h"
#include "sim/scene/painted_sides.h"

namespace protobeam {

struct SolidState {
  Pose X_WS;
  Vec3 v_WS = Vec3::Zero(), w_WS = Vec3::Zero();  ///< m/s of its origin, rad/s; in W
};

/// A finished sweep of a lidar.
struct Sweep {
  int device = 0;                   ///< index in SceneDescription::devices
  std::uint64_t number = 0;         ///< 1, 2, ... as the device delivers them
  double time = 0;                  ///< s, at its end
  Pose X_WS;                        ///< of the sensor, at its end
  std::vector<BeamReturn> returns;  ///< no misses
};

/// What a camera has seen, or a display shows.
struct DevicePicture {
  int device = 0;            ///< index in SceneDescription::devices
  std::uint64_t number = 0;  ///< another one is another picture
  int width = 0, height = 0;
  int channels = 4;  ///< 4: blue, green, red, alpha; 1: grey, or behind a mosaic of colours
  std::vector<std::uint8_t> pixels;
};

struct SceneState {
  int load = 0;  ///< of which SceneDescription
  double time = 0;
  std::int64_t step = 0;
  std::vector<Pose> groups;  ///< X_WG, as SceneDescription::groups
  std::vector<bool> hidden;  ///< by group: not seen now, as one of a Propeller's helices; may be shorter
  std::vector<Pose> bodies;  ///< X_WB, by BodyId
  std::vector<SolidState> solids;
  std::vector<physics::Contact> contacts;  ///< of the last step
  /// The newest sweep of each lidar that delivered one. A state shares the sweeps that did
  /// not change with the state before.
  std::vector<std::shared_ptr<const Sweep>> sweeps;
  /// The newest one of each device that has one, for viewers that want them.
  std::vector<std::shared_ptr<const DevicePicture>> pictures;
  std::vector<PaintedSide> paint;          ///< what pens drew
  std::vector<Eigen::Vector3f> emissions;  ///< 0 to 1, by SceneDescription::emitters
  std::vector<ControllerReport> controllers;
  std::vector<render::PictureLabel> labels;
};

/// An element of a list of a scene by its index; null where there is none: a state may have less
/// than its description names.
template <typename T>
const T* find(const std::vector<T>& list, int index) {
  if (index < 0 || static_cast<std::size_t>(index) >= list.size()) return nullptr;
  return &list[static_cast<std::size_t>(index)];
}

}  // namespace protobeam
