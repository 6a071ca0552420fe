#include <webots/Brake.hpp>
#include <webots/Motor.hpp>
#include <webots/PositionSensor.hpp>
#include <webots/Robot.hpp>

namespace webots {

Motor* Brake::getMotor() const { return device_of<Motor>(wb_brake_get_motor(tag())); }
PositionSensor* Brake::getPositionSensor() const {
  return device_of<PositionSensor>(wb_brake_get_position_sensor(tag()));
}

}  // namespace webots
