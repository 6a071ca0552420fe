// Names, frames, poses and commands of robots.
#include <gmock/gmock.h>

#include <algorithm>

#include "message/visualization_msgs.h"
#include "tests/unit/publish/collected.h"

namespace protobeam {
namespace {

using message::Odometry;
using message::TFMessage;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Key;
using testing::Not;

std::string robot(const std::string& name, const std::string& children,
                  const std::string& more = "") {
  return "Robot { name \"" + name + "\" controller \"<none>\" " + more + " children [ " + children +
         " ] }\n";
}

/// On the ground, with an ideal controller: it has the speed that it is told.
std::string car(const std::string& name, const std::string& controller, const std::string& more = "") {
  return robot(name,
               "DifferentialDrive { controller " + controller + R"( { }
  wheels [ VehicleWheel { position 0 0.3 0.1 diameter 0.2 width 0.05 }
           VehicleWheel { position 0 -0.3 0.1 diameter 0.2 width 0.05 } ] })",
               "boundingObject Pose { translation 0 0 0.3 children [ Box { size 0.6 0.4 0.2 } ] } "
               "physics Physics { density -1 mass 10 } " +
                   more);
}
const std::string kGround =
    "Solid { name \"ground\" boundingObject Plane { size 100 100 } children [ Shape { geometry Plane { size "
    "100 100 } } ] }\n";

std::vector<std::string> names_of(const Collected& collected) {
  std::vector<std::string> out;
  for (const auto& [name, ignored] : collected.topics) out.push_back(name);
  return out;
}

Received command(const std::string& topic, double v, double w) {
  message::Twist twist;
  twist.linear.x = v;
  twist.angular.z = w;
  return {topic, message::to_cdr(twist)};
}

TEST(Publisher, NamesTopicsOfTheOnlyRobotWithoutIt) {
  PublishedWorld world(robot("a", "GPS { name \"front gps\" }"));
  world.run(0.2);
  EXPECT_THAT(names_of(world.finish()),
              ElementsAre("/base_pose_ground_truth", "/clock", "/front_gps", "/robot_description",
                          "/tf", "/tf_static"));
}

TEST(Publisher, SendsTransformsFromTheFirstStepOn) {
  PublishedWorld world(robot("a", "GPS { samplingPeriod 8 }") + "Publishing { stateRate 50 }");
  world.run(0.05);
  const Collected& collected = world.finish();
  std::vector<std::int64_t> times;
  for (const auto& one : collected.topics.at("/tf")) times.push_back(one.time_ns);
  EXPECT_THAT(times, ElementsAre(8'000'000, 24'000'000, 40'000'000));
  EXPECT_EQ(collected.topics.at("/gps").front().time_ns, 8'000'000);
}

TEST(Publisher, HasAMapOfTheWorldWhereItIsAskedFor) {
  const std::string world_text =
      robot("r", "", "physics Physics { } boundingObject Box { size 0.1 0.1 0.1 }") + R"(
    Solid { translation 0.75 -0.25 0.3 children [ Shape { geometry Box { size 0.5 0.5 0.4 } } ] })";
  PublishedWorld world(world_text + "Publishing { mapResolution 0.5 mapHeights 0.2 1 }");
  world.run(0.1);
  const auto& map = world.finish().last<message::OccupancyGrid>("/map");
  EXPECT_EQ(world.collected().all<message::OccupancyGrid>("/map").size(), 1u);
  EXPECT_EQ(map.header.frame_id, "map");
  EXPECT_EQ(map.info.resolution, 0.5F);
  EXPECT_EQ(map.info.width, 5u);
  EXPECT_EQ(map.info.height, 5u);
  EXPECT_EQ(map.info.origin.position.x, -0.5);
  EXPECT_EQ(map.info.origin.position.y, -1.5);
  std::vector<std::int8_t> expected(25, 0);
  expected[2 * 5 + 2] = 100;
  EXPECT_EQ(map.data, expected);
  // Robots that come and go are no reason for another one.
  PublishedWorld changing(world_text + "Publishing { mapResolution 0.5 }");
  changing.run(0.1);
  changing.publisher().restart(changing.simulation());
  changing.run(0.2);
  EXPECT_EQ(changing.finish().all<message::OccupancyGrid>("/map").size(), 1u);
  EXPECT_THAT(
      message_of<std::invalid_argument>([&] {
        PublishedWorld none(world_text + "Publishing { mapResolution 0.5 mapHeights 3 4 }");
      }),
      HasSubstr("field 'mapResolution' of Publishing: there is no map: nothing is seen between"));
  EXPECT_THAT(
      message_of<std::invalid_argument>([&] {
        PublishedWorld wrong(world_text + "Publishing { mapResolution 0.5 mapHeights 4 3 }");
      }),
      HasSubstr("field 'mapHeights' of Publishing: 4 must be less than 3"));
}

