// The libraries "driver" and "car" of Webots, on a drive with steered wheels, or on the hinges of a
// car of Webots (car_devices.h). They know nothing that a controller program could not know: all
// goes through protobeam/vehicle.h and the functions of devices.
//
// Signs: their steering is positive to the right, that of a drive to the left.
#include <protobeam/vehicle.h>
#include <webots/device.h>
#include <webots/nodes.h>
#include <webots/robot.h>
#include <webots/vehicle/car.h>
#include <webots/vehicle/driver.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/libm.h"
#include "controller/car_cockpit.h"
#include "controller/car_devices.h"
#include "controller/client.h"

namespace {

using protobeam::controller::CarCockpit;
using protobeam::controller::complain;
using protobeam::controller::DeviceCar;

constexpr double kKmh = 3.6;              // km/h in 1 m/s
constexpr double kSteeringBack = 0.1;     // rad, by which the indicator goes out
constexpr char kNoRadius[] =
    "knows no speed: the wheels of the car have no tireRadius, from which it follows";
constexpr int kWheelOf[] = {3, 2, 1, 0};  // of the drive, by WbuCarWheelIndex

struct Car {
  WbDeviceTag drive = 0;              // one of these two; neither: wbu_driver_init() has not found
  std::unique_ptr<DeviceCar> hinges;  // a car
  CarCockpit cockpit;                 // of hinges
  WbuDriverControlMode mode = UNDEFINED_CONTROL_MODE;
  double steering = 0;  // rad, right
  double cruising = 0;  // km/h
  double throttle = 0, brake = 0;
  int gear = 0;
  // What a drive does not show; remembered.
  WbuDriverIndicatorState indicator = OFF;
  double indicated_steering = 0;  // rad, right: the farthest since then
  WbuDriverWiperMode wipers = DOWN;
  bool hazard = false, dipped = false, antifog = false;
  bool indicator_stops = true;
  bool limited_slip = true;
  double indicator_period = 0.34;  // s
};
Car car;

/// A message for each function at most once: these run in each step.
void say_once(const char* function, const std::string& what) {
  static std::set<std::string> said;
  if (said.insert(function).second) complain(function, what);
}

WbDeviceTag find_drive() {
  for (int i = 0; i < wb_robot_get_number_of_devices(); ++i) {
    const WbDeviceTag tag = wb_robot_get_device_by_index(i);
    if (wb_device_get_node_type(tag) == WB_NODE_PROTOBEAM_VEHICLE &&
        pb_vehicle_get_max_steering(tag) > 0) {
      return tag;
    }
  }
  return 0;
}

bool ready(const char* function) {
  if (car.drive != 0 || car.hinges) return true;
  say_once(function, "called without a car: see wbu_driver_init()");
  return false;
}

double limited(const char* function, const char* name, double value, double least, double most) {
  if (value >= least && value <= most) return value;
  say_once(function, "called with an invalid '" + std::string(name) + "' (" +
                         std::to_string(value) + "); it is from " + std::to_string(least) + " to " +
                         std::to_string(most));
  return std::isnan(value) ? least : std::clamp(value, least, most);
}

/// That for driving backwards among them. No gearbox on a drive: its motors push the wheels.
int gears() { return car.hinges ? static_cast<int>(car.hinges->description().gears.size()) : 2; }

/// There is no model of an engine under control by speed.
bool has_engine(const char* function) {
  if (!ready(function)) return false;
  if (car.mode == SPEED) say_once(function, "called under control by speed; use the throttle");
  return car.mode != SPEED;
}

PbWheel wheel(WbuCarWheelIndex index) { return pb_vehicle_get_wheel(car.drive, kWheelOf[index]); }
double wheel_y(int index) { return pb_vehicle_get_wheel_position(car.drive, index)[1]; }

bool driven(WbuCarWheelIndex index) {
  if (car.hinges) return car.hinges->drives(index);
  return pb_vehicle_is_wheel_driven(car.drive, kWheelOf[index]);
}

/// Mean over the driven wheels.
template <class F>
double mean_of_driven(F value) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < WBU_CAR_WHEEL_NB; ++i) {
    const auto index = static_cast<WbuCarWheelIndex>(i);
    if (!driven(index)) continue;
    sum += value(index);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

double speed() {  // m/s
  if (car.hinges) return car.hinges->speed();
  return mean_of_driven([](WbuCarWheelIndex i) {
    return wheel(i).spin * pb_vehicle_get_wheel_radius(car.drive, kWheelOf[i]);
  });
}

void drive_by_speed() {
  const double speed = car.cruising / kKmh * (1 - car.brake);
  if (pb_vehicle_takes(car.drive, PB_VEHICLE_SPEED)) {
    pb_vehicle_set_speed(car.drive, speed, -car.steering);
  } else if (pb_vehicle_takes(car.drive, PB_VEHICLE_TWIST)) {
    const double most = pb_vehicle_get_max_steering(car.drive);
    const double left = std::clamp(-car.steering, -most, most);
    pb_vehicle_set_twist(car.drive, speed, 0,
                         speed * protobeam::libm::tan(left) / pb_vehicle_get_wheelbase(car.drive));
  } else {
    say_once("wbu_driver_set_cruising_speed",
             std::string("does nothing: the controller ") + pb_vehicle_get_controller(car.drive) +
                 " of '" + wb_device_get_name(car.drive) +
                 "' takes torques; write FrontSteer or FrontSteerPid into the world, or use the "
                 "throttle");
  }
}

void drive_by_torque() {
  const double most = pb_vehicle_get_max_torque(car.drive);
  if (!pb_vehicle_takes(car.drive, PB_VEHICLE_TORQUES) || !(most > 0)) {
    say_once("wbu_driver_set_throttle",
             std::string("does nothing: the controller ") + pb_vehicle_get_controller(car.drive) +
                 " of '" + wb_device_get_name(car.drive) +
                 "' has no torque to give; write RawControl { maxTorque ... } into the world, or "
                 "use the cruising speed");
    return;
  }
  // The brake fades where the car hardly rolls: torque cannot hold it.
  const double rolling = protobeam::libm::tanh(speed() / 0.1);
  const double torque = std::clamp(car.throttle * car.gear - car.brake * rolling, -1.0, 1.0) * most;
  const std::vector<double> torques(
      static_cast<std::size_t>(pb_vehicle_get_number_of_torques(car.drive)), torque);
  pb_vehicle_set_torques(car.drive, torques.data(), static_cast<int>(torques.size()),
                         -car.steering);
}

/// Lamps that follow from what the driver does; the indicators blink.
void show_lights() {
  const double periods = wb_robot_get_time() / std::max(car.indicator_period, 1e-3);
  const bool on = std::llround(std::floor(periods + 1e-9)) % 2 == 0;
  car.hinges->light(DeviceCar::kRight, on && (car.hazard || car.indicator == RIGHT));
  car.hinges->light(DeviceCar::kLeft, on && (car.hazard || car.indicator == LEFT));
  car.hinges->light(DeviceCar::kBackwards, wbu_car_get_backwards_lights());
}

void drive_hinges() {
  show_lights();
  car.cockpit.wipe(car.wipers);
  car.hinges->measure();
  car.cockpit.show(car.hinges->speed() * kKmh, car.mode == SPEED ? 0 : car.hinges->rpm(car.gear));
  if (car.mode == TORQUE) car.hinges->push(car.throttle, car.gear, car.limited_slip);
  if (car.brake > 0) car.hinges->brake(car.brake);
}

void set_indicator(WbuDriverIndicatorState state) {
  car.indicator = state;
  car.indicated_steering = car.steering;
  if (car.hinges) car.cockpit.point_lever(state);
}

}  // namespace

