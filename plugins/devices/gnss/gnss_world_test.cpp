// Receivers in worlds: the coordinates on the earth against formulas that are written out here, and
// what the loader says about wrong ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/math.h"
#include "tests/support/program.h"

namespace protobeam::test {
namespace {

using testing::HasSubstr;

struct Geodetic {
  double latitude_deg, longitude_deg, altitude;
};

/// The axes of the tangent plane at a point of the WGS84 ellipsoid, as columns, and the point
/// itself, in earth-centred coordinates: B. Hofmann-Wellenhof et al., "GNSS", 2008, equations 8.7
/// and 8.16.
struct TangentPlane {
  Mat3 axes;
  Vec3 origin;

  explicit TangentPlane(const Geodetic& at) {
    constexpr double kA = 6378137, kF = 1 / 298.257223563;
    constexpr double kE2 = kF * (2 - kF);
    const double b = at.latitude_deg * kPi / 180, l = at.longitude_deg * kPi / 180;
    const double n = kA / std::sqrt(1 - kE2 * std::sin(b) * std::sin(b));
    const Vec3 up(std::cos(b) * std::cos(l), std::cos(b) * std::sin(l), std::sin(b));
    const Vec3 east(-std::sin(l), std::cos(l), 0);
    axes << east, up.cross(east), up;
    origin = (n + at.altitude) * up - Vec3(0, 0, n * kE2 * std::sin(b));
  }
};

/// What the controllers of a world report, each with gnss_report.c.
class WorldRun {
 public:
  struct Line {
    double time;
    std::vector<double> numbers;
  };

  WorldRun(const std::string& world, double seconds) {
    const TemporaryFolder folder;
    const auto file = folder.write("worlds/w.wbt", "#VRML_SIM R2025a utf8\n" + world);
    const Outcome outcome =
        protobeam({"run", file.string(), "--duration", std::to_string(seconds)});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    std::istringstream out(outcome.out);
    for (std::string text; std::getline(out, text);) {
      // "[ROBOT] TIME DEVICE.CHANNEL NUMBERS"
      const std::size_t end = text.find("] ");
      if (text.empty() || text[0] != '[' || end == std::string::npos) continue;
      std::istringstream words(text.substr(end + 2));
      Line line;
      std::string channel;
      words >> line.time >> channel;
      // Streams do not read "nan".
      for (std::string word; words >> word;) line.numbers.push_back(std::stod(word));
      lines_[text.substr(1, end - 1) + "/" + channel].push_back(line);
    }
  }
  /// After each step; "ROBOT/DEVICE.CHANNEL".
  const std::vector<Line>& all(const std::string& channel) const {
    const auto lines = lines_.find(channel);
    if (lines == lines_.end()) throw std::runtime_error("nothing from " + channel);
    return lines->second;
  }
  const std::vector<double>& last(const std::string& channel) const {
    return all(channel).back().numbers;
  }
  Vec3 vector(const std::string& channel) const {
    const auto& v = last(channel);
    return {v.at(0), v.at(1), v.at(2)};
  }

 private:
  std::map<std::string, std::vector<Line>> lines_;
};

std::string numbers(std::initializer_list<double> values) {
  std::ostringstream out;
  out.precision(17);
  for (const double v : values) out << " " << v;
  return out.str();
}

// Places in all quarters of the earth, up to 1 km from the reference in each direction; the antenna
// is off the device's origin, the device is turned, and the world's x axis is not east.
TEST(GnssWorld, CoordinatesOnTheEarthAreRightWithinAMillimetreOverAKilometre) {
  constexpr double kRotation = 0.3, kYaw = 1.1;
  const Vec3 arm(0.7, -0.4, 0.25);
  const std::vector<Vec3> places = {{1000, 0, 0}, {0, -1000, 50}, {-707, 707, -20}, {3, 4, 0}};
  const auto turned = [](double angle, const Vec3& v) {
    return Vec3(std::cos(angle) * v.x() - std::sin(angle) * v.y(),
                std::sin(angle) * v.x() + std::cos(angle) * v.y(), v.z());
  };
  for (const Geodetic& reference :
       {Geodetic{47.3977, 8.5456, 488}, Geodetic{-33.8688, 151.2093, 20},
        Geodetic{1.3483, 103.6831, 30}, Geodetic{64.1466, -21.9426, 15},
        Geodetic{-54.8, -179.9999, -3}}) {
    std::string world =
        "WorldInfo { basicTimeStep 10 gpsCoordinateSystem \"WGS84\" gpsReference" +
        numbers({reference.latitude_deg, reference.longitude_deg, reference.altitude}) +
        " gpsRotation" + numbers({kRotation}) + " }\n";
    for (std::size_t i = 0; i < places.size(); ++i) {
      world += "Robot { name \"r" + std::to_string(i) + "\" translation" +
               numbers({places[i].x(), places[i].y(), places[i].z()}) + " rotation 0 0 1" +
               numbers({kYaw}) + " controller \"gnss_report\" children [ Gnss { leverArm" +
               numbers({arm.x(), arm.y(), arm.z()}) + " } ] }\n";
    }
    const WorldRun run(world, 0.02);
    const TangentPlane here(reference);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::string device = "r" + std::to_string(i) + "/gnss";
      const Vec3 enu = turned(kRotation, places[i] + turned(kYaw, arm));
      const Vec3 got = run.vector(device + ".position");
      const TangentPlane measured({got.x(), got.y(), got.z()});
      const Vec3 expected = here.origin + here.axes * enu;
      EXPECT_LT((measured.origin - expected).norm(), 1e-3) << enu.transpose();
      EXPECT_LT((run.vector(device + ".enu") - enu).norm(), 1e-9);
    }
  }
}

// A body that falls freely and drifts towards the world's x, which is north.
TEST(GnssWorld, VelocityIsTheBodysInEastNorthUp) {
  const WorldRun run(R"(
WorldInfo {
  basicTimeStep 10 gpsCoordinateSystem "WGS84" gpsReference 47 8 400
  gpsRotation 1.5707963267948966
}
Robot {
  name "r" translation 0 0 100 linearVelocity 2 0 0 controller "gnss_report"
  children [ Gnss { } ]
  boundingObject Sphere { radius 0.1 }
  physics Physics { density -1 mass 1 }
})",
                     0.5);
  const Vec3 v = run.vector("r/gnss.velocity");
  EXPECT_NEAR(v.x(), 0, 1e-9);
  EXPECT_NEAR(v.y(), 2, 1e-6);
  EXPECT_NEAR(v.z(), -9.81 * 0.5, 1e-6);
  EXPECT_NEAR(run.vector("r/gnss.enu").y(), 1, 1e-6);
}