TEST(Publisher, PutsTheRobotInFrontWhenThereAreSeveral) {
  PublishedWorld world(robot("a", "GPS { }") + robot("b 2", "GPS { }"));
  world.run(0.1);
  EXPECT_THAT(names_of(world.finish()), IsSupersetOf({"/a/gps", "/b_2/gps", "/a/tf", "/b_2/tf", "/clock"}));
}

TEST(Publisher, PutsTheRobotInFrontAsAsked) {
  PublishedWorld always(robot("a", "GPS { }") + "Publishing { prefix \"always\" }");
  always.run(0.1);
  EXPECT_THAT(names_of(always.finish()), Contains("/a/gps"));
  PublishedWorld never(robot("a", "GPS { }") + robot("b", "GPS { }") + "Publishing { prefix \"never\" }");
  never.run(0.1);
  EXPECT_THAT(names_of(never.finish()), IsSupersetOf({"/gps", "/gps_2"}));
}

TEST(Publisher, PublishesTheRobotsThatAreAskedFor) {
  const std::string two = robot("a", "GPS { }") + robot("b", "GPS { name \"other\" }");
  PublishedWorld world(two + "Publishing { robots \"b\" }");
  world.run(0.1);
  // One is published: it needs no name in front.
  EXPECT_THAT(names_of(world.finish()), ElementsAre("/base_pose_ground_truth", "/clock", "/other",
                                                    "/robot_description", "/tf", "/tf_static"));
  EXPECT_THAT(message_of<std::invalid_argument>(
                  [&] { PublishedWorld wrong(two + "Publishing { robots \"c\" }"); }),
              HasSubstr("there is no robot 'c'; did you mean 'a'?"));
}

