// The pose of a child from the positions of its joint, and the inverse.
#pragma once

#include <array>

#include "physics/world.h"

namespace protobeam::physics {

using JointPositions = std::array<double, 3>;

class JointKinematics {
 public:
  /// Throws std::invalid_argument for axes that span nothing.
  explicit JointKinematics(const JointSpec& spec);

  int axis_count() const { return axis_count_; }
  bool translates() const { return kind_ == JointKind::kSlider || measures_distance(); }
  bool measures_distance() const { return kind_ == JointKind::kDistance; }
  double pitch() const { return pitch_; }  ///< JointSpec::pitch

  Pose child_in_parent(const JointPositions& q) const;
  /// The positions that explain X_PC best, each the branch nearest to `near`: angles count
  /// revolutions.
  JointPositions positions(const Pose& X_PC, const JointPositions& near) const;

  /// Basis of the relative motion at q, in P: w_PC (or v_PC of a slider) = basis * [rates, errors].
  /// The first axis_count() columns belong to the axes, the others to what the joint locks. Of a
  /// distance, whose direction follows from the poses, there is none.
  Mat3 basis_P(const JointPositions& q) const;

  /// Rotation from where X_PC0 and q put the child to where it is, as a vector in P.
  Vec3 rotation_error_P(const Pose& X_PC, const JointPositions& q) const;

  const Vec3& anchor_P() const { return anchor_P_; }
  const Vec3& anchor_C() const { return anchor_C_; }

 private:
  Quat rotation(const JointPositions& q) const;

  JointKind kind_;
  int axis_count_;
  double pitch_;
  Vec3 anchor_P_, anchor_C_;
  std::array<Vec3, 3> axes_P_;
  Pose X_PC0_;
};

}  // namespace protobeam::physics
