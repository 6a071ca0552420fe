// The instances that move within the step: a BVH over their swept bounds.
#pragma once

#include <embree3/rtcore.h>

#include <memory>
#include <vector>

#include "raycast/trace.h"

namespace protobeam {

/// One user geometry of Embree with the swept bounds of each body as a primitive. Rays that cross
/// one are transformed into the coordinates of the body at the time of the ray, and traced there.
/// Embree's own motion blur moves vertices along chords, and takes twice as long to build.
class MovingInstances {
 public:
  explicit MovingInstances(RTCDevice device);
  ~MovingInstances();
  MovingInstances(const MovingInstances&) = delete;
  MovingInstances& operator=(const MovingInstances&) = delete;

  RTCScene scene() const { return scene_.get(); }
  /// An instance began to move, moves on, has stopped, was shown or hidden.
  void touch() { dirty_ = true; }
  bool up_to_date(const Vec3& p_WL) const { return !dirty_ && p_WL == p_WL_; }
  /// Builds the tree again, in coordinates relative to p_WL.
  void update(const std::vector<InstanceRecord>& records, const Vec3& p_WL);

  const RTCBounds& bounds(unsigned primitive) const { return bounds_[primitive]; }
  std::size_t count() const { return instances_.size(); }
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