TEST(Publisher, DoesWhatATopicAsks) {
  PublishedWorld world(robot("a", R"(GPS { } GPS { name "other" } GPS { name "third" }
    Topic { device "gps" name "vn200/GPS" rate 25 }
    Topic { device "other" enabled FALSE }
    Topic { device "third" name "/whole/name" })"));
  world.run(1);
  const Collected& collected = world.finish();
  EXPECT_EQ(collected.all<message::PointStamped>("/vn200/GPS").size(), 25u);
  EXPECT_EQ(collected.all<message::PointStamped>("/whole/name").size(), 125u);
  EXPECT_THAT(collected.topics, Not(Contains(Key("/other"))));
}

TEST(Publisher, WhatStandsOutsideOfARobotOverridesWhatStandsInIt) {
  PublishedWorld world(robot("a", "GPS { } Topic { device \"gps\" name \"inside\" }") +
                       "Publishing { topics [ Topic { device \"a/gps\" name \"outside\" } ] }");
  world.run(0.1);
  EXPECT_THAT(names_of(world.finish()), Contains("/outside"));
}

TEST(Publisher, KeepsDevicesOfAnyNameUnderTheirRobot) {
  PublishedWorld world(robot("a", "GPS { name \"\" } GPS { name \"/b/c\" }") + robot("d", ""));
  world.run(0.1);
  const auto names = names_of(world.finish());
  EXPECT_THAT(names, Contains("/a/unnamed"));
  EXPECT_THAT(names, Contains("/a/b/c"));
}

TEST(Publisher, RefusesATopicOfNoDeviceWithItsPlace) {
  const auto refusal = [](const std::string& text) {
    return message_of<std::invalid_argument>([&] { PublishedWorld world(text); });
  };
  EXPECT_THAT(refusal(robot("a", "GPS { } Topic { device \"gpss\" }")),
              HasSubstr("test.wbt:3:73: a Topic is of no device 'gpss'; did you mean 'gps'?"));
  EXPECT_THAT(refusal(robot("a", "GPS { } Topic { device \"gps\" message \"scan\" }")),
              HasSubstr("device 'a/gps' has no messages 'scan'; there are point"));
  EXPECT_THAT(refusal(robot("a", "Lidar { } Topic { device \"lidar\" format \"ouzter\" }")),
              HasSubstr("there is no point format 'ouzter'; did you mean 'ouster'?"));
}

TEST(Publisher, HasItsTimesInStepAndRate) {
  PublishedWorld world(robot("a", "GPS { }") + "Publishing { clockRate 25 stateRate 10 }");
  world.run(2);
  const Collected& collected = world.finish();
  const auto clocks = collected.all<message::Clock>("/clock");
  ASSERT_EQ(clocks.size(), 50u);
  EXPECT_EQ(message::nanoseconds(clocks[0]->clock), 40'000'000);
  EXPECT_EQ(message::nanoseconds(clocks.back()->clock), 2'000'000'000);
  EXPECT_EQ(collected.all<Odometry>("/base_pose_ground_truth").size(), 20u);
  EXPECT_EQ(collected.all<TFMessage>("/tf_static").size(), 1u);
  for (const Publication& one : collected.topics.at("/gps")) {
    EXPECT_EQ(one.time_ns, message::nanoseconds(one.message.as<message::PointStamped>()->header.stamp));
  }
}

TEST(Publisher, KnowsWhereDevicesAre) {
  PublishedWorld world(robot("a", "GPS { translation 0.1 0.2 0.3 rotation 0 0 1 1.5707963267948966 }",
                             "translation 5 6 7 rotation 0 0 1 1.5707963267948966"));
  world.run(0.1);
  const Collected& collected = world.finish();
  const auto& fixed = collected.last<TFMessage>("/tf_static").transforms;
  ASSERT_EQ(fixed.size(), 2u);
  EXPECT_EQ(fixed[0].child_frame_id, "base_footprint");
  EXPECT_EQ(fixed[1].header.frame_id, "base_link");
  EXPECT_EQ(fixed[1].child_frame_id, "gps");
  EXPECT_NEAR(fixed[1].transform.translation.x, 0.1, 1e-12);
  EXPECT_NEAR(fixed[1].transform.translation.y, 0.2, 1e-12);
  EXPECT_NEAR(fixed[1].transform.translation.z, 0.3, 1e-12);
  EXPECT_NEAR(fixed[1].transform.rotation.z, std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(fixed[1].transform.rotation.w, std::sqrt(0.5), 1e-12);
  const auto& truth = collected.last<Odometry>("/base_pose_ground_truth");
  EXPECT_NEAR(truth.pose.pose.position.x, 5, 1e-12);
  EXPECT_NEAR(truth.pose.pose.orientation.z, std::sqrt(0.5), 1e-12);
  EXPECT_EQ(truth.header.frame_id, "map");
  EXPECT_EQ(truth.child_frame_id, "base_link");
}

TEST(Publisher, TellsWhereARobotIsAsItsTopicSays) {
  PublishedWorld world(
      robot("a",
            R"(GPS { } Solid { name "mast" translation 0 0 0.5 rotation 0 0 1 1.5707963267948966 }
               Topic { message "base_pose_ground_truth" name "odom" frame "start" rate 10
                       childFrame "mast" } )",
            "translation 5 6 7"));
  world.run(1);
  const Collected& collected = world.finish();
  EXPECT_EQ(collected.all<Odometry>("/base_pose_ground_truth").size(), 0u);
  EXPECT_EQ(collected.all<Odometry>("/odom").size(), 10u);
  const auto& odometry = collected.last<Odometry>("/odom");
  EXPECT_EQ(odometry.header.frame_id, "start");
  EXPECT_EQ(odometry.child_frame_id, "mast");
  EXPECT_NEAR(odometry.pose.pose.position.x, 5, 1e-12);
  EXPECT_NEAR(odometry.pose.pose.position.z, 7.5, 1e-12);
  EXPECT_NEAR(odometry.pose.pose.orientation.z, std::sqrt(0.5), 1e-12);
  // Its frame is that of the transforms.
  const auto& moving = collected.last<TFMessage>("/tf").transforms;
  EXPECT_TRUE(std::ranges::any_of(moving, [](const message::TransformStamped& one) {
    return one.header.frame_id == "start" && one.child_frame_id == "base_link" &&
           std::abs(one.transform.translation.x - 5) < 1e-12;
  }));
}

TEST(Publisher, HasTheMovingFramesOfJointsInTf) {
  PublishedWorld world(robot("a", R"(HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 }
    endPoint Solid { translation 1 0 0 physics Physics { } boundingObject Box { size 0.1 0.1 0.1 }
      children [ GPS { name "arm gps" } ] } })",
                             "physics Physics { } boundingObject Box { size 0.1 0.1 0.1 }"));
  world.run(0.1);
  const Collected& collected = world.finish();
  const auto& moving = collected.last<TFMessage>("/tf").transforms;
  ASSERT_EQ(moving.size(),
            5u);  // map to odom, odom to base_link, base_link to the device, the arm, the footprint
  EXPECT_EQ(moving[2].child_frame_id, "arm_gps");
  EXPECT_NEAR(moving[2].transform.translation.x, 1, 1e-6);
  EXPECT_EQ(moving[3].child_frame_id, "solid");
  EXPECT_EQ(moving[4].child_frame_id, "base_footprint");
  EXPECT_EQ(collected.last<TFMessage>("/tf_static").transforms.size(), 0u);
}

