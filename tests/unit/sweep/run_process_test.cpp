#include "sweep/run_process.h"

#include <gmock/gmock.h>

#include "tests/support/temporary_folder.h"

namespace protobeam::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Description sweep_of(const std::string& text) {
  Diagnostics diagnostics;
  auto out = read_description_text("some.yaml", "world: a.wbt\n" + text, "/w", diagnostics);
  EXPECT_EQ(diagnostics.to_string(), "");
  return out.value_or(Description{});
}

TEST(SweepRun, IsStartedWithItsValues) {
  const Description sweep = sweep_of(R"(
parameters:
  v: {robot: my rover, argument: --speed, values: [1]}
  seed: {seed: true, values: [7]}
  w: {robot: my rover, argument: "", values: ['a "b"']}
  m: {field: crate 1.mass, values: [2]}
  e: {environment: MODE, values: [x y]}
)");
  const RunCommand command =
      run_command(sweep, {"1", "7", "a \"b\"", "2", "x y"}, "protobeam", 3, {});
  EXPECT_THAT(command.argv,
              ElementsAre("protobeam", "run", "/w/a.wbt", "--json", "--duration", "10", "--threads",
                          "1", "--seed", "7", "--set", "crate 1.mass=2", "--set",
                          "my rover.controllerArgs=\"--speed\" \"1\" \"a \\\"b\\\"\""));
  EXPECT_EQ(command.environment.at("MODE"), "x y");
  EXPECT_EQ(command.environment.at("PROTOBEAM_SWEEP_RUN"), "3");
  EXPECT_THAT(shell_text(command), HasSubstr("'MODE=x y' protobeam run /w/a.wbt"));
}

const char* const kSummary = R"({"state_hash": "00aa", "real_time_factor": 3.5,
  "controllers": [{"robot": "r", "name": "c", "exit": 1, "failed": true, "what": "exited with status 1"}],
  "metrics": [{"robot": "r", "name": "distance", "value": 10.5}, {"robot": "r", "name": "bad", "value": "nan"},
              {"robot": "a", "name": "both", "value": 1}, {"robot": "b", "name": "both", "value": 2}]})";

Outcome outcome(const std::string& more, int exit = 0, const std::string& summary = kSummary,
                const std::string& err = "") {
  static Description sweep;
  sweep = sweep_of(more);
  return outcome_of(sweep, exit, summary, err, "/nowhere");
}

TEST(SweepRun, GivesItsMetrics) {
  const Outcome good = outcome(
      "metrics: {distance: , f: {summary: /real_time_factor}, b: {controller: both, robot: b}, "
      "n: {controller: none, optional: true}}");
  EXPECT_TRUE(good.done) << good.message;
  EXPECT_EQ(good.state_hash, "00aa");
  EXPECT_THAT(good.metrics, ElementsAre(10.5, 3.5, 2.0, std::nullopt));
}

TEST(SweepRun, FailsWithoutWhatItShouldGive) {
  struct Case {
    std::string metrics, told;
  };
  for (const Case& one :
       {Case{"{distanc: }",
             "metric 'distanc' no controller gave 'distanc'; did you mean 'distance'?"},
        Case{"{bad: }", "metric 'bad' is \"nan\""},
        Case{"{both: }", "metric 'both' was given by several robots"},
        Case{"{x: {summary: /x/y}}", "metric 'x' there is no /x/y"},
        Case{"{x: {trajectory_error: {estimate: a, truth: b}}}", "cannot read /nowhere/a"}}) {
    const Outcome bad = outcome("metrics: " + one.metrics);
    EXPECT_FALSE(bad.done);
    EXPECT_TRUE(bad.usable);
    EXPECT_THAT(bad.message, HasSubstr(one.told));
  }
}

TEST(SweepRun, KnowsWhichStatusIsAResult) {
  EXPECT_THAT(outcome("", 3).message, HasSubstr("controller 'c' of r exited with status 1"));
  EXPECT_TRUE(outcome("controller_results: [1]", 3).done);
  EXPECT_FALSE(outcome("controller_results: [2]", 3).done);
  std::string killed = kSummary;
  killed.replace(killed.find("exited with status 1"), 20, "was killed by signal");
  EXPECT_FALSE(outcome("controller_results: [1]", 3, killed).done);
}

TEST(SweepRun, HasTheLastWordsOfAControllerThatFailed) {
  const std::string err =
      "[r] Traceback\n[r] ValueError: too fast\n[r]   \n[other] bye\nprotobeam: error: it failed\n";
  EXPECT_EQ(outcome("", 3, kSummary, err).message,
            "controller 'c' of r exited with status 1: ValueError: too fast");
  EXPECT_EQ(outcome("", 3, kSummary, "[other] bye\n").message,
            "controller 'c' of r exited with status 1");
}

TEST(SweepRun, SaysWhyThereIsNoSummary) {
  const Outcome world =
      outcome("", 1, R"({"errors": 1})", "note\na.wbt:3:1: error: no node\n  text\n");
  EXPECT_FALSE(world.usable);
  EXPECT_EQ(world.message, "a.wbt:3:1: error: no node");
  const Outcome killed = outcome("", 137, "{\"state_", "");
  EXPECT_TRUE(killed.usable);
  EXPECT_THAT(killed.message, HasSubstr("was killed by signal 9"));
  EXPECT_THAT(outcome("", 1, "", "").message, HasSubstr("exited with status 1"));
}

}  // namespace
}  // namespace protobeam::sweep
