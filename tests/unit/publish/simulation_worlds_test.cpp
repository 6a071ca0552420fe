// Worlds, their named poses and what can be spawned, as clients of simulation_interfaces ask for
// them.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/unit/publish/controlled_simulation.h"

namespace protobeam {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

const std::string kDocks = R"(
Publishing { namedPoses [
  NamedPose { name "dock" description "near the charger" tags [ "parking" "spawn" ] translation 1 2 0
    rotation 0 0 1 1.5707963267948966 boundsMin -1 -0.5 0 boundsMax 1 0.5 2 }
  NamedPose { name "door" tags "navigation_goal" } ] }
)";

class SimulationWorldsTest : public SimulationControlTest {
 protected:
  std::vector<std::string> poses(std::vector<std::string> tags, std::uint8_t mode) {
    sim::GetNamedPoses::Request request;
    request.tags = {std::move(tags), mode};
    std::vector<std::string> out;
    for (const auto& one : call<sim::GetNamedPoses>("/get_named_poses", request).poses)
      out.push_back(one.name);
    return out;
  }
};

TEST_F(SimulationWorldsTest, TellTheirNamedPoses) {
  begin(kDocks);
  const auto all = call<sim::GetNamedPoses>("/get_named_poses");
  EXPECT_EQ(all.result.result, sim::Result::kOk);
  ASSERT_EQ(all.poses.size(), 2u);
  EXPECT_EQ(all.poses[0].name, "dock");
  EXPECT_EQ(all.poses[0].description, "near the charger");
  EXPECT_THAT(all.poses[0].tags, ElementsAre("parking", "spawn"));
  EXPECT_NEAR(all.poses[0].pose.position.y, 2, 1e-12);
  EXPECT_NEAR(all.poses[0].pose.orientation.z, std::sqrt(0.5), 1e-12);
  EXPECT_THAT(poses({"spawn", "navigation_goal"}, sim::TagsFilter::kAny),
              ElementsAre("dock", "door"));
  EXPECT_THAT(poses({"spawn", "parking"}, sim::TagsFilter::kAll), ElementsAre("dock"));
  EXPECT_THAT(poses({"spawn", "door"}, sim::TagsFilter::kAll), IsEmpty());
  sim::GetNamedPoses::Request wrong;
  wrong.tags = {{"spawn"}, 9};
  EXPECT_EQ(call<sim::GetNamedPoses>("/get_named_poses", wrong).result.result,
            sim::Result::kFailed);
}

TEST_F(SimulationWorldsTest, TellTheBoundsOfNamedPoses) {
  begin(kDocks);
  const auto dock = call<sim::GetNamedPoseBounds>("/get_named_pose_bounds", {"dock"});
  EXPECT_EQ(dock.result.result, sim::Result::kOk);
  EXPECT_EQ(dock.bounds.type, sim::Bounds::kBox);
  ASSERT_EQ(dock.bounds.points.size(), 2u);
  EXPECT_EQ(dock.bounds.points[0].z, 2);
  EXPECT_EQ(dock.bounds.points[1].x, -1);
  const auto door = call<sim::GetNamedPoseBounds>("/get_named_pose_bounds", {"door"});
  EXPECT_EQ(door.result.result, sim::Result::kOk);
  EXPECT_EQ(door.bounds.type, sim::Bounds::kEmpty);
  const auto none = call<sim::GetNamedPoseBounds>("/get_named_pose_bounds", {"dok"}).result;
  EXPECT_EQ(none.result, sim::Result::kNotFound);
  EXPECT_EQ(none.error_message, "there is no named pose 'dok'; did you mean 'dock'?");
}

TEST_F(SimulationWorldsTest, HaveNoNamedPosesThatCannotBe) {
  const auto problem = [this](const std::string& pose) {
    return problem_of([&] { world_.load("Publishing { namedPoses [ " + pose + " ] }"); });
  };
  EXPECT_THAT(problem("NamedPose { }"), HasSubstr("a NamedPose needs a name"));
  EXPECT_THAT(problem("NamedPose { name \"a\" }\nNamedPose { name \"a\" }"),
              AllOf(HasSubstr("test.wbt:4:18: error: there is a NamedPose 'a' already, at "),
                    HasSubstr("test.wbt:3:44\n")));
  EXPECT_THAT(problem("NamedPose { name \"a\" boundsMin 1 0 0 }"),
              HasSubstr("test.wbt:3:58: error: boundsMin of NamedPose 'a' is not below its "
                        "boundsMax: x is 1 and 0"));
  EXPECT_THAT(problem("NamedPose { name \"a\"\nboundsMax 0 0 -0.5 }"),
              HasSubstr("test.wbt:4:11: error: boundsMin of NamedPose 'a' is not below its "
                        "boundsMax: z is 0 and -0.5"));
  EXPECT_THAT(problem("NamedPose { name \"a\"\nboundsMax 1 2 1\nboundsMin 0 3 0 }"),
              HasSubstr("test.wbt:5:11: error: boundsMin of NamedPose 'a' is not below its "
                        "boundsMax: y is 3 and 2"));
  EXPECT_THAT(problem("NamedPose { nmae \"a\" }"), HasSubstr("did you mean 'name'?"));
}

