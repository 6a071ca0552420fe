// worlds/mapping.wbt: the car drives its round and gives way, and `run` says when a robot does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program.h"
#include "tests/unit/support/paths.h"
#include "tests/worlds/scan_csv.h"

namespace protobeam::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

TEST(Mapping, TheCarDrivesForAMinuteAndTouchesNothing) {
  const TemporaryFolder folder;
  const Outcome outcome = protobeam({"run", "worlds/mapping.wbt", "--duration", "60", "--json",
                                     "--log", (folder / "log").string()});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const json out = json::parse(outcome.out);
  EXPECT_EQ(out["collisions"], json::array());
  for (const auto& controller : out["controllers"]) {
    EXPECT_EQ(controller["exit"], 0) << controller.dump();
  }
  // It comes round: north of the street with traffic, to the next street, and back over it.
  std::istringstream rows(read_bytes(folder / "log/car.txt"));
  double north = -100, west = 100, length = 0, x0 = std::nan(""), y0 = 0;
  bool back = false;
  for (std::string line; std::getline(rows, line);) {
    double t = 0, x = 0, y = 0;
    std::istringstream(line) >> t >> x >> y;
    if (!std::isnan(x0)) length += std::hypot(x - x0, y - y0);
    x0 = x;
    y0 = y;
    north = std::max(north, y);
    west = std::min(west, x);
    back = back || (x < -40 && y < 30);
  }
  EXPECT_GT(north, 80);
  EXPECT_LT(west, -40);
  EXPECT_TRUE(back);
  EXPECT_GT(length, 150);
}

TEST(Mapping, TheCarStandsFromTheStart) {
  const TemporaryFolder folder;
  const Outcome outcome = protobeam(
      {"run", "worlds/mapping.wbt", "--duration", "0.3", "--log", (folder / "log").string()});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  std::istringstream rows(read_bytes(folder / "log/car.txt"));
  int count = 0;
  for (std::string line; std::getline(rows, line); ++count) {
    double t = 0, x = 0, y = 0, z = 0;
    std::istringstream(line) >> t >> x >> y >> z;
    EXPECT_NEAR(z, 0, 0.005) << t;
  }
  EXPECT_GT(count, 10);
}

TEST(Mapping, TheMid70DoesNotSeeTheCar) {
  const TemporaryFolder folder;
  const std::string file = (folder / "sweep.csv").string();
  const Outcome outcome =
      protobeam({"scan", "worlds/mapping.wbt", "--device", "car/livox", "--out", file});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  // It stands 0.65 m above the street and sees 35.2 deg down: nothing of the street is nearer than
  // 0.65 m / sin(35.2 deg) = 1.13 m.
  std::size_t returns = 0;
  for (const auto& row : read_csv(file)) {
    if (!std::isfinite(row.range)) continue;
    ++returns;
    EXPECT_GT(row.range, 1.0);
  }
  EXPECT_GT(returns, 1000u);
}

TEST(Traffic, ThatYieldsStopsBeforeACarInItsLane) {
  const TemporaryFolder folder;
  const fs::path protos = fs::path(source_dir()) / "protos";
  // Two cars drive 40 m to and fro; the other one stands in their way.
  for (const bool yields : {false, true}) {
    const auto world = folder.write(
        "worlds/street.wbt",
        "#VRML_SIM R2025a utf8\nEXTERNPROTO \"" +
            (protos / "vehicles/AckermannCar.proto").string() + "\"\nEXTERNPROTO \"" +
            (protos / "robots/Traffic.proto").string() +
            "\"\nWorldInfo { basicTimeStep 10 }\n"
            "Solid { boundingObject Plane { size 200 200 } }\n"
            "AckermannCar { rotation 0 0 1 1.5707963 }\n"
            "Traffic { lanes [ 0.5 ] directions [ 1 ] carsPerLane 2 gap 12 travel 40 yields " +
            (yields ? "TRUE" : "FALSE") + " }\n");
    const Outcome outcome = protobeam({"run", world.string(), "--duration", "15", "--json"});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    const json out = json::parse(outcome.out);
    EXPECT_EQ(out["collisions"].empty(), yields) << out["collisions"].dump();
  }
}

/// A street of worlds/mapping.wbt's kind: a car is driven into one that stands across.
class Crash : public testing::Test {
 protected:
  std::string world() {
    return folder_
        .write("worlds/crash.wbt", R"(#VRML_SIM R2025a utf8
EXTERNPROTO ")" + (fs::path(source_dir()) / "protos/vehicles/AckermannCar.proto").string() +
                                       R"("
WorldInfo { basicTimeStep 10 }
Solid { boundingObject Plane { size 100 100 } }
AckermannCar { }
Robot { name "traffic" children [ SliderJoint { endPoint Solid { name "parked car"
  translation 8 0 0.7 boundingObject Box { size 1.8 4.2 1.3 } } } ] }
)")
        .string();
  }
  TemporaryFolder folder_;
};

TEST_F(Crash, IsReportedInTextAndInJson) {
  // From its nose (1.82 m before the rear axle) to the side of the other one are 5.28 m.
  const std::vector<std::string> drive{"run", world(), "--duration", "5", "--schedule", "0:2,0"};
  const Outcome text = protobeam(drive);
  ASSERT_EQ(text.exit, 0) << text.err;
  EXPECT_THAT(text.out,
              testing::ContainsRegex("\ncar touched 'parked car' of traffic at [0-9.]+ s \\("));
  std::vector<std::string> words = drive;
  words.push_back("--json");
  const json out = json::parse(protobeam(words).out);
  ASSERT_EQ(out["collisions"].size(), 1u);
  const json& collision = out["collisions"][0];
  EXPECT_EQ(collision["robot"], "car");
  EXPECT_EQ(collision["touched"], "parked car");
  EXPECT_EQ(collision["of_robot"], "traffic");
  EXPECT_GE(collision["times"], 1);
  EXPECT_GT(collision["duration_s"], 0);
  // At 2 m/s, and some time to get there.
  EXPECT_GT(collision["first_s"], 5.28 / 2);
  EXPECT_LT(collision["first_s"], 5.28 / 2 + 1.5);
}

TEST_F(Crash, IsNoneAsLongAsTheyDoNotTouch) {
  const Outcome outcome =
      protobeam({"run", world(), "--duration", "2", "--schedule", "0:2,0", "--json"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["collisions"], json::array());
}

}  // namespace
}  // namespace protobeam::test
