// Drives any vehicle of the catalogue in a figure of eight: one circle to the left, one to the
// right, both through the place where it started, again and again.
//
//   controllerArgs   meaning                                              default
//   radius=R         of both circles, m                                   3
//   speed=V          m/s                                                  1
//   pose=true        steers by the true pose; pose=odometry: by its own   true
//   device=NAME      the drive                                            drive
//
// It says when an eight is done, how long it was and how far the vehicle strayed, and exits with an
// error if the vehicle touched something. All lidars are switched on, so that there is something to
// see.
#include <protobeam/math.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <protobeam/Vehicle.hpp>
#include <string>
#include <webots/Lidar.hpp>
#include <webots/Robot.hpp>

namespace {

constexpr double kPi = 3.14159265358979323846;

struct Settings {
  double radius = 3, speed = 1;
  bool truth = true;
  std::string device = "drive";
};

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "figure_eight: %s\n", why.c_str());
  std::exit(EXIT_FAILURE);
}

double positive(const std::string& name, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end || !(value > 0) || std::isinf(value))
    fail(name + "=" + text + ": it must be a number greater than 0");
  return value;
}

Settings read(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "radius") {
      settings.radius = positive(name, value);
    } else if (name == "speed") {
      settings.speed = positive(name, value);
    } else if (name == "device") {
      settings.device = value;
    } else if (name == "pose" && (value == "true" || value == "odometry")) {
      settings.truth = value == "true";
    } else {
      fail("unknown argument '" + argument +
           "'; there are radius=R, speed=V, pose=true, pose=odometry and device=NAME");
    }
  }
  return settings;
}

double wrapped(double angle) { return std::remainder(angle, 2 * kPi); }

/// The pose in the frame of the start: x ahead, y left.
struct Planar {
  double x, y, yaw;
};
Planar relative(const PbPose& start, const PbPose& now) {
  const double dx = now.x - start.x, dy = now.y - start.y;
  const double c = pb_cos(start.yaw), s = pb_sin(start.yaw);
  return {c * dx + s * dy, c * dy - s * dx, wrapped(now.yaw - start.yaw)};
}

/// Where on the eight the vehicle is, and how to go on.
class Eight {
 public:
  explicit Eight(double radius) : radius_(radius) {}

  /// The curvature (1/m, left positive) that leads the vehicle back to its circle and along it.
  double curvature(const Planar& pose) {
    const double side = left_ ? 1 : -1;  // the circle's centre is at (0, side * radius)
    const double x = pose.x, y = pose.y - side * radius_;
    // How far round it is, and the heading that it should have there.
    const double around = side * pb_atan2(x, -side * y);
    const double step = wrapped(side * around - angle_);
    angle_ += step;
    const double off = pb_hypot(x, y) - radius_;  // outside the circle
    worst_ = std::max(worst_, std::abs(off));
    const double astray = wrapped(pose.yaw - around);
    if (angle_ >= 2 * kPi) {
      angle_ -= 2 * kPi;
      left_ = !left_;
      if (left_) ++done_;
    }
    // Back within a path of half a radius, without overshoot.
    const double k = 2 / radius_;
    return side * (1 / radius_ + k * k * std::clamp(off, -radius_ / 2, radius_ / 2)) -
           2 * k * astray;
  }
  int done() const { return done_; }
  double worst() const { return worst_; }

 private:
  double radius_;
  double angle_ = 0;  // around the circle of now
  bool left_ = true;
  int done_ = 0;
  double worst_ = 0;
};

/// Makes the vehicle turn as it is asked to, although wheels that skid turn it less than they say.
class TurnKeeper {
 public:
  double correct(double wanted, double actual, double dt) {
    debt_ = std::clamp(debt_ + (wanted - actual) * 2 * dt, -3 * limit_, 3 * limit_);
    return wanted + debt_;
  }
  explicit TurnKeeper(double limit) : limit_(limit) {}

 private:
  double limit_, debt_ = 0;
};

void command(protobeam::Vehicle& vehicle, double speed, double turn) {
  if (vehicle.takes(PB_VEHICLE_TWIST)) return vehicle.setTwist(speed, 0, turn);
  vehicle.setSpeed(speed, speed > 0 ? pb_atan(vehicle.getWheelbase() * turn / speed) : 0);
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = read(argc, argv);
  webots::Robot robot;
  const int step = static_cast<int>(std::lround(robot.getBasicTimeStep()));
  auto* vehicle = dynamic_cast<protobeam::Vehicle*>(robot.getDevice(settings.device));
  if (!vehicle) fail("'" + settings.device + "' is no vehicle's drive");
  if (vehicle->takes(PB_VEHICLE_TORQUES))
    fail("the controller of '" + settings.device + "' takes torques; it needs one for speeds");
  vehicle->enable(step);
  for (int i = 0; i < robot.getNumberOfDevices(); ++i) {
    if (auto* lidar = dynamic_cast<webots::Lidar*>(robot.getDeviceByIndex(i))) {
      lidar->enable(static_cast<int>(1000 / lidar->getFrequency()));
      lidar->enablePointCloud();
    }
  }

  Eight eight(settings.radius);
  // A car steers by geometry; only what skids needs more turn than it asks for.
  const bool skids = vehicle->getMaxSteering() == 0;
  TurnKeeper keeper(settings.speed / settings.radius);
  PbPose start{};
  double speed = 0, before = 0, length = 0;
  bool first = true, touched = false;
  int told = 0;
  while (robot.step(step) != -1) {
    const double dt = robot.getTime() - before;
    before = robot.getTime();
    const PbPose pose = settings.truth ? vehicle->getTruePose() : vehicle->getOdometryPose();
    const PbTwist twist = settings.truth ? vehicle->getTrueTwist() : vehicle->getOdometryTwist();
    if (first) start = pose;
    first = false;
    if (vehicle->hasCollided() && !touched) {
      touched = true;
      std::fprintf(stderr, "figure_eight: touched something after %.1f s\n", robot.getTime());
    }
    length += pb_hypot(twist.vx, twist.vy) * dt;
    speed = std::min(settings.speed, speed + settings.speed / 2 * dt);  // two seconds to full speed
    const double turn = speed * eight.curvature(relative(start, pose));
    command(*vehicle, speed, skids ? keeper.correct(turn, twist.omega, dt) : turn);
    if (eight.done() > told) {
      told = eight.done();
      std::printf("figure_eight: %d done after %.1f s and %.1f m, at most %.2f m off\n", told,
                  robot.getTime(), length, eight.worst());
    }
  }
  return touched ? EXIT_FAILURE : EXIT_SUCCESS;
}
