// What a driver has at hand and before the eyes, where a car of Webots has it: wipers, the steering
// wheel, the lever of the indicators, needles and mirrors.
#pragma once

#include <webots/types.h>
#include <webots/vehicle/driver.h>

#include <array>

namespace protobeam::controller {

class CarCockpit {
 public:
  /// By the names of devices. Mirrors show what their cameras see from now on.
  void find();

  void steer(double angle);  ///< rad, right, of the car
  void point_lever(WbuDriverIndicatorState state);
  void show(double speed, double rpm);  ///< km/h, 1/min

  bool has_wipers() const { return wipers_[0] != 0 && wipers_[1] != 0; }
  void set_wipers(WbuDriverWiperMode mode);
  /// In each step.
  void wipe(WbuDriverWiperMode mode);

 private:
  void send_wipers(bool up);

  std::array<WbDeviceTag, 2> wipers_{};  // right, left
  WbDeviceTag wiper_sensor_ = 0;
  WbDeviceTag wheel_ = 0, lever_ = 0, speed_needle_ = 0, rpm_needle_ = 0;
};

}  // namespace protobeam::controller
