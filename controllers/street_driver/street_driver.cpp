// Drives a car round two blocks of a City, again and again, and gives way to the traffic of the
// street that it crosses: what its roof lidar sees there decides.
//
//   controllerArgs   meaning                  default
//   speed=V          on straights, m/s        6
//   lidar=NAME       looks at the traffic     ouster
//
// The route keeps to the right; all of its corners are left ones. Before the street at y = 40 it
// slows to walking pace, and crosses when no car of either lane would be in its way; otherwise it
// waits at the line. It steers to a point on its lane (R. C. Coulter, "Implementation of the pure
// pursuit path tracking algorithm", CMU-RI-TR-92-01).
//
// All lidars of the robot are switched on. It says what it does at each crossing, and exits with an
// error if the car touched something; for that alone it asks the drive whether it has collided.
#include <protobeam/math.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <protobeam/Vehicle.hpp>
#include <string>
#include <vector>
#include <webots/Lidar.hpp>
#include <webots/Robot.hpp>

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "street_driver: %s\n", why.c_str());
  std::exit(EXIT_FAILURE);
}

struct Settings {
  double speed = 6;
  std::string lidar = "ouster";
};

Settings read(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    char* end = nullptr;
    if (name == "speed") {
      settings.speed = std::strtod(value.c_str(), &end);
      if (value.empty() || *end || !(settings.speed >= 2 && settings.speed <= 12)) {
        fail("'" + argument + "': the speed must be 2 to 12 m/s");
      }
    } else if (name == "lidar") {
      settings.lidar = value;
    } else {
      fail("unknown argument '" + argument + "'; there are speed=V and lidar=NAME");
    }
  }
  return settings;
}

struct Point {
  double x, y;
};

/// A closed line of points, a step apart, from corners that are rounded.
class Route {
 public:
  static constexpr double kStep = 0.25;  // m
  static constexpr double kRadius = 8;   // m, of the corners

  explicit Route(const std::vector<Point>& corners) {
    const std::size_t n = corners.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Point from = corners[i], corner = corners[(i + 1) % n];
      const Point in = unit(from, corner);
      const Point begin = along(from, in, kRadius), end = along(corner, in, -kRadius);
      add_straight(begin, end, in);
      // A quarter of a circle to the left.
      const Point centre = along(end, {-in.y, in.x}, kRadius);
      const int pieces = static_cast<int>(kPi / 2 * kRadius / kStep);
      for (int k = 0; k < pieces; ++k) {
        const double angle = kPi / 2 * k / pieces;
        const Point radial = {in.y * pb_cos(angle) + in.x * pb_sin(angle),
                              -in.x * pb_cos(angle) + in.y * pb_sin(angle)};
        points_.push_back(along(centre, radial, kRadius));
        bends_.push_back(true);
      }
    }
  }

  /// The point of the route that is nearest to `p`, at most 10 m on from the last one.
  void follow(const Point& p) {
    const int reach = started_ ? static_cast<int>(10 / kStep) : static_cast<int>(points_.size());
    started_ = true;
    std::size_t best = at_;
    for (int k = 0; k < reach; ++k) {
      const std::size_t i = (at_ + static_cast<std::size_t>(k)) % points_.size();
      if (distance(points_[i], p) < distance(points_[best], p)) best = i;
    }
    at_ = best;
  }
  Point ahead(double metres) const { return points_[index(metres)]; }
  bool bend_within(double metres) const {
    for (double m = 0; m <= metres; m += kStep) {
      if (bends_[index(m)]) return true;
    }
    return false;
  }

 private:
  static double distance(const Point& a, const Point& b) { return pb_hypot(a.x - b.x, a.y - b.y); }
  static Point unit(const Point& a, const Point& b) {
    const double length = distance(a, b);
    return {(b.x - a.x) / length, (b.y - a.y) / length};
  }
  static Point along(const Point& p, const Point& direction, double metres) {
    return {p.x + metres * direction.x, p.y + metres * direction.y};
  }
  std::size_t index(double metres) const {
    return (at_ + static_cast<std::size_t>(metres / kStep)) % points_.size();
  }
  void add_straight(const Point& begin, const Point& end, const Point& direction) {
    const double length = distance(begin, end);
    for (double m = 0; m < length; m += kStep) {
      points_.push_back(along(begin, direction, m));
      bends_.push_back(false);
    }
  }

  std::vector<Point> points_;
  std::vector<bool> bends_;
  std::size_t at_ = 0;
  bool started_ = false;
};

/// A lane of the street that the route crosses; cars drive along x.
struct Lane {
  double y;
};
constexpr double kStreet = 40;     // y of the middle of the street that has traffic
constexpr double kHalfStreet = 6;  // m
constexpr Lane kLanes[] = {{37}, {43}};
constexpr double kHalfCar = 1.2;  // m, half the width of the car that drives here, and more
constexpr double kNose = 1.95, kTail = 1.1;  // m, from the rear axle

