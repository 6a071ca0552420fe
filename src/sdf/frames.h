// Where everything is: frames of SDF, resolved by libsdformat.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/diagnostics.h"
#include "base/math.h"
#include "sdf/expand.h"

namespace protobeam::sdf {

constexpr double kFarthest = 1e9;  // m; the square of what is farther is no number any more

/// The ends and axes of a joint, in its model; of a joint of the world, in the world.
struct JointFrame {
  std::string parent, child;  ///< links, or "world", as the model or world of the joint calls them
  Pose X_MJ;
  Vec3 axis = Vec3::UnitZ(), axis2 = Vec3::UnitZ();  ///< unit vectors in the model's axes
};

class Frames {
 public:
  /// Of all models and lights in an expanded <sdf>; null with errors.
  static std::unique_ptr<const Frames> of(const Element& sdf, Diagnostics& diagnostics);

  /// Of a model, in the model or world that holds it; of a link, in its model; of what a link
  /// holds, in the link.
  Pose pose(const Element& element, Diagnostics& diagnostics) const;
  /// Null for joints that are left out.
  const JointFrame* joint(const Element& element) const;

 private:
  friend class FrameReader;
  std::map<const Element*, Pose> poses_;
  std::map<const Element*, JointFrame> joints_;
};

}  // namespace protobeam::sdf
