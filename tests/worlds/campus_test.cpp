// worlds/campus.wbt: its files are those of the script, things move where they should, the car drives.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <mutex>
#include <set>

#include "sim/simulation.h"
#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

namespace fs = std::filesystem;

const fs::path kWorlds = fs::path(source_dir()) / "worlds";

TEST(Campus, FilesAreThoseThatTheScriptMakes) {
  const TemporaryFolder folder;
  const Outcome outcome =
      execute({"/usr/bin/python3", kWorlds / "campus/make_campus.py", folder.path().string()});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  std::set<std::string> kept;
  std::uintmax_t size = fs::file_size(kWorlds / "campus.wbt");
  const std::string cure = " is out of date; run worlds/campus/make_campus.py";
  EXPECT_TRUE(read_bytes(kWorlds / "campus.wbt") == read_bytes(folder.path() / "campus.wbt"))
      << "worlds/campus.wbt" << cure;
  for (const auto& entry : fs::directory_iterator(kWorlds / "campus")) {
    if (entry.path().extension() == ".py" || entry.is_directory()) continue;
    const std::string name = entry.path().filename().string();
    kept.insert(name);
    size += entry.file_size();
    EXPECT_TRUE(read_bytes(entry.path()) == read_bytes(folder.path() / "campus" / name))
        << "worlds/campus/" << name << cure;
  }
  for (const auto& entry : fs::directory_iterator(folder.path() / "campus")) {
    EXPECT_TRUE(kept.count(entry.path().filename().string())) << entry.path().filename();
  }
  EXPECT_LT(size, 10'000'000u);
}

class CampusRun : public testing::Test {
 protected:
  Pose pose(const std::string& name) const {
    for (const auto& solid : simulation_->model().solids) {
      if (solid.name == name) return simulation_->model().physics->pose(solid.body);
    }
    throw std::runtime_error("no solid " + name);
  }
  void expect_at(const std::string& name, double x, double y, double z) const {
    const Vec3 p = pose(name).p;
    EXPECT_NEAR((p - Vec3(x, y, z)).norm(), 0, 0.01)
        << name << " at " << simulation_->time() << " s: " << p.transpose();
  }
  std::unique_ptr<Simulation> simulation_;
};

TEST_F(CampusRun, TrafficAndPeopleKeepToTheirWaysAndTheCarToItsEight) {
  Diagnostics diagnostics;
  simulation_ = Simulation::load(kWorlds / "campus.wbt", {}, diagnostics);
  ASSERT_TRUE(simulation_) << diagnostics.to_string();
  EXPECT_EQ(diagnostics.to_string(), "");
  const VehicleHost* car = simulation_->find_vehicle("atv");
  ASSERT_NE(car, nullptr);
  std::mutex mutex;
  std::string complaints;
  simulation_->start_controllers([&](const std::string&, bool is_error, std::string_view line) {
    const std::lock_guard lock(mutex);
    if (is_error) complaints += std::string(line) + "\n";
  });
  const auto run_to = [&](double time) {
    while (simulation_->time() < time - 1e-6) simulation_->step();
  };
  const double kerb = 0.12, terrace = kerb + 6 * 0.15;
  run_to(1);
  expect_at("bus", 7, -47, 0);                 // 7 m/s from the middle of the south street on
  expect_at("cyclist 1", -18 - 4.5, -42.6, 0);  // 4.5 m/s; it set off 4 s before
  expect_at("pedestrian 1", -24 + 1.3, -16.7, kerb);
  expect_at("pedestrian 2", -20 + 1.1, 16.5, terrace);
  run_to(3);
  expect_at("bus", 12, -47, 0);  // at its stop
  expect_at("cyclist 1", -18 - 13.5, -42.6, 0);
  // 1.3 m/s: 2.7 m of pavement, down the kerb, then over the crossing.
  expect_at("pedestrian 8", 62.7, -48.8 + (3.9 - 2.7 - std::hypot(0.5, kerb)), 0);
  // Around the western bed, of 4.5 m: a circle of 9 m.
  const Vec3 bed(-9, -5, 0);
  double worst = 0, travelled = 0;
  Vec3 before = car->X_WV().p;
  while (simulation_->time() < 7) {
    simulation_->step();
    const Vec3 p = car->X_WV().p;
    worst = std::max(worst, std::abs((p - bed).head<2>().norm() - 9));
    travelled += (p - before).norm();
    before = p;
    EXPECT_NEAR(p.z(), kerb, 0.05) << simulation_->time();
  }
  EXPECT_LT(worst, 0.3);
  EXPECT_NEAR(travelled, 12, 1.5);  // 4 s at 3 m/s, and somewhat more after it has set off
  EXPECT_FALSE(car->collided());
  simulation_->finish();
  EXPECT_EQ(complaints, "");
  for (const ControllerReport& report : simulation_->controllers()) {
    EXPECT_FALSE(report.failed) << report.what_happened;
  }
}

}  // namespace
}  // namespace protobeam::test
