// A robot as messages see it: its base_link, the frames on it, its shape.
//
// base_link is the frame of the drive of a vehicle, and that of the Robot otherwise.
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
  bool moves = false;  ///< against base_link
};

/// The URDF that is published of a robot.
std::string robot_description(const Simulation& simulation, const RobotInfo& robot,
                              const MeshFile& mesh_file);

class RobotState {
 public:
  RobotState(const Simulation& simulation, const RobotInfo& robot);

  const VehicleHost* vehicle() const { return vehicle_; }
  Pose X_WB() const;      ///< of base_link
  Vec3 v_WB_B() const;    ///< m/s, of its origin, in base_link
  Vec3 w_WB_B() const;    ///< rad/s, in base_link
  const std::vector<FrameOnRobot>& frames() const { return frames_; }
  Pose X_BF(const FrameOnRobot& frame) const;
  /// All of it as links and joints; frames() are among the links.
  const RobotLinks& links() const { return links_; }
  /// Those that are no frame of a device and not base_link.
  const std::vector<const RobotLink*>& other_links() const { return other_links_; }
  /// Its base can leave the level.
  bool tilts() const { return body() != physics::kWorldBody; }
  /// base_link straight above the ground, level: X_BP.
  Pose footprint_B() const;
  /// What the robot's boundingObjects fill, seen from above: a convex polygon in base_link,
  /// counter-clockwise; empty without any.
  std::vector<Vec2> outline_B() const;

 private:
  physics::BodyId body() const;
  Pose X_WS() const;  ///< of the robot's Solid
  LinkNames link_names() const;

  const Simulation& simulation_;
  const RobotInfo& robot_;
  const VehicleHost* vehicle_ = nullptr;
  std::vector<FrameOnRobot> frames_;
  RobotLinks links_;
  std::vector<const RobotLink*> other_links_;
};

}  // namespace protobeam