/// What the lidar sees on a lane: cars as pieces of x, and how fast they go.
class LaneWatch {
 public:
  explicit LaneWatch(const Lane& lane) : lane_(lane) {}

  void begin() { seen_.clear(); }
  void add(double x, double y) {
    if (std::abs(y - lane_.y) < 1.4) seen_.push_back(x);
  }
  /// All points of a sweep are there; the last one was `dt` before.
  void end(double dt) {
    std::vector<double>& xs = seen_;
    std::stable_sort(xs.begin(), xs.end());
    std::vector<Car> now;
    for (const double x : xs) {
      if (now.empty() || x - now.back().high > kApart) now.push_back({x, x, kUnknown});
      now.back().high = x;
    }
    for (Car& car : now) {
      // The same face of the same car: the one that has moved least, if it can have got there.
      double best = kFastest * dt + 0.5;
      for (const Car& old : cars_) {
        const double moved_low = car.low - old.low, moved_high = car.high - old.high;
        const double moved = std::abs(moved_low) < std::abs(moved_high) ? moved_low : moved_high;
        if (std::abs(moved) >= best) continue;
        best = std::abs(moved);
        const double speed = moved / dt;
        car.speed = old.speed == kUnknown ? speed : 0.5 * old.speed + 0.5 * speed;
      }
    }
    cars_ = std::move(now);
  }
  /// Whether a car may be within `low` ... `high` between two times from now, s. What stands, or is
  /// seen for the first time, may come as fast as any; what drives away may turn back.
  bool taken(double low, double high, double from, double to) const {
    return std::any_of(cars_.begin(), cars_.end(), [&](const Car& car) {
      // Of a car that is far away only the end is seen: it may be all of its length longer.
      const double left = car.low - kLength, right = car.high + kLength;
      const double gap = std::max({0.0, low - right, left - high});
      const bool known = car.speed != kUnknown, steady = known && std::abs(car.speed) > 2;
      if (!steady) return std::max(gap / kFastest, known ? std::sqrt(gap / 2) : 0.0) < to;
      const double fast = std::abs(car.speed) + 1.5, slow = std::abs(car.speed) - 1.5;
      const double way_out = car.speed > 0 ? high - left : right - low;  // until it has left
      const bool past = way_out < 0;
      if (past) return kTurn + gap / fast < to;
      return gap / fast < to && way_out / slow > from;
    });
  }

 private:
  static constexpr double kApart = 3;     // m between two cars
  static constexpr double kFastest = 11;  // m/s
  static constexpr double kTurn = 1.5;    // s, from driving away to coming back
  static constexpr double kLength = 1;    // m
  static constexpr double kUnknown = 1e9;
  struct Car {
    double low, high, speed;  // m, m, m/s along x
  };
  Lane lane_;
  std::vector<double> seen_;
  std::vector<Car> cars_;
};

/// The street that has traffic, seen from the car.
class Crossing {
 public:
  static constexpr double kLine = 8.2;  // m before the middle of the street: the rear axle stops

  /// Points of a sweep in the frame of the lidar, which stands `forward` m before the rear axle and
  /// `height` m above the ground.
  void look(const std::vector<WbLidarPoint>& points, const PbPose& pose, double forward,
            double height, double dt) {
    const double c = pb_cos(pose.yaw), s = pb_sin(pose.yaw);
    for (LaneWatch& lane : lanes_) lane.begin();
    for (const WbLidarPoint& p : points) {
      const double z = p.z + height;
      if (!(z > 0.3 && z < 1.6)) continue;  // neither street nor leaves
      const double x = p.x + forward;
      for (LaneWatch& lane : lanes_) lane.add(pose.x + c * x - s * p.y, pose.y + s * x + c * p.y);
    }
    for (LaneWatch& lane : lanes_) lane.end(dt);
  }

  /// Whether a car at x whose rear axle is `before` m before the line can go now, at `speed`.
  bool clear(double x, bool northward, double before, double speed, double top) const {
    bool free = true;
    for (std::size_t i = 0; i < 2; ++i) {
      // From the line to the near edge of what a car takes of the lane, and to the far one.
      const double to_lane = kLine + (northward ? 1 : -1) * (kLanes[i].y - kStreet);
      const double enters = before + to_lane - 1 - kNose, leaves = before + to_lane + 1 + kTail;
      free =
          free && !lanes_[i].taken(x - kHalfCar, x + kHalfCar, time_for(enters, speed, top) - 0.5,
                                   time_for(leaves, speed, top) + kDelay + 0.5);
    }
    return free;
  }
  static constexpr double kAcceleration = 1.8;  // m/s^2
  static constexpr double kDelay = 0.8;         // s, of the drive behind its set-points

