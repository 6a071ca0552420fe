// A controller in C++: what the classes add to the C functions.
#include <cstdio>
#include <iostream>
#include <protobeam/Device.hpp>
#include <webots/Accelerometer.hpp>
#include <webots/Brake.hpp>
#include <webots/DistanceSensor.hpp>
#include <webots/Emitter.hpp>
#include <webots/GPS.hpp>
#include <webots/Gyro.hpp>
#include <webots/InertialUnit.hpp>
#include <webots/Keyboard.hpp>
#include <webots/Lidar.hpp>
#include <webots/Motor.hpp>
#include <webots/Node.hpp>
#include <webots/PositionSensor.hpp>
#include <webots/Receiver.hpp>
#include <webots/Robot.hpp>
#include <webots/TouchSensor.hpp>

using namespace webots;

class NamedLidar : public Lidar {
 public:
  using Lidar::Lidar;
  std::string title() const { return "my " + getName(); }
};

class Rover : public Robot {
 protected:
  Lidar* createLidar(WbDeviceTag tag) const override { return new NamedLidar(tag); }
};

int main() {
  Rover robot;
  auto* lidar = dynamic_cast<NamedLidar*>(robot.getLidar("lidar"));
  std::cout << lidar->title() << " " << (lidar->getNodeType() == Node::LIDAR) << " "
            << (robot.getDevice("lidar") == lidar) << "\n";
  lidar->enable(32);
  lidar->enablePointCloud();
  Motor* motor = robot.getMotor("motor");
  motor->setVelocity(1.5);
  std::cout << motor->getBrake()->getName() << " " << motor->getPositionSensor()->getName() << " "
            << (motor->getBrake()->getMotor() == motor) << " " << motor->getType() << "\n";
  // A device by a wrong type, and by a wrong name.
  std::cout << (robot.getGPS("motor") == nullptr) << (robot.getDevice("none") == nullptr) << "\n";
  auto* cone = dynamic_cast<protobeam::Device*>(robot.getDevice("cone"));
  cone->enable(32);
  robot.getKeyboard()->enable(32);
  for (int i = 0; i < robot.getNumberOfDevices(); ++i) {
    std::cout << robot.getDeviceByIndex(i)->getTag()
              << (i + 1 < robot.getNumberOfDevices() ? " " : "\n");
  }
  while (robot.step(32) != -1) {
    const LidarPoint& point = lidar->getPointCloud()[5];
    std::cout << robot.getTime() << " " << lidar->getLayerRangeImage(1)[2] << " " << point.y << " "
              << cone->getChannel<double>("ranges")(3, 4) << "\n";
  }
  std::cout << GPS::convertToDegreesMinutesSeconds(1.5) << " " << robot.getKeyboard()->getKey()
            << "\n";
}
