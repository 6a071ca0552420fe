// What MVSim logs of its vehicles, number by number: for files and for topics.
#pragma once

#include <array>
#include <cstddef>

#include "sim/vehicle/vehicle_host.h"

namespace protobeam {

/// Where the wheels say that a vehicle is: 0, 0, 0 at the start.
class OdometryPath {
 public:
  /// After a step of `dt` s.
  void advance(const Twist& odometry, double dt);
  double x() const { return x_; }      ///< m
  double y() const { return y_; }      ///< m
  double yaw() const { return yaw_; }  ///< rad

 private:
  double x_ = 0, y_ = 0, yaw_ = 0;
};

struct NamedNumber {
  const char* name;
  double value;
};

// MVSim's names and their order, where it has the quantity.
std::array<NamedNumber, 13> pose_row(const VehicleHost& vehicle, const OdometryPath& path,
                                     double time);
std::array<NamedNumber, 14> wheel_row(const VehicleHost& vehicle, std::size_t wheel, double time);

}  // namespace protobeam
