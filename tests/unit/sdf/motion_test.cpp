// Joints in motion, against closed forms.
#include <gmock/gmock.h>

#include "device/topics.h"
#include "message/empty.h"
#include "tests/unit/sdf/world_text.h"

namespace protobeam::sdf {
namespace {

TEST_F(WorldTest, APendulumSwingsWithItsPeriod) {
  // 1 kg, 0.5 m below its hinge, 0.02 kg m^2 about the axis: I = 0.27 kg m^2, 0.1 rad at first.
  load(world(model("p", "<pose>0 0 3 0 0 0</pose>" + heavy("bob", 1, "0 0 -0.5 0 0 0") +
                            hinge("swing", "world", "bob", "<xyz>0 1 0</xyz>", "0 0 0.5 0 0 0"))));
  const double period = 2 * kPi * std::sqrt((0.02 + 0.25) / (9.81 * 0.5));
  // It hangs still; a push by gravity needs an angle: the same with the bob aside.
  run(1);
  EXPECT_NEAR(pose("bob").p.x(), 0, 1e-9);
  load(world(model("p", "<pose>0 0 3 0 0 0</pose>" +
                            heavy("bob", 1, "-0.04991671 0 -0.49750208 0 0.1 0") +
                            hinge("swing", "world", "bob", "<xyz>0 1 0</xyz>", "0 0 0.5 0 0 0"))));
  double last = -1, crossed = 0, first = 0;
  int count = 0;
  for (int i = 0; i < 1200; ++i) {
    simulation_->step();
    const double x = pose("bob").p.x();
    if (last < 0 && x >= 0) {
      crossed = 0.005 * (i + 1 - x / (x - last));
      if (++count == 1) first = crossed;
    }
    last = x;
  }
  ASSERT_GE(count, 3);
  EXPECT_NEAR((crossed - first) / (count - 1), period, 0.01 * period);
}

// A nut of mass m and moment I falls with g m p^2 / (I + m p^2), p m for each rad: to the left,
// seen from above, on a right-handed thread.
TEST_F(WorldTest, AScrewFallsAlongItsThread) {
  const auto nut = [](const std::string& pitch) {
    std::string joint = hinge("thread", "world", "nut", "<xyz>0 0 1</xyz>", "0 0 0 0 0 0", "screw");
    joint.insert(joint.find("<parent>"), pitch);
    return world(model("s", "<pose>1 2 3 0 0 0</pose>" + heavy("nut", 0.5, "0 0 0 0 0 0") + joint));
  };
  const auto fallen = [](double pitch) {
    const double p = pitch / (2 * kPi);
    return 0.5 * 9.81 * 0.5 * p * p / (0.025 + 0.5 * p * p);
  };
  const auto expect = [&](const std::string& text, double pitch) {
    load(nut(text));
    run(1);
    EXPECT_NEAR(pose("nut").p.z(), 3 - fallen(pitch), 0.01 * fallen(pitch)) << text;
    const double angle = 2 * kPi * (pose("nut").p.z() - 3) / pitch;
    const Vec3 ahead = pose("nut").R * Vec3::UnitX();
    EXPECT_NEAR(std::remainder(std::atan2(ahead.y(), ahead.x()) - angle, 2 * kPi), 0, 1e-3) << text;
  };
  expect("<screw_thread_pitch>0.3</screw_thread_pitch>", 0.3);
  expect("<screw_thread_pitch>-0.3</screw_thread_pitch><thread_pitch>5</thread_pitch>", -0.3);
  expect("<thread_pitch>20</thread_pitch>", -2 * kPi / 20);
  expect("", 1);
  load(nut("<thread_pitch>0</thread_pitch>"));
  EXPECT_THAT(diagnostics_.to_string(),
              testing::HasSubstr("a <thread_pitch> of nearly 0 has no effect; the joint turns"));
  run(1);
  EXPECT_EQ(pose("nut").p.z(), 3);
}

// In whatever order they are written.
TEST_F(WorldTest, AGearboxLeavesItsLinksToTheirOtherJoints) {
  const std::string gearbox =
      hinge("gears", "in", "out", "<xyz>0 0 1</xyz>", "0 0 0 0 0 0", "gearbox");
  const std::string bearings = hinge("first", "world", "in", "<xyz>0 0 1</xyz>") +
                               hinge("second", "world", "out", "<xyz>0 1 0</xyz>", "-1 0 0 0 0 0");
  for (const std::string& joints : {gearbox + bearings, bearings + gearbox}) {
    load(
        world(model("m", heavy("in", 1, "0 0 2 0 0 0") + heavy("out", 1, "1 0 2 0 0 0") + joints)));
    EXPECT_EQ(simulation_->model().joints.size(), 2u);
    EXPECT_THAT(diagnostics_.to_string(), testing::HasSubstr("a gearbox has no effect"));
    EXPECT_THAT(diagnostics_.to_string(), testing::Not(testing::HasSubstr("closes a loop")));
    run(1);
    EXPECT_LT(pose("out").p.z(), 1.9);
  }
  load(world(model("m", heavy("in", 1, "0 0 2 0 0 0") + heavy("out", 1, "1 0 2 0 0 0") + gearbox)));
  EXPECT_EQ(simulation_->model().joints.size(), 0u);
}

TEST_F(WorldTest, LinksWithoutGravityDoNotFall) {
  const auto dropped = [](const std::string& name, const std::string& links) {
    return model(name, "<pose>0 0 20 0 0 0</pose>" + links);
  };
  const std::string off = "<gravity>0</gravity>";
  const std::string fixed =
      "<joint name=\"j\" type=\"fixed\"><parent>half</parent><child>float</child></joint>";
  load(world(dropped("all", heavy("balloon", 2, "0 0 0 0 0 0", off)) +
             dropped("some", heavy("half", 3, "5 0 0 0 0 0") +
                                 heavy("float", 1, "5 0 0 0 0 0", off) + fixed)));
  run(1);
  EXPECT_NEAR(pose("all").p.z(), 20, 1e-9);
  // Of 4 kg 3 weigh; semi-implicit Euler of substeps of 5/3 ms.
  EXPECT_NEAR(pose("some").p.z(), 20 - 0.75 * 9.81 / 2, 0.01);
}

// From h a ball comes back to e^2 h; of two the lower e counts, as in Gazebo Classic.
TEST_F(WorldTest, BallsBounceAsBothSurfacesSay) {
  const auto surface = [](const std::string& bounce) {
    return "<surface><bounce>" + bounce + "</bounce></surface>";
  };
  const auto highest = [&](const std::string& of_ball, const std::string& of_floor) {
    load(
        world(model("ball", "<pose>0 0 1.1 0 0 0</pose>" +
                                heavy("ball", 1, "0 0 0 0 0 0",
                                      "<collision name=\"c\"><geometry><sphere><radius>0.1</radius>"
                                      "</sphere></geometry>" +
                                          surface(of_ball) + "</collision>")) +
              model("floor",
                    "<static>1</static><link name=\"l\"><collision name=\"c\"><geometry><plane>"
                    "<size>10 10</size></plane></geometry>" +
                        surface(of_floor) + "</collision></link>")));
    run(std::sqrt(2 / 9.81) + 0.05);  // it has met the floor
    double highest = 0;
    for (int i = 0; i < 200; ++i) {
      simulation_->step();
      highest = std::max(highest, pose("ball").p.z() - 0.1);
    }
    return highest;
  };
  const std::string all = "<restitution_coefficient>1.0</restitution_coefficient>";
  const std::string some = "<restitution_coefficient>0.6</restitution_coefficient>";
  EXPECT_NEAR(highest(some, all), 0.36, 0.02);
  EXPECT_NEAR(highest(all, some), 0.36, 0.02);
  EXPECT_NEAR(highest(all, ""), 0, 0.05);
  // It meets the floor with sqrt(2 g) = 4.43 m/s.
  EXPECT_NEAR(highest(some + "<threshold>4.3</threshold>", all), 0.36, 0.02);
  EXPECT_NEAR(highest(some + "<threshold>4.6</threshold>", all), 0, 0.05);
  EXPECT_EQ(diagnostics_.to_string(), "");
}

// gz-sim's buoyancy plugin: density times volume, up, less the weight.
TEST_F(WorldTest, WaterCarriesWhatItsPluginSays) {
  int count = 0;  // side by side
  const auto cube = [&](const std::string& name, double mass, double z) {
    return model(name, fmt::format("<pose>{} 0 {} 0 0 0</pose>", ++count, z) +
                           heavy("body", mass, "0 0 0 0 0 0",
                                 "<collision name=\"c\"><geometry><box><size>0.1 0.1 0.1</size>"
                                 "</box></geometry></collision>"));
  };
  const auto sea = [](const std::string& text) {
    return "<plugin filename=\"gz-sim-buoyancy-system\" name=\"gz::sim::systems::Buoyancy\">" +
           text + "</plugin>";
  };
  const double fallen = 0.5 * 9.81 * 0.25;
  load(world(sea("<uniform_fluid_density>2000</uniform_fluid_density>") + cube("hovers", 2, 5) +
             cube("sinks", 4, 5) + cube("rises", 1.6, 5)));
  run(0.5);
  EXPECT_NEAR(pose("hovers").p.z(), 5, 1e-6);
  EXPECT_NEAR(pose("sinks").p.z(), 5 - fallen / 2, 0.01);
  EXPECT_NEAR(pose("rises").p.z(), 5 + fallen / 4, 0.01);
  EXPECT_EQ(diagnostics_.to_string(), "");
  // Below 1 m only. A cube of half the density of water floats half in it.
  load(world(sea("<graded_buoyancy><default_density>1000</default_density><density_change>"
                 "<above_depth>1</above_depth><density>1</density></density_change>"
                 "</graded_buoyancy><enable>floats</enable><enable>one::body</enable>"
                 "<enable>other::arm</enable>") +
             cube("floats", 0.5, 1) + cube("one", 1, 0.5) + cube("other", 1, 0.5)));
  run(0.5);
  EXPECT_NEAR(pose("floats").p.z(), 1, 1e-6);
  EXPECT_NEAR(pose("one").p.z(), 0.5, 1e-6);
  EXPECT_NEAR(pose("other").p.z(), 0.5 - fallen, 0.02);
  EXPECT_EQ(diagnostics_.to_string(), "");
}

// As gz-sim's actor_trajectory.sdf: waypoints in the actor's frame, each round after the delay.
TEST_F(WorldTest, ActorsWalkAlongTheirTrajectories) {
  const auto actor = [](const std::string& name, const std::string& script) {
    return "<actor name=\"" + name +
           "\"><pose>10 0 0 0 0 0</pose><link name=\"l\"><visual name=\"v\">"
           "<geometry><box><size>0.2 0.2 0.2</size></box></geometry></visual></link><script>" +
           script +
           "<trajectory id=\"0\" type=\"t\"><waypoint><time>0</time><pose>-1 -1 1 0 0 0</pose>"
           "</waypoint><waypoint><time>1</time><pose>-1 1 1 0 0 0</pose></waypoint></trajectory>"
           "<trajectory id=\"1\" type=\"t\"><waypoint><time>1</time><pose>1 1 1 0 0 1.5</pose>"
           "</waypoint></trajectory></script></actor>";
  };
  load(world(actor("walker", "<delay_start>0.5</delay_start>") +
             actor("once", "<loop>false</loop>")));
  EXPECT_EQ(diagnostics_.to_string(), "");
  const auto is_at = [&](const char* name, const Vec3& p) {
    EXPECT_LT((pose(name).p - p).norm(), 0.02) << name << " " << pose(name).p.transpose();
  };
  run(0.4);
  is_at("walker", {9, -1, 1});
  is_at("once", {9, -0.2, 1});
  run(0.6);
  is_at("walker", {9, 0, 1});
  run(1);
  is_at("walker", {10, 1, 1});
  run(1.5);  // in the second round: 3.5 s - 2.5 s
  is_at("walker", {9, 0, 1});
  is_at("once", {11, 1, 1});
  const Mat3 R = pose("once").R.toRotationMatrix();
  EXPECT_NEAR(std::atan2(R(1, 0), R(0, 0)), 1.5, 1e-6);
}

TEST_F(WorldTest, ACapsuleStandsForASkinThatIsNotHere) {
  const auto document = read(
      world("<actor name=\"a\"><skin><filename>https://x.org/walk.dae</filename></skin><animation "
            "name=\"walk\"/></actor>"));
  ASSERT_TRUE(document);
  EXPECT_NE(diagnostics_.to_string().find("the file of this <skin> is not here"),
            std::string::npos);
  EXPECT_NE(diagnostics_.to_string().find("the <animation> of an <actor> has no effect"),
            std::string::npos);
}

TEST_F(WorldTest, WhatNoBitOfAMaskLetsThroughFallsThroughTheGround) {
  const auto box = [](const std::string& name, const std::string& mask) {
    return model(name,
                 "<pose>" + (name == "a" ? std::string("0") : std::string("2")) +
                     " 0 0.1 0 0 0</pose>" +
                     heavy(name, 1, "0 0 0 0 0 0",
                           "<collision name=\"c\"><geometry><box><size>0.2 0.2 0.2</size></box>"
                           "</geometry><surface><contact><collide_bitmask>" +
                               mask + "</collide_bitmask></contact></surface></collision>"));
  };
  load(world("<include><uri>model://ground_plane</uri></include>" + box("a", "0x00") +
             box("b", "0xffff")));
  run(1);
  EXPECT_NEAR(pose("a").p.z(), 0.1 - 0.5 * 9.81, 0.05);
  EXPECT_NEAR(pose("b").p.z(), 0.1, 1e-3);
}

// As the vehicles of gz-sim's odometry_publisher.sdf: wheels that begin 0.325 m deep in the ground.
TEST_F(WorldTest, WhatBeginsInTheGroundIsNotThrownOut) {
  const std::string ground = "<include><uri>model://ground_plane</uri></include>";
  const std::string ball = model(
      "ball", "<pose>0 0 -0.025 0 0 0</pose>" +
                  heavy("ball", 2, "0 0 0 0 0 0",
                        "<collision name=\"c\"><geometry><sphere><radius>0.3</radius></sphere>"
                        "</geometry></collision>"));
  load(world(ground + ball));
  for (int i = 0; i < 10; ++i) {
    run(0.1);
    EXPECT_LE(pose("ball").p.z(), -0.025 + 0.1 * 0.1 * (i + 1) + 0.01) << i;
  }
  run(5);
  EXPECT_NEAR(pose("ball").p.z(), 0.3, 0.01);
  // Where the text allows it.
  const std::string limit =
      "<physics><max_step_size>0.005</max_step_size><ode><constraints>"
      "<contact_max_correcting_vel>100</contact_max_correcting_vel>"
      "</constraints></ode></physics>";
  load("<sdf version=\"1.9\"><world name=\"w\">" + limit + ground + ball + "</world></sdf>");
  run(0.2);
  EXPECT_GT(pose("ball").p.z(), 0.3);
}

TEST_F(WorldTest, AConeStandsOnItsBase) {
  const std::string cone =
      "<geometry><cone><radius>0.3</radius><length>0.8</length></cone></geometry>";
  load(world("<include><uri>model://ground_plane</uri></include>" +
             model("cone", "<pose>0 0 0.45 0 0 0</pose>" +
                               heavy("c", 2, "0 0 0 0 0 0",
                                     "<collision name=\"c\">" + cone +
                                         "</collision><visual name=\"v\">" + cone + "</visual>"))));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(1);
  EXPECT_NEAR(pose("cone").p.z(), 0.4, 2e-3);
  EXPECT_LT(pose("cone").R.vec().norm(), 1e-2);
}

/// A box of 2 kg on a slope down along x, with a <friction>.
std::string on_slope(double angle, const std::string& friction) {
  const auto box = [](const std::string& size, const std::string& ode) {
    return "<collision name=\"c\"><geometry><box><size>" + size +
           "</size></box></geometry><surface><friction><ode>" + ode +
           "</ode></friction></surface></collision>";
  };
  const double h = 0.5 + 0.05;
  return world(
      model("slope", "<static>true</static>" + fmt::format("<pose>0 0 0 0 {} 0</pose>", angle) +
                         "<link name=\"s\">" + box("20 20 1", "<mu>100</mu>") + "</link>") +
      model("box", fmt::format("<pose>{} 0 {} 0 {} 0</pose>", h * std::sin(angle),
                               h * std::cos(angle), angle) +
                       heavy("box", 2, "0 0 0 0 0 0", box("0.4 0.4 0.1", friction))));
}

TEST_F(WorldTest, ABoxSlidesAcrossItsFrictionDirectionOnly) {
  const double angle = 0.3, t = 1;
  // Nothing holds it across the diagonal, along which it does not move.
  load(on_slope(angle, "<mu>0.9</mu><mu2>0</mu2><fdir1>1 1 0</fdir1>"));
  EXPECT_EQ(diagnostics_.to_string(), "");
  const Vec3 before = pose("box").p;
  run(t);
  const Vec3 way = pose("box").p - before;
  const double each = 0.5 * 9.81 * std::sin(angle) * t * t / 2;  // down and aside: cos^2 of 45 deg
  EXPECT_NEAR(way.x() / std::cos(angle), each, 0.03 * each);
  EXPECT_NEAR(way.y(), -each, 0.03 * each);
  // The other way around it is held by less than its weight along the direction.
  load(on_slope(angle, "<mu>0.1</mu><mu2>0.9</mu2><fdir1>1 0 0</fdir1>"));
  run(t);
  const double a = 9.81 * (std::sin(angle) - 0.1 * std::cos(angle));
  EXPECT_NEAR((pose("box").p.x() - before.x()) / std::cos(angle), 0.5 * a * t * t, 0.03 * a);
  EXPECT_NEAR(pose("box").p.y(), 0, 1e-3);
  load(on_slope(angle, "<mu>0.9</mu><mu2>0.1</mu2>"));
  EXPECT_THAT(diagnostics_.to_string(), testing::HasSubstr("a <mu2> that is not <mu>"));
}

TEST_F(WorldTest, TheFrictionDirectionOfAnyShapeIsInTheFrameOfItsCollision) {
  // A disk, turned by 90 degrees in its link: its y points up the slope.
  const double angle = 0.3, t = 1;
  const auto slides = [&](const std::string& friction) {
    std::string text = on_slope(angle, friction);
    const std::string box = "<geometry><box><size>0.4 0.4 0.1</size></box></geometry>";
    text.replace(text.find(box), box.size(),
                 "<pose>0 0 0 0 0 1.5707963267948966</pose><geometry><cylinder><radius>0.2</radius>"
                 "<length>0.1</length></cylinder></geometry>");
    load(text);
    EXPECT_EQ(diagnostics_.to_string(), "");
    const Vec3 before = pose("box").p;
    run(t);
    return (pose("box").p - before).norm();
  };
  const double a = 9.81 * (std::sin(angle) - 0.1 * std::cos(angle));
  EXPECT_NEAR(slides("<mu>0.1</mu><mu2>0.9</mu2><fdir1>0 1 0</fdir1>"), a * t * t / 2, 0.03 * a);
  EXPECT_LT(slides("<mu>0.1</mu><mu2>0.9</mu2><fdir1>1 0 0</fdir1>"), 0.01);
  // Slip, too.
  EXPECT_GT(slides("<mu>0.9</mu><slip1>1</slip1><slip2>0</slip2><fdir1>0 1 0</fdir1>"), 0.05);
  EXPECT_LT(slides("<mu>0.9</mu><slip1>1</slip1><slip2>0</slip2><fdir1>1 0 0</fdir1>"), 0.01);
}

TEST_F(WorldTest, ABoxCreepsByItsSlip) {
  // As ODE: each of its four contacts by the slip times what it holds.
  const double angle = 0.2, slip = 0.05;
  load(on_slope(angle, fmt::format("<mu>1</mu><slip1>{0}</slip1><slip2>{0}</slip2>", slip)));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(1);
  const Vec3 before = pose("box").p;
  run(1);
  const double v = slip * 2 * 9.81 * std::sin(angle) / 4;
  EXPECT_NEAR((pose("box").p - before).norm(), v, 0.05 * v);
  load(on_slope(angle, "<mu>1</mu><slip1>0.1</slip1>"));
  EXPECT_THAT(diagnostics_.to_string(), testing::HasSubstr("a <slip2> of a <friction>"));
}

TEST_F(WorldTest, AxesOfAModelTurnWithIt) {
  // The axis is the model's y; the model is turned by 90 degrees about z: the bob swings along y.
  load(world(
      model("p", "<pose>0 0 3 0 0 1.5707963267948966</pose>" + heavy("bob", 1, "0.5 0 0 0.7 0 0") +
                     hinge("swing", "world", "bob", "<xyz expressed_in=\"__model__\">0 1 0</xyz>",
                           "-0.5 0 0 0 0 0"))));
  run(0.3);
  const Vec3 p = pose("bob").p;
  EXPECT_NEAR(p.x(), 0, 1e-6);
  EXPECT_LT(p.z(), 2.9);
  EXPECT_NEAR((p - Vec3(0, 0, 3)).norm(), 0.5, 1e-3);
}

TEST_F(WorldTest, AModelDrivesByItsPlugin) {
  const auto wheel = [](const std::string& name, const std::string& y) {
    return heavy(name, 1, "0 " + y + " 0.1 -1.5707963267948966 0 0",
                 "<collision name=\"c\"><geometry><cylinder><radius>0.1</radius><length>0.04"
                 "</length></cylinder></geometry></collision>");
  };
  const std::string ball =
      "<collision name=\"ball\"><pose>{} 0 -0.05 0 0 0</pose><geometry><sphere><radius>0.05"
      "</radius></sphere></geometry><surface><friction><ode><mu>0</mu></ode></friction></surface>"
      "</collision>";
  load(world(
      "<include><uri>model://ground_plane</uri></include>" +
      model("car", "<pose>1 2 0 0 0 1.5707963267948966</pose>" +
                       heavy("base", 5, "0 0 0.1 0 0 0",
                             fmt::format(fmt::runtime(ball), -0.15) +
                                 fmt::format(fmt::runtime(ball), 0.15)) +
                       wheel("left", "0.2") + wheel("right", "-0.2") +
                       hinge("l", "base", "left", "<xyz>0 0 1</xyz>") +
                       hinge("r", "base", "right", "<xyz>0 0 1</xyz>") +
                       "<plugin filename=\"libgazebo_ros_diff_drive.so\" name=\"d\"><left_joint>l"
                       "</left_joint><right_joint>r</right_joint><wheel_separation>0.4"
                       "</wheel_separation><wheel_diameter>0.2</wheel_diameter></plugin>")));
  command("l", "velocity", 5);
  command("r", "velocity", 5);
  command("l", "position", std::numeric_limits<double>::infinity());
  command("r", "position", std::numeric_limits<double>::infinity());
  const Vec3 before = pose("car").p;
  run(3);
  const Vec3 way = pose("car").p - before;
  EXPECT_NEAR(way.x(), 0, 0.02);
  EXPECT_NEAR(way.y(), 3 * 5 * 0.1, 0.05);
  EXPECT_EQ(device("drive").type, "MotorDrive");
}

// gz-sim, DetachableJoint: attached at the start, wherever the two are.
TEST_F(WorldTest, ADetachableJointHoldsUntilAMessageComes) {
  const auto hook = [](const std::string& tags) {
    return model("hook",
                 "<static>1</static><pose>0 0 5 0 0 0</pose><link name=\"arm\"/>"
                 "<plugin filename=\"gz-sim-detachable-joint-system\" name=\"p\">" +
                     tags + "</plugin>");
  };
  const std::string load_model =
      model("box", "<pose>1 0 2 0 0.4 0</pose>" + heavy("b", 1, "0 0 0 0 0 0"));
  const std::string usual =
      "<parent_link>arm</parent_link><child_model>box</child_model><child_link>b</child_link>";
  load(world(hook(usual + "<detach_topic>/let_go</detach_topic>") + load_model));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(0.5);
  EXPECT_LT((pose("box").p - Vec3(1, 0, 2)).norm(), 1e-6);
  Device& joint = *simulation_->find_device("hook/joint to box::b");
  std::map<std::string, DeviceSubscription> hears;
  TopicRequest request;
  request.robot = "hook", request.device = joint.name;
  for (DeviceSubscription& one : joint.model->subscriptions(request)) hears[one.message] = one;
  hears.at("unlock").take(message::to_cdr(message::Empty()));
  run(0.2);
  const double fallen = pose("box").p.z();
  EXPECT_NEAR(fallen, 2 - 9.81 / 2 * 0.2 * 0.2, 0.01);
  hears.at("lock").take(message::to_cdr(message::Empty()));
  run(0.5);
  EXPECT_NEAR(pose("box").p.z(), fallen, 0.02);
  // gz-sim, DetachableJoint::Reset(): attached again, where the models began.
  hears.at("unlock").take(message::to_cdr(message::Empty()));
  run(0.1);
  simulation_->reset_now({});
  run(0.5);
  EXPECT_LT((pose("box").p - Vec3(1, 0, 2)).norm(), 1e-6);
  const auto document = *read(world(hook(usual + "<topic>/let_go</topic>") + load_model));
  EXPECT_EQ(node(document, "Solid", "box").type, "Solid");
  for (const double angle :
       numbers(node(document, "Connector", "joint to box::b"), "axisTolerance"))
    EXPECT_LE(angle, kPi);
  std::vector<std::string> topics;
  for (const wbt::NodePtr& one : document.nodes) {
    const wbt::Field* children = one->find("children");
    const wbt::Node* arm = find(one, "Solid", "arm");
    if (arm) children = arm->find("children");
    if (!children) continue;
    for (const wbt::NodePtr& child : children->value.nodes)
      if (child->type == "Topic")
        topics.push_back(child->find("message")->value.strings[0] + " " +
                         child->find("name")->value.strings[0]);
  }
  EXPECT_THAT(topics,
              testing::ElementsAre("unlock /let_go", "lock /model/hook/detachable_joint/attach",
                                   "state /model/box/detachable_joint/state"));
  // To what is not there, and to a nested model that only its last name says.
  EXPECT_THAT(messages(world(hook(usual))),
              testing::HasSubstr("a detachable joint has no effect: there is no link 'box::b'"));
  EXPECT_THAT(messages(world(hook("<child_model>box</child_model>") + load_model)),
              testing::HasSubstr("a detachable joint has no effect: it has no <parent_link>"));
  const auto with = [&](const std::string& parent, const std::string& model) {
    return messages(world(hook("<parent_link>" + parent + "</parent_link><child_model>" + model +
                               "</child_model><child_link>arm</child_link>")));
  };
  EXPECT_THAT(with("amr", "__model__"),
              testing::HasSubstr("there is no link 'hook::amr'; did you mean 'hook::arm'?"));
  EXPECT_THAT(with("arm", "__model__"),
              testing::HasSubstr("both its ends are the link 'hook::arm'"));
  EXPECT_EQ(messages(world(hook(usual) + model("crate", load_model))), "");
  EXPECT_THAT(
      messages(world(hook(usual + "<detatch_topic>/let_go</detatch_topic>") + load_model)),
      testing::HasSubstr("warning: <detatch_topic> of a detachable joint has no effect; did "
                         "you mean 'detach_topic'?"));
}

TEST_F(WorldTest, ALoopOfJointsHolds) {
  // Four bars of 1 m, hanging from the two ends of the upper one.
  const std::string axis = "<xyz>0 1 0</xyz>";
  load(world(model("loop", "<pose>0 0 3 0 0 0</pose>" + heavy("a", 1, "0 0 -0.5 0 0 0") +
                               heavy("b", 1, "0.5 0 -1 0 0 0") + heavy("c", 1, "1 0 -0.5 0 0 0") +
                               hinge("1", "world", "a", axis, "0 0 0.5 0 0 0") +
                               hinge("2", "a", "b", axis, "-0.5 0 0 0 0 0") +
                               hinge("3", "world", "c", axis, "0 0 0.5 0 0 0") +
                               hinge("4", "c", "b", axis, "0.5 0 0 0 0 0"))));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(2);
  EXPECT_LT((pose("a").p - Vec3(0, 0, 2.5)).norm(), 0.02);
  EXPECT_LT((pose("b").p - Vec3(0.5, 0, 2)).norm(), 0.02);
  EXPECT_LT((pose("c").p - Vec3(1, 0, 2.5)).norm(), 0.02);
}

TEST_F(WorldTest, AJointAgainstTheTreeIsTurnedAround) {
  // Two joints have the same child: one of them is taken from its child to its parent.
  load(world(model("m", "<pose>0 0 3 0 0 0</pose>" + heavy("a", 1, "0 0 0 0 0 0") +
                            heavy("b", 1, "0 0 -1 0 0 0") + heavy("c", 1, "0 0 -2 0 0 0") +
                            hinge("hold", "world", "a", "<xyz>1 0 0</xyz>") +
                            hinge("1", "a", "b", "<xyz>0 1 0</xyz>", "0 0 1 0 0 0") +
                            hinge("2", "c", "b",
                                  "<xyz>0 1 0</xyz><limit><lower>-0.1</lower><upper>0.6</upper>"
                                  "</limit>"))));
  run(1);
  EXPECT_LT((pose("c").p - Vec3(0, 0, 1)).norm(), 0.01);
  const auto document = *read(world(model(
      "m", heavy("a", 1, "0 0 0 0 0 0") + heavy("b", 1, "0 0 -1 0 0 0") +
               heavy("c", 1, "0 0 -2 0 0 0") + hinge("1", "a", "b", "<xyz>0 1 0</xyz>") +
               hinge("2", "c", "b",
                     "<xyz>0 1 0</xyz><limit><lower>-0.1</lower><upper>0.6</upper></limit>"))));
  const wbt::Node& solid = node(document, "Solid", "b");
  const wbt::Node* joint = find(solid.find("children")->value.nodes.at(0), "HingeJointParameters");
  ASSERT_TRUE(joint);
  EXPECT_THAT(numbers(*joint, "axis"), testing::ElementsAre(0, -1, 0));
  EXPECT_THAT(numbers(*joint, "minStop"), testing::ElementsAre(-0.1));
  EXPECT_THAT(numbers(*joint, "maxStop"), testing::ElementsAre(0.6));
}

}  // namespace
}  // namespace protobeam::sdf
