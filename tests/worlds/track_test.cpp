// worlds/track.wbt: a car that sees only detections of cones drives a lap and touches none.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <mutex>
#include <sstream>

#include "sim/simulation.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

/// Places of the cones of the world's track file, read once more here.
std::vector<Vec3> cones_of_file() {
  std::ifstream file(source_tree() / "worlds/maps/cones.csv");
  std::vector<Vec3> cones;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("tag") || line.starts_with("car_start")) continue;
    std::istringstream cells(line.substr(line.find(',') + 1));
    Vec3 p = Vec3::Zero();
    char comma = 0;
    cells >> p.x() >> comma >> p.y();
    cones.push_back(p);
  }
  return cones;
}

TEST(Track, CarDrivesALapByItsDetectionsAndTouchesNoCone) {
  Diagnostics diagnostics;
  const auto simulation = Simulation::load(source_tree() / "worlds/track.wbt", {}, diagnostics);
  ASSERT_TRUE(simulation) << diagnostics.to_string();
  const VehicleHost* car = simulation->find_vehicle("car");
  ASSERT_NE(car, nullptr);
  const std::vector<Vec3> cones = cones_of_file();
  ASSERT_GT(cones.size(), 90u);
  // The nodes of the world are the cones of the file.
  std::size_t in_world = 0;
  for (const auto& solid : simulation->model().solids) in_world += solid.name.starts_with("cone ");
  EXPECT_EQ(in_world, cones.size());

  std::mutex mutex;
  std::string said, complaints;
  simulation->start_controllers([&](const std::string&, bool is_error, std::string_view line) {
    const std::lock_guard lock(mutex);
    (is_error ? complaints : said) += std::string(line) + "\n";
  });
  double clearance = std::numeric_limits<double>::infinity(), around = 0, driven = 0;
  bool collided = false;
  Vec3 before = car->X_WV().p;
  while (simulation->time() < 70) {
    simulation->step();
    const Pose X_VW = car->X_WV().inverse();
    for (const Vec3& cone : cones) {
      // From the car's outline, wings and wheels included, to the nearest edge of a cone's base.
      const Vec3 p = X_VW * cone;
      const double x = std::max({-0.6 - p.x(), p.x() - 2.5, 0.0});
      const double y = std::max(std::abs(p.y()) - 0.7, 0.0);
      clearance = std::min(clearance, std::hypot(x, y) - 0.16);
    }
    const Vec3 now = car->X_WV().p;
    around +=
        std::remainder(std::atan2(now.y(), now.x()) - std::atan2(before.y(), before.x()), 2 * kPi);
    driven += (now - before).norm();
    before = now;
    collided = collided || car->collided();
  }
  simulation->finish();
  std::printf("track: %.0f m driven, %.2f turns, %.2f m clear of the cones; %s", driven,
              around / (2 * kPi), clearance, said.c_str());
  EXPECT_NE(said.find("lap 1 in"), std::string::npos) << said;
  EXPECT_GT(around, 2 * kPi);
  EXPECT_GT(driven, 200);
  EXPECT_FALSE(collided);
  EXPECT_GT(clearance, 0);
  EXPECT_EQ(complaints, "");
  for (const ControllerReport& report : simulation->controllers()) {
    EXPECT_FALSE(report.failed) << report.what_happened;
  }
}

}  // namespace
}  // namespace protobeam::test