TEST(GnssWorld, DeliversLateAndHasNoFixInAnOutage) {
  const WorldRun run(R"(
WorldInfo { basicTimeStep 10 gpsCoordinateSystem "WGS84" gpsReference 47 8 400 }
PropertyRegion { min 45 -5 -5 max 55 5 5 gnssOutage TRUE }
Robot {
  name "open" controller "gnss_report" controllerArgs [ "200" ] children [ Gnss { latency 0.08 } ]
}
Robot {
  name "hall" translation 50 0 0 controller "gnss_report" controllerArgs [ "200" ]
  children [ Gnss { } ]
})",
                     1);
  // Measured at 0.2, 0.4, 0.6, 0.8 s and 1 s; the last one is still on its way.
  const auto expected = [](double time, double first, double delay) {
    const double measured = 0.2 * std::floor((time - delay) / 0.2 + 1e-6);
    return measured < first - 1e-6 ? std::nan("") : measured;
  };
  for (const auto& [time, numbers] : run.all("open/gnss.stamp")) {
    const double stamp = expected(time, 0.2, 0.08);
    if (std::isnan(stamp)) {
      EXPECT_TRUE(std::isnan(numbers[0])) << time;
    } else {
      EXPECT_NEAR(numbers[0], stamp, 1e-9) << time;
    }
  }
  EXPECT_NEAR(run.last("open/gnss.stamp")[0], 0.8, 1e-9);
  EXPECT_NEAR(run.last("hall/gnss.stamp")[0], 1, 1e-9);
  for (const double number : run.last("hall/gnss.enu")) EXPECT_TRUE(std::isnan(number));
  for (const double number : run.last("hall/gnss.position")) EXPECT_TRUE(std::isnan(number));
}

TEST(GnssWorld, AgreesWithGpsAndAltimeter) {
  const WorldRun run(R"(
WorldInfo { basicTimeStep 10 gpsCoordinateSystem "WGS84" gpsReference 47 8 400 }
Robot {
  name "r" translation 800 600 25 controller "gnss_report"
  children [ Gnss { } GPS { } Altimeter { } ]
})",
                     0.02);
  EXPECT_EQ(run.vector("r/gnss.position"), run.vector("r/gps.position"));
  const double altitude = run.last("r/altimeter.altitude")[0];
  EXPECT_EQ(altitude, run.vector("r/gps.position").z());
  // 25 m above the tangent plane, which is d^2 / 2R above the ellipsoid 1000 m from its point.
  EXPECT_NEAR(altitude, 425 + 1000.0 * 1000 / 2 / 6.378e6, 1e-3);
}

TEST(GnssWorld, TakesMVSimsNames) {
  const WorldRun run(R"(
WorldInfo { basicTimeStep 10 gpsCoordinateSystem "WGS84" gpsReference 47 8 400 }
Robot {
  name "r" controller "gnss_report"
  children [ Gnss { horizontal_std_noise 2 vertical_std_noise 4 } ]
})",
                     0.02);
  const auto covariance = run.last("r/gnss.covariance");
  EXPECT_EQ(covariance[0], 4);
  EXPECT_EQ(covariance[8], 16);
}

TEST(GnssWorld, WrongFieldsAreShownWhereTheyStand) {
  const auto message = [](const std::string& info, const std::string& fields) {
    const TemporaryFolder folder;
    const auto world =
        folder.write("worlds/w.wbt", "#VRML_SIM R2025a utf8\nWorldInfo { " + info +
                                         " }\nRobot { children [\n  Gnss { " + fields + " } ] }");
    const Outcome outcome = protobeam({"check", world.string()});
    EXPECT_EQ(outcome.exit, 1);
    return outcome.out + outcome.err;
  };
  const std::string place = "gpsCoordinateSystem \"WGS84\"";
  EXPECT_THAT(message("", ""),
              HasSubstr("w.wbt:4:3: error: Gnss needs the world's place on the earth; "
                        "write WorldInfo { gpsCoordinateSystem \"WGS84\""));
  EXPECT_THAT(message(place, "horizontalNoise -1"), HasSubstr("w.wbt:4:26: error: "));
  EXPECT_THAT(message(place, "horizontalNoise -1"), HasSubstr("'horizontalNoise'"));
  EXPECT_THAT(message(place, "verticalCorrelationTime 0"), HasSubstr("'verticalCorrelationTime'"));
  EXPECT_THAT(message(place, "latency -0.1"), HasSubstr("'latency'"));
  EXPECT_THAT(message(place, "dropoutProbability 1.5"), HasSubstr("'dropoutProbability'"));
  EXPECT_THAT(message(place, "fixType \"PPP\""), HasSubstr("'fixType'"));
}

}  // namespace
}  // namespace protobeam::test
