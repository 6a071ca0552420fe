// Models that drive by gz-sim's plugins, under command, as its own tests drive them
// (gz-sim, test/integration/*_system.cc).
#include <gmock/gmock.h>

#include "tests/unit/sdf/world_text.h"

namespace protobeam::sdf {
namespace {

constexpr const char* kGround = "<include><uri>model://ground_plane</uri></include>";

class GazeboDrive : public WorldTest {
 protected:
  /// A box that hovers above four wheels of 0.1 m, 0.6 m by 0.4 m apart.
  static std::string rover(const std::string& plugin, const std::string& surface = "") {
    std::string out = heavy("base", 4, "0 0 0.15 0 0 0");
    for (const auto& [name, x, y] : {std::tuple("fl", 0.3, 0.2), std::tuple("fr", 0.3, -0.2),
                                     std::tuple("rl", -0.3, 0.2), std::tuple("rr", -0.3, -0.2)}) {
      out += heavy(name, 0.5, fmt::format("{} {} 0.1 -1.5707963267948966 0 0", x, y),
                   "<collision name=\"c\"><geometry><sphere><radius>0.1</radius></sphere>"
                   "</geometry>" +
                       surface + "</collision>");
      out += hinge(name + std::string("_joint"), "base", name, "<xyz>0 0 1</xyz>");
    }
    return world(kGround + model("rover", out + plugin));
  }
  void drive(double vx, double vy, double w) {
    simulation_->find_device("drive")->model->send_command("twist", {vx, vy, w});
  }
  double yaw(const std::string& solid) {
    const Mat3 R = pose(solid).R.toRotationMatrix();
    return std::atan2(R(1, 0), R(0, 0));
  }
};

TEST_F(GazeboDrive, RollersOfMecanumWheelsSlideWhateverTheirFrictionIs) {
  // As gz-sim's mecanum_drive.sdf, whose wheels say how their rollers lie by two frictions.
  load(
      rover("<plugin filename=\"gz-sim-mecanum-drive-system\" name=\"m\">"
            "<front_left_joint>fl_joint</front_left_joint>"
            "<front_right_joint>fr_joint</front_right_joint>"
            "<back_left_joint>rl_joint</back_left_joint>"
            "<back_right_joint>rr_joint</back_right_joint>"
            "<wheel_separation>0.4</wheel_separation><wheelbase>0.6</wheelbase>"
            "<wheel_radius>0.1</wheel_radius><max_velocity>0.5</max_velocity>"
            "<min_velocity>-0.5</min_velocity></plugin>",
            "<surface><friction><ode><mu>1</mu><mu2>0</mu2><fdir1>1 -1 0</fdir1></ode>"
            "</friction></surface>"));
  run(0.5);
  // Each of its speeds is limited for itself.
  drive(2, 2, 0);
  run(2);
  const Vec3 way = pose("rover").p;
  EXPECT_NEAR(way.x(), 1, 0.03);
  EXPECT_NEAR(way.y(), 1, 0.03);
  drive(0, 0, 0.4);
  run(2);
  EXPECT_NEAR(yaw("rover"), 0.8, 0.03);
}

constexpr const char* kTrackPlugin =
    "<plugin filename=\"gz-sim-track-controller-system\" name=\"t\">";

// As gz-sim's tracked_vehicle_simple.sdf and its test (tracked_vehicle_system.cc).
TEST_F(GazeboDrive, ATrackedVehicleDrivesByItsBelts) {
  std::string parts = heavy("base", 8, "0 0 0.2 0 0 0"), plugins;
  for (const auto& [name, y] : {std::pair("left_track", 0.2), std::pair("right_track", -0.2)}) {
    parts += heavy(name, 2, fmt::format("0 {} 0.1 0 0 0", y),
                   "<collision name=\"c\"><geometry><box><size>0.5 0.1 0.2</size></box></geometry>"
                   "</collision>");
    parts += fmt::format(
        "<joint name=\"{0}_j\" type=\"fixed\"><parent>base</parent><child>{0}</child></joint>",
        name);
    plugins += fmt::format(
        "{}<link>{}</link><min_velocity>-1.0</min_velocity><max_velocity>1.0"
        "</max_velocity></plugin>",
        kTrackPlugin, name);
  }
  load(world(kGround +
             model("tank", parts + plugins +
                               "<plugin filename=\"gz-sim-tracked-vehicle-system\" name=\"v\">"
                               "<left_track><link>left_track</link></left_track>"
                               "<right_track><link>right_track</link></right_track>"
                               "<tracks_separation>0.4</tracks_separation><tracks_height>0.2"
                               "</tracks_height><steering_efficiency>0.5</steering_efficiency>"
                               "<linear_velocity><max_velocity>0.8</max_velocity><min_velocity>-0.8"
                               "</min_velocity></linear_velocity></plugin>")));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(1);
  EXPECT_LT(pose("tank").p.head<2>().norm(), 1e-3);
  drive(1, 0, 0);
  run(2);
  EXPECT_NEAR(pose("tank").p.x(), 2 * 0.8, 0.05);
  EXPECT_NEAR(pose("tank").p.y(), 0, 0.01);
  EXPECT_NEAR(pose("tank").p.z(), 0.2, 0.01);
  EXPECT_NEAR(yaw("tank"), 0, 0.01);
  drive(0, 0, 0.25);
  run(2);
  // Belts that scrub turn it by less than 0.25 / 0.5 rad/s, which ideal wheels would.
  EXPECT_GT(yaw("tank"), 0.2);
  EXPECT_LT(yaw("tank"), 0.5 * 2);
  drive(0, 0, 0);
  run(0.5);
  const double rests = yaw("tank");
  run(1);
  EXPECT_NEAR(yaw("tank"), rests, 1e-3);
}

// As gz-sim's conveyor.sdf: a static model whose only link is the belt, told 1 m/s, of which it
// reaches 0.25 m/s in a second: 0.125 m.
TEST_F(GazeboDrive, AConveyorCarriesWhatLiesOnIt) {
  const auto box = [](const char* size) {
    return fmt::format(
        "<collision name=\"c\"><geometry><box><size>{}</size></box></geometry>"
        "</collision>",
        size);
  };
  load(world(model("conveyor", "<static>1</static><link name=\"base_link\">" + box("5 0.2 0.1") +
                                   "</link>" + kTrackPlugin +
                                   "<link>base_link</link><max_velocity>0.5</max_velocity>"
                                   "<max_acceleration>0.25</max_acceleration></plugin>") +
             model("box", "<pose>0 0 0.1 0 0 0</pose>" +
                              heavy("box", 1.06, "0 0 0 0 0 0", box("0.1 0.1 0.1")))));
  run(1);
  EXPECT_NEAR(pose("box").p.x(), 0, 1e-6);
  device("base_link track_cmd_vel").model->send_command("set point", {1});
  run(1);
  EXPECT_NEAR(pose("box").p.x(), 0.125, 0.01);
  run(3);
  EXPECT_NEAR(pose("box").p.x(), 0.125 + 0.375 + 2 * 0.5, 0.02);
}

TEST_F(GazeboDrive, AVehicleWithoutItsTracksIsAWarning) {
  const std::string of_vehicle =
      "<plugin filename=\"gz-sim-tracked-vehicle-system\" name=\"v\"><left_track><link>base"
      "</link></left_track><right_track><link>base</link></right_track></plugin>";
  const std::string told =
      messages(world(model("m", heavy("base", 1, "0 0 0 0 0 0") + kTrackPlugin +
                                    "<link>bass</link></plugin>" + of_vehicle)));
  EXPECT_THAT(told, testing::HasSubstr("there is no link 'bass' over which a track could run; did "
                                       "you mean 'base'?"));
  EXPECT_THAT(told, testing::HasSubstr("has no effect: it names 0 tracks on the left"));
}

TEST_F(GazeboDrive, SpeedsUpAndTurnsByTheLimitsOfItsPlugin) {
  load(
      rover("<plugin filename=\"gz-sim-diff-drive-system\" name=\"d\">"
            "<left_joint>fl_joint</left_joint><right_joint>fr_joint</right_joint>"
            "<wheel_separation>0.4</wheel_separation><wheel_radius>0.1</wheel_radius>"
            "<max_linear_acceleration>1</max_linear_acceleration>"
            "<min_linear_acceleration>-0.5</min_linear_acceleration>"
            "<max_linear_velocity>0.5</max_linear_velocity>"
            "<min_linear_velocity>-0.25</min_linear_velocity></plugin>"));
  drive(10.5, 0, 0);
  run(3);
  EXPECT_NEAR(pose("rover").p.x(), 0.5 * 3 - 0.5 * 0.5 * 0.5, 0.02);
  // Braking takes 1 s, and the same again half the speed backwards.
  const double before = pose("rover").p.x();
  drive(-10.5, 0, 0);
  run(1);
  EXPECT_NEAR(pose("rover").p.x() - before, 0.25, 0.02);
  run(0.5);
  EXPECT_NEAR(pose("rover").p.x() - before, 0.25 - 0.0625, 0.02);
  run(1);
  EXPECT_NEAR(pose("rover").p.x() - before, 0.25 - 0.0625 - 0.25, 0.02);
}

TEST_F(GazeboDrive, AModelMovesByTheVelocityThatItIsTold) {
  // gz-sim, velocity_control_system.cc: from rest, then ahead and to the left.
  const std::string wheels = rover(
      "<plugin filename=\"gz-sim-velocity-control-system\" name=\"v\"></plugin>"
      "<plugin filename=\"gz-sim-odometry-publisher-system\" name=\"o\"></plugin>",
      "<surface><friction><ode><mu>0.05</mu></ode></friction></surface>");
  load(wheels);
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(1);
  EXPECT_NEAR(pose("rover").p.norm(), 0.15, 0.01);
  device("drive").model->send_command("twist", {0.5, 0, 0, 0, 0, 0.2});
  run(3);
  EXPECT_NEAR(pose("rover").p.x(), 0.5 / 0.2 * std::sin(0.6), 0.05);
  EXPECT_NEAR(pose("rover").p.y(), 0.5 / 0.2 * (1 - std::cos(0.6)), 0.05);
  EXPECT_NEAR(yaw("rover"), 0.6, 0.02);
  // From the start, about an axis of its own.
  load(world(model("raft", "<pose>0 0 5 0 0 1.5707963267948966</pose>" +
                               heavy("base", 1, "0 0 0 0 0 0") +
                               "<plugin filename=\"libignition-gazebo-velocity-control-system.so\" "
                               "name=\"v\"><initial_linear>0.3 0 0.2</initial_linear>"
                               "<initial_angular>0 0 -0.1</initial_angular>"
                               "<topic>/raft/twist</topic></plugin>")));
  run(2);
  EXPECT_NEAR(pose("raft").p.x(), 0.3 / 0.1 * (1 - std::cos(0.2)), 0.01);
  EXPECT_NEAR(pose("raft").p.y(), 0.3 / 0.1 * std::sin(0.2), 0.01);
  // What gravity gives a substep is not made up for.
  EXPECT_NEAR(pose("raft").p.z(), 5 + (0.2 - 9.81 * 0.005 / 3) * 2, 0.01);
}

/// A rotor about the vertical with a moment of inertia of 0.025 kg m^2, without gravity.
std::string rotor(const std::string& plugin) {
  return "<sdf version=\"1.9\"><world name=\"w\"><gravity>0 0 0</gravity><physics><max_step_size>"
         "0.001</max_step_size></physics>" +
         model("r", heavy("arm", 1, "0 0 0 0 0 0") +
                        hinge("j", "world", "arm", "<xyz>0 0 1</xyz>") +
                        "<plugin name=\"p\" filename=\"gz-sim-" + plugin + "</plugin>") +
         "</world></sdf>";
}

TEST_F(GazeboDrive, JointsMoveByTheLawsOfTheirPlugins) {
  const auto steps = [&](int count) {
    for (int i = 0; i < count; ++i) simulation_->step();
  };
  const auto velocity = [&] { return simulation_->model().physics->joint_velocity(0, 0); };
  const auto position = [&] { return simulation_->model().physics->joint_position(0, 0); };
  // gz-sim, joint_controller_system.cc: 5 rad/s from the start. Its motor has no limits.
  load(
      rotor("joint-controller-system\"><joint_name>j</joint_name><initial_velocity>50"
            "</initial_velocity>"));
  steps(20);
  EXPECT_NEAR(velocity(), 50, 1e-4);
  // By the effort 2 (50 - v): v = 50 (1 - exp(-80 t)).
  load(
      rotor("joint-controller-system\"><joint_name>j</joint_name><initial_velocity>50"
            "</initial_velocity><use_force_commands>true</use_force_commands><p_gain>2</p_gain>"));
  steps(10);
  EXPECT_NEAR(velocity(), 50 * (1 - std::exp(-0.8)), 1.5);
  // 40 rad/s^2 until its effort is below its limit.
  load(
      rotor("joint-position-controller-system\"><joint_name>j</joint_name><p_gain>100</p_gain>"
            "<d_gain>0</d_gain><cmd_max>1</cmd_max><initial_position>2</initial_position>"));
  steps(200);
  EXPECT_NEAR(position(), 0.5 * 40 * 0.2 * 0.2, 0.01);
  // gz-sim, joint_position_controller_system.cc
  load(
      rotor("joint-position-controller-system\"><joint_name>j</joint_name>"
            "<use_velocity_commands>1</use_velocity_commands><cmd_max>0.5</cmd_max>"
            "<initial_position>-2</initial_position>"));
  steps(1000);
  EXPECT_NEAR(position(), -0.5, 2e-3);
  // A slider, whose limits have no end, in a model within: its topic has a name of ROS.
  load(
      "<sdf version=\"1.9\"><world name=\"w\"><gravity>0 0 0</gravity>" +
      model("r", model("lift", heavy("arm", 1, "0 0 0 0 0 0") +
                                   hinge("j", "world", "arm",
                                         "<xyz>0 0 1</xyz><limit><lower>-inf</lower><upper>inf"
                                         "</upper><effort>inf</effort></limit>",
                                         "0 0 0 0 0 0", "prismatic")) +
                     "<plugin name=\"p\" filename=\"gz-sim-joint-position-controller-system\">"
                     "<joint_name>lift::j</joint_name><p_gain>4</p_gain><i_gain>0</i_gain><d_gain>0"
                     "</d_gain><initial_position>1</initial_position></plugin>") +
      "</world></sdf>");
  EXPECT_EQ(diagnostics_.to_string(), "");
  for (int i = 0; i < 1571; ++i) simulation_->step();  // half a period of sqrt(4 / 1) rad/s
  EXPECT_NEAR(position(), 2, 0.02);
  // Free until it is told an effort.
  load(rotor("apply-joint-force-system\"><joint_name>j</joint_name>"));
  simulation_->model().physics->set_velocity(0, Vec3::Zero(), {0, 0, 1.5});
  steps(100);
  EXPECT_NEAR(velocity(), 1.5, 0.01);
  const Device& servo = device("j cmd_force");
  servo.model->send_command("set point", {0.05});
  steps(500);
  EXPECT_NEAR(velocity(), 1.5 + 0.5 * 0.05 / 0.025, 0.02);
}

TEST_F(GazeboDrive, JointsFollowTheirLeaders) {
  const auto arms = [](const std::string& mimic, const std::string& plugin) {
    return "<sdf version=\"1.11\"><world name=\"w\"><gravity>0 0 0</gravity>" +
           model("r", heavy("a", 1, "0 0 0 0 0 0") + heavy("b", 1, "1 0 0 0 0 0") +
                          hinge("lead", "world", "a", "<xyz>0 0 1</xyz>") +
                          hinge("rear", "world", "b", "<xyz>0 0 1</xyz>" + mimic) + plugin) +
           "</world></sdf>";
  };
  const std::string half =
      "<mimic joint=\"lead\" axis=\"axis\"><multiplier>-0.5</multiplier><offset>0</offset>"
      "<reference>0</reference></mimic>";
  load(arms(half,
            "<plugin name=\"p\" filename=\"gz-sim-joint-controller-system\"><joint_name>lead"
            "</joint_name><initial_velocity>2</initial_velocity></plugin>"));
  EXPECT_EQ(diagnostics_.to_string(), "");
  for (int i = 0; i < 500; ++i) simulation_->step();
  const auto angle = [&](const std::string& link) {
    const Mat3 R = pose(link).R.toRotationMatrix();
    return std::atan2(R(1, 0), R(0, 0));
  };
  EXPECT_NEAR(angle("a"), 1, 0.02);
  EXPECT_NEAR(angle("b"), -0.5, 0.02);
  EXPECT_THAT(
      messages(arms(half, "")),
      testing::HasSubstr("a <mimic> of a joint that has no motor of its own has no effect"));
  EXPECT_THAT(messages(arms("<mimic joint=\"led\"/>", "")),
              testing::HasSubstr("a <mimic> of a joint that is not there has no effect"));
}

}  // namespace
}  // namespace protobeam::sdf
