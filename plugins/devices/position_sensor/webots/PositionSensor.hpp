#ifndef WEBOTS_POSITION_SENSOR_HPP
#define WEBOTS_POSITION_SENSOR_HPP

#include <webots/position_sensor.h>

#include <webots/Device.hpp>

namespace webots {

class Brake;
class Motor;

class PositionSensor : public Device {
 public:
  enum Type { ROTATIONAL = 0, LINEAR };
  enum { ANGULAR = ROTATIONAL };  // before R2018b

  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_position_sensor_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_position_sensor_disable(tag()); }
  int getSamplingPeriod() const { return wb_position_sensor_get_sampling_period(tag()); }
  double getValue() const { return wb_position_sensor_get_value(tag()); }
  Type getType() const { return static_cast<Type>(wb_position_sensor_get_type(tag())); }

  Motor* getMotor() const;
  Brake* getBrake() const;
  int getMotorTag() const { return wb_position_sensor_get_motor(tag()); }
  int getBrakeTag() const { return wb_position_sensor_get_brake(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_POSITION_SENSOR_HPP