 private:
  static double time_for(double metres, double speed, double top) {
    if (metres <= 0) return 0;
    const double until_top = (top * top - speed * speed) / (2 * kAcceleration);
    if (metres > until_top) return (top - speed) / kAcceleration + (metres - until_top) / top;
    return (std::sqrt(speed * speed + 2 * kAcceleration * metres) - speed) / kAcceleration;
  }

  LaneWatch lanes_[2] = {LaneWatch(kLanes[0]), LaneWatch(kLanes[1])};
};

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = read(argc, argv);
  webots::Robot robot;
  const int step = static_cast<int>(std::lround(robot.getBasicTimeStep()));
  auto* vehicle = dynamic_cast<protobeam::Vehicle*>(robot.getDevice("drive"));
  auto* lidar = dynamic_cast<webots::Lidar*>(robot.getDevice(settings.lidar));
  if (!vehicle) fail("it needs a vehicle's drive 'drive'");
  if (!lidar) fail("'" + settings.lidar + "' is no lidar");
  vehicle->enable(step);
  for (int i = 0; i < robot.getNumberOfDevices(); ++i) {
    if (auto* any = dynamic_cast<webots::Lidar*>(robot.getDeviceByIndex(i))) {
      any->enable(static_cast<int>(std::lround(1000 / any->getFrequency())));
      any->enablePointCloud();
    }
  }
  const double sweep = 1 / lidar->getFrequency();

  // Two blocks: north along x = 0, west along y = 80, south along x = -40, east along y = 0.
  Route route({{3, -3}, {3, 83}, {-43, 83}, {-43, -3}});
  Crossing crossing;
  double speed = 0, looked = 0, length = 0, waited = 0, waiting_since = -1;
  bool may_cross = false, touched = false;
  while (robot.step(step) != -1) {
    const double time = robot.getTime(), dt = step / 1000.0;
    const PbPose pose = vehicle->getTruePose();
    const double actual = vehicle->getTrueTwist().vx;
    length += std::abs(actual) * dt;
    if (vehicle->hasCollided() && !touched) {
      touched = true;
      std::fprintf(stderr, "street_driver: touched something after %.2f s\n", time);
    }
    if (time - looked > sweep - 1e-6 && lidar->getPointCloud()) {
      const WbLidarPoint* cloud = lidar->getPointCloud();
      crossing.look({cloud, cloud + lidar->getNumberOfPoints()}, pose, -0.3, 1.9, time - looked);
      looked = time;
    }

    route.follow({pose.x, pose.y});
    double wanted = settings.speed;
    if (route.bend_within(6)) wanted = std::min(wanted, 3.5);
    const bool northward = pb_sin(pose.yaw) > 0.9, southward = pb_sin(pose.yaw) < -0.9;
    const double to_middle = northward   ? kStreet - pose.y
                             : southward ? pose.y - kStreet
                                         : kInfinity;
    const double before = to_middle - Crossing::kLine;  // m to the line
    if (to_middle > kHalfStreet && to_middle < 40) {
      if (before < 1 && !may_cross) {
        may_cross =
            crossing.clear(pose.x, northward, before, std::max(actual, 0.1), settings.speed);
        if (may_cross && waiting_since >= 0) {
          std::printf("street_driver: %.1f s: goes on after %.1f s\n", time, time - waiting_since);
          waited += time - waiting_since;
          waiting_since = -1;
        } else if (!may_cross && waiting_since < 0) {
          waiting_since = time;
        }
      }
      // Walking pace where the street can be seen; stops when it is not free. The drive follows
      // its set-points with a delay.
      const double braking = 1.5;  // m/s^2
      const double room = std::max(0.0, before - 1 - Crossing::kDelay * actual);
      if (!may_cross) wanted = before < 1 ? 0 : std::min(wanted, std::sqrt(1 + 2 * braking * room));
    } else {
      may_cross = may_cross && std::abs(to_middle) < kHalfStreet + 2;
    }
    speed = std::clamp(wanted, speed - 3 * dt, speed + Crossing::kAcceleration * dt);

    // Steer to a point on the lane; the twist has the curvature of the arc that leads there.
    const double ahead = 2 + 0.5 * speed;
    const Point goal = route.ahead(ahead);
    const double dx = goal.x - pose.x, dy = goal.y - pose.y;
    const double left = pb_cos(pose.yaw) * dy - pb_sin(pose.yaw) * dx;
    const double curvature = 2 * left / (dx * dx + dy * dy);
    vehicle->setTwist(speed, 0, speed * curvature);
  }
  if (waiting_since >= 0) waited += robot.getTime() - waiting_since;
  std::printf("street_driver: %.0f m in %.0f s, waited %.1f s, touched %s\n", length,
              robot.getTime(), waited, touched ? "something" : "nothing");
  return touched ? EXIT_FAILURE : EXIT_SUCCESS;
}
