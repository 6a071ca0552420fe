// Worlds whose shapes come from files of models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

TEST(MeshWorld, LoadsWithoutAMessageAndRuns) {
  const Outcome check = protobeam({"check", "worlds/meshes.wbt"});
  EXPECT_EQ(check.exit, 0);
  EXPECT_EQ(check.err, "");
  const Outcome run = protobeam({"run", "worlds/meshes.wbt", "--duration", "1", "--json"});
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out)["sim_time_s"], 1.0);
}

// Nothing is parsed again that was parsed before, nor is what is damaged believed.
TEST(MeshWorld, IsTheSameFromTheCache) {
  const TemporaryFolder folder;
  const fs::path starts = folder / "starts", cache = folder / "cache";
  const auto worker =
      folder.write("worker", "#!/bin/sh\necho start >>" + starts.string() + "\nexec " +
                                 build_dir() + "/bin/protobeam-worker \"$@\"\n");
  fs::permissions(worker, fs::perms::owner_all);
  const auto hash = [&](const std::string& other) {
    fs::remove(starts);
    const Outcome run = protobeam({"run", "worlds/meshes.wbt", "--duration", "0.2", "--json"},
                                  {.environment = {"PROTOBEAM_CACHE=" + cache.string(),
                                                   "PROTOBEAM_WORKER=" + worker.string(), other}});
    EXPECT_EQ(run.exit, 0) << run.err;
    return nlohmann::json::parse(run.out)["state_hash"].get<std::string>();
  };
  const std::string parsed = hash("PROTOBEAM_DERIVED_CACHE=0");
  EXPECT_TRUE(fs::exists(starts));
  EXPECT_EQ(hash("PROTOBEAM_DERIVED_CACHE=1"), parsed);
  EXPECT_TRUE(fs::exists(starts));
  EXPECT_EQ(hash("PROTOBEAM_DERIVED_CACHE=1"), parsed);
  EXPECT_FALSE(fs::exists(starts)) << "a worker was started for what is in the cache";
  for (const auto& entry : fs::recursive_directory_iterator(cache)) {
    if (entry.is_regular_file()) fs::resize_file(entry.path(), entry.file_size() / 2);
  }
  EXPECT_EQ(hash("PROTOBEAM_DERIVED_CACHE=1"), parsed);
  EXPECT_TRUE(fs::exists(starts));
}

struct Point {
  double x, y, z;
};

std::vector<Point> points_of(const fs::path& csv) {
  std::ifstream in(csv);
  std::string line;
  std::getline(in, line);
  std::vector<std::size_t> columns;  // of x, y and z
  for (const char* wanted : {"x", "y", "z"}) {
    std::istringstream names(line);
    std::size_t i = 0;
    for (std::string name; std::getline(names, name, ','); ++i) {
      if (name == wanted) columns.push_back(i);
    }
  }
  EXPECT_EQ(columns.size(), 3u) << line;
  std::vector<Point> out;
  while (columns.size() == 3 && std::getline(in, line)) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    out.push_back({row.at(columns[0]), row.at(columns[1]), row.at(columns[2])});
  }
  return out;
}

// The lidar stands 1.2 m above the origin; a car's middle is at (5, 1.5), across.
TEST(MeshWorld, ALidarSeesTheModels) {
  const TemporaryFolder folder;
  const fs::path file = folder / "scan.csv";
  const Outcome scan =
      protobeam({"scan", "worlds/meshes.wbt", "--device", "tripod/lidar", "--out", file.string()});
  ASSERT_EQ(scan.exit, 0) << scan.err;
  int on_car = 0, on_pallet = 0;
  for (const Point& p : points_of(file)) {
    if (!std::isfinite(p.x)) continue;  // nothing there
    const bool in_car = std::abs(p.x - 5) < 0.95 && std::abs(p.y - 1.5) < 2.25;
    if (in_car && p.z > 0.25 - 1.2) {
      ++on_car;
      EXPECT_LT(p.z, 1.46 - 1.2 + 0.1);
    }
    if (std::abs(p.x - 1.5) < 0.6 && std::abs(p.y + 4.5) < 0.4 && p.z > 0.05 - 1.2) ++on_pallet;
    EXPECT_GT(std::hypot(p.x, p.y, p.z), 0.3);  // not its own casing
  }
  EXPECT_GT(on_car, 300);
  EXPECT_GT(on_pallet, 20);
}

TEST(MvsimDefinitions, ALidarHasItsCasing) {
  const TemporaryFolder folder;
  const auto world = folder.write("a.world.xml", R"(<mvsim_world>
  <block> <static>true</static> <init_pose>5 0 0</init_pose> <zmax>2</zmax>
    <shape> <pt>-.2 -2</pt> <pt>.2 -2</pt> <pt>.2 2</pt> <pt>-.2 2</pt> </shape> </block>
  <vehicle name="r1"> <init_pose>0 0 0</init_pose>
    <dynamics class="differential">
      <l_wheel pos="0 .5" mass="4" width=".2" diameter=".4"/>
      <r_wheel pos="0 -.5" mass="4" width=".2" diameter=".4"/>
      <controller class="twist_ideal"/> </dynamics>
    <include file="$(ros2 pkg prefix mvsim)/share/mvsim/definitions/velodyne-vlp16.sensor.xml"
      sensor_name="lidar" sensor_x="0" sensor_z="1"/>
  </vehicle> </mvsim_world>)");
  const Outcome imported =
      protobeam({"import", world.string(), "--out", (folder / "a.wbt").string()});
  ASSERT_EQ(imported.exit, 0) << imported.err;
  EXPECT_THAT(imported.err, ::testing::Not(HasSubstr("puck")));
  EXPECT_THAT(read_bytes(folder / "a.wbt"), HasSubstr("meshes/puck.obj"));
  const Outcome run = protobeam({"run", world.string(), "--duration", "0.5", "--json"});
  ASSERT_EQ(run.exit, 0) << run.err;
}

}  // namespace
}  // namespace protobeam::test
