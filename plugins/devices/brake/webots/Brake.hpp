#ifndef WEBOTS_BRAKE_HPP
#define WEBOTS_BRAKE_HPP

#include <webots/brake.h>

#include <webots/Device.hpp>

namespace webots {

class Motor;
class PositionSensor;

class Brake : public Device {
 public:
  enum Type { ROTATIONAL = 0, LINEAR };
  enum { ANGULAR = ROTATIONAL };  // before R2018b

  using Device::Device;

  void setDampingConstant(double dampingConstant) const {
    wb_brake_set_damping_constant(tag(), dampingConstant);
  }
  Type getType() const { return static_cast<Type>(wb_brake_get_type(tag())); }

  Motor* getMotor() const;
  PositionSensor* getPositionSensor() const;
  int getMotorTag() const { return wb_brake_get_motor(tag()); }
  int getPositionSensorTag() const { return wb_brake_get_position_sensor(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_BRAKE_HPP
