#include "app/vehicle_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/libm.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

// MVSim's names and their order, where it has the quantity.
constexpr const char* kPoseHeader =
    "Timestamp, dqw, dqx, dqy, odo_x, odo_y, odo_yaw, q0x, q1y, q2z, q3yaw, q4pitch, q5roll";
constexpr const char* kWheelHeader =
    "Timestamp, force_z, friction_x, friction_y, motor_torque, slip_angle, slip_ratio, "
    "steering_yaw, torque, velocity_x, velocity_y, wheel_pos_x, wheel_pos_y, wheel_spin";

}  // namespace

VehicleLog::VehicleLog(const Simulation& simulation, fs::path folder, VehicleLogWishes wishes)
    : simulation_(simulation), folder_(std::move(folder)), wishes_(std::move(wishes)) {
  for (const auto& vehicle : simulation.model().vehicles) {
    Track track;
    track.vehicle = vehicle;
    const std::string name = names_.of(vehicle->name());
    const auto& logged = wishes_.logged;
    if (wishes_.all || std::find(logged.begin(), logged.end(), vehicle->name()) != logged.end()) {
      track.pose.emplace(open("mvsim_" + name + "_pose.csv", kPoseHeader));
      for (std::size_t i = 0; i < vehicle->wheels().size(); ++i) {
        track.wheels.push_back(
            open(fmt::format("mvsim_{}_wheel_{}.csv", name, i + 1), kWheelHeader));
      }
    }
    if (wishes_.all || wishes_.trajectories) track.trajectory.emplace(open(name + ".txt", {}));
    if (track.trajectory) trajectory_row(track);
    tracks_.push_back(std::move(track));
  }
  next_trajectory_ = 1 / wishes_.trajectory_rate;
}

WholeFile VehicleLog::open(const std::string& name, const std::string& header) {
  WholeFile file(folder_ / name);
  if (!header.empty()) file.add(header + "\n");
  ++count_;
  return file;
}

void VehicleLog::after_step() {
  const bool trajectory_due = simulation_.time() >= next_trajectory_ - 1e-9;
  for (Track& track : tracks_) {
    if (track.pose) {
      pose_row(track);
      wheel_rows(track);
    }
    if (track.trajectory && trajectory_due) trajectory_row(track);
  }
  if (trajectory_due) next_trajectory_ += 1 / wishes_.trajectory_rate;
}

void VehicleLog::pose_row(Track& track) {
  // What the wheels say, step by step.
  const Twist odometry = track.vehicle->odometry();
  const double dt = simulation_.model().basic_time_step;
  const double middle = track.odo_yaw + odometry.omega * dt / 2;
  track.odo_x += odometry.vx * dt * libm::cos(middle);
  track.odo_y += odometry.vx * dt * libm::sin(middle);
  track.odo_yaw += odometry.omega * dt;

  const Pose X = track.vehicle->X_WV();
  const Mat3 R = X.R.toRotationMatrix();
  const double yaw = libm::atan2(R(1, 0), R(0, 0));
  const double pitch = libm::atan2(-R(2, 0), libm::hypot(R(2, 1), R(2, 2)));
  const double roll = libm::atan2(R(2, 1), R(2, 2));
  const Twist v = track.vehicle->twist();
  track.pose->add(fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}\n",
             simulation_.time(), v.omega, v.vx, v.vy, track.odo_x, track.odo_y, track.odo_yaw,
             X.p.x(), X.p.y(), X.p.z(), yaw, pitch, roll));
}

void VehicleLog::wheel_rows(Track& track) {
  const VehicleHost& vehicle = *track.vehicle;
  const Vec3 v_V = vehicle.velocity_V(), w_V = vehicle.angular_velocity_V();
  for (std::size_t i = 0; i < track.wheels.size(); ++i) {
    const WheelState& state = vehicle.vehicle().wheels()[i];
    const Vec3 p_V = vehicle.vehicle().layout().wheels[i].position_V;
    const Vec3 v_wheel = v_V + w_V.cross(p_V);
    track.wheels[i].add(fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}\n",
               simulation_.time(), vehicle.wheels()[i].normal_load, state.force_V.x(),
               state.force_V.y(), state.motor_torque, state.slip.angle, state.slip.ratio, state.yaw,
               state.motor_torque == 0 ? 0 : -state.motor_torque, v_wheel.x(), v_wheel.y(), p_V.x(),
               p_V.y(), state.spin));
  }
}

void VehicleLog::trajectory_row(Track& track) {
  const Pose X = track.vehicle->X_WV();
  track.trajectory->add(fmt::format("{} {} {} {} {} {} {} {}\n", simulation_.time(), X.p.x(),
             X.p.y(), X.p.z(), X.R.x(), X.R.y(), X.R.z(), X.R.w()));
}

void VehicleLog::finish() {
  for (Track& track : tracks_) {
    if (track.pose) track.pose->finish();
    if (track.trajectory) track.trajectory->finish();
    for (WholeFile& file : track.wheels) file.finish();
  }
}

}  // namespace protobeam
