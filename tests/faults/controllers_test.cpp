// Controllers that are a nuisance: it stays theirs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/faults/world.h"

namespace protobeam::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Outcome run_with(const std::string& victim, const std::string& duration = "2") {
  const TemporaryFolder folder;
  return protobeam({"run", world_with(folder, victim).string(), "--duration", duration, "--json",
                    "--controller-timeout", "2"});
}

void expect_witness_is_complete(const Outcome& outcome) {
  EXPECT_NEAR(json::parse(outcome.out)["sim_time_s"].get<double>(), 2.016, 1e-9);
  EXPECT_THAT(outcome.err, HasSubstr("[witness] samples 63"));
}

TEST(Nuisance, StepsOfNoTimeDoNotRenewTheLimit) {
  const Outcome outcome = run_with(nuisance("steps of no time"));
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err, HasSubstr("robot 'victim' did not step for 2 s"));
  expect_witness_is_complete(outcome);
}

TEST(Nuisance, TheLongestStepLastsToTheEnd) {
  const Outcome outcome = run_with(nuisance("longest step"));
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("[victim] returned -1"));
  expect_witness_is_complete(outcome);
}

TEST(Nuisance, WithoutItsConnectionAControllerHasFailed) {
  const Outcome outcome = run_with(nuisance("closes its connection"));
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err,
              HasSubstr("robot 'victim' closed its connection to the simulator and went on"));
  expect_witness_is_complete(outcome);
}

TEST(Nuisance, AVelocityBeyondAllNumbersIsRefusedAndATargetIsNot) {
  const Outcome outcome = run_with(nuisance("far target") + R"(
  children [ HingeJoint {
    jointParameters HingeJointParameters { }
    device [ RotationalMotor { name "motor" } ]
    endPoint Solid { boundingObject Box { size 1 1 1 } physics Physics { } }
  } ])");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("called with an invalid 'velocity' (1e+308)"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("invalid 'position'")));
  expect_witness_is_complete(outcome);
}

TEST(ManyRobots, StartBeyondTheUsualLimitOfDescriptors) {
  const TemporaryFolder folder;
  world_with(folder, "");
  std::string world = "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 32 }\n";
  for (int i = 0; i < 60; ++i) {
    world += "Robot { name \"r" + std::to_string(i) + "\" translation 3 " + std::to_string(i) +
             " 0 controller \"counter\" children [ GPS { } ] }\n";
  }
  // 60 controllers take 300 descriptors here; they themselves get the 128 back.
  const std::string file = folder.write("worlds/many.wbt", world).string();
  const Outcome outcome =
      execute({"bash", "-c", "ulimit -S -n 128; exec '" + build_dir() + "/bin/protobeam' run " +
                                 file + " --duration 2 --json"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  const json summary = json::parse(outcome.out);
  for (const auto& device : summary["devices"]) EXPECT_EQ(device["frames"], 63);
}

TEST(Nuisance, WhatAControllerHasStartedEndsWithIt) {
  const std::string word = "left-behind-" + std::to_string(getpid());
  const Outcome outcome = run_with(nuisance("leaves processes", word));
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  expect_witness_is_complete(outcome);
  EXPECT_EQ(processes_with(word), 0);
}

}  // namespace
}  // namespace protobeam::test
