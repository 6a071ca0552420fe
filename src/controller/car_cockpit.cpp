#include "controller/car_cockpit.h"

#include <webots/camera.h>
#include <webots/display.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "controller/car_devices.h"

namespace protobeam::controller {
namespace {

constexpr double kWheelRatio = 10;                      // steering wheel to the car's wheels
constexpr double kMostSpeed = 220, kMostRpm = 11000;    // km/h, 1/min, at the ends of the scales
constexpr double kWiperSpeed = 2, kFastWiperSpeed = 4;  // rad/s
constexpr double kWiperReach = 0.01;                    // rad, within which it has arrived
constexpr int kSlowWiperPeriod = 4;                     // s, in the first of which it wipes
constexpr int kMirrorPeriod = 40;                       // ms, at least

void show_mirror(const std::string& side, int step) {
  const WbDeviceTag display = find_device(side + "_display"),
                    camera = find_device(side + "_camera");
  if (display == 0 || camera == 0) return;
  if (wb_display_get_width(display) != wb_camera_get_width(camera)) return;
  if (wb_display_get_height(display) != wb_camera_get_height(camera)) return;
  wb_camera_enable(camera, (kMirrorPeriod + step - 1) / step * step);
  wb_display_attach_camera(display, camera);
}

void point(WbDeviceTag needle, double share) {
  if (needle == 0) return;
  wb_motor_set_position(needle, std::min(share, 1.0) * wb_motor_get_max_position(needle));
}

}  // namespace

void CarCockpit::find() {
  wipers_ = {find_device("right_wiper_motor"), find_device("left_wiper_motor")};
  wiper_sensor_ = find_device("wiper_sensor");
  wheel_ = find_device("steering_wheel_motor");
  lever_ = find_device("indicator_lever_motor");
  speed_needle_ = find_device("speed_needle_motor");
  rpm_needle_ = find_device("rpm_needle_motor");
  const int step = step_ms();
  if (wiper_sensor_ != 0) wb_position_sensor_enable(wiper_sensor_, step);
  for (const char* side : {"rear", "left_wing", "right_wing"}) show_mirror(side, step);
}

void CarCockpit::steer(double angle) {
  if (wheel_ != 0) wb_motor_set_position(wheel_, kWheelRatio * angle);
}

void CarCockpit::point_lever(WbuDriverIndicatorState state) {
  if (lever_ == 0) return;
  wb_motor_set_position(lever_, state == RIGHT  ? wb_motor_get_max_position(lever_)
                                : state == LEFT ? wb_motor_get_min_position(lever_)
                                                : 0);
}

void CarCockpit::show(double speed, double rpm) {
  point(speed_needle_, std::abs(speed) / kMostSpeed);
  point(rpm_needle_, rpm / kMostRpm);
}

void CarCockpit::send_wipers(bool up) {
  for (const WbDeviceTag motor : wipers_) {
    wb_motor_set_position(motor,
                          up ? wb_motor_get_max_position(motor) : wb_motor_get_min_position(motor));
  }
}

void CarCockpit::set_wipers(WbuDriverWiperMode mode) {
  for (const WbDeviceTag motor : wipers_)
    wb_motor_set_velocity(motor, mode == FAST ? kFastWiperSpeed : kWiperSpeed);
  if (mode == DOWN) send_wipers(false);
}

void CarCockpit::wipe(WbuDriverWiperMode mode) {
  if (mode == DOWN || !has_wipers() || wiper_sensor_ == 0) return;
  const double at = wb_position_sensor_get_value(wiper_sensor_);  // NaN before the first sample
  const bool rests = mode == SLOW && static_cast<int>(wb_robot_get_time()) % kSlowWiperPeriod != 0;
  if (rests || at >= wb_motor_get_max_position(wipers_[0]) - kWiperReach) {
    send_wipers(false);
  } else if (at <= wb_motor_get_min_position(wipers_[0]) + kWiperReach) {
    send_wipers(true);
  }
}

}  // namespace protobeam::controller
