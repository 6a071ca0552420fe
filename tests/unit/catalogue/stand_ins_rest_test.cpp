// Stand-ins for movable things come to rest when they are dropped on a floor.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "sim/simulation.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/paths.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

struct Dropped {
  const char* name;
  const char* fields = "";
  double height = 0;  ///< m, of its origin when it stands on the floor
  const char* folder = "objects";
};

void PrintTo(const Dropped& dropped, std::ostream* out) { *out << dropped.name; }

class StandInAtRest : public ::testing::TestWithParam<Dropped> {};

TEST_P(StandInAtRest, LiesStillASecondAfterItWasDropped) {
  const Dropped& dropped = GetParam();
  const TemporaryFolder folder;
  const fs::path protos = fs::path(source_dir()) / "protos/webots";
  const fs::path world = folder.write(
      "worlds/floor.wbt", fmt::format("#VRML_SIM R2025a utf8\nEXTERNPROTO \"{0}/{4}/{1}.proto\"\n"
                                      "WorldInfo {{ basicTimeStep 8 }}\n"
                                      "Solid {{ boundingObject Plane {{ }} }}\n"
                                      "{1} {{ translation 0 0 {2} {3} }}\n",
                                      protos.string(), dropped.name, dropped.height + 0.005,
                                      dropped.fields, dropped.folder));
  SimulationOptions options;
  options.proto_path = {protos};
  Diagnostics diagnostics;
  auto simulation = Simulation::load(world, options, diagnostics);
  ASSERT_TRUE(simulation) << diagnostics.to_string();
  while (simulation->time() < 2) ASSERT_TRUE(simulation->step());
  const auto poses = [&] {
    std::vector<Pose> all;
    for (const SolidInfo& solid : simulation->model().solids) {
      if (solid.body != physics::kWorldBody)
        all.push_back(simulation->model().physics->pose(solid.body));
    }
    return all;
  };
  const std::vector<Pose> before = poses();
  ASSERT_FALSE(before.empty());
  while (simulation->time() < 3) ASSERT_TRUE(simulation->step());
  const std::vector<Pose> after = poses();
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_LT((after[i].p - before[i].p).norm(), 0.001) << "body " << i;
    EXPECT_LT(after[i].R.angularDistance(before[i].R), 0.01) << "body " << i;
    EXPECT_GT(after[i].p.z(), -0.01) << "body " << i;
  }
  // Robots stand on wheels or legs, their motors at rest.
  if (dropped.folder == std::string("robots")) EXPECT_NEAR(after[0].p.z(), dropped.height, 0.005);
}

INSTANTIATE_TEST_SUITE_P(
    All, StandInAtRest,
    ::testing::Values(
        Dropped{"BeerBottle"}, Dropped{"BiscuitBox"}, Dropped{"Book", "", 0.1},
        Dropped{"BunchOfSunFlowers", "physics Physics { }"}, Dropped{"Carafe"}, Dropped{"Cat"},
        Dropped{"CerealBox"}, Dropped{"ComputerMouse"}, Dropped{"Cookware"},
        Dropped{"DesktopComputer", "mass 5"}, Dropped{"ElectricalPlug", "cablePath [ ]", 0.018},
        Dropped{"FifaSoccerBall", "", 0.1125}, Dropped{"FireExtinguisher"}, Dropped{"Fork"},
        Dropped{"FruitBowl"}, Dropped{"Glass"}, Dropped{"Hammer", "", 0.014}, Dropped{"HoneyJar"},
        Dropped{"JamJar"}, Dropped{"JetBot", "controller \"<none>\"", 0, "robots"},
        Dropped{"Knife", "", 0.006}, Dropped{"KukaBox", "", 0.0125},
        Dropped{"Laptop", "controller \"<none>\""}, Dropped{"Lid"}, Dropped{"OfficeTelephone"},
        Dropped{"PaintBucket"}, Dropped{"PingPongBall", "", 0.02}, Dropped{"PlatformCart"},
        Dropped{"Plate"}, Dropped{"Robotino3", "controller \"<none>\"", 0.004, "robots"},
        Dropped{"RubberDuck", "", 0.025}, Dropped{"Screwdriver", "", 0.012}, Dropped{"Spoon"},
        Dropped{"Spot", "controller \"<none>\"", 0.614, "robots"},
        Dropped{"TableWithUmbrella", "enablePhysics TRUE"},
        Dropped{"TiagoLite", "controller \"<none>\"", 0.0976, "robots"}, Dropped{"WaterBottle"},
        Dropped{"WateringCan", "enablePhysics TRUE"}, Dropped{"Wineglass"}, Dropped{"WoodenSpoon"},
        Dropped{"WorkBarrier", "enablePhysics TRUE", 0.003}, Dropped{"Wrench"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace protobeam
