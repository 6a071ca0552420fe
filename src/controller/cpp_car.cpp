// The C++ classes of cars. Their headers leave out those of C, whose enumerators (LEFT, SPEED, ...)
// would stand in the global namespace of the user's program.
#include <webots/vehicle/car.h>
#include <webots/vehicle/driver.h>

#include <webots/vehicle/Car.hpp>

namespace webots {

Driver::Driver() { wbu_driver_init(); }
Driver::~Driver() { wbu_driver_cleanup(); }
Driver* Driver::getDriverInstance() {
  Driver* driver = internalGetInstanceDriver();
  return driver ? driver : new Driver();
}
int Driver::step() { return wbu_driver_step(); }

bool Driver::isInitialisationPossible() { return wbu_driver_initialization_is_possible(); }
void Driver::setSteeringAngle(double angle) { wbu_driver_set_steering_angle(angle); }
double Driver::getSteeringAngle() { return wbu_driver_get_steering_angle(); }
void Driver::setCruisingSpeed(double speed) { wbu_driver_set_cruising_speed(speed); }
double Driver::getTargetCruisingSpeed() { return wbu_driver_get_target_cruising_speed(); }
double Driver::getCurrentSpeed() { return wbu_driver_get_current_speed(); }
void Driver::setThrottle(double throttle) { wbu_driver_set_throttle(throttle); }
double Driver::getThrottle() { return wbu_driver_get_throttle(); }
void Driver::setBrakeIntensity(double intensity) { wbu_driver_set_brake_intensity(intensity); }
double Driver::getBrakeIntensity() { return wbu_driver_get_brake_intensity(); }
void Driver::setIndicator(IndicatorState state) {
  wbu_driver_set_indicator(static_cast<WbuDriverIndicatorState>(state));
}
Driver::IndicatorState Driver::getIndicator() {
  return static_cast<IndicatorState>(wbu_driver_get_indicator());
}
void Driver::setHazardFlashers(bool state) { wbu_driver_set_hazard_flashers(state); }
bool Driver::getHazardFlashers() { return wbu_driver_get_hazard_flashers(); }
void Driver::setDippedBeams(bool state) { wbu_driver_set_dipped_beams(state); }
bool Driver::getDippedBeams() { return wbu_driver_get_dipped_beams(); }
void Driver::setAntifogLights(bool state) { wbu_driver_set_antifog_lights(state); }
bool Driver::getAntifogLights() { return wbu_driver_get_antifog_lights(); }
double Driver::getRpm() { return wbu_driver_get_rpm(); }
int Driver::getGear() { return wbu_driver_get_gear(); }
void Driver::setGear(int gear) { wbu_driver_set_gear(gear); }
int Driver::getGearNumber() { return wbu_driver_get_gear_number(); }
Driver::ControlMode Driver::getControlMode() {
  return static_cast<ControlMode>(wbu_driver_get_control_mode());
}
void Driver::setWiperMode(WiperMode mode) {
  wbu_driver_set_wiper_mode(static_cast<WbuDriverWiperMode>(mode));
}
Driver::WiperMode Driver::getWiperMode() {
  return static_cast<WiperMode>(wbu_driver_get_wiper_mode());
}

Car::Type Car::getType() { return static_cast<Type>(wbu_car_get_type()); }
Car::EngineType Car::getEngineType() { return static_cast<EngineType>(wbu_car_get_engine_type()); }
void Car::setIndicatorPeriod(double period) { wbu_car_set_indicator_period(period); }
double Car::getIndicatorPeriod() { return wbu_car_get_indicator_period(); }
bool Car::getBackwardsLights() { return wbu_car_get_backwards_lights(); }
bool Car::getBrakeLights() { return wbu_car_get_brake_lights(); }
double Car::getTrackFront() { return wbu_car_get_track_front(); }
double Car::getTrackRear() { return wbu_car_get_track_rear(); }
double Car::getWheelbase() { return wbu_car_get_wheelbase(); }
double Car::getFrontWheelRadius() { return wbu_car_get_front_wheel_radius(); }
double Car::getRearWheelRadius() { return wbu_car_get_rear_wheel_radius(); }
double Car::getWheelEncoder(WheelIndex wheel) {
  return wbu_car_get_wheel_encoder(static_cast<WbuCarWheelIndex>(wheel));
}
double Car::getWheelSpeed(WheelIndex wheel) {
  return wbu_car_get_wheel_speed(static_cast<WbuCarWheelIndex>(wheel));
}
void Car::setLeftSteeringAngle(double angle) { wbu_car_set_left_steering_angle(angle); }
void Car::setRightSteeringAngle(double angle) { wbu_car_set_right_steering_angle(angle); }
double Car::getRightSteeringAngle() { return wbu_car_get_right_steering_angle(); }
double Car::getLeftSteeringAngle() { return wbu_car_get_left_steering_angle(); }
void Car::enableLimitedSlipDifferential(bool enable) {
  wbu_car_enable_limited_slip_differential(enable);
}
void Car::enableIndicatorAutoDisabling(bool enable) {
  wbu_car_enable_indicator_auto_disabling(enable);
}

}  // namespace webots
