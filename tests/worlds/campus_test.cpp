// worlds/campus.wbt: its files are those of the script, things move where they should, and the
// suites ride through it, meet nothing and measure at their rates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "render/color.h"
#include "render/light_reach.h"
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

constexpr double kKerb = 0.12;
const std::vector<std::string> kSuites = {"mcd_atv", "mcd_hhs"};

/// Or its sun would glow elsewhere than its light comes from.
TEST(Campus, SkyIsDrawnForWhereCamerasHaveItsSides) {
  const std::vector<std::string> names = {"right", "left", "top", "bottom", "front", "back"};
  const auto grey = [](std::size_t side, int column, int row) {
    return static_cast<int>(10 * (4 * side + 1) + 20 * static_cast<std::size_t>(row) +
                            10 * static_cast<std::size_t>(column));
  };
  SkyLook sky;
  for (std::size_t side = 0; side < 6; ++side) {
    auto image = std::make_shared<Image>();
    image->width = image->height = 2;
    image->channels = 3;
    for (const int row : {0, 1}) {
      for (const int column : {0, 1})
        image->pixels.insert(image->pixels.end(), 3,
                             static_cast<std::uint8_t>(grey(side, column, row)));
    }
    sky.sides[side] = image;
  }
  const Outcome outcome = execute({"/usr/bin/python3", "-B", "-c",
                                   "import sys; sys.path.insert(0, sys.argv[1]); import pictures\n"
                                   "for side in pictures.SIDES:\n"
                                   "  for row in 0, 1:\n"
                                   "    for column in 0, 1: print(side, column, row, "
                                   "*pictures.SIDES[side](column - 0.5, row - 0.5))",
                                   kWorlds / "campus"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::string name;
  int column = 0, row = 0, count = 0;
  Vec3 d;
  for (; lines >> name >> column >> row >> d.x() >> d.y() >> d.z(); ++count) {
    const auto side = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    const float light = render::sky_at(sky, d.normalized().cast<float>(), false).x();
    EXPECT_NEAR(255 * render::srgb_from_linear(light), grey(side, column, row), 1)
        << name << " " << column << " " << row;
  }
  EXPECT_EQ(count, 24);
}

class CampusRun : public testing::Test {
 protected:
  void load(const fs::path& world) {
    Diagnostics diagnostics;
    simulation_ = Simulation::load(world, {}, diagnostics);
    if (!simulation_) throw std::runtime_error(diagnostics.to_string());
    EXPECT_EQ(diagnostics.to_string(), "");
  }
  /// With steps of 40 ms: what moves is at the same places at the same times.
  void load_with_long_steps() {
    fs::create_directories(folder_ / "worlds");
    for (const char* name : {"protos", "meshes", "worlds/campus"}) {
      fs::create_directory_symlink(fs::path(source_dir()) / name, folder_ / name);
    }
    std::string text = read_bytes(kWorlds / "campus.wbt");
    const std::string step = "basicTimeStep 0.8333333333333334";
    const auto at = text.find(step);
    if (at == text.npos) throw std::runtime_error("no " + step);
    text.replace(at, step.size(), "basicTimeStep 40");
    load(folder_.write("worlds/campus.wbt", text));
  }
  void run_to(double time) {
    while (simulation_->time() < time - 1e-6) simulation_->step();
  }
  Device& device(const std::string& path) {
    Device* found = simulation_->find_device(path);
    if (!found) throw std::runtime_error("no device " + path);
    return *found;
  }
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
  template <class Value>
  std::vector<Value> values(const std::string& path, const std::string& channel,
                            std::size_t count) {
    const Device& from = device(path);
    std::vector<Value> out(count);
    std::memcpy(out.data(), from.data.data() + from.model->layout().find(channel)->offset,
                count * sizeof(Value));
    return out;
  }
  std::map<std::string, std::uint64_t> frames(const std::string& robot) const {
    std::map<std::string, std::uint64_t> out;
    for (const RobotInfo& info : simulation_->model().robots) {
      if (info.name != robot) continue;
      for (const Device& device : info.devices) out[device.name] = device.frames;
    }
    return out;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Simulation> simulation_;
};

TEST_F(CampusRun, TrafficAndPeopleKeepToTheirWays) {
  load_with_long_steps();
  const double terrace = kKerb + 6 * 0.15;
  run_to(1);
  expect_at("bus", 7, -47, 0);                  // 7 m/s from the middle of the south street on
  expect_at("cyclist 1", -18 - 4.5, -42.6, 0);  // 4.5 m/s; it set off 4 s before
  expect_at("pedestrian 1", -24 + 1.3, -16.7, kKerb);
  expect_at("pedestrian 2", -20 + 1.1, 16.5, terrace);
  run_to(3);
  expect_at("bus", 12, -47, 0);  // at its stop
  expect_at("cyclist 1", -18 - 13.5, -42.6, 0);
  // 1.3 m/s: 2.7 m of pavement, down the kerb, then over the crossing.
  expect_at("pedestrian 8", 62.7, -48.8 + (3.9 - 2.7 - std::hypot(0.5, kKerb)), 0);
}

TEST_F(CampusRun, SuitesMeetNothingOnTheirWays) {
  load_with_long_steps();
  for (const VisualGroup& group : simulation_->model().visuals) {  // housings of the sensors
    const int solid = group.solids.empty() ? -1 : group.solids.front();
    if (solid < 0 || simulation_->model().solids[static_cast<std::size_t>(solid)].robot < 0)
      continue;
    simulation_->model().visible->set_visible(group.instance, false);
  }
  // 12 x 24 directions all around, from the middle and from the tags, which stand out most.
  std::vector<float> dx, dy, dz;
  for (int i = 0; i < 12; ++i) {
    for (int k = 0; k < 24; ++k) {
      const double z = (2 * i + 1) / 12.0 - 1, r = std::sqrt(1 - z * z),
                   a = 2 * kPi * (k + 0.5 * (i % 2)) / 24;
      dx.push_back(static_cast<float>(r * std::cos(a)));
      dy.push_back(static_cast<float>(r * std::sin(a)));
      dz.push_back(static_cast<float>(z));
    }
  }
  std::vector<float> ranges(dx.size());
  std::map<std::string, double> nearest, when, length, fastest;
  std::map<std::string, Vec3> where, first, last;
  std::map<std::string, std::vector<Vec3>> places;
  const double end = 172.1;
  while (simulation_->time() < end) {
    simulation_->step();
    for (const std::string& suite : kSuites) {
      for (const char* name : {"/trajectory", "/ltp_tag0", "/ltp_tag1"}) {
        RayBatch batch;
        batch.X_WS = Pose::translation(simulation_->pose_of(device(suite + name)).p);
        batch.dx = dx.data(), batch.dy = dy.data(), batch.dz = dz.data();
        batch.count = dx.size();
        batch.t_far = 3;
        simulation_->model().visible->cast(batch, [&](const RayBlock& block) {
          std::copy_n(block.range, block.count,
                      ranges.begin() + static_cast<std::ptrdiff_t>(block.first));
        });
        const double range = *std::min_element(ranges.begin(), ranges.end());
        if (!nearest.contains(suite) || range < nearest[suite]) {
          nearest[suite] = range;
          where[suite] = batch.X_WS.p;
          when[suite] = simulation_->time();
        }
      }
      const Vec3 p = simulation_->pose_of(device(suite + "/trajectory")).p;
      if (!first.contains(suite)) first[suite] = last[suite] = p;
      const double way = (p - last[suite]).norm();
      length[suite] += way;
      fastest[suite] = std::max(fastest[suite], way / 0.04);
      last[suite] = p;
      places[suite].push_back(p);
    }
    const double apart = (last.at("mcd_atv") - last.at("mcd_hhs")).norm();
    EXPECT_GT(apart, 1.5) << simulation_->time();  // nothing shows their carriers
  }
  for (const std::string& suite : kSuites) {
    RecordProperty(suite + "_nearest_mm", static_cast<int>(1000 * nearest[suite]));
    EXPECT_GT(nearest[suite], 0.9)
        << suite << " at " << when[suite] << " s: " << where[suite].transpose();
    EXPECT_LT((last[suite] - first[suite]).norm(), 0.02) << suite << " does not come back";
  }
  const auto passes = [&](const std::string& suite, double x, double y) {
    return std::ranges::any_of(
        places[suite], [&](const Vec3& p) { return (p.head<2>() - Vec2(x, y)).norm() < 1.5; });
  };
  EXPECT_NEAR(length["mcd_atv"], 332, 3);
  EXPECT_NEAR(fastest["mcd_atv"], 3.8, 0.1);
  EXPECT_TRUE(passes("mcd_atv", 54.1, -23)) << "not below the bridge";
  EXPECT_TRUE(passes("mcd_atv", 0, -44.1)) << "not along the south street";
  EXPECT_TRUE(passes("mcd_atv", -54.1, -20)) << "not along the west street";
  EXPECT_TRUE(passes("mcd_atv", 0, 8.2)) << "not past the square";
  EXPECT_NEAR(length["mcd_hhs"], 195, 3);
  EXPECT_NEAR(fastest["mcd_hhs"], 1.25, 0.1);  // 1.2 m/s and its gait
  EXPECT_TRUE(passes("mcd_hhs", -48.6, -20)) << "not along the west pavement";
  EXPECT_TRUE(passes("mcd_hhs", 0, -7)) << "not between the beds";
}

TEST_F(CampusRun, SuitesAreSampledAtTheirRates) {
  load(kWorlds / "campus.wbt");
  const auto shape = [&](const std::string& path) {
    return device(path).model->layout().channels.at(0).shape;
  };
  EXPECT_THAT(shape("mcd_atv/os1"), testing::ElementsAre(128, 1024));
  EXPECT_THAT(shape("mcd_hhs/os1"), testing::ElementsAre(64, 1024));
  const std::map<std::string, std::vector<std::string>> cameras = {{"mcd_atv", {"d435i", "d455b"}},
                                                                   {"mcd_hhs", {"d455t", "d455b"}}};
  std::map<std::string, std::uint64_t> expected = {
      {"trajectory", 120}, {"vn200", 120},  {"os1_imu", 30}, {"os1", 3},
      {"mid70", 3},        {"ltp_tag0", 6}, {"ltp_tag1", 6}};
  for (const auto& [suite, names] : cameras) {
    EXPECT_EQ(shape(suite + "/mid70").front() * shape(suite + "/mid70").back(), 10000u);
    for (const char* tag : {"/ltp_tag0", "/ltp_tag1"}) {
      EXPECT_THAT(shape(suite + tag), testing::ElementsAre(12)) << "anchors";
    }
    for (const std::string& name : names) {
      const std::string path = suite + "/" + name;
      EXPECT_THAT(shape(path + "_infra1"), testing::ElementsAre(480, 640, 1));
      EXPECT_THAT(shape(path + "_infra2"), testing::ElementsAre(480, 640, 1));
      EXPECT_THAT(shape(path + "_color"), testing::ElementsAre(480, 640, 4));
    }
  }
  // Rates do not depend on what is seen, and images of nothing are quick.
  for (const VisualGroup& group : simulation_->model().visuals) {
    simulation_->model().visible->set_visible(group.instance, false);
  }
  std::mutex mutex;
  std::string said;
  simulation_->start_controllers([&](const std::string&, bool, std::string_view line) {
    const std::lock_guard lock(mutex);
    said += std::string(line) + "\n";
  });
  run_to(0.3);
  simulation_->finish();
  EXPECT_EQ(said, "");
  for (const auto& [suite, names] : cameras) {
    auto of_suite = expected;
    for (const std::string& name : names) {
      of_suite[name + "_imu"] = 120;
      for (const char* part : {"_infra1", "_infra2", "_color"}) of_suite[name + part] = 9;
    }
    if (suite == "mcd_atv") of_suite["vn100"] = of_suite["vn200_gps"] = 120;
    EXPECT_EQ(frames(suite), of_suite) << suite;
  }
}

TEST_F(CampusRun, SuitesSeeTheCampus) {
  load(kWorlds / "campus.wbt");
  for (const char* path : {"mcd_atv/os1", "mcd_hhs/os1", "mcd_atv/mid70", "mcd_hhs/mid70",
                           "mcd_atv/d455b_infra1", "mcd_hhs/d455t_infra1", "mcd_atv/vn200_gps",
                           "mcd_atv/vn100", "mcd_atv/ltp_tag0", "mcd_hhs/ltp_tag0"}) {
    simulation_->enable(device(path), 0.1);
  }
  run_to(0.1);
  EXPECT_GT(device("mcd_atv/os1").points, 100'000u);
  EXPECT_GT(device("mcd_hhs/os1").points, 45'000u);
  EXPECT_GT(device("mcd_atv/mid70").points, 5'000u);
  EXPECT_GT(device("mcd_hhs/mid70").points, 5'000u);
  for (const char* path : {"mcd_atv/d455b_infra1", "mcd_hhs/d455t_infra1"}) {
    const auto& image = device(path).data;  // starts with the image
    const std::set<std::byte> levels(image.begin(), image.begin() + 640 * 480);
    EXPECT_GT(levels.size(), 100u) << path;
  }
  // At gpsReference, 20 m west and 8 m north of it, but for 0.7 m of correlated errors.
  const auto place = values<double>("mcd_atv/vn200_gps", "position", 3);
  EXPECT_NEAR(place[0], 48.2082 + 8 / 111'200.0, 3 / 111'200.0);
  EXPECT_NEAR(place[1], 16.3738 - 20 / 74'250.0, 3 / 74'250.0);
  EXPECT_NEAR(place[2], 171 + 1.1, 7);
  // At rest, with z down.
  EXPECT_NEAR(values<double>("mcd_atv/vn100", "acceleration", 3)[2], -9.81, 0.1);
  for (const std::string& suite : kSuites) {
    EXPECT_GE(values<std::int32_t>(suite + "/ltp_tag0", "count", 1)[0], 4) << suite;
  }
}

}  // namespace
}  // namespace protobeam::test
