#include "controller/car_devices.h"

#include <webots/brake.h>
#include <webots/device.h>
#include <webots/led.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include "base/libm.h"
#include "base/math.h"

namespace protobeam::controller {
namespace {

constexpr const char* kSides[] = {"right_front", "left_front", "right_rear", "left_rear"};
constexpr const char* kLightNames[] = {"front_lights",    "antifog_lights", "right_indicators",
                                       "left_indicators", "rear_lights",    "backwards_lights",
                                       "brake_lights"};
constexpr double kRpm = 30 / kPi;  // 1/min in 1 rad/s
constexpr double kSlowest = 0.01;  // rad/s, at which a brake still has its torque
constexpr double kKmh = 3.6;       // km/h in 1 m/s
constexpr std::size_t kMostGears = 1000;
constexpr double kMostAcceleration = 50;  // rad/s^2, of a wheel: beyond it the engine gives way

}  // namespace

WbDeviceTag find_device(const std::string& name) {
  for (int i = 0; i < wb_robot_get_number_of_devices(); ++i) {
    const WbDeviceTag tag = wb_robot_get_device_by_index(i);
    if (name == wb_device_get_name(tag)) return tag;
  }
  return 0;
}

int step_ms() { return std::max(1, static_cast<int>(std::lround(wb_robot_get_basic_time_step()))); }

double CarDescription::travel(std::size_t wheel, double steering) const {
  const double curvature = libm::tan(steering) / wheelbase;  // 1/m, to the right
  const bool front = wheel < 2, right = wheel % 2 == 0;
  const double y = (right ? 0.5 : -0.5) * (front ? track_front : track_rear);
  return std::max(1e-6, libm::hypot(1 - curvature * y, front ? curvature * wheelbase : 0));
}

double CarDescription::engine_torque(double rpm) const {
  if (rpm >= max_rpm) return 0;
  const auto combustion = [&](double at) {
    return coefficients[0] + coefficients[1] * at + coefficients[2] * at * at;
  };
  const double power_limit =
      rpm > 0 ? max_power / (rpm / kRpm) : std::numeric_limits<double>::infinity();
  const double electric = std::min(max_torque, power_limit);
  switch (engine) {
    case 'E':
      return electric;
    case 'P':  // the combustion engine joins in above its slowest speed
      return electric + (rpm >= min_rpm ? combustion(rpm) : 0);
    case 'S':  // it runs at one speed, and a share of its power becomes current
      return electric + (rpm >= min_rpm ? (1 - split_ratio) * combustion(split_rpm) : 0);
    default:
      return combustion(std::max(rpm, min_rpm));
  }
}

bool read_car(std::string_view custom_data, CarDescription& out) {
  std::istringstream in{std::string(custom_data)};
  double wheels_damping, sound_rpm;
  std::size_t gears, sound;
  in >> out.wheelbase >> out.track_front >> out.track_rear >> out.front_radius >> out.rear_radius >>
      out.brake_coefficient >> wheels_damping >> out.engine >> out.max_torque >> out.max_power >>
      out.min_rpm >> out.max_rpm >> out.coefficients[0] >> out.coefficients[1] >>
      out.coefficients[2] >> out.split_ratio >> out.split_rpm >> sound_rpm >> gears >> sound;
  if (!in || gears < 2 || gears > kMostGears) return false;
  out.gears.resize(gears);
  for (double& gear : out.gears) in >> gear;
  return in && out.wheelbase > 0;
}

std::unique_ptr<DeviceCar> DeviceCar::find(void (*complain)(const char* what)) {
  auto car = std::make_unique<DeviceCar>();
  if (!read_car(wb_robot_get_custom_data(), car->car_)) return nullptr;
  const auto need = [&](const std::string& name) {
    const WbDeviceTag tag = find_device(name);
    if (tag == 0) complain(name.c_str());
    return tag;
  };
  for (std::size_t wheel = 0; wheel < kCarWheels; ++wheel) {
    const std::string side = kSides[wheel];
    car->motors_[wheel] = find_device(side + "_wheel");
    car->sensors_[wheel] = need(side + "_sensor");
    car->brakes_[wheel] = need(side + "_brake");
    if (car->sensors_[wheel] == 0 || car->brakes_[wheel] == 0) return nullptr;
    wb_position_sensor_enable(car->sensors_[wheel], step_ms());
    if (!car->drives(wheel)) continue;
    wb_motor_set_position(car->motors_[wheel], std::numeric_limits<double>::infinity());
    wb_motor_set_velocity(car->motors_[wheel], 0);
  }
  // Both wheels of an axle, or none.
  const bool front = car->drives(0) && car->drives(1), rear = car->drives(2) && car->drives(3);
  if (!front && !rear) {
    complain("right_rear_wheel");
    return nullptr;
  }
  const char* steers[] = {"right_steer", "left_steer"};
  for (std::size_t i = 0; i < 2; ++i) {
    car->steering_motors_[i] = need(steers[i]);
    car->steering_sensors_[i] = need(std::string(steers[i]).append("_sensor"));
    if (car->steering_motors_[i] == 0 || car->steering_sensors_[i] == 0) return nullptr;
    wb_position_sensor_enable(car->steering_sensors_[i], step_ms());
  }
  for (std::size_t i = 0; i < kLights; ++i) car->lights_[i] = find_device(kLightNames[i]);
  car->interior_ = {find_device("interior_right_indicators"),
                    find_device("interior_left_indicators")};
  return car;
}

void DeviceCar::steer(double angle) {
  angle_ = angle;
  const double curvature = libm::tan(angle) / car_.wheelbase;
  for (const bool right : {true, false}) {
    const double y = (right ? 0.5 : -0.5) * car_.track_front;
    steer_wheel(right, libm::atan2(curvature * car_.wheelbase, 1 - curvature * y));
  }
}

void DeviceCar::steer_wheel(bool right, double angle) {
  wb_motor_set_position(steering_motors_[right ? 0 : 1], angle);
}

double DeviceCar::steering() const { return (steering_of(true) + steering_of(false)) / 2; }
double DeviceCar::steering_of(bool right) const {
  return wb_position_sensor_get_value(steering_sensors_[right ? 0 : 1]);
}

bool DeviceCar::knows_speed() const {
  return (!drives(0) || car_.front_radius > 0) && (!drives(2) || car_.rear_radius > 0);
}

void DeviceCar::cruise(double speed) {
  if (!knows_speed()) return;
  double travels = 0;
  int driven = 0;
  for (std::size_t wheel = 0; wheel < kCarWheels; ++wheel) {
    if (!drives(wheel)) continue;
    travels += car_.travel(wheel, angle_);
    ++driven;
  }
  for (std::size_t wheel = 0; wheel < kCarWheels; ++wheel) {
    if (!drives(wheel)) continue;
    const double share = car_.travel(wheel, angle_) * driven / travels;
    wb_motor_set_position(motors_[wheel], std::numeric_limits<double>::infinity());
    wb_motor_set_velocity(motors_[wheel], speed / kKmh * share / car_.radius(wheel));
  }
}

double DeviceCar::ratio(int gear) const {
  if (gear == 0) return 0;
  return gear < 0 ? car_.gears[0] : car_.gears[static_cast<std::size_t>(gear)];
}

double DeviceCar::rpm(int gear) const {
  double sum = 0;
  int driven = 0;
  for (std::size_t wheel = 0; wheel < kCarWheels; ++wheel) {
    if (!drives(wheel)) continue;
    sum += spins_[wheel];
    ++driven;
  }
  return std::min(std::abs(sum / driven * ratio(gear)) * kRpm, car_.max_rpm);
}

double DeviceCar::done(std::size_t wheel) const {
  const double radius = knows_speed() ? car_.radius(wheel) : 1;
  return spins_[wheel] * radius / car_.travel(wheel, angle_);
}

double DeviceCar::divide(double first_path, double second_path, double first_done,
                         double second_done, double* slip) {
  const double share = first_path / (first_path + second_path);
  if (!slip) return share;
  const double sum = first_done + second_done;
  *slip = std::abs(sum) > kSlowest ? std::clamp(*slip + (first_done - second_done) / sum, -1.0, 1.0)
                                   : 0;
  return std::clamp(share * (1 - *slip), 0.0, 1.0);
}

void DeviceCar::push(double throttle, int gear, bool limited_slip) {
  double torque = car_.engine_torque(rpm(gear)) * throttle * ratio(gear);
  if (acceleration_ > kMostAcceleration) torque *= kMostAcceleration / acceleration_;
  std::array<double, 2> paths{}, rolled{}, rights{};
  for (std::size_t axle = 0; axle < 2; ++axle) {
    const std::size_t right = 2 * axle, left = right + 1;
    if (!drives(right)) continue;
    const double path_r = car_.travel(right, angle_), path_l = car_.travel(left, angle_);
    paths[axle] = path_r + path_l;
    rolled[axle] = (done(right) + done(left)) / 2;
    rights[axle] =
        divide(path_r, path_l, done(right), done(left), limited_slip ? &slips_[axle] : nullptr);
  }
  const double front =
      paths[0] > 0 && paths[1] > 0
          ? divide(paths[0], paths[1], rolled[0], rolled[1], limited_slip ? &slips_[2] : nullptr)
      : paths[0] > 0 ? 1
                     : 0;
  for (std::size_t wheel = 0; wheel < kCarWheels; ++wheel) {
    if (!drives(wheel)) continue;
    const std::size_t axle = wheel / 2;
    const double share = wheel % 2 == 0 ? rights[axle] : 1 - rights[axle];
    wb_motor_set_torque(motors_[wheel], torque * share * (axle == 0 ? front : 1 - front));
  }
}

void DeviceCar::brake(double intensity) {
  for (std::size_t wheel = 0; wheel < kCarWheels; ++wheel) {
    // A torque, whatever the speed.
    const double torque = intensity * car_.brake_coefficient;
    wb_brake_set_damping_constant(brakes_[wheel],
                                  torque / std::max(std::abs(spins_[wheel]), kSlowest));
  }
}

void DeviceCar::measure() {
  const double dt = step_ms() / 1000.0;
  acceleration_ = 0;
  for (std::size_t wheel = 0; wheel < kCarWheels; ++wheel) {
    const double now = wb_position_sensor_get_value(sensors_[wheel]);
    const double before = spins_[wheel];
    spins_[wheel] = measured_ && std::isfinite(now) ? (now - encoders_[wheel]) / dt : 0;
    acceleration_ = std::max(acceleration_, std::abs(spins_[wheel] - before) / dt);
    encoders_[wheel] = std::isfinite(now) ? now : 0;
  }
  // The first sample comes with the first step.
  if (wb_robot_get_time() > 0) measured_ = true;
}

double DeviceCar::encoder(std::size_t wheel) const {
  return wb_position_sensor_get_value(sensors_[wheel]);
}

double DeviceCar::speed() const {
  if (!knows_speed()) return 0;
  double sum = 0;
  int driven = 0;
  for (std::size_t wheel = 0; wheel < kCarWheels; ++wheel) {
    if (!drives(wheel)) continue;
    sum += spins_[wheel] * car_.radius(wheel);
    ++driven;
  }
  return sum / driven;
}

void DeviceCar::light(Light which, int value) {
  if (lights_[which] != 0) wb_led_set(lights_[which], value);
  const WbDeviceTag inside = which == kRight ? interior_[0] : which == kLeft ? interior_[1] : 0;
  if (inside != 0) wb_led_set(inside, value);
}
bool DeviceCar::lit(Light which) const {
  return lights_[which] != 0 && wb_led_get(lights_[which]) != 0;
}

}  // namespace protobeam::controller
