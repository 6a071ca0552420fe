#include <gtest/gtest.h>

#include "output/publish_settings.h"
#include "publish/rate.h"
#include "publish/topic_names.h"

namespace protobeam {
namespace {

TEST(TopicNames, AreThoseThatRosTakes) {
  EXPECT_EQ(ros_name("Velodyne VLP-16"), "Velodyne_VLP_16");
  EXPECT_EQ(ros_name("/camera/image_raw/"), "camera/image_raw");
  EXPECT_EQ(ros_name("2nd//3rd"), "n2nd/n3rd");
  EXPECT_EQ(ros_name("caf\xc3\xa9"), "caf__");
  EXPECT_EQ(ros_name("~x"), "_x");
  EXPECT_EQ(ros_name(""), "unnamed");
  EXPECT_EQ(ros_name("///"), "unnamed");
}

TEST(TopicNames, AreAllDifferent) {
  TopicNames names;
  EXPECT_EQ(names.add("a b"), "/a_b");
  EXPECT_EQ(names.add("a_b"), "/a_b_2");
  EXPECT_EQ(names.add("/a-b"), "/a_b_3");
  EXPECT_EQ(names.add("a_b_2"), "/a_b_2_2");
}

TEST(TopicFilter, HasStarsForAnyText) {
  EXPECT_TRUE(matches("/odom", "/odom"));
  EXPECT_TRUE(matches("odom", "/odom"));
  EXPECT_FALSE(matches("odom", "/car/odom"));
  EXPECT_TRUE(matches("*", "/car/odom"));
  EXPECT_TRUE(matches("/car/*", "/car/odom"));
  EXPECT_TRUE(matches("*/image_raw", "/d435i/infra1/image_raw"));
  EXPECT_FALSE(matches("*/image_raw", "/d435i/infra1/image_raw2"));
  EXPECT_TRUE(matches("/a*b*c", "/a1b2b3c"));
  EXPECT_FALSE(matches("/a*b*c", "/a1c2b"));
  EXPECT_FALSE(matches("", "/odom"));
}

TEST(Rate, GivesAsManyAsItSays) {
  const auto count = [](double hz, double step, int steps) {
    Rate rate(hz);
    int due = 0;
    for (int i = 1; i <= steps; ++i) due += rate.due(i * step) ? 1 : 0;
    return due;
  };
  EXPECT_EQ(count(50, 0.008, 1250), 500);
  EXPECT_EQ(count(30, 1 / 1200.0, 12000), 300);
  EXPECT_EQ(count(250, 0.01, 1000), 1000);  // no more than steps
  EXPECT_EQ(count(0, 0.01, 10), 10);
}

}  // namespace
}  // namespace protobeam
