// Drives a Formula Student car round a track of cones. It sees nothing but the camera's detections
// of a ConeDetector: noisy, late, and only those ahead.
//
//   controllerArgs   meaning                     default
//   speed=V          on straights, m/s           7
//   laps=N           then it stops               1
//
// Blue cones are the left edge, yellow ones the right edge, big orange ones the timing line. Each
// message moves an estimate of the centre line ahead, a parabola, and of half the width of the
// track. The car steers to a point on it (R. C. Coulter, "Implementation of the pure pursuit path
// tracking algorithm", CMU-RI-TR-92-01).
//
// It says when a lap is done and exits with an error if the car touched a cone; for that alone it
// asks the drive whether it has collided.
#include <protobeam/math.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <protobeam/Device.hpp>
#include <protobeam/Vehicle.hpp>
#include <string>
#include <vector>
#include <webots/Robot.hpp>

namespace {

// As ConeDetector declares them.
struct Cone {
  float x, y, xx, xy, yy;
  std::int32_t color;
};
struct Header {
  double stamp, due, delivered;
  std::uint32_t sequence;
  std::int32_t count;
};
enum Color { kYellow = 1, kBlue = 2, kBigOrange = 3 };

struct Settings {
  double speed = 7;
  int laps = 1;
};

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "cone_driver: %s\n", why.c_str());
  std::exit(EXIT_FAILURE);
}

Settings read(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    char* end = nullptr;
    const char* const text = equals == std::string::npos ? "" : argv[i] + equals + 1;
    const double value = std::strtod(text, &end);
    if (end == text || *end || !(value > 0) || value > 1000) {
      fail("'" + argument + "' must be speed=V or laps=N, a number greater than 0");
    }
    if (name == "speed") {
      settings.speed = value;
    } else if (name == "laps") {
      settings.laps = static_cast<int>(std::ceil(value));
    } else {
      fail("unknown argument '" + argument + "'; there are speed=V and laps=N");
    }
  }
  return settings;
}

/// Normal equations of least squares for N unknowns.
template <std::size_t N>
class LeastSquares {
 public:
  /// row . unknowns = value, with a standard deviation.
  void add(const std::array<double, N>& row, double value, double deviation) {
    const double weight = 1 / (deviation * deviation);
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < N; ++j) matrix_[i][j] += weight * row[i] * row[j];
      right_[i] += weight * row[i] * value;
    }
  }
  /// The matrix is positive definite as soon as each unknown has an equation of its own.
  std::array<double, N> solve() {
    for (std::size_t k = 0; k < N; ++k) {
      for (std::size_t i = k + 1; i < N; ++i) {
        const double factor = matrix_[i][k] / matrix_[k][k];
        for (std::size_t j = k; j < N; ++j) matrix_[i][j] -= factor * matrix_[k][j];
        right_[i] -= factor * right_[k];
      }
    }
    std::array<double, N> out{};
    for (std::size_t k = N; k-- > 0;) {
      double sum = right_[k];
      for (std::size_t j = k + 1; j < N; ++j) sum -= matrix_[k][j] * out[j];
      out[k] = sum / matrix_[k][k];
    }
    return out;
  }

 private:
  std::array<std::array<double, N>, N> matrix_{};
  std::array<double, N> right_{};
};

/// The centre line ahead in the frame of the car: y = offset + slope x + bend x^2 / 2.
class CentreLine {
 public:
  void see(const Cone* cones, int count) {
    // The last estimate counts as much as it can still be right one message later; the equations
    // are linear but for the direction across the track, which is taken from the solution before.
    const std::array<double, 4> before = value_;
    for (int iteration = 0; iteration < 3; ++iteration) {
      LeastSquares<4> equations;
      equations.add({1, 0, 0, 0}, before[0], 0.3);
      equations.add({0, 1, 0, 0}, before[1], 0.1);
      equations.add({0, 0, 1, 0}, before[2], 0.03);
      equations.add({0, 0, 0, 1}, before[3], 0.1);
      for (int i = 0; i < count; ++i) {
        const Cone& cone = cones[i];
        if (cone.x < -1 || cone.x > kReach || pb_hypot(cone.x, cone.y) > kReach) continue;
        double side = cone.color == kBlue ? 1 : cone.color == kYellow ? -1 : 0;
        if (cone.color == kBigOrange) side = cone.y > y(cone.x) ? 1 : -1;
        if (side == 0) continue;
        // The place of the centre line that is straight across from the cone.
        const double heading = pb_atan(slope(cone.x));
        const double x = cone.x + side * value_[3] * pb_sin(heading);
        const double across = side * pb_cos(heading);
        if (std::abs(cone.y - across * value_[3] - y(x)) > kGate) continue;
        equations.add({1, x, x * x / 2, across}, cone.y, 0.25);
      }
      value_ = equations.solve();
    }
    value_[2] = std::clamp(value_[2], -0.2, 0.2);
  }