TEST(Publisher, HasEverythingOfAVehicle) {
  PublishedWorld world(kGround + car("car", "TwistIdeal"), "");
  world.run(0.1);
  const Collected& collected = world.finish();
  EXPECT_THAT(names_of(collected),
              IsSupersetOf({"/odom", "/base_pose_ground_truth", "/collision", "/chassis_markers",
                            "/chassis_polygon", "/tf", "/tf_static", "/amcl_pose", "/particlecloud"}));
  EXPECT_THAT(collected.subscribed, ElementsAre("/cmd_vel"));
  const auto& polygon = collected.last<message::Polygon>("/chassis_polygon").points;
  ASSERT_EQ(polygon.size(), 4u);
  double area = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto &a = polygon[i], &b = polygon[(i + 1) % 4];
    EXPECT_NEAR(std::abs(a.x), 0.3, 1e-6);
    EXPECT_NEAR(std::abs(a.y), 0.2, 1e-6);
    area += (double{a.x} * b.y - double{b.x} * a.y) / 2;
  }
  EXPECT_NEAR(area, 0.24, 1e-6);  // counter-clockwise
  const auto& markers = collected.last<message::MarkerArray>("/chassis_markers").markers;
  ASSERT_EQ(markers.size(), 3u);
  EXPECT_EQ(markers[0].points.size(), 5u);
  EXPECT_NEAR(markers[1].pose.position.y, 0.3, 1e-9);
}

TEST(Publisher, DrivesAVehicleByCmdVelUntilItFallsSilent) {
  PublishedWorld world(kGround + car("car", "TwistIdeal"), "");
  for (int i = 0; i < 10; ++i) {
    world.collected().commands.push_back(command("/cmd_vel", 0.5, 0));
    world.run(0.1 * (i + 1));
  }
  world.run(1.85);  // the last came at 0.9 s
  const double before = world.simulation().find_vehicle("car")->X_WV().p.x();
  EXPECT_NEAR(world.simulation().find_vehicle("car")->twist().vx, 0.5, 1e-6);
  EXPECT_NEAR(before, 0.92, 0.02);
  world.run(3);
  EXPECT_NEAR(world.simulation().find_vehicle("car")->twist().vx, 0, 1e-6);
  EXPECT_LT(world.simulation().find_vehicle("car")->X_WV().p.x() - before, 0.1);
  const Collected& collected = world.finish();
  // Wheels of an ideal controller roll as it says; map to odom makes up for what is left.
  const auto& odometry = collected.last<Odometry>("/odom");
  const auto& truth = collected.last<Odometry>("/base_pose_ground_truth");
  EXPECT_NEAR(odometry.pose.pose.position.x, truth.pose.pose.position.x, 0.02);
  EXPECT_EQ(collected.last<message::Bool>("/collision").data, false);
  const auto& transforms = collected.last<TFMessage>("/tf").transforms;
  ASSERT_EQ(transforms.size(), 7u);  // of each wheel what moves up and down, and what spins
  EXPECT_EQ(transforms[0].header.frame_id, "map");
  EXPECT_EQ(transforms[1].child_frame_id, "base_link");
  EXPECT_EQ(transforms[6].child_frame_id, "base_footprint");
  EXPECT_NEAR(transforms[0].transform.translation.x + transforms[1].transform.translation.x,
              truth.pose.pose.position.x, 1e-9);
}

