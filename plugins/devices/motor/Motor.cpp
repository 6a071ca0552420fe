#include <webots/Brake.hpp>
#include <webots/Motor.hpp>
#include <webots/PositionSensor.hpp>
#include <webots/Robot.hpp>

namespace webots {

Brake* Motor::getBrake() const { return device_of<Brake>(wb_motor_get_brake(tag())); }
PositionSensor* Motor::getPositionSensor() const {
  return device_of<PositionSensor>(wb_motor_get_position_sensor(tag()));
}

}  // namespace webots
