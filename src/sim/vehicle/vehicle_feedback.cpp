#include "sim/vehicle/vehicle_feedback.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"
#include "base/vehicle_data.h"
#include "vehicle/drive_type.h"
#include "vehicle/require.h"

namespace protobeam {

namespace {

std::vector<double> vec_list(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

/// Which kind of set-point it takes; every controller takes one.
std::string taken_by(DriveController& controller, std::size_t inputs) {
  const std::pair<const char*, DriveCommand> kinds[] = {
      {"twist", Twist{}},
      {"speed", SpeedCommand{}},
      {"torques", TorqueCommand{std::vector<double>(inputs, 0.0), 0}}};
  std::string taken;
  for (const auto& [name, command] : kinds) {
    if (taken.empty() && controller.command(command, 0).empty()) taken = name;
  }
  controller.reset();
  return taken;
}

/// Wheels that any input's torque reaches.
std::vector<double> driven_wheels(const Drive& drive) {
  const std::size_t wheels = drive.layout().wheels.size();
  const std::vector<double> torque(drive.inputs().size(), 1.0), spin(wheels, 0.0);
  std::vector<double> out(wheels, 0.0);
  drive.distribute(torque, spin, out);
  for (double& wheel : out) wheel = wheel != 0 ? 1 : 0;
  return out;
}

}  // namespace

OdometryErrors odometry_errors_from(const Fields& drive) {
  const OdometryErrors out{drive.vec3("odometryScale"), drive.vec3("odometryNoise")};
  require(out.scale.allFinite(), "odometryScale is not finite");
  require(out.noise.allFinite() && out.noise.minCoeff() >= 0,
          "odometryNoise must not be negative, got ", out.noise.x(), " ", out.noise.y(), " ",
          out.noise.z());
  return out;
}

Properties vehicle_facts(const Drive& drive, DriveController& controller,
                         const std::string& controller_type, double max_torque) {
  std::vector<double> radii, positions;
  for (const Wheel& wheel : drive.layout().wheels) {
    radii.push_back(wheel.radius());
    for (double component : vec_list(wheel.position_V)) positions.push_back(component);
  }
  return {{"drive", std::string(drive.type())},
          {"controller", controller_type},
          {"takes", taken_by(controller, drive.inputs().size())},
          {"inputs", static_cast<double>(drive.inputs().size())},
          {"maxTorque", max_torque},
          {"maxSteering", drive.max_steering()},
          {"wheelbase", drive.wheelbase()},
          {"wheelRadii", radii},
          {"drivenWheels", driven_wheels(drive)},
          {"wheelPositions", positions}};
}

void VehicleFeedback::step(const VehicleHost& vehicle, double dt, const NoiseKey& noise) {
  const Twist wheels = vehicle.odometry();
  twist_ = {wheels.vx * errors_.scale.x(), wheels.vy * errors_.scale.y(),
            wheels.omega * errors_.scale.z()};
  const bool noisy = errors_.noise.maxCoeff() > 0;
  const double spread =
      noisy ? std::sqrt((libm::hypot(wheels.vx, wheels.vy) + std::abs(wheels.omega)) * dt) : 0;
  const auto stray = [&](int axis) {
    const double sigma = errors_.noise[axis] * spread;
    return sigma > 0 ? sigma * double{gaussian(noise, static_cast<std::uint64_t>(axis))} : 0.0;
  };
  const double dx = twist_.vx * dt + stray(0), dy = twist_.vy * dt + stray(1);
  const double turn = twist_.omega * dt + stray(2);
  const Vec2 chord = pose_.move(dx, dy, turn);
  if (noisy) spread_covariance({dx, dy, turn}, chord.x(), chord.y(), spread);
  const auto states = vehicle.vehicle().wheels();
  angle_.resize(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) angle_[i] += states[i].spin * dt;
  collided_ = collided_ || vehicle.collided();
}

void VehicleFeedback::spread_covariance(const Vec3& motion, double c, double s, double spread) {
  // What a turn does to the place that the vehicle comes to; the chord turns by half of it.
  const double x_by_yaw = -s * motion.x() - c * motion.y();
  const double y_by_yaw = c * motion.x() - s * motion.y();
  Mat3 by_pose = Mat3::Identity(), by_motion;
  by_pose(0, 2) = x_by_yaw, by_pose(1, 2) = y_by_yaw;
  by_motion << c, -s, x_by_yaw / 2, s, c, y_by_yaw / 2, 0, 0, 1;
  const Vec3 variance = (spread * errors_.noise).cwiseAbs2();
  Mat3& p = pose_.covariance;
  p = by_pose.lazyProduct(Mat3(p.lazyProduct(by_pose.transpose()))) +
      by_motion.lazyProduct(Mat3(variance.asDiagonal() * by_motion.transpose()));
}

void VehicleFeedback::write(const VehicleHost& vehicle, Sample& out) {
  const auto put = [&](DriveChannel channel, std::initializer_list<double> numbers) {
    std::ranges::copy(numbers, out.channel<double>(static_cast<std::size_t>(channel)).begin());
  };
  put(DriveChannel::kOdometryTwist, {twist_.vx, twist_.vy, twist_.omega});
  put(DriveChannel::kOdometryPose, {pose_.x, pose_.y, pose_.yaw});
  const Twist truth = vehicle.twist();
  put(DriveChannel::kTrueTwist, {truth.vx, truth.vy, truth.omega});
  const Pose X_WV = vehicle.X_WV();
  const auto R = X_WV.R.toRotationMatrix();
  put(DriveChannel::kTruePose,
      {X_WV.p.x(), X_WV.p.y(), X_WV.p.z(), libm::atan2(R(2, 1), R(2, 2)),
       libm::asin(std::clamp(-R(2, 0), -1.0, 1.0)), libm::atan2(R(1, 0), R(0, 0))});
  put(DriveChannel::kCollision, {collided_ ? 1.0 : 0.0});
  const auto states = vehicle.vehicle().wheels();
  const auto in_world = vehicle.wheels();
  const auto rows = out.channel<double>(static_cast<std::size_t>(DriveChannel::kWheels));
  for (std::size_t i = 0; i < states.size(); ++i) {
    const WheelState& wheel = states[i];
    const WheelInWorld& world = in_world[i];
    const double row[vehicle_data::kWheelSize] = {
        wheel.yaw,         i < angle_.size() ? angle_[i] : 0, wheel.spin,       wheel.motor_torque,
        world.normal_load, world.ground.touches ? 1.0 : 0.0,  wheel.slip.ratio, wheel.slip.angle()};
    std::ranges::copy(row, rows.begin() + static_cast<std::ptrdiff_t>(i * std::size(row)));
  }
  collided_ = false;
}

}  // namespace protobeam
