// Where the links of a URDF are, by the transforms of its specification.
#pragma once

#include <urdf_model/model.h>

#include <map>
#include <string>

#include "base/math.h"

namespace protobeam {

inline Pose urdf_pose(const urdf::Pose& pose) {
  double x = 0, y = 0, z = 0, w = 1;
  pose.rotation.getQuaternion(x, y, z, w);
  return {Quat(w, x, y, z), Vec3(pose.position.x, pose.position.y, pose.position.z)};
}

/// Where a link is in base_link, with the joints at these positions.
inline Pose forward(const urdf::ModelInterface& robot, const std::string& link,
                    const std::map<std::string, double>& at) {
  const auto joint = robot.getLink(link)->parent_joint;
  if (!joint) return {};
  const Vec3 axis(joint->axis.x, joint->axis.y, joint->axis.z);
  const auto found = at.find(joint->name);
  const double q = found == at.end() ? 0 : found->second;
  Pose motion;
  if (joint->type == urdf::Joint::PRISMATIC) {
    motion.p = q * axis;
  } else if (joint->type != urdf::Joint::FIXED) {
    motion.R = Quat(Eigen::AngleAxisd(q, axis));
  }
  return forward(robot, joint->parent_link_name, at) *
         urdf_pose(joint->parent_to_joint_origin_transform) * motion;
}

}  // namespace protobeam
