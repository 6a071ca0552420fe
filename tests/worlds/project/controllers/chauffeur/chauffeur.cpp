// Drives a car by Webots' vehicle library and checks what it feels.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <protobeam/Vehicle.hpp>
#include <string>
#include <webots/vehicle/Car.hpp>

namespace {

int failures = 0;

void check_near(const char* what, double value, double wanted, double tolerance) {
  if (std::abs(value - wanted) <= tolerance) return;
  std::printf("%s is %g, not %g\n", what, value, wanted);
  ++failures;
}

void drive_for(webots::Car& car, double seconds) {
  const double end = car.getTime() + seconds - 1e-6;
  while (car.getTime() < end && car.step() != -1) {
  }
}

/// 10.8 km/h are 3 m/s; a set-point holds although it is given once.
void cruise(webots::Car& car, protobeam::Vehicle& drive) {
  const double angle = 0.2;
  car.setCruisingSpeed(10.8);
  car.setSteeringAngle(angle);  // to the right
  drive_for(car, 6);
  check_near("current speed", car.getCurrentSpeed(), 10.8, 0.4);  // the front wheels go farther
  check_near("true speed", drive.getTrueTwist().vx, 3, 0.05);
  check_near("yaw rate", drive.getTrueTwist().omega, -3 * std::tan(angle) / car.getWheelbase(),
             0.02);
  // Ackermann's geometry, as the reference of Webots gives it.
  const double half = car.getTrackFront() / (2 * car.getWheelbase());
  const double cotangent = 1 / std::tan(angle);
  check_near("right wheel", car.getRightSteeringAngle(), std::atan(1 / (cotangent - half)), 1e-6);
  check_near("left wheel", car.getLeftSteeringAngle(), std::atan(1 / (cotangent + half)), 1e-6);
  check_near("wheel speed", car.getWheelSpeed(webots::Car::WHEEL_REAR_LEFT),
             3 * (1 + car.getTrackRear() / 2 * std::tan(angle) / car.getWheelbase()) /
                 car.getRearWheelRadius(),
             0.2);
  car.setBrakeIntensity(1);
  drive_for(car, 6);
  check_near("speed when braked", drive.getTrueTwist().vx, 0, 0.05);
}

/// By the torque of the motors: forwards in gear 1, then the brake.
void throttle(webots::Car& car, protobeam::Vehicle& drive) {
  car.setThrottle(0.5);
  drive_for(car, 1);
  check_near("speed in neutral", drive.getTrueTwist().vx, 0, 0.01);
  car.setGear(1);
  drive_for(car, 2);
  const double gained = drive.getTrueTwist().vx;
  if (!(gained > 0.5)) check_near("gained speed", gained, 1, 0.5);
  car.setThrottle(0);
  car.setBrakeIntensity(1);
  drive_for(car, 5);
  check_near("speed when braked", drive.getTrueTwist().vx, 0, 0.1);
}

}  // namespace

int main(int argc, char** argv) {
  webots::Car car;
  auto* drive = dynamic_cast<protobeam::Vehicle*>(car.getDevice("drive"));
  drive_for(car, 1);
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "cruise") cruise(car, *drive);
  if (what == "throttle") throttle(car, *drive);
  std::printf("%d failures\n", failures);
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