/// One that drives 1 m straight ahead.
Odometry odometry_after_a_metre(const std::string& errors, int seed) {
  std::string text = kGround + car("car", "TwistIdeal");
  const std::string plain = "TwistIdeal { }";
  text.replace(text.find(plain), plain.size(),
               "TwistIdeal { speed 0.5 commandTimeout 0 } " + errors);
  PublishedWorld world(text, "randomSeed " + std::to_string(seed));
  world.run(2);
  return world.finish().last<Odometry>("/odom");
}

TEST(Publisher, LetsTheOdometryOfAVehicleStrayAsItsCovarianceSays) {
  const auto plain = odometry_after_a_metre("", 1);
  EXPECT_NEAR(plain.pose.pose.position.x, 1, 0.01);
  EXPECT_EQ(plain.pose.covariance, (std::array<double, 36>{}));
  const auto longer = odometry_after_a_metre("odometryScale 1.2 1 1", 1);
  EXPECT_NEAR(longer.pose.pose.position.x, 1.2 * plain.pose.pose.position.x, 1e-9);
  EXPECT_NEAR(longer.twist.twist.linear.x, 0.6, 1e-6);

  const double across = 0.02, turn = 0.05, way = plain.pose.pose.position.x;
  const auto along = odometry_after_a_metre("odometryNoise 0.03 0 0", 1).pose.covariance;
  EXPECT_NEAR(along[0], 0.03 * 0.03 * way, 1e-9);
  EXPECT_EQ(along[7], 0);
  const auto covariance = odometry_after_a_metre("odometryNoise 0 0.02 0.05", 1).pose.covariance;
  // The heading strays as a random walk does, and y by its integral.
  const double of_y = across * across * way + turn * turn * way * way * way / 3;
  EXPECT_NEAR(covariance[7], of_y, 0.02 * of_y);
  EXPECT_NEAR(covariance[35], turn * turn * way, 0.001 * turn * turn);
  EXPECT_NEAR(covariance[11], turn * turn * way * way / 2, 0.02 * turn * turn);
  EXPECT_EQ(covariance[31], covariance[11]);

  double sum_y = 0, sum_yaw = 0;
  constexpr int kSeeds = 80;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const auto pose = odometry_after_a_metre("odometryNoise 0 0.02 0.05", seed).pose.pose;
    sum_y += pose.position.y * pose.position.y;
    sum_yaw += 4 * pose.orientation.z * pose.orientation.z;
  }
  // Chi-squared of 80 is within 0.55 and 1.6 times as much but once in ten thousand.
  EXPECT_NEAR(sum_y / kSeeds / of_y, 1.07, 0.53);
  EXPECT_NEAR(sum_yaw / kSeeds / (turn * turn * way), 1.07, 0.53);
}

TEST(Publisher, TakesNoCommandsThatAreNone) {
  PublishedWorld world(kGround + car("car", "TwistIdeal"), "");
  world.collected().commands.push_back({"/cmd_vel", {0, 1, 0, 0, 1, 2}});
  world.collected().commands.push_back({"/other", {}});
  message::Twist infinite;
  infinite.linear.x = std::numeric_limits<double>::infinity();
  world.collected().commands.push_back({"/cmd_vel", message::to_cdr(infinite)});
  world.run(0.2);
  EXPECT_NEAR(world.simulation().find_vehicle("car")->twist().vx, 0, 1e-12);
  world.finish();
}

/// What a supervisor does to the world between two steps.
class ChangedWorld : public PublishedWorld {
 public:
  using PublishedWorld::PublishedWorld;
  void remove(const std::string& robot) {
    for (const RobotInfo& one : simulation().model().robots) {
      if (one.removed || one.name != robot) continue;
      ASSERT_EQ(simulation().remove_solid(one.solid), "");
      publisher().restart(simulation());
      return;
    }
    FAIL() << robot;
  }
  void add(const std::string& text, const std::string& name) {
    Diagnostics diagnostics;
    ASSERT_GE(simulation().add_solid(text, name, {}, diagnostics), 0);
    publisher().restart(simulation());
  }
};

