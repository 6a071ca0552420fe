// <dynamics>, its <drivetrain> and <friction> as node types of vehicles (plugins/vehicles).
#include <algorithm>
#include <array>

#include "base/diagnostics.h"
#include "mvsim/expression.h"
#include "mvsim/world/vehicles.h"

namespace protobeam::mvsim {
namespace {

void add_damping(Import& import, const Element& dynamics, NodeMaker& drive) {
  const Element* chassis = dynamics.child("chassis");
  if (!chassis) return;
  const Reader attributes = import.attributes(*chassis);
  const auto linear = attributes.at_least("linear_damping", 0, 0.1);
  if (linear.written) drive.number("linearDamping", linear, linear.place);
  const auto angular = attributes.at_least("angular_damping", 0, 0.1);
  if (angular.written) drive.number("angularDamping", angular, angular.place);
}

void add_steering(Import& import, const Element& dynamics, NodeMaker& drive) {
  const Reader reader = import.children(dynamics);
  auto angle = reader.degrees("max_steer_ang_deg", 30 * kPi / 180);
  if (angle.written && !(angle > 0 && angle < kPi / 2)) {
    reader.error(angle.place, reader.subject("max_steer_ang_deg") +
                                  " must be greater than 0 and below 90 degrees, got " +
                                  reader.find("max_steer_ang_deg")->value);
    return;
  }
  drive.number("maxSteeringAngle", angle, angle.place);
}

void add_drivetrain(Import& import, const Element& dynamics, NodeMaker& drive) {
  const Element* drivetrain = dynamics.child("drivetrain");
  if (!drivetrain) return;
  const auto type = import.attributes(*drivetrain).text("type");
  if (type.written) {
    const std::vector<std::string> known{"open_front",   "open_rear",   "open_4wd",
                                         "torsen_front", "torsen_rear", "torsen_4wd"};
    if (std::find(known.begin(), known.end(), type.value) == known.end()) {
      import.attributes(*drivetrain)
          .error(type.place,
                 "'type' of <drivetrain> must be open_ or torsen_ with front, rear or 4wd, got '" +
                     type.value + "'",
                 did_you_mean(type.value, known));
    } else {
      drive.text("drivetrain", type, type.place);
    }
  }
  const Reader reader = import.children(*drivetrain);
  constexpr std::array<std::array<const char*, 2>, 3> kSplits{
      {{"front_rear_split", "frontRearSplit"},
       {"front_left_right_split", "frontLeftRightSplit"},
       {"rear_left_right_split", "rearLeftRightSplit"}}};
  for (const auto& [tag, field] : kSplits) {
    const auto split = reader.between(tag, 0, 1, 0.5);
    if (split.written) drive.number(field, split, split.place);
  }
  constexpr std::array<std::array<const char*, 2>, 3> kBiases{
      {{"front_rear_bias", "frontRearBias"},
       {"front_left_right_bias", "frontLeftRightBias"},
       {"rear_left_right_bias", "rearLeftRightBias"}}};
  for (const auto& [tag, field] : kBiases) {
    const auto bias = reader.at_least(tag, 1, 1.5);
    if (bias.written) drive.number(field, bias, bias.place);
  }
}

const char* drive_type(DriveKind kind) {
  switch (kind) {
    case DriveKind::kAckermann:
      return "AckermannDrive";
    case DriveKind::kDrivetrain:
      return "AckermannDrivetrain";
    default:
      return "DifferentialDrive";
  }
}

/// A number of <friction> as a field of the tyre.
struct Coefficient {
  const char* tag;
  const char* field;
  bool positive = false;
};

}  // namespace

wbt::NodePtr drive_node(Import& import, const Element& vehicle, const Element& dynamics,
                        std::vector<Visual>* visuals) {
  const DriveKind kind = drive_kind(dynamics);
  NodeMaker drive(drive_type(kind), dynamics);
  drive.nodes("wheels", wheel_nodes(import, vehicle, dynamics, visuals))
      .node("tyre", tyre_node(import, vehicle))
      .node("controller", controller_node(import, dynamics));
  // MVSim's vehicles are flat: nothing that their wheels do lifts one of them. Those with wheels
  // far out, as its pickup, are not calmed.
  drive.flag("tilts", false).flag("calm", false);
  add_damping(import, dynamics, drive);
  if (const Element* odometry = vehicle.child("odometry")) {
    const Reader reader = import.attributes(*odometry);
    drive.vec3("odometryScale",
               {reader.number("x_multiplier", 1), reader.number("y_multiplier", 1),
                reader.number("yaw_multiplier", 1)},
               odometry->place);
  }
  if (kind != DriveKind::kDifferential) add_steering(import, dynamics, drive);
  if (kind == DriveKind::kDrivetrain) add_drivetrain(import, dynamics, drive);
  return drive.take();
}

wbt::NodePtr tyre_node(Import& import, const Element& vehicle) {
  const Element* friction = vehicle.child("friction");
  if (!friction) return NodeMaker("DefaultFriction", vehicle).take();
  const std::string kind = import.attributes(*friction).text("class", "default");
  const bool ellipse = kind == "ellipse", drag = kind == "wardiagnemma";
  NodeMaker tyre(ellipse ? "EllipseFriction"
                 : drag  ? "WardIagnemmaFriction"
                         : "DefaultFriction",
                 *friction);
  std::vector<Coefficient> wanted{{"C_damping", "bearingDamping"}, {"C_rr", "rollingResistance"}};
  if (!ellipse) wanted.insert(wanted.begin(), {"mu", "mu"});
  if (drag) {
    wanted.insert(wanted.end(), {{"A_roll", "aRoll"}, {"R1", "r1"}, {"R2", "r2"}});
  }
  if (ellipse) {
    wanted.insert(wanted.end(), {{"C_alpha", "corneringStiffness"},
                                 {"slip_angle_saturation", "slipAngleSaturation", true},
                                 {"C_s", "slipStiffness"},
                                 {"slip_ratio_saturation", "slipRatioSaturation", true}});
  }
  const Reader reader = import.children(*friction);
  for (const Coefficient& one : wanted) {
    const auto value = one.positive ? reader.positive(one.tag, 1) : reader.at_least(one.tag, 0, 0);
    if (value.written) tyre.number(one.field, value, value.place);
  }
  if (ellipse) {
    constexpr std::array<std::array<const char*, 2>, 2> kCouplings{
        {{"C_alpha_s", "corneringCoupling"}, {"C_s_alpha", "slipCoupling"}}};
    for (const auto& [tag, field] : kCouplings) {
      const auto value = reader.between(tag, 0, 1, 0.5);
      if (value.written) tyre.number(field, value, value.place);
    }
  }
  return tyre.take();
}

}  // namespace protobeam::mvsim
