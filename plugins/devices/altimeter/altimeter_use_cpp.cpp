// Uses each function of the class Altimeter; the robot stands at a height of 3.5 m.
#include <cmath>
#include <iostream>
#include <webots/Altimeter.hpp>
#include <webots/Node.hpp>
#include <webots/Robot.hpp>

int main() {
  webots::Robot robot;
  int failures = 0;
  const auto check = [&](bool good, const char* what) {
    if (good) return;
    std::cout << what << std::endl;
    ++failures;
  };
  webots::Altimeter* altimeter = robot.getAltimeter("altimeter");
  check(altimeter->getNodeType() == webots::Node::ALTIMETER, "node type");
  altimeter->enable(32);
  check(altimeter->getSamplingPeriod() == 32, "period");
  robot.step(32);
  check(std::abs(altimeter->getValue() - 3.5) < 1e-12, "value");
  altimeter->disable();
  check(altimeter->getSamplingPeriod() == 0, "period while disabled");
  return failures ? 1 : 0;
}
