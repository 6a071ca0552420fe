#include "sweep/description.h"

#include <gmock/gmock.h>

#include "tests/support/temporary_folder.h"

namespace protobeam::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string problems(const std::string& text) {
  TemporaryFolder folder;
  folder.write("yard.wbt", "");
  const auto file = folder.write("some.yaml", text);
  Diagnostics diagnostics;
  const auto description = read_description(file, diagnostics);
  EXPECT_EQ(description.has_value(), !diagnostics.has_errors());
  std::string out = diagnostics.to_string();
  for (std::size_t at; (at = out.find(folder.path().string() + "/")) != std::string::npos;) {
    out.erase(at, folder.path().string().size() + 1);
  }
  return out;
}

Description good(const std::string& text) {
  TemporaryFolder folder;
  folder.write("yard.wbt", "");
  Diagnostics diagnostics;
  auto description =
      read_description(folder.write("some.yaml", "world: yard.wbt\n" + text), diagnostics);
  EXPECT_EQ(diagnostics.to_string(), "");
  return description.value_or(Description{});
}

TEST(SweepDescription, HasWhatTheFileSays) {
  const Description sweep = good(R"(duration: 2.5
parameters:
  seed: {seed: true, from: 1, to: 3}
  speed: {robot: my rover, argument: --speed, from: 0.4, to: 1.3, count: 4}
  mass: {field: crate 1.mass, values: [1, 20.5, 1e2]}
  gravity: {environment: GRAVITY, values: [[0, 0, 1], "x y"]}
metrics:
  distance:
  near: {controller: nearest, robot: my rover, optional: true}
  factor: {summary: /real_time_factor}
  ate: {trajectory_error: {estimate: slam.tum, truth: poses/a.tum, align: scaled, time_difference: 0.1}}
options: [--ray-engine, bullet]
controller_results: [1, 7]
retries: 0
)");
  ASSERT_EQ(sweep.parameters.size(), 4u);
  EXPECT_EQ(sweep.duration, 2.5);
  EXPECT_THAT(sweep.parameters[0].values, ElementsAre("1", "2", "3"));
  // Not 0.7000000000000001.
  EXPECT_THAT(sweep.parameters[1].values, ElementsAre("0.4", "0.7", "1", "1.3"));
  EXPECT_EQ(sweep.parameters[1].path, "my rover");
  EXPECT_EQ(sweep.parameters[1].option, "--speed");
  EXPECT_THAT(sweep.parameters[2].values, ElementsAre("1", "20.5", "1e2"));
  EXPECT_THAT(sweep.parameters[3].values, ElementsAre("0 0 1", "x y"));
  ASSERT_EQ(sweep.metrics.size(), 4u);
  EXPECT_EQ(sweep.metrics[0].source, "distance");
  EXPECT_EQ(sweep.metrics[1].source, "nearest");
  EXPECT_TRUE(sweep.metrics[1].optional);
  EXPECT_EQ(sweep.metrics[2].kind, Metric::Kind::kSummary);
  EXPECT_EQ(sweep.metrics[3].alignment, Metric::Alignment::kScaled);
  EXPECT_EQ(sweep.metrics[3].time_difference, 0.1);
  EXPECT_TRUE(sweep.needs_folder());
  EXPECT_EQ(sweep.retries, 0);
  EXPECT_THAT(sweep.results, ElementsAre(1, 7));
}

