// The table of tags by itself.
#include "mvsim/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace protobeam::mvsim {
namespace {

using testing::UnorderedElementsAre;

TEST(Vocabulary, KnowsTheClassesOfTheDocumentation) {
  EXPECT_THAT(classes_of("sensor"),
              UnorderedElementsAre("laser", "lidar3d", "camera", "rgbd_camera", "imu", "gnss"));
  EXPECT_THAT(classes_of("dynamics"),
              UnorderedElementsAre("differential", "differential_3_wheels", "differential_4_wheels",
                                   "ackermann", "ackermann_drivetrain"));
  EXPECT_THAT(classes_of("friction"), UnorderedElementsAre("default", "wardiagnemma", "ellipse"));
}

TEST(Vocabulary, ContextsHaveWhatTheirBasesHave) {
  const Context* laser = find_context("sensor.laser");
  ASSERT_TRUE(laser);
  EXPECT_TRUE(laser->tags.count("sensor_period"));
  EXPECT_EQ(laser->tags.find("nrays")->second.kind, ValueKind::kInt);
  EXPECT_TRUE(laser->attributes.count("class"));
  EXPECT_EQ(find_context("sensor.sonar"), nullptr);
}

TEST(Vocabulary, EveryContextThatATagNamesExists) {
  std::vector<std::string> open = {"world"};
  std::map<std::string, bool> seen;
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    if (std::exchange(seen[name], true)) continue;
    const Context* context = find_context(name);
    ASSERT_TRUE(context) << name;
    for (const auto& [tag, word] : context->tags) {
      if (word.context.empty()) continue;
      if (!word.by_class) open.push_back(word.context);
      const auto classes = classes_of(word.context);
      EXPECT_EQ(word.by_class, !classes.empty()) << tag;
      for (const auto& one : classes) open.push_back(word.context + "." + one);
    }
  }
  EXPECT_GT(seen.size(), 30u);
}

TEST(Vocabulary, VisualsAndSensorsAddUp) {
  EXPECT_TRUE(repeats("vehicle", "visual"));
  EXPECT_TRUE(repeats("vehicle", "sensor"));
  EXPECT_FALSE(repeats("vehicle", "dynamics"));
  EXPECT_FALSE(repeats("vehicle", "unknown"));
}

}  // namespace
}  // namespace protobeam::mvsim
