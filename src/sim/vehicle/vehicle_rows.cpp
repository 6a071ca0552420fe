#include "sim/vehicle/vehicle_rows.h"

#include "base/libm.h"

namespace protobeam {

void OdometryPath::advance(const Twist& odometry, double dt) {
  const double middle = yaw_ + odometry.omega * dt / 2;
  x_ += odometry.vx * dt * libm::cos(middle);
  y_ += odometry.vx * dt * libm::sin(middle);
  yaw_ += odometry.omega * dt;
}

std::array<NamedNumber, 13> pose_row(const VehicleHost& vehicle, const OdometryPath& path,
                                     double time) {
  const Pose X = vehicle.X_WV();
  const Mat3 R = X.R.toRotationMatrix();
  const double yaw = libm::atan2(R(1, 0), R(0, 0));
  const double pitch = libm::atan2(-R(2, 0), libm::hypot(R(2, 1), R(2, 2)));
  const double roll = libm::atan2(R(2, 1), R(2, 2));
  const Twist v = vehicle.twist();
  return {{{"Timestamp", time},
           {"dqw", v.omega},
           {"dqx", v.vx},
           {"dqy", v.vy},
           {"odo_x", path.x()},
           {"odo_y", path.y()},
           {"odo_yaw", path.yaw()},
           {"q0x", X.p.x()},
           {"q1y", X.p.y()},
           {"q2z", X.p.z()},
           {"q3yaw", yaw},
           {"q4pitch", pitch},
           {"q5roll", roll}}};
}

std::array<NamedNumber, 14> wheel_row(const VehicleHost& vehicle, std::size_t wheel, double time) {
  const WheelState& state = vehicle.vehicle().wheels()[wheel];
  const Vec3 p_V = vehicle.vehicle().layout().wheels[wheel].position_V;
  const Vec3 v_wheel = vehicle.velocity_V() + vehicle.angular_velocity_V().cross(p_V);
  return {{{"Timestamp", time},
           {"force_z", vehicle.wheels()[wheel].normal_load},
           {"friction_x", state.force_V.x()},
           {"friction_y", state.force_V.y()},
           {"motor_torque", state.motor_torque},
           {"slip_angle", state.slip.angle()},
           {"slip_ratio", state.slip.ratio},
           {"steering_yaw", state.yaw},
           {"torque", state.motor_torque == 0 ? 0 : -state.motor_torque},
           {"velocity_x", v_wheel.x()},
           {"velocity_y", v_wheel.y()},
           {"wheel_pos_x", p_V.x()},
           {"wheel_pos_y", p_V.y()},
           {"wheel_spin", state.spin}}};
}

}  // namespace protobeam
