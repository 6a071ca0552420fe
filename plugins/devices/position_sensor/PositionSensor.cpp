#include <webots/Brake.hpp>
#include <webots/Motor.hpp>
#include <webots/PositionSensor.hpp>
#include <webots/Robot.hpp>

namespace webots {

Brake* PositionSensor::getBrake() const {
  return device_of<Brake>(wb_position_sensor_get_brake(tag()));
}
Motor* PositionSensor::getMotor() const {
  return device_of<Motor>(wb_position_sensor_get_motor(tag()));
}

}  // namespace webots
