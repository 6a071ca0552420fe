// A robot as a tree of links and joints: what URDF, tf and joint states are about.
//
// Links are its Solids, devices among them, and the wheels of its vehicles. The robot itself is
// `base_link`, or what LinkNames call its base.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/simulation.h"

namespace protobeam {

/// A frame on a robot that has its name already.
struct NamedFrame {
  std::string name;
  int solid = -1;  ///< index in WorldModel::solids
  Pose X_SF;
};

struct LinkNames {
  std::string prefix;  ///< before each name of a link or joint
  std::string base = "base_link";
  /// How names of Solids are spelled; null: as they are.
  std::function<std::string(const std::string&)> spell;
  Pose X_SB;                       ///< the base, in the robot's Solid
  std::vector<std::string> taken;  ///< no link has one of these names
  /// Links as well. Where such a frame is that of its Solid, the Solid's link has its name.
  std::vector<NamedFrame> frames;
};

struct RobotLink {
  std::string name;
  int solid = -1;           ///< index in WorldModel::solids of what it moves with; -1: none
  Pose X_SL;                ///< in that Solid
  bool only_frame = false;  ///< nothing of the Solid is on it
  /// What goes up and down, what is steered as well, what spins as well.
  enum class WheelPart : std::uint8_t { kCarrier, kHub, kWheel };
  const VehicleHost* vehicle = nullptr;  ///< of whose wheel it is; null: of none
  std::size_t wheel = 0;
  WheelPart part = WheelPart::kWheel;
  int joint = -1;                   ///< in joints(), to the link above; -1: the base
  const wbt::Node* node = nullptr;  ///< of the Solid
};

struct RobotJoint {
  enum class Kind : std::uint8_t { kFixed, kHinge, kSlider };
  /// What says its position.
  enum class Position : std::uint8_t { kNone, kBodies, kSuspension, kSteering, kSpin };

  std::string name;
  Kind kind = Kind::kFixed;
  int parent = 0, child = 0;  ///< in links()
  Pose X_PC;                  ///< of the child's link in the parent's, at position 0
  Vec3 axis_C = Vec3::UnitZ();
  bool limited = false;
  double low = 0, high = 0;      ///< m or rad
  double effort = 0, speed = 0;  ///< N or N m, m/s or rad/s: of its motor; 0: it has none
  Position position = Position::kNone;
  physics::JointId joint = -1;  ///< of the bodies
  int axis = 0;
};

class RobotLinks {
 public:
  /// Of the robot as it is now. `simulation` lives longer.
  RobotLinks(const Simulation& simulation, int robot, const LinkNames& names);

  /// The base first, each behind the one that it hangs on. None for a robot that is not there.
  const std::vector<RobotLink>& links() const { return links_; }
  const std::vector<RobotJoint>& joints() const { return joints_; }

  /// m or rad.
  double position(const RobotJoint& joint) const;
  /// m/s or rad/s; none where nobody keeps it: of a suspension, and of steering.
  std::optional<double> velocity(const RobotJoint& joint) const;
  /// In the world.
  Pose X_WL(const RobotLink& link) const;
  /// It is part of the world no longer.
  bool removed(const RobotLink& link) const;
  bool removed(const RobotJoint& joint) const;
  /// Against the base.
  bool moves(const RobotLink& link) const;

 private:
  class Builder;

  const Simulation& simulation_;
  std::vector<RobotLink> links_;
  std::vector<RobotJoint> joints_;
};

}  // namespace protobeam
