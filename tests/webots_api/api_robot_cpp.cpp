// The classes of what api_robot.c uses by functions.
#include <webots/LED.hpp>
#include <webots/Motor.hpp>
#include <webots/Pen.hpp>
#include <webots/PositionSensor.hpp>
#include <webots/Robot.hpp>
#include <webots/Skin.hpp>
#include <webots/Speaker.hpp>
#include <webots/utils/AnsiCodes.hpp>
#include <webots/utils/Motion.hpp>

using namespace webots;
using std::cout;

int main() {
  Robot robot;
  LED* led = robot.getLED("led");
  led->set(1);
  Speaker* speaker = robot.getSpeaker("speaker");
  Speaker::playSound(speaker, nullptr, "half_a_second.wav", 1, 1, 0, false);
  speaker->speak("Hello", 0.5);
  Pen* pen = robot.getPen("pen");
  pen->write(false);
  Skin* skin = robot.getSkin("hide");
  Motion motion("wave.motion"), none("none.motion");
  motion.play();
  robot.step(8);
  cout << led->get() << speaker->isSoundPlaying("half_a_second.wav") << speaker->isSpeaking()
       << skin->getBoneCount() << motion.isValid() << none.isValid() << motion.getTime() << "\n";
  speaker->stop("");
  cout << speaker->isSoundPlaying("") << robot.getJoystick()->isConnected()
       << robot.getMouse()->getState().left << "\n";
  Motor* motor = robot.getMotor("motor");
  cout << (motor->getPositionSensorTag() == robot.getPositionSensor("angle")->getTag())
       << (Robot::getDeviceFromTag(led->getTag()) == led)
       << (Robot::getDeviceNameFromTag(led->getTag()) == "led")
       << Device::hasType(led->getTag(), WB_NODE_LED) << (robot.getMode() == Robot::MODE_SIMULATION)
       << "\n";
  cout << AnsiCodes::GREEN_FOREGROUND << "end" << AnsiCodes::RESET << std::endl;
}
