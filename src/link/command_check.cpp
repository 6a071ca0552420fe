// What a controller may ask of which device. The library checks its caller's arguments first, with
// a message for the programmer; here a program that speaks the protocol on its own is found out.
#include <cmath>
#include <limits>

#include "link/messages.h"

namespace protobeam::link {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLongest = std::numeric_limits<int>::max();  // ms

struct Rule {
  DeviceOp op;
  const char* name;
  std::size_t numbers;
  double least, most;
  bool bytes;
  bool (*fits)(DeviceKind);
  std::size_t more = 0;  ///< so many numbers may follow
};

bool is_motor(DeviceKind k) {
  return k == DeviceKind::kLinearMotor || k == DeviceKind::kRotationalMotor;
}
bool is_lidar(DeviceKind k) { return k == DeviceKind::kLidar; }
bool is_brake(DeviceKind k) { return k == DeviceKind::kBrake; }
bool is_emitter(DeviceKind k) { return k == DeviceKind::kEmitter; }
bool is_receiver(DeviceKind k) { return k == DeviceKind::kReceiver; }
bool is_vehicle(DeviceKind k) { return k == DeviceKind::kVehicle; }
bool is_robot(DeviceKind k) { return k == DeviceKind::kRobot; }
bool is_sensor(DeviceKind k) {
  return !is_motor(k) && !is_brake(k) && !is_emitter(k) && !is_robot(k);
}

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr std::size_t kMostTorques = 16;  // the drive says how many it takes
constexpr Rule kRules[] = {
    {DeviceOp::kEnable, "enable", 1, 1, kLongest, false, is_sensor},
    {DeviceOp::kDisable, "disable", 0, 0, 0, false, is_sensor},
    {DeviceOp::kLidarPointCloud, "point cloud", 1, 0, 1, false, is_lidar},
    {DeviceOp::kLidarFrequency, "frequency", 1, 0, kLargest, false, is_lidar},
    {DeviceOp::kMotorPosition, "position", 1, -kInfinity, kInfinity, false, is_motor},
    {DeviceOp::kMotorVelocity, "velocity", 1, -kInfinity, kInfinity, false, is_motor},
    {DeviceOp::kMotorAcceleration, "acceleration", 1, -1, kInfinity, false, is_motor},
    {DeviceOp::kMotorEffort, "effort", 1, -kLargest, kLargest, false, is_motor},
    {DeviceOp::kMotorAvailableEffort, "available effort", 1, 0, kInfinity, false, is_motor},
    {DeviceOp::kMotorPid, "control PID", 3, 0, kLargest, false, is_motor},
    {DeviceOp::kMotorFeedback, "feedback", 1, 0, kLongest, false, is_motor},
    {DeviceOp::kBrakeDamping, "damping", 1, 0, kLargest, false, is_brake},
    {DeviceOp::kEmitterSend, "send", 0, 0, 0, true, is_emitter},
    {DeviceOp::kEmitterChannel, "channel", 1, -1, kLongest, false, is_emitter},
    {DeviceOp::kEmitterRange, "range", 1, -1, kInfinity, false, is_emitter},
    {DeviceOp::kReceiverChannel, "channel", 1, -1, kLongest, false, is_receiver},
    {DeviceOp::kCustomData, "custom data", 0, 0, 0, true, is_robot},
    {DeviceOp::kKeyboard, "keyboard", 1, 0, kLongest, false, is_robot},
    {DeviceOp::kVehicleTwist, "twist", 3, -kLargest, kLargest, false, is_vehicle},
    {DeviceOp::kVehicleSpeed, "speed and steering", 2, -kLargest, kLargest, false, is_vehicle},
    {DeviceOp::kVehicleTorques, "torques", 1, -kLargest, kLargest, false, is_vehicle, kMostTorques},
};

const Rule* find_rule(DeviceOp op) {
  for (const auto& rule : kRules) {
    if (rule.op == op) return &rule;
  }
  return nullptr;
}

}  // namespace

void check(const DeviceCommand& command, const RobotRecord& robot) {
  if (command.tag > robot.devices.size()) {
    throw BrokenMessage("a command goes to device " + std::to_string(command.tag) +
                        ", the robot has " + std::to_string(robot.devices.size()));
  }
  const bool to_robot = command.tag == 0;
  const auto kind = to_robot ? DeviceKind::kRobot : robot.devices[command.tag - 1].kind;
  const std::string name = to_robot ? "the robot" : "'" + robot.devices[command.tag - 1].name + "'";
  for (double number : command.numbers) {
    if (std::isnan(number)) throw BrokenMessage("a command to " + name + " holds NaN");
  }
  if (command.op >= DeviceOp::kUser) {
    if (to_robot) throw BrokenMessage("a plugin's command goes to the robot");
    return;
  }
  const Rule* rule = find_rule(command.op);
  if (!rule) {
    throw BrokenMessage("command " + std::to_string(static_cast<int>(command.op)) + " to " + name +
                        " is unknown");
  }
  if (!rule->fits(kind)) {
    throw BrokenMessage("command '" + std::string(rule->name) + "' goes to " + name +
                        ", which is no such device");
  }
  const std::size_t count = command.numbers.size();
  if (count < rule->numbers || count > rule->numbers + rule->more ||
      (!rule->bytes && !command.bytes.empty())) {
    throw BrokenMessage("command '" + std::string(rule->name) + "' to " + name +
                        " has the wrong size");
  }
  for (double number : command.numbers) {
    if (number < rule->least || number > rule->most) {
      throw BrokenMessage("command '" + std::string(rule->name) + "' to " + name + " holds " +
                          std::to_string(number));
    }
  }
}

}  // namespace protobeam::link
