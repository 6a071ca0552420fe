#ifndef WEBOTS_VEHICLE_CAR_HPP
#define WEBOTS_VEHICLE_CAR_HPP

#include <webots/vehicle/Driver.hpp>

namespace webots {

class Car : public Driver {
 public:
  enum Type { TRACTION = 0, PROPULSION, FOUR_BY_FOUR };
  enum EngineType {
    COMBUSTION_ENGINE = 0,
    ELECTRIC_ENGINE,
    PARALLEL_HYBRID_ENGINE,
    POWER_SPLIT_HYBRID_ENGINE
  };
  enum WheelIndex {
    WHEEL_FRONT_RIGHT = 0,
    WHEEL_FRONT_LEFT,
    WHEEL_REAR_RIGHT,
    WHEEL_REAR_LEFT,
    WHEEL_NB
  };

  Type getType();
  EngineType getEngineType();

  void setIndicatorPeriod(double period);
  double getIndicatorPeriod();
  bool getBackwardsLights();
  bool getBrakeLights();

  double getTrackFront();
  double getTrackRear();
  double getWheelbase();
  double getFrontWheelRadius();
  double getRearWheelRadius();

  double getWheelEncoder(WheelIndex wheel);
  double getWheelSpeed(WheelIndex wheel);
  void setLeftSteeringAngle(double angle);
  void setRightSteeringAngle(double angle);
  double getRightSteeringAngle();
  double getLeftSteeringAngle();

  void enableLimitedSlipDifferential(bool enable);
  void enableIndicatorAutoDisabling(bool enable);
};

}  // namespace webots

#endif  // WEBOTS_VEHICLE_CAR_HPP
