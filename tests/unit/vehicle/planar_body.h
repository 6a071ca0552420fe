// A rigid body in the plane that the forces of a Vehicle move, as MVSim moves its vehicles. It says
// in few lines what a 3-D engine that carries a Vehicle has to match on flat ground:
//
//   - one body of chassis and wheels; forces act at the wheels' positions and turn the body about
//     its centre of mass, which need not be its origin;
//   - the pull of gravity along the vehicle's plane acts at the wheels as well;
//   - semi-implicit Euler: v += dt F / m, then v *= 1 / (1 + dt damping), then x += dt v.
#pragma once

#include <cmath>
#include <vector>

#include "vehicle/planar_mass.h"
#include "vehicle/vehicle.h"

namespace protobeam {

class PlanarBody {
 public:
  static constexpr double kGravity = 9.81;  // m/s^2
  double linear_damping = 0.1;              // 1/s
  double angular_damping = 0.1;             // 1/s
  /// Rise of the ground per metre along the world's x.
  double slope = 0;

  /// Stands with its origin in the world's, at yaw 0.
  explicit PlanarBody(const PlanarMass& mass) : mass_(mass), centre_W_(mass.centre) {}

  /// Pose of the vehicle's origin.
  Vec2 position_W() const { return centre_W_ - turned(mass_.centre); }
  double yaw() const { return yaw_; }
  Twist twist() const {
    const Vec2 v_V = to_wheel(v_centre_W_, heading_of(yaw_));  // a vehicle's frame is turned as a wheel's is
    return {v_V.x() + omega_ * mass_.centre.y(), v_V.y() - omega_ * mass_.centre.x(), omega_};
  }
  void set_twist(const Twist& twist) {
    v_centre_W_ = turned(velocity_at(twist, mass_.centre));
    omega_ = twist.omega;
  }

  void step(Vehicle& vehicle, double time, double dt) {
    std::vector<WheelGround> grounds(vehicle.layout().wheels.size());
    even_ground(vehicle.layout(), twist(), kGravity, grounds);
    const auto imposed = vehicle.step({time, dt, gravity_V(), grounds});
    if (imposed) {
      set_twist(*imposed);
    } else {
      push(vehicle, dt);
    }
    centre_W_ += dt * v_centre_W_;
    yaw_ += dt * omega_;
  }

 private:
  Vec2 turned(const Vec2& v_V) const { return from_wheel(v_V, heading_of(yaw_)); }

  /// On the plane z = slope x; its normal is (-slope, 0, 1) / sqrt(1 + slope^2). The vehicle's x
  /// lies on the plane, straight above its heading on the map.
  Vec3 gravity_V() const {
    const Vec3 up = Vec3(-slope, 0, 1).normalized();
    const double c = std::cos(yaw_), s = std::sin(yaw_);
    const Vec3 x = Vec3(c, s, slope * c).normalized();
    const Vec3 down_W(0, 0, -kGravity);
    return {down_W.dot(x), down_W.dot(up.cross(x)), down_W.dot(up)};
  }

  void push(const Vehicle& vehicle, double dt) {
    Vec2 force_V = Vec2::Zero();
    double torque = 0;
    for (std::size_t i = 0; i < vehicle.wheels().size(); ++i) {
      const WheelState& wheel = vehicle.wheels()[i];
      const Vec2 f_V = wheel.force_V + wheel.slope_force_V;
      const Vec2 arm_V = vehicle.layout().wheels[i].planar() - mass_.centre;
      force_V += f_V;
      torque += arm_V.x() * f_V.y() - arm_V.y() * f_V.x();
    }
    v_centre_W_ += dt / mass_.mass * turned(force_V);
    omega_ += dt / mass_.inertia * torque;
    v_centre_W_ /= 1 + dt * linear_damping;
    omega_ /= 1 + dt * angular_damping;
  }

  PlanarMass mass_;
  Vec2 centre_W_, v_centre_W_ = Vec2::Zero();
  double yaw_ = 0, omega_ = 0;
};

}  // namespace protobeam