  double y(double x) const { return value_[0] + x * (value_[1] + x * value_[2] / 2); }
  double bend() const { return value_[2]; }

 private:
  static constexpr double kReach = 10;  // m; a parabola is no bend of 9 m radius farther on
  static constexpr double kGate = 2.5;  // m; other cones belong to another part of the track

  double slope(double x) const { return value_[1] + x * value_[2]; }

  std::array<double, 4> value_{0, 0, 0, 1.75};  // offset, slope, bend, half width
};

/// Counts how often the car has driven past the timing line.
class TimingLine {
 public:
  void see(const Cone* cones, int count, double time) {
    const auto near = [](const Cone& c) {
      return c.color == kBigOrange && c.x > 0 && pb_hypot(c.x, c.y) < 5;
    };
    if (std::count_if(cones, cones + count, near) >= 2) last_seen_ = time;
    const bool seen = time - last_seen_ < 0.5;
    passed_ += was_seen_ && !seen;
    was_seen_ = seen;
  }
  int passed() const { return passed_; }

 private:
  double last_seen_ = -1;
  bool was_seen_ = false;
  int passed_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = read(argc, argv);
  webots::Robot robot;
  const int step = static_cast<int>(std::lround(robot.getBasicTimeStep()));
  auto* vehicle = dynamic_cast<protobeam::Vehicle*>(robot.getDevice("drive"));
  auto* detector = dynamic_cast<protobeam::Device*>(robot.getDevice("cones"));
  if (!vehicle || !detector) fail("it needs a vehicle's drive 'drive' and a ConeDetector 'cones'");
  vehicle->enable(step);
  detector->enable(step);

  CentreLine line;
  TimingLine timing;
  std::uint32_t read_messages = 0;
  double speed = 0, latest = 0, lap_start = 0, stopped_for = 0;
  int laps = -1;
  bool touched = false;
  while (robot.step(step) != -1) {
    const double time = robot.getTime(), dt = step / 1000.0;
    const auto cones = detector->getChannel<Cone>("camera");
    const auto headers = detector->getChannel<Header>("camera_headers");
    const auto messages = detector->getChannel<std::uint32_t>("camera_messages");
    for (; !messages.empty() && read_messages != messages[0]; ++read_messages) {
      const std::size_t row = read_messages % headers.size();
      const Cone* first = &cones(row, 0);
      line.see(first, headers[row].count);
      timing.see(first, headers[row].count, headers[row].stamp);
      latest = headers[row].stamp;
    }
    if (timing.passed() > laps + 1) {
      ++laps;
      if (laps > 0) std::printf("cone_driver: lap %d in %.2f s\n", laps, time - lap_start);
      lap_start = time;
    }
    if (vehicle->hasCollided() && !touched) {
      touched = true;
      std::fprintf(stderr, "cone_driver: touched a cone after %.2f s\n", time);
    }

    // 4 m/s^2 across in bends; without news, and after the last lap, it brakes.
    double wanted = std::min(settings.speed, std::sqrt(4 / std::max(0.01, std::abs(line.bend()))));
    if (laps >= settings.laps || time - latest > 0.5) wanted = 0;
    speed = std::clamp(wanted, speed - 4 * dt, speed + 2 * dt);
    const double ahead = 3 + 0.3 * speed;
    const double y = line.y(ahead);
    const double curvature = 2 * y / (ahead * ahead + y * y);
    vehicle->setSpeed(speed, pb_atan(vehicle->getWheelbase() * curvature));

    if (laps >= settings.laps && speed == 0) stopped_for += dt;
    if (stopped_for > 1) break;
  }
  if (laps < settings.laps) std::printf("cone_driver: %d laps\n", std::max(0, laps));
  return touched ? EXIT_FAILURE : EXIT_SUCCESS;
}
