// Drives every motor of its robot slowly and prints what its lidars see.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

#include <webots/Lidar.hpp>
#include <webots/Motor.hpp>
#include <webots/Robot.hpp>

int main() {
  webots::Robot robot;
  const int time_step = static_cast<int>(robot.getBasicTimeStep());
  const int sampling_period = 4 * time_step;

  std::vector<webots::Lidar*> lidars;
  for (int i = 0; i < robot.getNumberOfDevices(); ++i) {
    webots::Device* device = robot.getDeviceByIndex(i);
    if (auto* lidar = dynamic_cast<webots::Lidar*>(device)) {
      lidar->enable(sampling_period);
      lidars.push_back(lidar);
    } else if (auto* motor = dynamic_cast<webots::Motor*>(device);
               motor && motor->getType() == webots::Motor::ROTATIONAL) {
      motor->setPosition(INFINITY);  // controlled by velocity from here on
      motor->setVelocity(1.0);
    }
  }

  robot.step(sampling_period);  // the first samples
  while (robot.step(sampling_period) != -1) {
    for (webots::Lidar* lidar : lidars) {
      const float* ranges = lidar->getRangeImage();
      const int count = lidar->getHorizontalResolution() * lidar->getNumberOfLayers();
      std::cout << robot.getTime() << " s: " << lidar->getName() << ": nearest return at "
                << *std::min_element(ranges, ranges + count) << " m" << std::endl;
    }
  }
  return 0;
}
