// Drives the Rover through whatever stands around it, by its Velodyne VLP-16.
//
// Ten times a second it looks (puts the lidar's points on a map around it), thinks (tries arcs that
// it could drive and takes the best one that keeps clear of everything on the map) and acts (sets
// the speeds of the wheels). What a lidar does not see any more, because it is too near or hidden,
// stays on the map for a while.
//
// The program judges itself: it ends with status 1 if the bumper ever touched anything, or if it
// came less than 5 m far in 10 s. It gives how far it came and how near anything was as metrics.
//
// Arguments: --speed M_PER_S, its top speed (1.1).
#include <protobeam/math.h>
#include <protobeam/metric.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>
#include <webots/GPS.hpp>
#include <webots/Gyro.hpp>
#include <webots/InertialUnit.hpp>
#include <webots/Lidar.hpp>
#include <webots/Motor.hpp>
#include <webots/Robot.hpp>
#include <webots/TouchSensor.hpp>

namespace {

// The vehicle. The lidar's place in the rover's frame is that of worlds/yard.wbt.
constexpr double kWheelRadius = 0.15;  // m
constexpr double kTrack = 0.52;        // m between left and right wheels
constexpr double kHalfLength = 0.43;   // m, over the bumper
constexpr double kHalfWidth = 0.33;    // m, over the bumper
constexpr double kLidarX = -0.1;       // m
constexpr double kLidarZ = 0.75;       // m
constexpr double kTopSpeed = 1.1;      // m/s, unless an argument says so
constexpr double kTopTurn = 1.0;       // rad/s

// Points between these heights above the ground are obstacles.
constexpr double kLowest = 0.12, kHighest = 1.2;  // m

constexpr int kLookPeriodMs = 100;

struct Point {
  double x, y;
};

/// Where the rover is, from GPS and inertial unit.
struct Place {
  double x = 0, y = 0, heading = 0;
};

/// Squares of 10 cm around the world's origin that remember when something was seen in them.
class ObstacleMap {
 public:
  void mark(double x, double y, double time) {
    const int column = index(x), row = index(y);
    if (column >= 0 && row >= 0) seen_[row * kSide + column] = static_cast<float>(time);
  }

  /// Middles of the squares within `reach` of a place in which something was seen lately.
  std::vector<Point> around(const Place& place, double reach, double time) const {
    std::vector<Point> points;
    const int steps = static_cast<int>(reach / kSquare);
    const int column = index(place.x), row = index(place.y);
    for (int j = std::max(0, row - steps); j <= std::min(kSide - 1, row + steps); ++j) {
      for (int i = std::max(0, column - steps); i <= std::min(kSide - 1, column + steps); ++i) {
        if (seen_[j * kSide + i] < time - kMemory) continue;
        points.push_back({(i + 0.5) * kSquare - kHalf, (j + 0.5) * kSquare - kHalf});
      }
    }
    return points;
  }

 private:
  static constexpr double kSquare = 0.1;  // m
  static constexpr double kHalf = 40;     // m
  static constexpr double kMemory = 6;    // s
  static constexpr int kSide = static_cast<int>(2 * kHalf / kSquare);

  static int index(double coordinate) {
    const double square = std::floor((coordinate + kHalf) / kSquare);
    return square >= 0 && square < kSide ? static_cast<int>(square) : -1;
  }