TEST(SweepDescription, SaysWhatIsWrongAndWhere) {
  const auto parameter = [](const std::string& text) {
    return problems("world: yard.wbt\nparameters:\n  a: " + text + "\n");
  };
  struct Case {
    std::string told, expected;
  };
  for (const Case& one : {
           Case{problems("world: yrd.wbt"), "some.yaml:1:8: error: there is no file"},
           Case{problems("duration: 3"), "some.yaml:1:1: error: a sweep needs its world"},
           Case{problems("[1, 2]"), "error: a sweep is a list of names"},
           Case{problems("world: ["), "some.yaml:"},
           Case{problems("wrold: yard.wbt"), "did you mean 'world'?"},
           Case{problems("world: yard.wbt\nduration: -1"),
                "some.yaml:2:11: error: 'duration' must be"},
           Case{problems("world: yard.wbt\nretries: 1.5"), "whole number from 0 to 1000"},
           Case{parameter("{field: A.b, from: 3, to: 1}"),
                "some.yaml:3:25: error: the range of 'a' is reversed: from 3 to 1"},
           Case{parameter("{seed: true, from: 20, to: 1}"), "the range of 'a' is reversed"},
           Case{parameter("{seed: true, values: [-1]}"), "a seed is a whole number"},
           Case{parameter("{seed: true, values: [1, 1]}"), "'1' is there twice"},
           Case{parameter("{seed: true, normal: [0, 1]}"), "a seed is a whole number"},
           Case{parameter("{field: A.b, from: 0, to: .inf}"), "'to' must be a finite number"},
           Case{parameter("{field: A.b, from: 0, to: 1e30}"), "more than 1000000 values"},
           Case{parameter("{field: A.b, from: 0, to: 1, step: 0}"),
                "'step' must be greater than 0"},
           Case{parameter("{field: A.b, from: 0, to: 1, step: 1, count: 2}"), "say the same twice"},
           Case{parameter("{field: A.b, values: []}"), "has no values"},
           Case{parameter("{field: A.b, values: [1], uniform: [0, 1]}"), "one says all"},
           Case{parameter("{field: A.b, uniform: [0, 1]}"), "how many samples?"},
           Case{parameter("{field: A.b, uniform: [1, 1]}"), "reversed"},
           Case{parameter("{field: A.b, log_uniform: [0, 1]}"), "must be > 0"},
           Case{parameter("{field: A.b, uniform: [-1.0e+308, 1.0e+308]}"),
                "some.yaml:3:28: error: the range of 'a' is too wide: -1e+308 to 1e+308"},
           Case{parameter("{field: A.b, log_uniform: [1.0e-308, 1.0e+308]}"), "is too wide"},
           Case{parameter("{field: A.b, from: -1.0e+308, to: 1.0e+308, count: 3}"), "is too wide"},
           Case{parameter("{field: A.b, normal: [0, 1.0e+308]}"), "may be as large as inf"},
           Case{parameter("{field: A.b, uniform: [0, 1.0e+300], whole: true}"),
                "values of 'a' may be as large as 1e+300; whole numbers go to 2^53"},
           Case{parameter("{field: A.b, normal: [0, 1.0e+16], whole: true}"), "go to 2^53"},
           Case{parameter("{seed: true, uniform: [0, 1.0e+30]}"), "go to 2^53"},
           Case{parameter("{field: A.b, uniform: [0.2, 0.7], whole: true}"),
                "there is no whole number from 0.2 to 0.7"},
           Case{parameter("{field: A.b}"), "parameter 'a' has no values"},
           Case{parameter("{field: Ab, values: [1]}"), "'Ab' names no field"},
           Case{parameter("{fild: A.b, values: [1]}"), "did you mean 'field'?"},
           Case{parameter("{values: [1]}"), "parameter 'a' sets nothing"},
           Case{parameter("{field: A.b, seed: true, values: [1]}"), "sets several things"},
           Case{parameter("{argument: --x, values: [1]}"), "an argument of which robot?"},
           Case{parameter("{environment: 'A=B', values: [1]}"), "is no name of a variable"},
           Case{parameter("3"), "needs what it sets"},
           Case{problems("world: yard.wbt\nparameters: {State: {seed: true, values: [1]}}"),
                "'State' is a column of every manifest"},
           Case{problems("world: yard.wbt\nparameters: {a b: {seed: true, values: [1]}}"),
                "'a b' is no name"},
           Case{problems("world: yard.wbt\nmetrics: {a: {summary: x}}"), "'x' is no JSON pointer"},
           Case{
               problems(
                   "world: yard.wbt\nmetrics: {a: {trajectory_error: {estimate: ../x, truth: y}}}"),
               "is not in the run's folder"},
           Case{problems("world: yard.wbt\nmetrics: {a: {controller: x, summary: /y}}"),
                "several sources"},
           Case{problems("world: yard.wbt\nlist: [{a: 1}]"), "this entry has no 'a'"},
           Case{problems("world: yard.wbt\nsamples: {count: 3}"), "no parameter is random"},
           Case{problems("world: yard.wbt\nparameters: {a: {field: A.b, uniform: [0, "
                         "1]}}\nsamples: {count: 3, method: latin_cube}"),
                "there is no method 'latin_cube'"},
       }) {
    EXPECT_THAT(one.told, HasSubstr(one.expected));
  }
}

}  // namespace
}  // namespace protobeam::sweep
