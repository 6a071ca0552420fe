// The lights of a world, and their uniforms.
#pragma once

#include <osg/Matrixd>
#include <osg/StateSet>
#include <vector>

#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"

namespace protobeam::viewer {

constexpr int kMaxLights = 16;  ///< besides the sun, those nearest to the camera

/// The sun is the directional light that casts the shadows: the first one with castShadows, else
/// the first one, since shadows show how far objects are from the ground. A world without any light
/// gets a sun of its own.
class LightSet {
 public:
  explicit LightSet(const SceneDescription& description);

  /// Moves the lights of moving bodies, and colours those of emitters.
  void update(const SceneState& state);

  bool has_sun() const { return has_sun_; }
  const Vec3& to_sun() const { return to_sun_; }  ///< unit vector in the world
  const Eigen::Vector3f& sun() const { return sun_; }
  /// The ambient light of the directional lights.
  const Eigen::Vector3f& ambient() const { return ambient_; }

  /// How many lights besides the sun the shaders must know, at most kMaxLights.
  int count() const;
  /// Uniforms of the lights besides the sun, in eye coordinates.
  void set_uniforms(osg::StateSet& state, const osg::Matrixd& eye_from_world,
                    const Vec3& camera_W) const;

 private:
  struct Lamp {
    Light light;
    Vec3 location_W, direction_W;
    int emitter = -1;  ///< of SceneDescription::emitters, that colours it
  };
  bool has_sun_ = false;
  Vec3 to_sun_{-0.45, 0.6, 0.85};
  Eigen::Vector3f sun_{0, 0, 0}, ambient_{0, 0, 0};
  std::vector<Lamp> lamps_;
};

}  // namespace protobeam::viewer
