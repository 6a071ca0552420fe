// Services of simulation_interfaces, as requests that an output has received.
#include <gmock/gmock.h>

#include "tests/unit/publish/controlled_simulation.h"

namespace protobeam {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;
using Code = sim::Result::Code;
using Next = SimulationControl::Next;

TEST_F(SimulationControlTest, OffersWhatItCanDo) {
  EXPECT_THAT(served_.services, Contains("/step_simulation"));
  const auto features = call<sim::GetSimulatorFeatures>("/get_simulator_features").features;
  EXPECT_THAT(features.features, Contains(31));  // STEP_SIMULATION_SINGLE
  EXPECT_THAT(features.features, Contains(33));  // STEP_SIMULATION_ACTION
  EXPECT_THAT(features.spawn_formats, ElementsAre("wbt", "proto"));
}

TEST_F(SimulationControlTest, MakesExactlyTheStepsThatAreAskedFor) {
  for (const std::uint64_t steps : {1u, 1u, 7u, 1000u}) {
    const auto before = simulation_->step_number();
    sim::StepSimulation::Request request;
    request.steps = steps;
    const auto id = ask("/step_simulation", request);
    for (std::uint64_t i = 0; i < steps; ++i) {
      EXPECT_FALSE(served_.answers.contains(id)) << "before the last step";
      ASSERT_EQ(control_->before_step(), Next::kStep);
      simulation_->step();
      control_->after_step();
    }
    ASSERT_TRUE(served_.answers.contains(id));
    EXPECT_EQ(answer<sim::StepSimulation>(id).result.result, Code::kOk);
    EXPECT_EQ(simulation_->step_number() - before, static_cast<std::int64_t>(steps));
  }
}

TEST_F(SimulationControlTest, TellsWhoWaitsForStepsThatTheRunEnds) {
  const auto id = ask("/step_simulation", sim::StepSimulation::Request{50});
  make_steps(20);
  EXPECT_FALSE(served_.answers.contains(id));
  control_->finish();
  const auto result = answer<sim::StepSimulation>(id).result;
  EXPECT_EQ(result.result, Code::kFailed);
  EXPECT_EQ(result.error_message, "the run ended after 20 of 50 steps");
}

TEST_F(SimulationControlTest, StepsOnlyWhatPauses) {
  sim::SetSimulationState::Request play;
  play.state.state = sim::SimulationState::kPlaying;
  const auto playing = ask("/set_simulation_state", play);
  const auto step = ask("/step_simulation", sim::StepSimulation::Request{});
  make_steps(3);
  EXPECT_EQ(answer<sim::SetSimulationState>(playing).result.result, Code::kOk);
  EXPECT_EQ(answer<sim::StepSimulation>(step).result.result, Code::kFailed);
  EXPECT_EQ(simulation_->step_number(), 3);
  const auto again = ask("/set_simulation_state", play);
  make_steps(1);
  EXPECT_EQ(answer<sim::SetSimulationState>(again).result.result, 101);  // it is so already
}

TEST_F(SimulationControlTest, QuitsWhenAsked) {
  sim::SetSimulationState::Request quit;
  quit.state.state = sim::SimulationState::kQuitting;
  const auto id = ask("/set_simulation_state", quit);
  EXPECT_EQ(control_->before_step(), Next::kQuit);
  EXPECT_EQ(answer<sim::SetSimulationState>(id).result.result, Code::kOk);
}

TEST_F(SimulationControlTest, ResetsToTheStart) {
  ask("/step_simulation", sim::StepSimulation::Request{50});
  make_steps(50);
  const auto id = ask("/reset_simulation", sim::ResetSimulation::Request{});
  ASSERT_EQ(control_->before_step(), Next::kReset);
  EXPECT_FALSE(served_.answers.contains(id));
  WorldText fresh;
  Simulation& again = fresh.load(kWorld, "");
  control_->after_reset(again);
  EXPECT_EQ(answer<sim::ResetSimulation>(id).result.result, Code::kOk);
  sim::ResetSimulation::Request part;
  part.scope = 1;
  const auto partly = ask("/reset_simulation", part);
  ask("/step_simulation", sim::StepSimulation::Request{1});
  EXPECT_EQ(control_->before_step(), Next::kStep);
  EXPECT_EQ(answer<sim::ResetSimulation>(partly).result.result, Code::kUnsupported);
}

TEST_F(SimulationControlTest, KnowsItsEntities) {
  EXPECT_THAT(call<sim::GetEntities>("/get_entities").entities,
              UnorderedElementsAre("floor", "ball", "rover"));
  sim::GetEntities::Request some;
  some.filters.filter = "^(b|r)";
  EXPECT_THAT(call<sim::GetEntities>("/get_entities", some).entities, UnorderedElementsAre("ball", "rover"));
  some.filters.filter = "";
  some.filters.categories.push_back({1});
  EXPECT_THAT(call<sim::GetEntities>("/get_entities", some).entities, ElementsAre("rover"));
  some.filters.filter = "(";
  EXPECT_THAT(call<sim::GetEntities>("/get_entities", some).result.error_message,
              HasSubstr("'(' is no regular expression"));
}

TEST_F(SimulationControlTest, MovesEntities) {
  sim::SetEntityState::Request move;
  move.entity = "ball";
  move.set_pose = move.set_twist = true;
  move.state.pose.position = {3, 4, 10};
  move.state.twist.linear = {1, 0, 0};
  EXPECT_EQ(call<sim::SetEntityState>("/set_entity_state", move).result.result, Code::kOk);
  const auto state = call<sim::GetEntityState>("/get_entity_state", {"ball"}).state;
  EXPECT_NEAR(state.pose.position.x, 3, 1e-12);
  EXPECT_NEAR(state.pose.position.z, 10, 1e-12);
  EXPECT_NEAR(state.twist.linear.x, 1, 1e-12);
  simulation_->step();
  EXPECT_NEAR(call<sim::GetEntityState>("/get_entity_state", {"ball"}).state.pose.position.x, 3.008, 1e-6);

  move.entity = "floor";
  const auto fixed = call<sim::SetEntityState>("/set_entity_state", move).result;
  EXPECT_THAT(fixed.error_message, HasSubstr("'floor': it is fixed in the world"));
  EXPECT_EQ(fixed.result, Code::kFailed);
  move.set_pose = false;
  EXPECT_EQ(call<sim::SetEntityState>("/set_entity_state", move).result.result, Code::kFailed);
  move.state.twist = {};
  EXPECT_EQ(call<sim::SetEntityState>("/set_entity_state", move).result.result, Code::kOk);
  move.set_pose = true;
  move.entity = "bal";
  EXPECT_EQ(call<sim::SetEntityState>("/set_entity_state", move).result.result, Code::kNotFound);
  move.entity = "ball";
  move.state.pose.orientation.w = 0;
  EXPECT_EQ(call<sim::SetEntityState>("/set_entity_state", move).result.result, 101);
  move.state.pose.orientation.w = 1;
  move.state.pose.position.x = -1e12;
  EXPECT_EQ(call<sim::SetEntityState>("/set_entity_state", move).result.result, 101);
  move.state.pose.position.x = 1;
  move.state.twist.angular.z = 1e300;
  EXPECT_EQ(call<sim::SetEntityState>("/set_entity_state", move).result.result, Code::kFailed);
  simulation_->step();
  EXPECT_NEAR(call<sim::GetEntityState>("/get_entity_state", {"ball"}).state.pose.position.x, 3.016,
              1e-6)
      << "it is where it was";
}

float range_ahead(Simulation& simulation) {
  const Device& lidar = *simulation.find_device("rover/lidar");
  return reinterpret_cast<const float*>(lidar.data.data())[4];
}

TEST_F(SimulationControlTest, BringsEntitiesInAndTakesThemOut) {
  simulation_->enable(*simulation_->find_device("rover/lidar"), 0.008);
  for (int i = 0; i < 20; ++i) simulation_->step();
  EXPECT_TRUE(std::isinf(range_ahead(*simulation_)));

  sim::SpawnEntityService::Request spawn;
  spawn.name = "box";
  spawn.entity_resource.resource_string =
      "Solid { boundingObject Box { size 1 1 1 } physics Physics { density 100 } "
      "children [ Shape { geometry Box { size 1 1 1 } } ] }";
  spawn.initial_pose.pose.position = {4, 0, 0.5};
  const auto spawned = call<sim::SpawnEntityService>("/spawn_entity", spawn);
  ASSERT_EQ(spawned.result.result, Code::kOk) << spawned.result.error_message;
  EXPECT_EQ(spawned.entity_name, "box");
  for (int i = 0; i < 20; ++i) simulation_->step();
  // A lidar sees it, and it stands on the floor.
  EXPECT_NEAR(range_ahead(*simulation_), 3.5, 0.02);
  EXPECT_NEAR(call<sim::GetEntityState>("/get_entity_state", {"box"}).state.pose.position.z, 0.5, 0.01);

  EXPECT_EQ(call<sim::SpawnEntityService>("/spawn_entity", spawn).result.result, 101);  // not unique
  spawn.allow_renaming = true;
  spawn.initial_pose.pose.position = {4, 0, 3};
  EXPECT_EQ(call<sim::SpawnEntityService>("/spawn_entity", spawn).entity_name, "box_2");
  for (int i = 0; i < 200; ++i) simulation_->step();
  EXPECT_NEAR(call<sim::GetEntityState>("/get_entity_state", {"box_2"}).state.pose.position.z, 1.5, 0.02);

  EXPECT_EQ(call<sim::DeleteEntity>("/delete_entity", {"box"}).result.result, Code::kOk);
  EXPECT_EQ(call<sim::GetEntityState>("/get_entity_state", {"box"}).result.result, Code::kNotFound);
  for (int i = 0; i < 200; ++i) simulation_->step();
  // What stood on it has fallen, and is seen in its place.
  EXPECT_NEAR(call<sim::GetEntityState>("/get_entity_state", {"box_2"}).state.pose.position.z, 0.5, 0.02);
  EXPECT_NEAR(range_ahead(*simulation_), 3.5, 0.02);
  EXPECT_EQ(call<sim::DeleteEntity>("/delete_entity", {"box_2"}).result.result, Code::kOk);
  for (int i = 0; i < 20; ++i) simulation_->step();
  EXPECT_TRUE(std::isinf(range_ahead(*simulation_)));
  // The floor goes, too, and the ball falls.
  EXPECT_EQ(call<sim::DeleteEntity>("/delete_entity", {"floor"}).result.result, Code::kOk);
  for (int i = 0; i < 200; ++i) simulation_->step();
  EXPECT_LT(call<sim::GetEntityState>("/get_entity_state", {"ball"}).state.pose.position.z, -1);
}

TEST_F(SimulationControlTest, SpawnsProtosOfTheCatalogue) {
  sim::SpawnEntityService::Request spawn;
  spawn.name = "crate 1";
  spawn.entity_resource.uri = "Crate";
  spawn.initial_pose.pose.position = {0, 5, 0.5};
  const auto spawned = call<sim::SpawnEntityService>("/spawn_entity", spawn);
  EXPECT_EQ(spawned.result.result, Code::kOk) << spawned.result.error_message;
  EXPECT_THAT(call<sim::GetEntityInfo>("/get_entity_info", {"crate 1"}).info.description, HasSubstr("Crate"));
}

TEST_F(SimulationControlTest, SaysWhyNothingIsSpawned) {
  const auto refusal = [this](const std::string& text, const std::string& name = "x") {
    sim::SpawnEntityService::Request spawn;
    spawn.name = name;
    spawn.entity_resource.resource_string = text;
    const auto response = call<sim::SpawnEntityService>("/spawn_entity", spawn);
    EXPECT_NE(response.result.result, Code::kOk);
    return response.result.error_message;
  };
  EXPECT_THAT(refusal("Solid { transaltion 1 0 0 }"), HasSubstr("unknown field 'transaltion' in Solid; did you mean 'translation'?"));
  EXPECT_THAT(refusal("Solid { "), HasSubstr("error"));
  EXPECT_THAT(refusal("Solid { } Solid { name \"y\" }"), HasSubstr("one Solid is expected"));
  EXPECT_THAT(refusal("Solid { }", ""), HasSubstr("a name is needed"));
  EXPECT_THAT(refusal(""), HasSubstr("resource_string"));
  // What failed has left nothing, and the world goes on.
  const auto before = simulation_->model().solids.size();
  simulation_->step();
  EXPECT_EQ(simulation_->model().solids.size(), before);
}

TEST_F(SimulationControlTest, RobotsComeAndGo) {
  sim::SpawnEntityService::Request spawn;
  spawn.name = "second";
  spawn.entity_resource.resource_string = "Robot { controller \"<none>\" }";
  EXPECT_EQ(call<sim::SpawnEntityService>("/spawn_entity", spawn).result.result, Code::kOk);
  simulation_->step();
  EXPECT_EQ(call<sim::DeleteEntity>("/delete_entity", {"second"}).result.result, Code::kOk);
  EXPECT_EQ(call<sim::DeleteEntity>("/delete_entity", {"rover"}).result.result, Code::kOk);
  simulation_->step();
  EXPECT_EQ(call<sim::DeleteEntity>("/delete_entity", {"rover"}).result.result, Code::kNotFound);
}

TEST_F(SimulationControlTest, AnswersNoRequestThatIsNone) {
  served_.requests.push_back({"/step_simulation", 77, {0, 1, 0}});
  served_.requests.push_back({"/nothing", 78, {0, 1, 0, 0}});
  call<sim::GetEntities>("/get_entities");
  EXPECT_FALSE(served_.answers.contains(77));
  EXPECT_FALSE(served_.answers.contains(78));
}

}  // namespace
}  // namespace protobeam
