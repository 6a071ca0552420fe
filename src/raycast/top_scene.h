// The top level of the ray scene: instances, placed for Embree.
#pragma once

#include <embree3/rtcore.h>

#include <memory>
#include <vector>

#include "raycast/trace.h"

namespace protobeam {

/// Some of the instances, and Embree's tree over them.
class TopScene {
 public:
  enum class Shows {
    kEndOfStep,  ///< all, where they are at the end of the step
    kResting,    ///< those that do not move within the step; the others are MovingInstances
    kFields      ///< those of kEndOfStep that have height fields
  };
  TopScene(RTCDevice device, Shows shows);
  ~TopScene();
  TopScene(const TopScene&) = delete;
  TopScene& operator=(const TopScene&) = delete;

  RTCScene scene() const { return scene_.get(); }
  /// The instance is new, has another pose or motion, was shown or hidden.
  void touch(std::uint32_t instance, const InstanceRecord& record);
  /// The instance is no more; its number may come back as another one.
  void remove(std::uint32_t instance);
  bool up_to_date(const Vec3& p_WL) const { return !dirty_ && p_WL == p_WL_; }
  /// Places what was touched, in coordinates relative to p_WL, and builds the tree again.
  void update(const std::vector<InstanceRecord>& records, const Vec3& p_WL);

 private:
  struct Entry {
    RTCGeometry geometry = nullptr;  ///< null until it is shown for the first time
    bool shown = false, touched = false;
  };
  struct Release {
    void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
  };
  bool shows(const InstanceRecord& record) const;

  RTCDevice device_;
  Shows shows_;
  std::unique_ptr<RTCSceneTy, Release> scene_;
  std::vector<Entry> entries_;
  Vec3 p_WL_ = Vec3::Zero();
  bool dirty_ = true;
};

}  // namespace protobeam
