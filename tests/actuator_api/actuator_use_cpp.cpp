// Calls each function of the C++ classes Display, Connector and VacuumGripper.
#include <iostream>
#include <webots/Camera.hpp>
#include <webots/Connector.hpp>
#include <webots/Display.hpp>
#include <webots/Robot.hpp>
#include <webots/VacuumGripper.hpp>

namespace {

int failures = 0;

void check_line(bool good, int line, const char* what) {
  if (good) return;
  std::cout << "line " << line << ": " << what << std::endl;
  ++failures;
}
#define check(condition) check_line((condition), __LINE__, #condition)

void use_display(webots::Robot& robot) {
  webots::Display* display = robot.getDisplay("display");
  const int x[] = {1, 3, 3}, y[] = {9, 9, 11};
  const unsigned char red[] = {255, 0, 0};
  check(display->getWidth() == 32 && display->getHeight() == 16);
  display->setColor(0xff0000);
  display->setAlpha(1);
  display->setOpacity(1);
  display->setFont("Lucida Console", 8, true);
  display->drawPixel(0, 0);
  display->drawLine(0, 1, 5, 1);
  display->drawRectangle(0, 2, 5, 3);
  display->drawOval(10, 10, 2, 2);
  display->drawPolygon(x, y, 3);
  display->drawText("x", 24, 0);
  display->fillRectangle(8, 0, 2, 2);
  display->fillOval(14, 3, 1, 1);
  display->fillPolygon(x, y, 3);
  webots::ImageRef* copy = display->imageCopy(0, 0, 1, 1);
  check(copy != nullptr);
  display->imagePaste(copy, 20, 10);
  display->imageSave(nullptr, "picture_cpp.png");
  display->imageSave(copy, "one_cpp.png");
  display->imageDelete(copy);
  webots::ImageRef* made = display->imageNew(1, 1, red, webots::Display::RGB);
  display->imagePaste(made, 1, 0, true);
  display->imageDelete(made);
  webots::ImageRef* loaded = display->imageLoad("one_cpp.png");
  check(loaded != nullptr);
  display->imagePaste(loaded, 31, 15);
  display->imageDelete(loaded);
  webots::Camera* camera = robot.getCamera("camera");
  camera->enable(32);
  display->attachCamera(camera);
  robot.step(32);
  display->detachCamera();
}

void use_others(webots::Robot& robot) {
  webots::Connector* connector = robot.getConnector("connector");
  connector->enablePresence(32);
  check(connector->getPresenceSamplingPeriod() == 32);
  robot.step(32);
  check(connector->getPresence() == 1);
  connector->lock();
  check(connector->isLocked());
  connector->unlock();
  check(!connector->isLocked());
  connector->disablePresence();

  webots::VacuumGripper* gripper = robot.getVacuumGripper("vacuum gripper");
  gripper->enablePresence(32);
  check(gripper->getPresenceSamplingPeriod() == 32);
  robot.step(32);
  check(!gripper->getPresence());
  check(gripper->isOn());
  gripper->turnOff();
  check(!gripper->isOn());
  gripper->turnOn();
  gripper->disablePresence();

  robot.batterySensorEnable(32);
  check(robot.batterySensorGetSamplingPeriod() == 32);
  robot.step(32);
  check(robot.batterySensorGetValue() < 1000 && robot.batterySensorGetValue() > 990);
  robot.batterySensorDisable();
}

}  // namespace

int main() {
  webots::Robot robot;
  use_display(robot);
  use_others(robot);
  return failures ? 1 : 0;
}
