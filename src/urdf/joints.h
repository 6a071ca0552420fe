// Joints with their motors and position sensors.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "urdf/drives.h"
#include "urdf/import.h"

namespace protobeam::urdf {

/// A joint of one axis that is not locked: limits of 0 and 0 leave it nowhere to go.
bool turns_or_slides(const Joint& joint);

/// The pose of the child in the parent at the start: at position 0, or at the limit nearest to it.
Pose start_pose(const Robot& robot, const Joint& joint);

/// Which joints have a motor and a position sensor: those that <ros2_control> names and those that
/// a plugin drives, or all that move when there is no <ros2_control>; but what turns on and on
/// below a robot that a plugin drives is a caster, unless a <transmission> names it.
class Control {
 public:
  /// `drives` lives longer.
  Control(Import& import, const Drives& drives);
  bool has_motor(const Joint& joint) const;
  bool has_sensor(const Joint& joint) const;
  const Drives& drives() const { return drives_; }
  /// "<joint>", or "<master>::<joint>" for those that are coupled.
  std::string motor_name(const Joint& joint) const;

 private:
  const Robot& robot_;
  const Drives& drives_;
  bool all_ = true;
  std::set<const Joint*> commanded_, measured_;
  std::set<const Joint*> casters_;
  std::set<const Joint*> masters_;  ///< of mimic joints that can be coupled
};

/// The joint of Webots with its devices; `child` is the Solid at its end, in its start_pose().
/// Fixed joints give the Solid itself.
wbt::NodePtr joint_node(Import& import, const Control& control, const Joint& joint,
                        wbt::NodePtr child);

}  // namespace protobeam::urdf
