#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

std::vector<double> touched(std::map<std::string, std::string> fields,
                            const std::vector<TouchContact>& contacts) {
  auto sensor = make_sensor("TouchSensor", std::move(fields));
  SampleInput in;
  in.contacts = contacts;
  return sample_values(*sensor, in);
}

const std::vector<TouchContact> kTwoPushes = {{Vec3(0.1, 0, 0), Vec3(-3, 1, 0)},
                                              {Vec3(0.1, 0, 0), Vec3(-4, -1, 2)}};

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
  EXPECT_THAT(touched({{"type", "\"force\""}}, kTwoPushes), ElementsAre(70, 0, 0));
  EXPECT_THAT(touched({{"type", "\"force\""}, {"lookupTable", "[ ]"}}, kTwoPushes),
              ElementsAre(7, 0, 0));
  EXPECT_THAT(touched({{"type", "\"force\""}}, {{Vec3::Zero(), Vec3(5, 0, 0)}}),
              ElementsAre(0, 0, 0));
  EXPECT_THAT(touched({{"type", "\"force\""}, {"resolution", "40"}}, kTwoPushes),
              ElementsAre(80, 0, 0));
}

TEST(TouchSensor, ForceVectorKeepsItsDirectionThroughTheTable) {
  EXPECT_THAT(touched({{"type", "\"force-3d\""}}, kTwoPushes),
              ElementsAre(DoubleEq(-70), DoubleEq(0), DoubleEq(20)));
  EXPECT_THAT(touched({{"type", "\"force-3d\""}}, {}), ElementsAre(0, 0, 0));
}

TEST(TouchSensor, TellsTheControllerItsTable) {
  const Properties properties = make_sensor("TouchSensor")->properties();
  EXPECT_EQ(std::get<std::vector<double>>(properties.at("lookupTable")),
            (std::vector<double>{0, 0, 0, 5000, 50000, 0}));
  EXPECT_EQ(std::get<std::string>(properties.at("type")), "bumper");
}

}  // namespace
}  // namespace protobeam
