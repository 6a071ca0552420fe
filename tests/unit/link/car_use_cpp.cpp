// A car's driver in C++. The enumerators here would clash with those of the C header.
#include <iostream>
#include <protobeam/Vehicle.hpp>
#include <webots/vehicle/Car.hpp>

enum Direction { LEFT, RIGHT, OFF, SPEED };

int main() {
  webots::Car car;
  const webots::Supervisor* supervisor = &car;  // a driver is one, as in Webots
  if (supervisor != webots::Supervisor::internalGetInstance()) return 1;
  std::cout << car.getType() << car.getEngineType() << " " << car.getTrackFront() << " "
            << car.getWheelbase() << " " << car.getRearWheelRadius() << "\n";
  auto* drive = dynamic_cast<protobeam::Vehicle*>(car.getDevice("drive"));
  std::cout << drive->getDrive() << " " << drive->getNumberOfWheels() << " "
            << drive->takes(PB_VEHICLE_TWIST) << "\n";
  car.setIndicator(webots::Driver::INDICATOR_LEFT);
  car.setCruisingSpeed(7.2);
  car.setSteeringAngle(0.25);
  while (car.step() != -1) {
    std::cout << car.getWheelSpeed(webots::Car::WHEEL_FRONT_LEFT) << " " << car.getIndicator()
              << " " << (webots::Driver::internalGetInstanceDriver() == &car) << " "
              << drive->getWheel(0).spin << "\n";
    drive->setTorques({1, 2}, 0.125);
  }
}