TEST_F(SimulationWorldsTest, AreNotOfferedWhereNobodyLoadsThem) {
  const auto features = call<sim::GetSimulatorFeatures>("/get_simulator_features").features;
  EXPECT_THAT(features.features, IsSupersetOf({2, 3, 4, 6, 13, 44}));
  // SPAWNABLES, WORLD_LOADING and the following, AVAILABLE_WORLDS
  for (const std::uint16_t missing : {7, 14, 40, 41, 42, 43, 45})
    EXPECT_THAT(features.features, Not(Contains(missing)));
  sim::LoadWorld::Request load;
  load.world_resource.uri = "other.wbt";
  EXPECT_EQ(call<sim::LoadWorld>("/load_world", load).result.result, sim::Result::kUnsupported);
  EXPECT_EQ(call<sim::GetAvailableWorlds>("/get_available_worlds").result.result,
            sim::Result::kUnsupported);
  EXPECT_EQ(call<sim::GetSpawnables>("/get_spawnables").result.result, sim::Result::kUnsupported);
  EXPECT_EQ(call<sim::UnloadWorld>("/unload_world").result.result, sim::Result::kUnsupported);
}

TEST_F(SimulationWorldsTest, AreLoadedInPlaceOfTheOneThatThereIs) {
  ControlHost host;
  host.find_world = [](const sim::LoadWorld::Request& asked, Simulation&) {
    WorldChoice out;
    out.file = asked.world_resource.uri;
    if (out.file == "none.wbt") out.result = {sim::Result::kNotFound, "there is none"};
    return out;
  };
  begin(kWorld, host);
  EXPECT_THAT(call<sim::GetSimulatorFeatures>("/get_simulator_features").features.features,
              Contains(40));
  sim::LoadWorld::Request load;
  load.world_resource.uri = "next.wbt";
  EXPECT_EQ(call<sim::LoadWorld>("/load_world", load).result.result, sim::Result::kIncorrectState)
      << "while steps are made";
  load.world_resource.uri = "";
  EXPECT_EQ(call<sim::LoadWorld>("/load_world", load).result.result, 102);  // NO_RESOURCE
  load.world_resource.resource_string = "WorldInfo { }";
  EXPECT_EQ(call<sim::LoadWorld>("/load_world", load).result.result, sim::Result::kUnsupported);
  load.world_resource.uri = "none.wbt";
  make_steps(1);  // that call() has asked for
  EXPECT_EQ(call<sim::LoadWorld>("/load_world", load).result.result, sim::Result::kNotFound);

  load.world_resource.uri = "next.wbt";
  make_steps(1);
  const auto good = ask("/load_world", load);
  const auto late = ask("/reset_simulation", sim::ResetSimulation::Request{});
  ASSERT_EQ(control_->before_step(), SimulationControl::Next::kReset);
  ASSERT_TRUE(control_->wanted_world());
  EXPECT_EQ(control_->wanted_world()->file, "next.wbt");
  EXPECT_FALSE(served_.answers.contains(good));
  EXPECT_EQ(answer<sim::ResetSimulation>(late).result.result, sim::Result::kIncorrectState);
  WorldText next;
  control_->after_reset(next.load("Solid { name \"other\" }"), "next.wbt:3:1: warning: odd\n");
  const auto loaded = answer<sim::LoadWorld>(good);
  EXPECT_EQ(loaded.result.result, sim::Result::kOk);
  EXPECT_EQ(loaded.result.error_message, "next.wbt:3:1: warning: odd");
  EXPECT_EQ(loaded.world.world_resource.uri, (next.folder() / "worlds/test.wbt").string());
  EXPECT_FALSE(control_->wanted_world());
  EXPECT_THAT(call<sim::GetEntities>("/get_entities").entities, ElementsAre("other"));

  control_->after_step();
  const auto wrong = ask("/load_world", load);
  ASSERT_EQ(control_->before_step(), SimulationControl::Next::kReset);
  control_->reset_failed("worlds/next.wbt:1:1: error", 103);
  EXPECT_EQ(answer<sim::LoadWorld>(wrong).result.result, 103);
  EXPECT_THAT(call<sim::GetEntities>("/get_entities").entities, ElementsAre("other"));
}

/// LoadWorld.srv: "Once a world is loaded, simulation will be left in a Stopped state."
TEST_F(SimulationWorldsTest, AreStoppedWhenTheyAreLoaded) {
  ControlHost host;
  host.find_world = [](const auto&, Simulation&) { return WorldChoice(); };
  begin(kWorld, host);
  ask("/set_simulation_state", sim::SetSimulationState::Request{{sim::SimulationState::kPlaying}});
  ask("/load_world", sim::LoadWorld::Request{{"next.wbt", ""}});
  ASSERT_EQ(control_->before_step(), SimulationControl::Next::kReset);
  WorldText next;
  control_->after_reset(next.load(""));
  const auto state = ask("/get_simulation_state", sim::GetSimulationState::Request{});
  ask("/step_simulation", sim::StepSimulation::Request{1});
  control_->before_step();
  EXPECT_EQ(answer<sim::GetSimulationState>(state).state.state, sim::SimulationState::kStopped);
}

}  // namespace
}  // namespace protobeam