extern "C" {

bool wbu_driver_initialization_is_possible() {
  wb_robot_init();
  protobeam::controller::CarDescription description;
  return find_drive() != 0 ||
         protobeam::controller::read_car(wb_robot_get_custom_data(), description);
}

void wbu_driver_init() {
  wb_robot_init();
  if (car.drive != 0 || car.hinges) return;
  car.drive = find_drive();
  if (car.drive == 0) {
    car.hinges = DeviceCar::find([](const char* name) {
      complain("wbu_driver_init",
               std::string("finds no device '").append(name).append("', which a car has"));
    });
    if (car.hinges) {
      car.cockpit.find();
    } else {
      complain(__func__,
               std::string("finds no car: robot '")
                   .append(wb_robot_get_name())
                   .append("' has no AckermannDrive or AckermannDrivetrain among its devices, and "
                           "is not of Webots' PROTO Car"));
    }
    return;
  }
  pb_vehicle_enable(car.drive, static_cast<int>(std::lround(wb_robot_get_basic_time_step())));
}

void wbu_driver_cleanup() {
  car = Car{};
  wb_robot_cleanup();
}

int wbu_driver_step() {
  if (ready(__func__)) {
    if (car.hinges) {
      drive_hinges();
    } else if (car.mode == TORQUE) {
      drive_by_torque();
    } else if (car.mode == SPEED || pb_vehicle_takes(car.drive, PB_VEHICLE_SPEED)) {
      drive_by_speed();
    }
  }
  return wb_robot_step(static_cast<int>(std::lround(wb_robot_get_basic_time_step())));
}

void wbu_driver_set_steering_angle(double steering_angle) {
  if (!ready(__func__)) return;
  // The stops of hinges limit them.
  const double most = car.hinges ? M_PI / 2 : pb_vehicle_get_max_steering(car.drive);
  if (std::isnan(steering_angle))
    return say_once(__func__, "called with an invalid 'steering_angle' (NaN)");
  const double angle = limited(__func__, "steering_angle", steering_angle, -most, most);
  // The indicator goes out when the driver steers back.
  if (car.indicator_stops && car.indicator != OFF) {
    const double side = car.indicator == RIGHT ? 1 : -1;
    if (side * (angle - car.indicated_steering) > 0) {
      car.indicated_steering = angle;
    } else if (side * (car.indicated_steering - angle) >= kSteeringBack) {
      set_indicator(OFF);
    }
  }
  car.steering = angle;
  if (!car.hinges) return;
  car.cockpit.steer(angle);
  car.hinges->steer(angle);
  if (car.mode == SPEED) car.hinges->cruise(car.cruising);  // in a curve wheels differ
}
double wbu_driver_get_steering_angle() {
  if (!ready(__func__)) return 0;
  return car.hinges ? car.hinges->steering() : car.steering;
}

void wbu_driver_set_cruising_speed(double speed) {
  if (!ready(__func__)) return;
  if (!std::isfinite(speed)) return say_once(__func__, "called with a speed that is not finite");
  car.mode = SPEED;
  car.cruising = speed;
  if (car.hinges && !car.hinges->knows_speed()) say_once(__func__, kNoRadius);
  if (car.hinges) car.hinges->cruise(speed);
}
double wbu_driver_get_target_cruising_speed() { return ready(__func__) ? car.cruising : 0; }
double wbu_driver_get_current_speed() {
  if (!ready(__func__)) return 0;
  if (car.hinges && !car.hinges->knows_speed()) say_once(__func__, kNoRadius);
  return speed() * kKmh;
}

void wbu_driver_set_throttle(double throttle) {
  if (!ready(__func__)) return;
  car.mode = TORQUE;
  car.throttle = limited(__func__, "throttle", throttle, 0, 1);
}
double wbu_driver_get_throttle() { return ready(__func__) ? car.throttle : 0; }

void wbu_driver_set_brake_intensity(double intensity) {
  if (!ready(__func__)) return;
  car.brake = limited(__func__, "intensity", intensity, 0, 1);
  if (!car.hinges) return;
  car.hinges->brake(car.brake);
  car.hinges->light(DeviceCar::kBrake, car.brake > 0);
}
double wbu_driver_get_brake_intensity() { return ready(__func__) ? car.brake : 0; }
void wbu_driver_set_brake(double brake) { wbu_driver_set_brake_intensity(brake); }
double wbu_driver_get_brake() { return wbu_driver_get_brake_intensity(); }

void wbu_driver_set_indicator(WbuDriverIndicatorState state) {
  if (ready(__func__)) set_indicator(state);
}
WbuDriverIndicatorState wbu_driver_get_indicator() { return car.indicator; }
void wbu_driver_set_hazard_flashers(bool state) {
  if (ready(__func__)) car.hazard = state;
}
bool wbu_driver_get_hazard_flashers() { return car.hazard; }
void wbu_driver_set_dipped_beams(bool state) {
  if (!ready(__func__)) return;
  car.dipped = state;
  if (!car.hinges) return;
  car.hinges->light(DeviceCar::kFront, state);
  car.hinges->light(DeviceCar::kRear, state);
}
bool wbu_driver_get_dipped_beams() { return car.dipped; }
void wbu_driver_set_antifog_lights(bool state) {
  if (!ready(__func__)) return;
  car.antifog = state;
  if (car.hinges) car.hinges->light(DeviceCar::kAntifog, state);
}
bool wbu_driver_get_antifog_lights() { return car.antifog; }
void wbu_driver_set_wiper_mode(WbuDriverWiperMode mode) {
  if (!ready(__func__) || (car.hinges && !car.cockpit.has_wipers())) return;
  car.wipers = mode;
  if (car.hinges) car.cockpit.set_wipers(mode);
}
WbuDriverWiperMode wbu_driver_get_wiper_mode() { return car.wipers; }
void wbu_driver_set_wipers_mode(wbu_wipers_mode mode) { wbu_driver_set_wiper_mode(mode); }
wbu_wipers_mode wbu_driver_get_wipers_mode() { return wbu_driver_get_wiper_mode(); }

double wbu_driver_get_rpm() {
  if (!has_engine(__func__)) return 0;
  if (car.hinges) return car.hinges->rpm(car.gear);
  return mean_of_driven([](WbuCarWheelIndex i) { return std::abs(wheel(i).spin); }) * 30 / M_PI;
}

void wbu_driver_set_gear(int gear) {
  if (ready(__func__))
    car.gear = static_cast<int>(limited(__func__, "gear", gear, -1, gears() - 1));
}
int wbu_driver_get_gear() { return has_engine(__func__) ? car.gear : 0; }
int wbu_driver_get_gear_number() { return ready(__func__) ? gears() : 0; }
WbuDriverControlMode wbu_driver_get_control_mode() { return car.mode; }

void wbu_car_init() {
  if (car.drive == 0 && !car.hinges) wbu_driver_init();
}
void wbu_car_cleanup() { wbu_driver_cleanup(); }

WbuCarType wbu_car_get_type() {
  if (!ready(__func__)) return WBU_CAR_TRACTION;
  const bool front = driven(WBU_CAR_WHEEL_FRONT_LEFT) || driven(WBU_CAR_WHEEL_FRONT_RIGHT);
  const bool rear = driven(WBU_CAR_WHEEL_REAR_LEFT) || driven(WBU_CAR_WHEEL_REAR_RIGHT);
  return front && rear ? WBU_CAR_FOUR_BY_FOUR : rear ? WBU_CAR_PROPULSION : WBU_CAR_TRACTION;
}
WbuCarEngineType wbu_car_get_engine_type() {
  switch (car.hinges ? car.hinges->description().engine : 'E') {
    case 'E':
      return WBU_CAR_ELECTRIC_ENGINE;
    case 'P':
      return WBU_CAR_PARALLEL_HYBRID_ENGINE;
    case 'S':
      return WBU_CAR_POWER_SPLIT_HYBRID_ENGINE;
    default:
      return WBU_CAR_COMBUSTION_ENGINE;
  }
}

void wbu_car_set_indicator_period(double period) {
  if (ready(__func__)) car.indicator_period = limited(__func__, "period", period, 0, 1e6);
}
double wbu_car_get_indicator_period() { return car.indicator_period; }
bool wbu_car_get_backwards_lights() {
  return car.mode == TORQUE ? car.gear < 0 : car.mode == SPEED && car.cruising < 0;
}
bool wbu_car_get_brake_lights() { return car.brake > 0; }

double wbu_car_get_track_front() {
  if (!ready(__func__)) return 0;
  return car.hinges ? car.hinges->description().track_front : wheel_y(2) - wheel_y(3);
}
double wbu_car_get_track_rear() {
  if (!ready(__func__)) return 0;
  return car.hinges ? car.hinges->description().track_rear : wheel_y(0) - wheel_y(1);
}
double wbu_car_get_wheelbase() {
  if (!ready(__func__)) return 0;
  return car.hinges ? car.hinges->description().wheelbase : pb_vehicle_get_wheelbase(car.drive);
}
double wbu_car_get_front_wheel_radius() {
  if (!ready(__func__)) return 0;
  return car.hinges ? car.hinges->description().front_radius
                    : pb_vehicle_get_wheel_radius(car.drive, 2);
}
double wbu_car_get_rear_wheel_radius() {
  if (!ready(__func__)) return 0;
  return car.hinges ? car.hinges->description().rear_radius
                    : pb_vehicle_get_wheel_radius(car.drive, 0);
}

double wbu_car_get_wheel_encoder(WbuCarWheelIndex index) {
  if (!ready(__func__)) return 0;
  const auto known = static_cast<WbuCarWheelIndex>(limited(__func__, "wheel_index", index, 0, 3));
  return car.hinges ? car.hinges->encoder(known) : wheel(known).angle;
}
double wbu_car_get_wheel_speed(WbuCarWheelIndex index) {
  if (!ready(__func__)) return 0;
  const auto known = static_cast<WbuCarWheelIndex>(limited(__func__, "wheel_index", index, 0, 3));
  return car.hinges ? car.hinges->spin(known) : wheel(known).spin;
}

void wbu_car_set_left_steering_angle(double angle) {
  if (!ready(__func__)) return;
  if (std::isnan(angle)) return say_once(__func__, "called with an invalid 'angle' (NaN)");
  if (car.hinges) return car.hinges->steer_wheel(false, angle);
  say_once(__func__,
           "does nothing: left and right wheel are linked; use wbu_driver_set_steering_angle()");
}
void wbu_car_set_right_steering_angle(double angle) {
  if (!ready(__func__)) return;
  if (std::isnan(angle)) return say_once(__func__, "called with an invalid 'angle' (NaN)");
  if (car.hinges) return car.hinges->steer_wheel(true, angle);
  say_once(__func__,
           "does nothing: left and right wheel are linked; use wbu_driver_set_steering_angle()");
}
double wbu_car_get_left_steering_angle() {
  if (!ready(__func__)) return 0;
  return car.hinges ? car.hinges->steering_of(false) : -wheel(WBU_CAR_WHEEL_FRONT_LEFT).steering;
}
double wbu_car_get_right_steering_angle() {
  if (!ready(__func__)) return 0;
  return car.hinges ? car.hinges->steering_of(true) : -wheel(WBU_CAR_WHEEL_FRONT_RIGHT).steering;
}

void wbu_car_enable_limited_slip_differential(bool enable) {
  if (car.hinges) {
    car.limited_slip = enable;
    return;
  }
  say_once(__func__, "does nothing: the differentials are those of the drive's field drivetrain");
}
void wbu_car_enable_indicator_auto_disabling(bool enable) { car.indicator_stops = enable; }

}  // extern "C"
