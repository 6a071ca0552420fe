// The lights of a world, and how they reach the shaders.
#pragma once

#include <osg/Matrixd>
#include <osg/StateSet>
#include <vector>

#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"

namespace protobeam::viewer {

constexpr int kMaxLights = 16;  ///< besides the sun, those nearest to the eye

/// The sun is the directional light that throws the shadows: the first one that the world asks to
/// (castShadows), else the first one, since shadows tell how far things are from the ground. A
/// world without any light gets a sun of its own.
class LightSet {
 public:
  explicit LightSet(const SceneDescription& description);

  /// Lights that bodies carry.
  void update(const SceneState& state);

  bool has_sun() const { return has_sun_; }
  const Vec3& to_sun() const { return to_sun_; }  ///< unit vector in the world
  const Eigen::Vector3f& sun() const { return sun_; }
  /// Light from all sides that the directional lights bring.
  const Eigen::Vector3f& ambient() const { return ambient_; }

  /// How many lights besides the sun the shaders must know, at most kMaxLights.
  int count() const;
  /// Uniforms of the lights besides the sun, in the eye's frame.
  void give_to(osg::StateSet& state, const osg::Matrixd& eye_from_world, const Vec3& eye_W) const;

 private:
  struct Lamp {
    Light light;
    Vec3 location_W, direction_W;
  };
  bool has_sun_ = false;
  Vec3 to_sun_{-0.45, 0.6, 0.85};
  Eigen::Vector3f sun_{0, 0, 0}, ambient_{0, 0, 0};
  std::vector<Lamp> lamps_;
};

}  // namespace protobeam::viewer