TEST(Publisher, GoesOnWithoutARobotThatIsTakenOut) {
  ChangedWorld world(robot("a", "GPS { }") + robot("b", "Gyro { }") + robot("c", "Compass { }"));
  world.run(0.1);
  world.remove("b");
  world.run(0.2);
  world.remove("c");
  world.run(0.3);
  const Collected& collected = world.finish();
  for (const auto& [name, messages] : collected.topics) {
    if (name == "/clock") continue;
    EXPECT_TRUE(name.starts_with("/a/") || name.starts_with("/b/") || name.starts_with("/c/"))
        << name;
  }
  const auto last = [&](const char* topic) { return collected.topics.at(topic).back().time_ns; };
  EXPECT_GE(last("/a/gps"), 290'000'000);
  EXPECT_LE(last("/b/gyro"), 104'000'000);
  EXPECT_GE(last("/c/compass"), 190'000'000);
  EXPECT_LE(last("/c/compass"), 200'000'000);
}

TEST(Publisher, RecordsOnWhenTimeIsReset) {
  PublishedWorld world(robot("a", "GPS { samplingPeriod 8 }"));
  world.run(0.08);
  world.simulation().reset_soon();
  ASSERT_TRUE(world.simulation().step());
  ASSERT_EQ(world.simulation().time(), 0.008) << "the first step again";
  world.publisher().restart(world.simulation());
  world.run(0.04);
  const Collected& collected = world.finish();
  std::vector<std::int64_t> recorded, stamps;
  for (const auto& one : collected.topics.at("/clock")) {
    recorded.push_back(one.time_ns);
    const auto& clock = one.message.as<message::Clock>()->clock;
    stamps.push_back(clock.sec * std::int64_t{1'000'000'000} + clock.nanosec);
  }
  EXPECT_TRUE(std::is_sorted(recorded.begin(), recorded.end()));
  EXPECT_EQ(recorded.back(), 120'000'000);
  EXPECT_EQ(stamps.back(), 40'000'000) << "stamps are as simulated";
}

TEST(Publisher, KeepsTheNamesOfTheOnlyRobotWhenAnotherOneComes) {
  ChangedWorld world(robot("a", "GPS { }"));
  world.run(0.1);
  world.add(robot("b", "GPS { }"), "b");
  world.run(0.2);
  const Collected& collected = world.finish();
  EXPECT_THAT(collected.topics, Contains(Key("/b/tf")));
  EXPECT_THAT(collected.topics, Not(Contains(Key("/a/tf"))));
  EXPECT_GE(collected.topics.at("/tf").back().time_ns, 190'000'000);
}

TEST(Publisher, KeepsRobotsApartWhoseNamesBecomeOneInRos) {
  ChangedWorld world(robot("x y", "GPS { }") + robot("x_y", "GPS { }") + robot("z", ""));
  world.run(0.1);
  world.remove("x y");
  world.run(0.2);
  const Collected& collected = world.finish();
  for (const char* topic : {"/x_y/tf", "/x_y/gps", "/x_y_2/tf", "/x_y_2/gps"})
    EXPECT_THAT(collected.topics, Contains(Key(topic)));
  EXPECT_LE(collected.topics.at("/x_y/gps").back().time_ns, 104'000'000);
  EXPECT_GE(collected.topics.at("/x_y_2/gps").back().time_ns, 190'000'000);
}

TEST(Publisher, GoesOnWithOdometryAndSamplesWhenRobotsComeAndGo) {
  ChangedWorld world(kGround + car("car", "TwistIdeal") + robot("b", "") +
                         robot("eye", "GPS { }", "translation 0 5 0"),
                     "");
  world.simulation().enable(*world.simulation().find_device("eye/gps"), 0.4);
  world.simulation().find_vehicle("car")->command(Twist{0.5, 0, 0});
  world.run(0.5);
  world.remove("b");
  world.run(0.6);
  const Collected& collected = world.finish();
  EXPECT_NEAR(collected.last<Odometry>("/car/odom").pose.pose.position.x, 0.3, 0.01);
  EXPECT_EQ(collected.topics.at("/eye/gps").size(), 1u);
  std::int64_t before = 0;
  for (const Publication& one : collected.topics.at("/car/odom")) {
    EXPECT_GE(one.time_ns - before, 16'000'000);  // steps of 8 ms, 50 Hz
    before = one.time_ns;
  }
}

TEST(Publisher, GoesOnUnderTheSameNamesAfterARestart) {
  const std::string text = kGround + car("car", "TwistIdeal");
  PublishedWorld world(text, "");
  world.run(0.1);
  WorldText fresh;
  Simulation& again = fresh.load(text, "");
  world.publisher().restart(again);
  world.collected().commands.push_back(command("/cmd_vel", 0.5, 0));
  for (int i = 0; i < 10; ++i) {
    world.publisher().before_step();
    again.step();
    world.publisher().after_step();
  }
  EXPECT_NEAR(again.find_vehicle("car")->twist().vx, 0.5, 1e-6);
  const Collected& collected = world.finish();
  EXPECT_THAT(collected.subscribed, ElementsAre("/cmd_vel"));
  EXPECT_THAT(collected.topics, Not(Contains(Key("/odom_2"))));
  EXPECT_EQ(collected.all<TFMessage>("/tf_static").size(), 2u);
  EXPECT_LT(message::nanoseconds(collected.last<message::Clock>("/clock").clock), 100'000'000);
}

/// What the first world says is of no other one.
TEST(Publisher, FollowsTheSettingsOfTheWorldThatIsLoaded) {
  const std::string gps = robot("a", "GPS { samplingPeriod 8 }");
  const auto publishing = [](const char* name) {
    return fmt::format(
        "Publishing {{ clockRate 0 topics Topic {{ device \"a/gps\" name \"{}\" }} }}", name);
  };
  WorldText first, second, wrong;
  Collected collected;
  std::vector<OutputChoice> outputs;
  outputs.push_back(
      {std::make_unique<CollectingSink>(collected), [](const std::string&) { return true; }});
  Simulation& before = first.load(gps + publishing("first"));
  std::vector<std::string> notes;
  PublisherHelp help;
  help.note = [&](const std::string& text) { notes.push_back(text); };
  help.settings = [](const WorldModel& model) { return model.publishing; };
  Publisher publisher(before, before.model().publishing, std::move(outputs), help);
  Simulation& bad = wrong.load(gps + "Publishing { topics Topic { device \"a/pgs\" } }");
  EXPECT_THAT(publisher.problem_with(bad), HasSubstr("did you mean 'a/gps'?"));
  Simulation& after =
      second.load(gps + "Publishing { topics Topic { device \"a/gps\" name \"second\" } }");
  EXPECT_EQ(publisher.problem_with(after), "");
  publisher.restart(after);
  for (int i = 0; i < 5; ++i) {
    publisher.before_step();
    after.step();
    publisher.after_step();
  }
  publisher.finish();
  EXPECT_THAT(names_of(collected), IsSupersetOf({"/clock", "/second"}));
  EXPECT_TRUE(collected.topics["/first"].empty());
  EXPECT_THAT(notes, IsEmpty());
}

TEST(Publisher, HasLogTopicsWhenAsked) {
  PublishedWorld world(kGround + car("car", "TwistIdeal") + "Publishing { logTopics TRUE }", "");
  world.collected().commands.push_back(command("/cmd_vel", 0.5, 0.1));
  world.run(0.5);
  const Collected& collected = world.finish();
  EXPECT_NEAR(collected.last<message::Float64>("/log/pose/dqx").data, 0.5, 1e-6);
  EXPECT_NEAR(collected.last<message::Float64>("/log/pose/Timestamp").data, 0.504, 1e-9);
  // (v -+ w d/2) / r of the left and the right wheel
  EXPECT_NEAR(collected.last<message::Float64>("/log/wheel_1/wheel_spin").data, 4.7, 1e-6);
  EXPECT_NEAR(collected.last<message::Float64>("/log/wheel_2/wheel_spin").data, 5.3, 1e-6);
}

TEST(Publisher, ChangesNothingInTheSimulation) {
  const std::string text = kGround + car("car", "TwistPid") + robot("b", "GPS { accuracy 1 } Lidar { noise 0.1 }");
  PublishedWorld with(text, "");
  with.run(0.5);
  with.finish();
  WorldText plain;
  Simulation& without = plain.load(text, "");
  for (const std::string& path : without.device_paths()) {
    Device& device = *without.find_device(path);
    if (device.model->type().has_sample()) without.enable(device, 0.008);
  }
  while (without.time() < 0.5 - 1e-9) without.step();
  EXPECT_EQ(with.simulation().state_hash(), without.state_hash());
}

}  // namespace
}  // namespace protobeam
