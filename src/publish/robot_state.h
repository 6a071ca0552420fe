// A robot as messages see it: its base_link, the frames on it, its shape.
//
// Its base is the frame of the drive of a vehicle, and that of the Robot otherwise. It is called
// base_link, unless the robot says otherwise.
#pragma once

#include <string>
#include <vector>

#include "message/geometry_msgs.h"
#include "sim/robot_links.h"
#include "sim/robot_urdf.h"
#include "sim/simulation.h"

namespace protobeam {

message::Pose pose_message(const Pose& X);
message::Transform transform_message(const Pose& X);
message::Vector3 vector_message(const Vec3& v);
message::TransformStamped transform_stamped(const message::Header& header, const std::string& child,
                                            const Pose& X);

/// A frame of a device.
struct FrameOnRobot {
  std::string name;
  const Device* device = nullptr;
  Pose X_DF;
  bool moves = false;  ///< against the base
};

/// The URDF that is published of a robot.
std::string robot_description(const Simulation& simulation, const RobotInfo& robot,
                              const MeshFile& mesh_file);

class RobotState {
 public:
  /// `prefix` stands before the names of all frames in messages.
  RobotState(const Simulation& simulation, const RobotInfo& robot, std::string prefix = "");

  const VehicleHost* vehicle() const { return vehicle_; }
  const std::string& base_frame() const { return base_frame_; }
  /// What messages call a frame of the robot; all other names here are without the prefix.
  std::string in_messages(const std::string& frame) const;
  /// The frame below it that stays level: no part of the robot is called so.
  bool has_footprint() const { return has_footprint_; }
  Pose X_WB() const;    ///< of the base
  Vec3 v_WB_B() const;  ///< m/s, of its origin, in its axes
  Vec3 w_WB_B() const;  ///< rad/s, in its axes
  const std::vector<FrameOnRobot>& frames() const { return frames_; }
  Pose X_BF(const FrameOnRobot& frame) const;
  /// All of it as links and joints; frames() are among the links.
  const RobotLinks& links() const { return links_; }
  /// Those that are no frame of a device and not the base.
  const std::vector<const RobotLink*>& other_links() const { return other_links_; }
  /// Its base can leave the level.
  bool tilts() const { return body() != physics::kWorldBody; }
  /// The base straight above the ground, level: X_BP.
  Pose footprint_B() const;
  /// What the robot's boundingObjects fill, seen from above: a convex polygon in the base,
  /// counter-clockwise; empty without any.
  std::vector<Vec2> outline_B() const;

 private:
  physics::BodyId body() const;
  Pose X_WS() const;  ///< of the robot's Solid
  LinkNames link_names() const;
  /// A Solid that is no device has that name.
  bool has_part(const std::string& name) const;

  const Simulation& simulation_;
  const RobotInfo& robot_;
  std::string prefix_;
  std::string base_frame_;
  bool has_footprint_;
  const VehicleHost* vehicle_ = nullptr;
  std::vector<FrameOnRobot> frames_;
  RobotLinks links_;
  std::vector<const RobotLink*> other_links_;
};

}  // namespace protobeam
