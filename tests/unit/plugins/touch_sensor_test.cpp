#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

std::vector<double> measured_force(std::map<std::string, std::string> fields,
                                   std::optional<Vec3> mount_force_S) {
  SampleInput in;
  in.mount_force_S = mount_force_S;
  return sample_values(*make_sensor("TouchSensor", std::move(fields)), in);
}

TEST(TouchSensor, BumperIsOneAfterATouchSinceTheLastSample) {
  auto bumper = make_sensor("TouchSensor");
  EXPECT_THAT(sample_values(*bumper, {}), ElementsAre(0, 0, 0));
  bumper->body_contact({1, 1, true});
  EXPECT_THAT(sample_values(*bumper, {}), ElementsAre(1, 0, 0));
  EXPECT_THAT(sample_values(*bumper, {}), ElementsAre(0, 0, 0));
  bumper->body_contact({1, 1, false});  // another part of its body
  EXPECT_THAT(sample_values(*bumper, {}), ElementsAre(0, 0, 0));
}

TEST(TouchSensor, ForceIsThePushAgainstItsFace) {
  const Vec3 push(-7, 3, 2);
  EXPECT_THAT(measured_force({{"type", "\"force\""}}, push), ElementsAre(70, 0, 0));
  EXPECT_THAT(measured_force({{"type", "\"force\""}, {"lookupTable", "[ ]"}}, push),
              ElementsAre(7, 0, 0));
  EXPECT_THAT(measured_force({{"type", "\"force\""}}, Vec3(5, 0, 0)), ElementsAre(0, 0, 0));
  EXPECT_THAT(measured_force({{"type", "\"force\""}, {"resolution", "40"}}, push),
              ElementsAre(80, 0, 0));
}

TEST(TouchSensor, EachComponentOfAVectorGoesThroughTheTable) {
  const Vec3 force(-7, 3, 2);
  EXPECT_THAT(measured_force({{"type", "\"force-3d\""}}, force),
              ElementsAre(0, DoubleEq(30), DoubleEq(20)));
  EXPECT_THAT(
      measured_force({{"type", "\"force-3d\""}, {"lookupTable", "[ -10 -1 0, 10 1 0 ]"}}, force),
      ElementsAre(DoubleEq(-0.7), DoubleEq(0.3), DoubleEq(0.2)));
  EXPECT_THAT(measured_force(
                  {{"type", "\"force-3d\""}, {"lookupTable", "[ ]"}, {"resolution", "5"}}, force),
              ElementsAre(-5, 5, 0));
}

TEST(TouchSensor, WithoutAMountReadsTheTableAtZero) {
  const std::string table = "[ 0 3 0, 10 13 0 ]";
  EXPECT_THAT(
      measured_force({{"type", "\"force\""}, {"lookupTable", table}, {"resolution", "2"}}, {}),
      ElementsAre(3, 0, 0));
  EXPECT_THAT(measured_force({{"type", "\"force-3d\""}, {"lookupTable", table}}, {}),
              ElementsAre(3, 3, 3));
}

TEST(TouchSensor, TellsTheControllerItsTable) {
  const Properties properties = make_sensor("TouchSensor")->properties();
  EXPECT_EQ(std::get<std::vector<double>>(properties.at("lookupTable")),
            (std::vector<double>{0, 0, 0, 5000, 50000, 0}));
  EXPECT_EQ(std::get<std::string>(properties.at("type")), "bumper");
}

}  // namespace
}  // namespace protobeam
