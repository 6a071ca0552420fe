// What pulls, brakes and carries, against closed forms.
#include <gmock/gmock.h>

#include "tests/unit/sdf/world_text.h"

namespace protobeam::sdf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kDown = 9.81;

std::string tilted_world(const std::string& gravity, const std::string& text) {
  return "<sdf version=\"1.9\"><world name=\"w\"><gravity>" + gravity + "</gravity>\n" + text +
         "<physics><max_step_size>0.005</max_step_size></physics></world></sdf>\n";
}

std::string floor_plane() {
  return model("floor",
               "<static>1</static><link name=\"l\"><collision name=\"c\"><geometry><plane>"
               "<size>50 50</size></plane></geometry></collision></link>");
}

TEST_F(WorldTest, GravityPullsWhereItPoints) {
  const std::string body = model("b", "<pose>0 0 50 0 0 0</pose>" + heavy("b", 2, "0 0 0 0 0 0"));
  for (const Vec3& g : {Vec3(-2, 1, -9), Vec3(0, 0, 3), Vec3(0, 4, 0)}) {
    load(tilted_world(fmt::format("{} {} {}", g.x(), g.y(), g.z()), body));
    run(1);
    EXPECT_LT((pose("b").p - Vec3(0, 0, 50) - g / 2).norm(), 0.01 * g.norm()) << g.transpose();
    EXPECT_EQ(diagnostics_.to_string(), "");
  }
  load(tilted_world("0 0 0", body));
  run(1);
  EXPECT_NEAR(pose("b").p.z(), 50, 1e-9);
}

// ODE takes that share of the velocity away in each step, here 200 times a second.
TEST_F(WorldTest, WhatDecaysSlowsDown) {
  const auto body = [](const std::string& link) {
    return tilted_world("2 0 0", model("b", heavy("b", 2, "0 0 0 0 0 0", link)));
  };
  load(body("<velocity_decay><linear>0.01</linear><angular>0.02</angular></velocity_decay>"));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(1);
  // In each step v becomes 0.99 (v + 2 * 0.005).
  double v = 0, x = 0;
  for (int i = 0; i < 200; ++i) v = 0.99 * (v + 0.01), x += 0.005 * v;
  EXPECT_NEAR(pose("b").p.x(), x, 0.01 * x);
  const auto document =
      *read(body("<velocity_decay><linear>0.01</linear><angular>0.02</angular></velocity_decay>"));
  EXPECT_THAT(numbers(node(document, "Damping"), "angular"),
              ElementsAre(testing::DoubleNear(1 - std::pow(0.98, 200), 1e-9)));
  EXPECT_FALSE(find(read(body("<velocity_decay/>"))->nodes.back(), "Damping"));
}

// ODEPhysics.cc makes no contacts of it.
TEST_F(WorldTest, OthersPassThroughWhatCollidesWithoutContact) {
  const auto fallen = [&](const std::string& flag) {
    load(world(
        floor_plane() +
        model("b",
              "<pose>0 0 0.5 0 0 0</pose>" +
                  heavy("b", 2, "0 0 0 0 0 0",
                        "<collision name=\"c\"><geometry><box><size>1 1 1</size></box>"
                        "</geometry><surface><contact><collide_without_contact>" +
                            flag + "</collide_without_contact></contact></surface></collision>"))));
    EXPECT_EQ(diagnostics_.to_string(), "");
    run(0.5);
    return pose("b").p.z();
  };
  EXPECT_NEAR(fallen("false"), 0.5, 0.01);
  EXPECT_NEAR(fallen("true"), 0.5 - 9.81 / 2 * 0.25, 0.02);
}

// gz-physics sets DART's rest position of the spring (dartsim/src/SDFFeatures.cc).
TEST_F(WorldTest, ASpringIsAtRestAtItsReference) {
  const auto slide = [](const std::string& parent, const std::string& child) {
    return world(model(
        "m", "<pose>0 0 3 0 0 0</pose>" + heavy("a", 1, "0 0 0 0 0 0") +
                 heavy("b", 1, "0 0 0 0 0 0") +
                 hinge("hold", "world", "b", "", "0 0 0 0 0 0", "fixed") +
                 hinge("j", parent, child,
                       "<xyz>1 0 0</xyz><dynamics><spring_stiffness>50</spring_stiffness>"
                       "<spring_reference>0.2</spring_reference><damping>10</damping></dynamics>",
                       "0 0 0 0 0 0", "prismatic")));
  };
  load(slide("b", "a"));
  run(6);
  EXPECT_NEAR(pose("a").p.x(), 0.2, 1e-4);
  EXPECT_EQ(diagnostics_.to_string(), "");
  load(slide("a", "b"));  // b is 0.2 m ahead of it
  run(6);
  EXPECT_NEAR(pose("a").p.x(), -0.2, 1e-4);
}

