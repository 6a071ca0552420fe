// The same with the class.
#include <cstdio>
#include <webots/DifferentialWheels.hpp>

int main() {
  webots::DifferentialWheels robot;
  robot.enableEncoders(32);
  robot.setSpeed(10, 10);
  robot.step(320);
  const double before = robot.getRightEncoder();
  robot.step(1600);
  std::printf("counted: %.0f at %g\n", robot.getRightEncoder() - before, robot.getRightSpeed());
  return 0;
}