  std::vector<float> seen_ = std::vector<float>(kSide * kSide, -1e9f);
};

/// Puts a point cloud on the map: levelled by roll and pitch, turned by the heading.
void look(const webots::Lidar& lidar, const double* roll_pitch_yaw, const Place& place, double time,
          ObstacleMap& map) {
  const webots::LidarPoint* points = lidar.getPointCloud();
  const int count = lidar.getNumberOfPoints();
  if (points == nullptr) return;
  const double cr = pb_cos(roll_pitch_yaw[0]), sr = pb_sin(roll_pitch_yaw[0]);
  const double cp = pb_cos(roll_pitch_yaw[1]), sp = pb_sin(roll_pitch_yaw[1]);
  const double ch = pb_cos(place.heading), sh = pb_sin(place.heading);
  for (int i = 0; i < count; ++i) {
    if (!std::isfinite(points[i].x)) continue;  // nothing there
    const double x = points[i].x + kLidarX, y = points[i].y, z = points[i].z + kLidarZ;
    const double forward = cp * x + sp * sr * y + sp * cr * z;
    const double left = cr * y - sr * z;
    const double height = -sp * x + cp * sr * y + cp * cr * z;
    if (height < kLowest || height > kHighest) continue;
    map.mark(place.x + ch * forward - sh * left, place.y + sh * forward + ch * left, time);
  }
}

/// Distance from a point to the rover's outline at a place with heading cosine c and sine s; 0 inside.
double distance_to_rover(const Point& point, const Place& place, double c, double s) {
  const double dx = point.x - place.x, dy = point.y - place.y;
  const double ahead = std::max(0.0, std::abs(c * dx + s * dy) - kHalfLength);
  const double aside = std::max(0.0, std::abs(c * dy - s * dx) - kHalfWidth);
  return std::sqrt(ahead * ahead + aside * aside);
}

struct Motion {
  double speed = 0, turn = 0;  // m/s, rad/s
};

/// How near anything comes while the rover drives an arc for some seconds.
double clearance(Motion motion, Place place, const std::vector<Point>& obstacles) {
  constexpr double kSeconds = 2.4, kStep = 0.2;
  double nearest = std::numeric_limits<double>::infinity();
  for (double t = 0; t < kSeconds; t += kStep) {
    place.heading += motion.turn * kStep / 2;
    place.x += motion.speed * kStep * pb_cos(place.heading);
    place.y += motion.speed * kStep * pb_sin(place.heading);
    place.heading += motion.turn * kStep / 2;
    const double c = pb_cos(place.heading), s = pb_sin(place.heading);
    for (const Point& obstacle : obstacles) {
      nearest = std::min(nearest, distance_to_rover(obstacle, place, c, s));
    }
  }
  return nearest;
}

/// The best of some arcs: fast, with room to both sides, and not another way each time. Where no
/// arc is clear the rover turns on the spot.
Motion think(const Place& place, const std::vector<Point>& obstacles, const Motion& before,
             double top_speed) {
  constexpr double kNeeded = 0.25;  // m that must stay free
  constexpr double kWanted = 0.9;   // m beyond which more room is no better
  Motion best;
  double best_score = -std::numeric_limits<double>::infinity();
  for (const double speed : {top_speed, 0.6 * top_speed, 0.3 * top_speed}) {
    for (int i = -6; i <= 6; ++i) {
      const Motion motion{speed, kTopTurn * i / 6};
      const double room = clearance(motion, place, obstacles);
      if (room < kNeeded) continue;
      const double score = 2 * std::min(room, kWanted) + speed - 0.3 * std::abs(motion.turn) -
                           0.25 * std::abs(motion.turn - before.turn);
      if (score > best_score) {
        best_score = score;
        best = motion;
      }
    }
  }
  if (best_score > -std::numeric_limits<double>::infinity()) return best;
  // Boxed in: keep turning the way it began, so that it does not waver.
  return {0, before.speed == 0 && before.turn < 0 ? -0.7 : 0.7};
}

/// The four wheels. Wheels that slip sideways turn the vehicle less than they should: the gyro
/// tells how much is missing.
class Drive {
 public:
  explicit Drive(webots::Robot& robot) {
    const char* const names[] = {"left front wheel", "left rear wheel", "right front wheel",
                                 "right rear wheel"};
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      wheels_[i] = robot.getMotor(names[i]);
      wheels_[i]->setPosition(INFINITY);  // by velocity, not by angle
      wheels_[i]->setVelocity(0);
    }
  }

