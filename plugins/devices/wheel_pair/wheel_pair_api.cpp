// Webots' functions of DifferentialWheels: of the robot itself, which has one WheelPair.
#include <webots/differential_wheels.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string_view>

#include "controller/device_access.h"

namespace {

using protobeam::controller::Client;
using protobeam::controller::kNaN;

/// What the program was told and has told.
struct WheelMemory {
  std::array<double, 2> speeds{kNaN, kNaN};
  std::array<double, 2> encoders{0, 0};  ///< what the getters give
  std::array<double, 2> sampled{0, 0};   ///< of the sample that the getters know
};

/// The tag of the robot's WheelPair; 0, after a complaint, for robots of other types.
unsigned wheels_of_robot(const char* function) {
  if (!protobeam::controller::started(function)) return 0;
  Client& client = Client::get();
  {
    const std::lock_guard lock(client.mutex);
    const auto& devices = client.devices();
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (devices[i].serves("WheelPair")) return static_cast<unsigned>(i + 1);
    }
  }
  protobeam::controller::complain(
      function, "called for a robot that is no DifferentialWheels; others have motors");
  return 0;
}

class WheelsAccess {
 public:
  explicit WheelsAccess(const char* function) {
    if (const unsigned tag = wheels_of_robot(function))
      access_.emplace(function, tag, std::initializer_list<std::string_view>{"WheelPair"});
  }
  explicit operator bool() const { return access_ && *access_; }
  const protobeam::controller::Access* operator->() const { return &*access_; }

  WheelMemory& memory() const {
    return access_->state<WheelMemory>([] { return WheelMemory(); });
  }
  bool numbers(double left, double right) const {
    if (!*this) return false;
    if (!std::isnan(left) && !std::isnan(right)) return true;
    access_->complain("called with NaN");
    return false;
  }
  double speed(std::size_t side) const { return *this ? memory().speeds[side] : 0; }
  double encoder(std::size_t side) const {
    if (!*this) return kNaN;
    WheelMemory& known = memory();
    const double* values = access_->values("encoders");
    for (std::size_t i = 0; values && i < 2; ++i) {
      // What the program has set counts until the next sample.
      if (!std::isnan(values[i]) && values[i] != known.sampled[i])
        known.encoders[i] = known.sampled[i] = values[i];
    }
    return known.encoders[side];
  }

 private:
  std::optional<protobeam::controller::Access> access_;
};

}  // namespace

extern "C" {

void wb_differential_wheels_set_speed(double left, double right) {
  const WheelsAccess wheels(__func__);
  if (!wheels.numbers(left, right)) return;
  const double unit = wheels->number("speedUnit"), most = wheels->number("maxSpeed");
  if (std::max(std::abs(left), std::abs(right)) * unit * 0.99999 > most)
    wheels->complain("called with more than maxSpeed / speedUnit: the wheels turn at maxSpeed");
  if (wheels->command("speeds", {left, right})) wheels.memory().speeds = {left, right};
}
double wb_differential_wheels_get_left_speed(void) { return WheelsAccess(__func__).speed(0); }
double wb_differential_wheels_get_right_speed(void) { return WheelsAccess(__func__).speed(1); }
double wb_differential_wheels_get_max_speed(void) {
  const WheelsAccess wheels(__func__);
  return wheels ? wheels->fact("maxSpeed") : kNaN;
}
double wb_differential_wheels_get_speed_unit(void) {
  const WheelsAccess wheels(__func__);
  return wheels ? wheels->fact("speedUnit") : kNaN;
}

void wb_differential_wheels_enable_encoders(int sampling_period) {
  if (const WheelsAccess wheels(__func__); wheels) wheels->enable(sampling_period);
}
void wb_differential_wheels_disable_encoders(void) {
  if (const WheelsAccess wheels(__func__); wheels) wheels->disable();
}
int wb_differential_wheels_get_encoders_sampling_period(void) {
  const WheelsAccess wheels(__func__);
  return wheels ? wheels->period() : 0;
}
double wb_differential_wheels_get_left_encoder(void) { return WheelsAccess(__func__).encoder(0); }
double wb_differential_wheels_get_right_encoder(void) { return WheelsAccess(__func__).encoder(1); }
void wb_differential_wheels_set_encoders(double left, double right) {
  const WheelsAccess wheels(__func__);
  if (wheels.numbers(left, right) && wheels->command("encoders", {left, right}))
    wheels.memory().encoders = {left, right};
}

}  // extern "C"
