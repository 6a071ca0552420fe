// A car of Webots' PROTO Car: hinges with motors, sensors and brakes whose names are known, and a
// description in customData. Webots automobile documentation, "Car" and "Driver Library".
#pragma once

#include <webots/types.h>
#include <webots/vehicle/car.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam::controller {

constexpr std::size_t kCarWheels = 4;  // by WbuCarWheelIndex

/// 0 when there is none: not every car has everything.
WbDeviceTag find_device(const std::string& name);
int step_ms();

/// What customData says.
struct CarDescription {
  double wheelbase = 0, track_front = 0, track_rear = 0;  // m
  double front_radius = 0, rear_radius = 0;               // m; -1: of wheels that do not tell it
  double brake_coefficient = 0;                           // N m at full intensity
  char engine = 'C';                     // combustion, Electric, Parallel hybrid, Split hybrid
  double max_torque = 0, max_power = 0;  // N m, W; of the electric engine
  double min_rpm = 0, max_rpm = 0;
  std::array<double, 3> coefficients{};  // of combustion: torque over rpm, rising powers
  double split_ratio = 0, split_rpm = 0;
  std::vector<double> gears;  // ratios: backwards, then 1, 2, ...

  double radius(std::size_t wheel) const { return wheel < 2 ? front_radius : rear_radius; }
  /// How far the wheel rolls without slip for 1 m of the middle of the rear axle (m).
  /// `steering` in rad, to the right.
  double travel(std::size_t wheel, double steering) const;
  /// N m of the engine at full throttle.
  double engine_torque(double rpm) const;
};

/// False for a text that is no such description.
bool read_car(std::string_view custom_data, CarDescription& out);

class DeviceCar {
 public:
  /// Null when the robot is no such car; `complain` for one that has not all devices it needs.
  static std::unique_ptr<DeviceCar> find(void (*complain)(const char* what));

  const CarDescription& description() const { return car_; }
  bool drives(std::size_t wheel) const { return motors_[wheel] != 0; }

  /// The front wheels so that all roll about one point.
  void steer(double angle);
  void steer_wheel(bool right, double angle);
  double steering() const;               ///< rad, right, as the sensors say: mean of both
  double steering_of(bool right) const;  ///< rad, right

  /// False when a driven wheel does not tell its radius: then there are no speeds (m/s).
  bool knows_speed() const;
  /// By speed (km/h); the mean of the driven wheels.
  void cruise(double speed);
  /// By torque; gear -1, 0, 1, ...
  void push(double throttle, int gear, bool limited_slip);
  void brake(double intensity);
  /// Before each step: how fast the wheels turned in the last one.
  void measure();

  double encoder(std::size_t wheel) const;                        ///< rad
  double spin(std::size_t wheel) const { return spins_[wheel]; }  ///< rad/s
  double speed() const;  ///< m/s, mean of the driven wheels
  double rpm(int gear) const;

  enum Light { kFront, kAntifog, kRight, kLeft, kRear, kBackwards, kBrake, kLights };
  void light(Light which, int value);
  bool lit(Light which) const;

 private:
  double ratio(int gear) const;  ///< 0 without one
  /// How far a wheel has rolled for the length of its path, rad/s.
  double done(std::size_t wheel) const;
  /// A differential: the first share of 1, as far as the paths of its sides are long. `slip`, of
  /// one with limited slip, grows as long as the first side turns faster than the second one.
  static double divide(double first_path, double second_path, double first_done, double second_done,
                       double* slip);

  CarDescription car_;
  double angle_ = 0;  ///< rad, right: asked for
  std::array<WbDeviceTag, kCarWheels> motors_{}, sensors_{}, brakes_{};
  std::array<WbDeviceTag, 2> steering_motors_{}, steering_sensors_{};  // right, left
  std::array<WbDeviceTag, kLights> lights_{};
  std::array<WbDeviceTag, 2> interior_{};  // right, left
  std::array<double, kCarWheels> encoders_{}, spins_{};
  std::array<double, 3> slips_{};  ///< of the differentials: front, rear, between them
  double acceleration_ = 0;        ///< rad/s^2, the greatest of a wheel
  bool measured_ = false;
};

}  // namespace protobeam::controller
