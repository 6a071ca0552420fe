// The instances that move within the step, as one geometry of Embree.
#pragma once

#include <embree3/rtcore.h>

#include <memory>
#include <vector>

#include "raycast/trace.h"

namespace protobeam {

/// Embree sees the boxes of the bodies' ways, one primitive each; rays that cross one are taken
/// into the coordinates of the body, where it is when each of them is cast, and traced there.
/// Embree's own motion blur goes along chords, and takes twice as long to build.
class MoverScene {
 public:
  explicit MoverScene(RTCDevice device);
  ~MoverScene();
  MoverScene(const MoverScene&) = delete;
  MoverScene& operator=(const MoverScene&) = delete;

  RTCScene scene() const { return scene_.get(); }
  /// An instance began to move, moves on, has stopped, was shown or hidden.
  void touch() { dirty_ = true; }
  bool up_to_date(const Vec3& p_WL) const { return !dirty_ && p_WL == p_WL_; }
  /// Builds the tree again, in coordinates that count from p_WL.
  void update(const std::vector<InstanceRecord>& records, const Vec3& p_WL);

  const RTCBounds& bounds(unsigned primitive) const { return bounds_[primitive]; }
  std::uint32_t instance(unsigned primitive) const { return instances_[primitive]; }

 private:
  struct Release {
    void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
  };

  std::unique_ptr<RTCSceneTy, Release> scene_;
  RTCGeometry geometry_;
  std::vector<std::uint32_t> instances_;  ///< by primitive
  std::vector<RTCBounds> bounds_;
  Vec3 p_WL_ = Vec3::Zero();
  bool dirty_ = true;
};

}  // namespace protobeam