// b is from -0.1 to 0.5 m ahead of a, whichever of them stands.
TEST_F(WorldTest, AJointThatIsTakenFromItsChildToItsParentKeepsItsLimits) {
  const auto place = [&](const std::string& parent, const std::string& child,
                         const std::string& gravity) {
    load(tilted_world(gravity,
                      model("m", heavy("a", 1, "0 0 0 0 0 0") + heavy("b", 1, "0 0 0 0 0 0") +
                                     hinge("hold", "world", "b", "", "0 0 0 0 0 0", "fixed") +
                                     hinge("j", parent, child,
                                           "<xyz>1 0 0</xyz><limit><lower>-0.1</lower><upper>0.5"
                                           "</upper></limit>",
                                           "0 0 0 0 0 0", "prismatic"))));
    run(2);
    return pose("a").p.x();
  };
  EXPECT_NEAR(place("a", "b", "2 0 0"), 0.1, 2e-3);
  EXPECT_NEAR(place("a", "b", "-2 0 0"), -0.5, 2e-3);
  EXPECT_NEAR(place("b", "a", "2 0 0"), 0.5, 2e-3);
}

TEST_F(WorldTest, BothAxesOfAUniversalJointHaveSprings) {
  const std::string spring =
      "<dynamics><spring_stiffness>{}</spring_stiffness><spring_reference>"
      "{}</spring_reference></dynamics>";
  const auto document = *read(world(
      model("m", heavy("a", 1, "0 0 0 0 0 0") +
                     "<joint name=\"u\" type=\"universal\"><parent>world</parent><child>a</child>"
                     "<axis><xyz>1 0 0</xyz>" +
                     fmt::format(fmt::runtime(spring), 3, 0.1) +
                     "</axis><axis2><xyz>0 1 0</xyz><limit><velocity>7</velocity></limit>" +
                     fmt::format(fmt::runtime(spring), 4, -0.2) + "</axis2></joint>")));
  const wbt::Node& first = node(document, "HingeJointParameters");
  EXPECT_THAT(numbers(first, "springConstant"), ElementsAre(3));
  EXPECT_THAT(numbers(first, "springReference"), ElementsAre(0.1));
  const wbt::Node& second = node(document, "JointParameters");
  EXPECT_THAT(numbers(second, "springConstant"), ElementsAre(4));
  EXPECT_THAT(numbers(second, "springReference"), ElementsAre(-0.2));
  EXPECT_THAT(numbers(second, "maxVelocity"), ElementsAre(7));
}

// gz-sim, test/worlds/joint_velocity_limit.sdf: no joint is faster than its limit.
TEST_F(WorldTest, APassiveJointIsNoFasterThanItsLimit) {
  const auto fall = [](const std::string& limit) {
    return world(
        model("m", "<pose>0 0 9 0 0 0</pose>" + heavy("a", 1, "0 0 0 0 0 0") +
                       hinge("j", "world", "a", "<xyz>0 0 1</xyz><limit>" + limit + "</limit>",
                             "0 0 0 0 0 0", "prismatic")));
  };
  load(fall("<velocity>1.5</velocity>"));
  run(1);
  EXPECT_NEAR(pose("a").p.z(), 9 - (1.5 * 1 - 1.5 * 1.5 / (2 * kDown)), 0.01);
  EXPECT_EQ(diagnostics_.to_string(), "");
  load(fall("<velocity>-1</velocity>"));
  run(1);
  EXPECT_NEAR(pose("a").p.z(), 9 - kDown / 2, 0.03);
}

// A sled on two feet, h below its centre and a before and behind it, on a slope that gravity makes:
// what brakes the rear foot presses the front one down, so that N (2 + mu h / a) = m g there.
TEST_F(WorldTest, EachCollisionOfALinkHasItsOwnSurface) {
  const auto foot = [](const std::string& name, double x, const std::string& mu) {
    return fmt::format(
        "<collision name=\"{}\"><pose>{} 0 -0.05 0 0 0</pose><geometry><sphere><radius>0.05"
        "</radius></sphere></geometry>{}</collision>",
        name, x,
        mu.empty() ? "" : "<surface><friction><ode><mu>" + mu + "</mu></ode></friction></surface>");
  };
  const auto slid = [&](const std::string& front, const std::string& rear) {
    load(tilted_world("4 0 -9.81",
                      floor_plane() + model("sled", "<pose>0 0 0.1 0 0 0</pose>" +
                                                        heavy("l", 3, "0 0 0 0 0 0",
                                                              foot("front", 0.5, front) +
                                                                  foot("rear", -0.5, rear)))));
    run(1);
    EXPECT_EQ(diagnostics_.to_string(), "");
    return pose("sled").p.x();
  };
  const double braked = 0.3 * kDown / (2 + 0.3 * 0.1 / 0.5);
  EXPECT_NEAR(slid("0", "0"), 4.0 / 2, 0.02);
  EXPECT_NEAR(slid("0", "0.3"), (4 - braked) / 2, 0.02);
  EXPECT_NEAR(slid("0.3", "0.3"), (4 - 0.3 * kDown) / 2, 0.02);
  // What says nothing has a friction of 1; the first one's is not that of all.
  ASSERT_GT(kDown / (2 + 0.1 / 0.5), 4);
  EXPECT_NEAR(slid("0", ""), 0, 0.02);
  const auto document = *read(world(model(
      "sled", heavy("l", 3, "0 0 0 0 0 0", foot("front", 0.5, "0") + foot("rear", -0.5, "0.3")))));
  const wbt::Node& part = node(document, "Solid", "l::rear");
  EXPECT_EQ(part.find("contactMaterial")->value.strings.at(0), "friction 0.3");
  EXPECT_EQ(part.find("physics"), nullptr);
}

