#include "vehicle/drive_command.h"

#include <cmath>

namespace protobeam {
namespace {

// Times are sums of steps: one that is meant to equal the timeout may be a little more.
constexpr double kRounding = 1e-9;  // s

std::string checked(double value, const char* name) {
  return std::isfinite(value) ? "" : std::string(name) + " is not a finite number";
}

}  // namespace

std::string_view what(const DriveCommand& command) {
  if (std::holds_alternative<Twist>(command)) return "a twist";
  if (std::holds_alternative<TorqueCommand>(command)) return "a torque set-point";
  return "a speed and steering set-point";
}

std::string not_finite(const DriveCommand& command) {
  std::string out;
  const auto note = [&](double value, const char* name) {
    if (out.empty()) out = checked(value, name);
  };
  if (const auto* twist = std::get_if<Twist>(&command)) {
    note(twist->vx, "vx");
    note(twist->vy, "vy");
    note(twist->omega, "omega");
  } else if (const auto* raw = std::get_if<TorqueCommand>(&command)) {
    for (const double torque : raw->torque) note(torque, "torque");
    note(raw->steering, "steering");
  } else {
    const auto& driver = std::get<SpeedCommand>(command);
    note(driver.speed, "speed");
    note(driver.steering, "steering");
  }
  return out;
}

void CommandClock::give(DriveCommand command, double now) {
  command_ = std::move(command);
  given_ = now;
  left_ = false;
}

bool CommandClock::expired(double now) const {
  return command_ && (left_ || (timeout_ > 0 && now - given_ > timeout_ + kRounding));
}

}  // namespace protobeam