  void act(const Motion& wanted, double measured_turn, double dt) {
    missing_ = std::clamp(missing_ + (wanted.turn - measured_turn) * dt, -1.0, 1.0);
    const double turn = wanted.turn + 0.5 * (wanted.turn - measured_turn) + 2 * missing_;
    const double difference = turn * kTrack / 2;
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const double speed = wanted.speed + (i < 2 ? -difference : difference);
      const double limit = wheels_[i]->getMaxVelocity();
      wheels_[i]->setVelocity(std::clamp(speed / kWheelRadius, -limit, limit));
    }
  }

 private:
  std::array<webots::Motor*, 4> wheels_{};  // two left, two right
  double missing_ = 0;                      // rad
};

}  // namespace

int main(int argc, char** argv) {
  double top_speed = kTopSpeed;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string(argv[i]) == "--speed") top_speed = std::strtod(argv[i + 1], nullptr);
  }
  if (!(top_speed > 0 && top_speed <= 1.5)) {  // 10 rad/s of the wheels
    std::fprintf(stderr, "rover: --speed must be greater than 0 and at most 1.5\n");
    return 2;
  }
  webots::Robot robot;
  const int step = static_cast<int>(robot.getBasicTimeStep());

  webots::Lidar* lidar = robot.getLidar("Velodyne VLP-16");
  lidar->enable(kLookPeriodMs);
  lidar->enablePointCloud();
  // Only for the record of the run: this program does not need it to drive.
  webots::Lidar* front = robot.getLidar("LMS 291");
  front->enable(kLookPeriodMs);
  webots::GPS* gps = robot.getGPS("gps");
  webots::InertialUnit* inertial_unit = robot.getInertialUnit("inertial unit");
  webots::Gyro* gyro = robot.getGyro("gyro");
  webots::TouchSensor* bumper = robot.getTouchSensor("bumper");
  gps->enable(step);
  inertial_unit->enable(step);
  gyro->enable(step);
  bumper->enable(step);

  Drive drive(robot);
  ObstacleMap map;
  Motion motion;
  Place place, before;
  double travelled = 0, nearest = std::numeric_limits<double>::infinity();
  int touches = 0;
  double next_look = 1e-3 * kLookPeriodMs;
  bool placed = false;

  while (robot.step(step) != -1) {
    const double time = robot.getTime();
    const double* position = gps->getValues();
    const double* angles = inertial_unit->getRollPitchYaw();
    place = {position[0], position[1], angles[2]};
    if (placed) travelled += pb_hypot(place.x - before.x, place.y - before.y);
    before = place;
    placed = true;
    if (bumper->getValue() > 0) {
      if (++touches == 1) std::printf("rover: touched something at %.2f s\n", time);
    }

    if (time > next_look - 1e-6) {
      next_look += 1e-3 * kLookPeriodMs;
      look(*lidar, angles, place, time, map);
      const std::vector<Point> obstacles = map.around(place, 4, time);
      const double c = pb_cos(place.heading), s = pb_sin(place.heading);
      for (const Point& obstacle : obstacles) {
        nearest = std::min(nearest, distance_to_rover(obstacle, place, c, s));
      }
      motion = think(place, obstacles, motion, top_speed);
    }
    drive.act(motion, gyro->getValues()[2], 1e-3 * step);
  }

  const double time = robot.getTime();
  // Who drives slowly need not come as far.
  const bool lazy = time > 9.5 && travelled < 5 * std::min(1.0, top_speed / kTopSpeed);
  pb_metric("distance", travelled);
  pb_metric("nearest", nearest);
  pb_metric("touches", touches);
  std::printf("rover: %.1f m in %.1f s, nearest obstacle %.2f m, %s\n", travelled, time, nearest,
              touches > 0 ? "TOUCHED something"
              : lazy      ? "TOO SLOW"
                          : "touched nothing");
  return touches > 0 || lazy ? 1 : 0;
}