std::string joint_of_world(const std::string& name, const std::string& type,
                           const std::string& parent, const std::string& child,
                           const std::string& more = {}) {
  return fmt::format(
      "<joint name=\"{}\" type=\"{}\"><parent>{}</parent><child>{}</child>{}</joint>\n", name, type,
      parent, child, more);
}

// gz-sim, test/worlds/joints_in_world.sdf: 1 kg and 1 kg m^2 swing 2 m below an axis.
TEST_F(WorldTest, JointsOfAWorldJoinModels) {
  const std::string about_y = "<axis><xyz>0 1 0</xyz></axis>";
  const std::string models = model("m1", "<pose>0 0 5 0 0 1.5</pose><link name=\"link1\"/>") +
                             model("m2", "<pose>2 0 5 0 0.7 0</pose><link name=\"link2\"/>");
  const double fastest = 2 * std::sqrt(2 * kDown * 2 / (1 + 2 * 2));
  const auto expect_pendulum = [&](const std::string& name) {
    double speed = 0;
    Vec3 last = pose(name).p;
    EXPECT_LT((last - Vec3(2, 0, 5)).norm(), 1e-9);
    for (int i = 0; i < 400; ++i) {
      simulation_->step();
      const Vec3 p = pose(name).p;
      speed = std::max(speed, (p - last).norm() / 0.005);
      last = p;
      ASSERT_NEAR((p - Vec3(0, 0, 5)).norm(), 2, 2e-3);
      ASSERT_NEAR(p.y(), 0, 1e-3);
    }
    EXPECT_NEAR(speed, fastest, 0.01 * fastest);
    EXPECT_EQ(diagnostics_.to_string(), "");
  };
  // The axis is in the joint's frame, which is that of m1 turned back.
  const std::string at_m1 = "<pose relative_to=\"m1\">0 0 0 0 0 -1.5</pose>" + about_y;
  load(world(joint_of_world("fix", "fixed", "world", "m1") + models +
             joint_of_world("j", "revolute", "m1", "m2", at_m1)));
  expect_pendulum("m2::link2");
  EXPECT_EQ(simulation_->model().robots.size(), 1u);
  // To a static model, whose frame says where the axis is.
  load(
      world(model("post",
                  "<static>1</static><pose>0 1 5 0 0 0</pose><link name=\"l\"/><frame "
                  "name=\"end\"><pose>0 -1 0 0 0 0</pose></frame>") +
            model("bob", "<pose>2 0 5 0 0 0</pose><link name=\"l\"/>") +
            joint_of_world("j", "revolute", "post::end", "bob",
                           "<pose relative_to=\"post::end\"/><axis><xyz expressed_in=\"post\">0 1 0"
                           "</xyz></axis>")));
  expect_pendulum("bob::l");
}

TEST_F(WorldTest, ModelsThatAreJoinedKeepTheirPlugins) {
  const auto document =
      *read(world(model("base", heavy("a", 1, "0 0 0 0 0 0")) +
                  model("arm", heavy("b", 1, "0 0 1 0 0 0") + heavy("c", 1, "0 0 2 0 0 0") +
                                   hinge("h", "b", "c", "<xyz>0 0 1</xyz>") +
                                   "<plugin filename=\"gz-sim-joint-position-controller-system\" "
                                   "name=\"p\"><joint_name>h</joint_name></plugin>") +
                  model("else", heavy("d", 1, "0 0 3 0 0 0")) +
                  joint_of_world("mount", "fixed", "base", "arm")));
  EXPECT_EQ(node(document, "Robot", "base").type, "Robot");
  EXPECT_EQ(node(document, "RotationalMotor", "arm::h").type, "RotationalMotor");
  EXPECT_EQ(node(document, "Solid", "arm::c").type, "Solid");
  EXPECT_EQ(node(document, "Solid", "else").type, "Solid");
  EXPECT_THAT(messages(world(model("m", heavy("a", 1, "0 0 0 0 0 0")) +
                             joint_of_world("j", "fixed", "nobody", "m"))),
              HasSubstr("nobody"));
  EXPECT_THAT(messages(world(model("m", heavy("a", 1, "0 0 0 0 0 0")) +
                             joint_of_world("j", "hingle", "world", "m"))),
              HasSubstr("there is no type 'hingle' of a <joint>"));
}

}  // namespace
}  // namespace protobeam::sdf
