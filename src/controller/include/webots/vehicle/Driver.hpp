#ifndef WEBOTS_VEHICLE_DRIVER_HPP
#define WEBOTS_VEHICLE_DRIVER_HPP

#include <webots/Supervisor.hpp>

namespace webots {

/// The robot of this program, as its driver. Steering is positive to the right, speeds are in km/h.
class Driver : public Supervisor {
 public:
  enum IndicatorState { INDICATOR_OFF, INDICATOR_RIGHT, INDICATOR_LEFT };
  enum ControlMode { SPEED, TORQUE };
  enum WiperMode { DOWN, SLOW, NORMAL, FAST };

  Driver();
  ~Driver() override;

  static bool isInitialisationPossible();
  /// The one of this program; made when there is none.
  static Driver* getDriverInstance();
  static Driver* internalGetInstanceDriver() {
    return dynamic_cast<Driver*>(Robot::internalGetInstance());
  }

  virtual int step();

  void setSteeringAngle(double angle);
  double getSteeringAngle();
  void setCruisingSpeed(double speed);
  double getTargetCruisingSpeed();
  double getCurrentSpeed();
  void setThrottle(double throttle);
  double getThrottle();
  void setBrakeIntensity(double intensity);
  double getBrakeIntensity();

  void setIndicator(IndicatorState state);
  IndicatorState getIndicator();
  void setHazardFlashers(bool state);
  bool getHazardFlashers();
  void setDippedBeams(bool state);
  bool getDippedBeams();
  void setAntifogLights(bool state);
  bool getAntifogLights();

  double getRpm();
  int getGear();
  void setGear(int gear);
  int getGearNumber();
  ControlMode getControlMode();
  void setWiperMode(WiperMode mode);
  WiperMode getWiperMode();

  // Older names.
  void setBrake(double brake) { setBrakeIntensity(brake); }
  void setWipersMode(WiperMode mode) { setWiperMode(mode); }
  WiperMode getWipersMode() { return getWiperMode(); }

 private:
  int step(int duration) override {
    return Supervisor::step(duration);
  }  // a driver's step has no length
};

}  // namespace webots

#endif  // WEBOTS_VEHICLE_DRIVER_HPP
