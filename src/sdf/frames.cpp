#include "sdf/frames.h"

#include "urdf/values.h"

namespace protobeam::sdf {

Pose Frames::pose(const Element& element, Diagnostics& diagnostics) const {
  const auto known = poses_.find(&element);
  return known != poses_.end() ? known->second : urdf::child_pose(element, diagnostics);
}

const JointFrame* Frames::joint(const Element& element) const {
  const auto known = joints_.find(&element);
  return known == joints_.end() ? nullptr : &known->second;
}

}  // namespace protobeam::sdf
