// Drives the Rover by the arrow keys that are pressed in the window of `protobeam view`.
//
//   key          while it is pressed                   when it is released
//   up, down     gains 1 m/s each second, up to 1 m/s  loses 1 m/s each second
//   left, right  turns, by about 0.8 rad/s             turns no more
//   space, S     stops at once
//
// Every lidar of the robot is switched on, so that the window has something to show.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <webots/Keyboard.hpp>
#include <webots/Lidar.hpp>
#include <webots/Motor.hpp>
#include <webots/Robot.hpp>

namespace {

using webots::Keyboard;

// The vehicle. Its wheels slide sideways when it turns, which halves the rate: it is steered as if
// left and right wheels were twice as far from each other as they are.
constexpr double kWheelRadius = 0.15;  // m
constexpr double kTrack = 2 * 0.52;    // m

constexpr double kTopSpeed = 1;      // m/s
constexpr double kAcceleration = 1;  // m/s^2
constexpr double kTopTurn = 0.8;     // rad/s
constexpr double kTurnGain = 4;      // rad/s^2

constexpr int kLookPeriodMs = 100;

struct Wish {
  int ahead = 0, left = 0;  // 1, 0 or -1
  bool stop = false;
};

/// All keys that are pressed now. Those that contradict each other cancel out.
Wish read(const Keyboard& keyboard) {
  Wish wish;
  for (int key = keyboard.getKey(); key >= 0; key = keyboard.getKey()) {
    switch (key & Keyboard::KEY) {
      case Keyboard::UP:
        ++wish.ahead;
        break;
      case Keyboard::DOWN:
        --wish.ahead;
        break;
      case Keyboard::LEFT:
        ++wish.left;
        break;
      case Keyboard::RIGHT:
        --wish.left;
        break;
      case ' ':
      case 'S':
        wish.stop = true;
        break;
    }
  }
  return wish;
}

double towards(double wanted, double now, double step) {
  return now + std::clamp(wanted - now, -step, step);
}

/// The four wheels.
class Drive {
 public:
  explicit Drive(webots::Robot& robot) {
    const char* const names[] = {"left front wheel", "left rear wheel", "right front wheel",
                                 "right rear wheel"};
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      wheels_[i] = robot.getMotor(names[i]);
      if (wheels_[i] == nullptr) {
        std::fprintf(stderr, "teleop: this robot is no Rover\n");
        std::exit(EXIT_FAILURE);
      }
      wheels_[i]->setPosition(INFINITY);  // by velocity, not by angle
      wheels_[i]->setVelocity(0);
    }
  }

  void act(double speed, double turn) {
    const double difference = turn * kTrack / 2;
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const double limit = wheels_[i]->getMaxVelocity();
      const double wheel = (speed + (i < 2 ? -difference : difference)) / kWheelRadius;
      wheels_[i]->setVelocity(std::clamp(wheel, -limit, limit));
    }
  }

 private:
  std::array<webots::Motor*, 4> wheels_{};  // two left, two right
};

}  // namespace

int main() {
  webots::Robot robot;
  const int step = static_cast<int>(std::lround(robot.getBasicTimeStep()));
  Drive drive(robot);
  Keyboard& keyboard = *robot.getKeyboard();
  keyboard.enable(step);
  for (int i = 0; i < robot.getNumberOfDevices(); ++i) {
    if (auto* lidar = dynamic_cast<webots::Lidar*>(robot.getDeviceByIndex(i))) {
      lidar->enable(kLookPeriodMs);
      lidar->enablePointCloud();
    }
  }
  std::printf("teleop: arrow keys drive, space or S stops\n");

  double speed = 0, turn = 0, before = robot.getTime();
  while (robot.step(step) != -1) {
    const double dt = robot.getTime() - before;
    before = robot.getTime();
    const Wish wish = read(keyboard);
    speed = wish.stop ? 0 : towards(wish.ahead * kTopSpeed, speed, kAcceleration * dt);
    turn = wish.stop ? 0 : towards(wish.left * kTopTurn, turn, kTurnGain * dt);
    drive.act(speed, turn);
  }
}
