// Products of the catalogue in a world with closed-form ranges:
//
//          z                       sphere (6, 3, 1) r 0.8
//          |   lidar at (0, 0, 1)      o
//          |   *---> x                          | wall x = 10
//          +------------------------------------|---- ground z = 0
//                                      [] box 1 x 1 x 2 at (5, -2, 1)
//
// The beams' directions come from the file, the ranges are computed here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <sstream>

#include "base/math.h"
#include "tests/support/program.h"
#include "tests/unit/support/paths.h"
#include "tests/worlds/scan_csv.h"

namespace protobeam::test {
namespace {

using nlohmann::json;

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Product {
  const char* name;
  const char* exact;   ///< fields that switch the noise off
  int layers, points;  ///< as the exact variant scans

  /// Names of tests are the same in each build.
  friend void PrintTo(const Product& product, std::ostream* out) { *out << product.name; }
};

const Product kProducts[] = {
    {"IbeoLux", "fastModel TRUE", 4, 680},
    {"SickLms291", "", 1, 180},
    {"SickLdMrs", "noise 0", 4, 170},
    {"VelodyneVLP-16", "fastModel TRUE", 16, 3600},
    {"VelodyneHDL-32E", "fastModel TRUE", 32, 4500},
    {"VelodyneHDL-64E", "fastModel TRUE", 64, 4500},
    {"VelodynePuck", "noise 0 rpm 600 version \"Puck Hi-Res\"", 16, 1808},
    {"VelodyneVLP-32C", "noise 0 beamModel \"nominal\"", 32, 1808},
    {"Helios32Fov26", "noise 0 rate 20", 32, 904},
    {"Helios32Fov31", "noise 0 rate 20", 32, 904},
    {"Helios32Fov70", "noise 0", 32, 1808},
    {"OusterOS0", "noise 0 columns 512 rate 20", 128, 512},
    {"OusterOS1", "noise 0 lines 32", 32, 1024},
    {"OusterOS2", "noise 0 lines 64 columns 512", 64, 512},
    {"Lidar2D", "noise 0 fov 270 resolution 541", 1, 541},
    {"HokuyoUtm30lx", "", 1, 1080},
    {"SickS300", "", 1, 540},
};

/// Nearest of the four targets along a ray of the world.
double closed_form(const Vec3& o, const Vec3& d) {
  double best = kInf;
  if (d.z() < 0) {  // ground: the plane z = 0
    const double t = -o.z() / d.z();
    const Vec3 p = o + t * d;
    if (std::abs(p.x()) <= 100 && std::abs(p.y()) <= 100) best = std::min(best, t);
  }
  if (d.x() > 0) {  // wall: the face x = 10 of a box of 0.2 x 60 x 60
    const double t = (10 - o.x()) / d.x();
    const Vec3 p = o + t * d;
    if (std::abs(p.y()) <= 30 && std::abs(p.z()) <= 30) best = std::min(best, t);
  }
  const Vec3 oc = o - Vec3(6, 3, 1);
  const double b = oc.dot(d), c = oc.squaredNorm() - 0.64;
  if (b * b - c > 0) best = std::min(best, -b - std::sqrt(b * b - c));
  double near = 0, far = kInf;  // box by slabs
  const Vec3 lo(4.5, -2.5, 0), hi(5.5, -1.5, 2);
  for (int k = 0; k < 3; ++k) {
    double t0 = (lo[k] - o[k]) / d[k], t1 = (hi[k] - o[k]) / d[k];
    if (t0 > t1) std::swap(t0, t1);
    near = std::max(near, t0);
    far = std::min(far, t1);
  }
  if (near <= far) best = std::min(best, near);
  return best;
}

class Scene {
 public:
  explicit Scene(const std::string& lidar) {
    const std::string protos = source_dir() + "/protos/lidars/";
    world_ = folder_.write("worlds/scene.wbt", "#VRML_SIM R2025a utf8\nEXTERNPROTO \"" + protos +
                                                   lidar.substr(0, lidar.find(' ')) + ".proto\"\n" +
                                                   R"(WorldInfo { basicTimeStep 10 }
Robot { name "rack" translation 0 0 1 controller "<none>" children [ )" +
                                                   lidar + R"( ] }
Shape { geometry Plane { size 200 200 } }
Pose { translation 10.1 0 0 children [ Shape { geometry Box { size 0.2 60 60 } } ] }
Pose { translation 6 3 1 children [ Shape { geometry Sphere { radius 0.8 } } ] }
Pose { translation 5 -2 1 children [ Shape { geometry Box { size 1 1 2 } } ] }
)");
  }

  std::vector<Beam> scan(std::vector<std::string> more = {}) const {
    const auto file = folder_.path() / "sweep.csv";
    std::vector<std::string> words = {"scan", world_.string(), "--out", file.string()};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = protobeam(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return read_csv(file);
  }

  /// Pose of the Lidar in the world, from `show --json`.
  Pose sensor_pose() const {
    const Outcome outcome = protobeam({"show", world_.string(), "--json"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    const json shown = json::parse(outcome.out);
    for (const auto& solid : shown["solids"]) {
      if (solid["type"] != "Lidar") continue;
      const auto t = solid["pose"]["translation"], q = solid["pose"]["quaternion_xyzw"];
      return {Quat(q[3], q[0], q[1], q[2]), Vec3(t[0], t[1], t[2])};
    }
    ADD_FAILURE() << "no Lidar in " << outcome.out.substr(0, 500);
    return {};
  }

  std::string text() const { return protobeam({"show", world_.string(), "--text"}).out; }

 private:
  TemporaryFolder folder_;
  std::filesystem::path world_;
};

class LidarProducts : public testing::TestWithParam<Product> {};

TEST_P(LidarProducts, RangesAreThoseOfTheClosedForm) {
  const Product& product = GetParam();
  const Scene scene(std::string(product.name) + " { " + product.exact + " }");
  const Pose X_WS = scene.sensor_pose();
  const auto beams = scene.scan();
  ASSERT_EQ(beams.size(), static_cast<std::size_t>(product.layers * product.points));
  const json info = json::parse(protobeam({"info", "devices", product.name, "--json"}).out)[0];
  const double min = info["min_range"], max = info["max_range"];
  double worst = 0;
  int hits = 0, edges = 0;
  for (const Beam& beam : beams) {
    const Vec3 d_S(std::cos(beam.elevation) * std::cos(beam.azimuth),
                   std::cos(beam.elevation) * std::sin(beam.azimuth), std::sin(beam.elevation));
    const Vec3 d = X_WS.R * d_S;
    double expected = closed_form(X_WS.p, d);
    if (expected < min || expected > max) expected = kInf;
    if (std::isinf(expected) && std::isinf(beam.range)) continue;
    // On a silhouette the last bit of the direction decides: its neighbours are right, too.
    bool edge = false;
    for (double turn : {-2e-6, 2e-6}) {
      const double beside = closed_form(X_WS.p, X_WS.R * (axis_angle(Vec3::UnitZ(), turn) * d_S));
      const double above = closed_form(X_WS.p, X_WS.R * (axis_angle(Vec3::UnitY(), turn) * d_S));
      edge |= !(std::abs(beside - expected) < 0.05) || !(std::abs(above - expected) < 0.05);
    }
    if (edge) {
      ++edges;
      continue;
    }
    ASSERT_TRUE(std::isfinite(beam.range)) << product.name << " layer " << beam.layer << " column "
                                           << beam.column << " expected " << expected;
    worst = std::max(worst, std::abs(beam.range - expected));
    ++hits;
    const double radius = std::hypot(beam.x, beam.y, beam.z);
    ASSERT_NEAR(radius, beam.range, 1e-5 * beam.range);
  }
  EXPECT_LT(worst, 1e-4);
  EXPECT_GT(hits, static_cast<int>(beams.size()) / 20);
  EXPECT_LT(edges, static_cast<int>(beams.size()) / 50 + 4);
  RecordProperty("worst_m", std::to_string(worst));
  std::printf("%s: %d returns, largest error %.2g m\n", product.name, hits, worst);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, LidarProducts, testing::ValuesIn(kProducts),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::erase(name, '-');
                           return name;
                         });

/// Standard deviation of measured minus exact range over the same beams.
double residual_sigma(const std::string& noisy, const std::string& exact, int sweeps) {
  const Scene scene(noisy), reference(exact);
  const auto truth = reference.scan();
  double sum = 0, squares = 0;
  std::size_t count = 0;
  for (int seed = 1; seed <= sweeps; ++seed) {
    const auto measured = scene.scan({"--seed", std::to_string(seed)});
    EXPECT_EQ(measured.size(), truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
      if (!std::isfinite(truth[i].range) || !std::isfinite(measured[i].range)) continue;
      const double e = measured[i].range - truth[i].range;
      sum += e;
      squares += e * e;
      ++count;
    }
  }
  EXPECT_GE(count, 100000u);
  const double mean = sum / static_cast<double>(count);
  EXPECT_NEAR(mean, 0, 0.005);
  return std::sqrt(squares / static_cast<double>(count) - mean * mean);
}

TEST(LidarNoise, HasTheDeclaredSigma) {
  EXPECT_NEAR(residual_sigma("VelodyneVLP-16 { }", "VelodyneVLP-16 { fastModel TRUE }", 12) / 0.03,
              1, 0.02);
  EXPECT_NEAR(residual_sigma("VelodyneHDL-32E { }", "VelodyneHDL-32E { fastModel TRUE }", 2) / 0.02,
              1, 0.02);
  EXPECT_NEAR(residual_sigma("VelodyneHDL-64E { }", "VelodyneHDL-64E { fastModel TRUE }", 1) / 0.02,
              1, 0.02);
  EXPECT_NEAR(residual_sigma("SickLms291 { noise 0.05 resolution 240000 }",
                             "SickLms291 { resolution 240000 }", 1) /
                  0.05,
              1, 0.02);
  EXPECT_NEAR(residual_sigma("SickLdMrs { angularResolution 0.002181661564993 }",
                             "SickLdMrs { noise 0 angularResolution 0.002181661564993 }", 80) /
                  0.3,
              1, 0.02);
}

TEST(LidarNoise, OfTheIbeoLuxIsQuantisedTo4Centimetres) {
  const Scene scene("IbeoLux { }");
  std::size_t returns = 0;
  for (int seed = 1; seed <= 3; ++seed) {
    for (const Beam& beam : scene.scan({"--seed", std::to_string(seed)})) {
      if (!std::isfinite(beam.range)) continue;
      ++returns;
      const double steps = std::round(beam.range / 0.04);
      ASSERT_EQ(static_cast<float>(beam.range), static_cast<float>(steps * 0.04)) << beam.range;
    }
  }
  EXPECT_GT(returns, 1000u);
}

std::vector<std::string> changed_lines(const std::string& a, const std::string& b) {
  std::istringstream in_a(a), in_b(b);
  std::vector<std::string> lines_a, lines_b, changed;
  for (std::string line; std::getline(in_a, line);) lines_a.push_back(line);
  for (std::string line; std::getline(in_b, line);) lines_b.push_back(line);
  const auto trimmed = [](std::string line) {
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    return line;
  };
  for (const auto& line : lines_a) {
    if (std::find(lines_b.begin(), lines_b.end(), line) == lines_b.end())
      changed.push_back(trimmed(line));
  }
  for (const auto& line : lines_b) {
    if (std::find(lines_a.begin(), lines_a.end(), line) == lines_a.end())
      changed.push_back(trimmed(line));
  }
  return changed;
}

TEST(FastModel, ChangesTheNoiseAndNothingElse) {
  using testing::Each;
  using testing::StartsWith;
  for (const char* name : {"VelodyneVLP-16", "VelodyneHDL-32E", "VelodyneHDL-64E"}) {
    const auto lines = changed_lines(Scene(std::string(name) + " { }").text(),
                                     Scene(std::string(name) + " { fastModel TRUE }").text());
    EXPECT_FALSE(lines.empty()) << name;
    EXPECT_THAT(lines, Each(StartsWith("noise"))) << name;
  }
  const auto ibeo =
      changed_lines(Scene("IbeoLux { }").text(), Scene("IbeoLux { fastModel TRUE }").text());
  EXPECT_THAT(ibeo, Each(testing::AnyOf(StartsWith("noise"), StartsWith("resolution"),
                                        StartsWith("projection"))));
  EXPECT_GE(ibeo.size(), 3u);
}

// Layers, points a layer, field of view and vertical field of view in degrees, shortest and longest
// range, noise and resolution in metres, rate in hertz.
struct Row {
  const char* name;
  int layers, points;
  double fov, vertical, min_range, max_range, noise, resolution, rate;
};

const Row kRows[] = {
    // Cyberbotics, "Webots User Guide", Lidar Sensors; the Velodynes' minRange and elevations as
    // their manuals.
    {"IbeoLux", 4, 680, 80, 3.2, 0.8, 200, 0.1, 0.04, 12.5},
    {"SickLms291", 1, 180, 180, 0, 0.01, 80, 0, 0, 10},
    {"SickLdMrs", 4, 170, 85, 2.4, 0.5, 300, 0.3, 0, 10},
    {"VelodyneVLP-16", 16, 3600, 360, 30, 1, 100, 0.03, 0, 5},
    {"VelodynePuck", 16, 3600, 360, 30, 1, 100, 0.03, 0, 5},
    {"VelodyneHDL-32E", 32, 4500, 360, 41.333, 1, 70, 0.02, 0, 5},
    {"VelodyneHDL-64E", 64, 4500, 360, 26.8, 0.8, 120, 0.02, 0, 5},
    {"HokuyoUrg04lx", 1, 667, 240, 0, 0.06, 4.096, 0, 0, 10},
    {"HokuyoUtm30lx", 1, 1080, 270, 0, 0.1, 30, 0, 0, 40},
    {"SickS300", 1, 540, 270, 0, 0.01, 30, 0, 0, 12.5},
    {"RobotisLds01", 1, 360, 360, 0, 0.12, 3.5, 0.015, 0, 5},
    {"RpLidarA2", 1, 400, 360, 0, 0.2, 12, 0.01, 0.01, 12},
    // definitions/*.sensor.xml of github.com/MRPT/mvsim: vertical angles, floor(1 / (rate 55.296
    // us))
    // columns, noise and ranges.
    {"Helios32Fov26", 32, 1808, 360, 26, 0.2, 110, 0.005, 0, 10},
    {"Helios32Fov31", 32, 1808, 360, 31, 0.2, 110, 0.005, 0, 10},
    {"Helios32Fov70", 32, 1808, 360, 70.02, 0.2, 110, 0.005, 0, 10},
    {"OusterOS0", 128, 1024, 360, 90, 0.5, 35, 0.005, 0, 10},  // ranges of the makers' datasheets,
    {"OusterOS1", 128, 1024, 360, 45, 0.5, 90, 0.005, 0, 10},  // target of 10 %
    {"OusterOS2", 128, 1024, 360, 22.5, 0.8, 200, 0.005, 0, 10},
    {"Lidar2D", 1, 181, 180, 0, 0.05, 30, 0.01, 0, 20},
    // Velodyne, VLP-32C user manual; Livox, Mid-40 and Mid-70 user manuals.
    {"VelodyneVLP-32C", 32, 1808, 360, 40, 1, 200, 0.03, 0.004, 10},
    {"LivoxMid40", 1, 10000, 38.4, 38.4, 1, 260, 0.02, 0.001, 10},
    {"LivoxMid70", 1, 10000, 70.4, 70.4, 0.05, 260, 0.02, 0.001, 10},
};

TEST(InfoDevices, ListsEachProductWithItsPublishedFigures) {
  const json devices = json::parse(protobeam({"info", "devices", "--json"}).out);
  std::set<std::string> listed, expected;
  for (const auto& device : devices) listed.insert(device["name"].get<std::string>());
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    expected.insert(row.name);
    const auto device = std::find_if(devices.begin(), devices.end(),
                                     [&](const json& d) { return d["name"] == row.name; });
    if (device == devices.end()) continue;  // told below
    const json& d = *device;
    EXPECT_EQ(d["layers"], row.layers);
    EXPECT_EQ(d["points_per_layer"], row.points);
    EXPECT_NEAR(d["fov_deg"], row.fov, 0.06);  // Livox' figure has one digit
    EXPECT_NEAR(d["vertical_fov_deg"], row.vertical, 0.06);
    EXPECT_NEAR(d["min_range"], row.min_range, 1e-9);
    EXPECT_NEAR(d["max_range"], row.max_range, 1e-9);
    EXPECT_NEAR(d["noise_m"], row.noise, 1e-9);
    EXPECT_NEAR(d["resolution_m"], row.resolution, 1e-9);
    EXPECT_NEAR(d["rate_hz"], row.rate, 1e-9);
    EXPECT_NEAR(d["points_per_second"], row.layers * row.points * row.rate, 0.5);
    EXPECT_FALSE(d["source"].get<std::string>().empty());
  }
  // No parts of PROTOs, and nothing that this table does not know.
  EXPECT_EQ(listed, expected);
}

}  // namespace
}  // namespace protobeam::test
