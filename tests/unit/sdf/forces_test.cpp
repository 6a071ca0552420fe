// Models that gz-sim's plugins push, as its own tests do (gz-sim, test/integration/thruster.cc,
// multicopter.cc, lift_drag_system.cc).
#include <gmock/gmock.h>

#include "tests/unit/sdf/world_text.h"

namespace protobeam::sdf {
namespace {

using testing::HasSubstr;

class GazeboForces : public WorldTest {
 protected:
  static std::string weightless(const std::string& text) {
    return "<sdf version=\"1.9\"><world name=\"w\"><gravity>0 0 0</gravity>" + text +
           "<physics><max_step_size>0.001</max_step_size></physics></world></sdf>\n";
  }
  static std::string mass(const std::string& name, double kg, const std::string& pose, double ixx,
                          double iyy, double izz) {
    return fmt::format(
        "<link name=\"{}\"><pose>{}</pose><inertial><mass>{}</mass><inertia><ixx>{}</ixx><iyy>{}"
        "</iyy><izz>{}</izz></inertia></inertial></link>",
        name, pose, kg, ixx, iyy, izz);
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) simulation_->step();
  }
  void set(const std::string& rotor, double point) {
    EXPECT_EQ(device(rotor).model->send_command("set point", {point}), "");
  }
  double speed(const std::string& joint) { return device(joint).joint_port->velocity(); }
};

/// 100 kg with a propeller of 0.25 m at its stern.
std::string submarine(const std::string& parts, const std::string& more) {
  return model("sub", parts +
                          hinge("propeller_joint", "body", "propeller",
                                "<xyz>1 0 0</xyz><limit><lower>-1e12</lower><upper>1e12</upper>"
                                "<effort>1e6</effort><velocity>1e6</velocity></limit>") +
                          "<plugin filename=\"gz-sim-thruster-system\" name=\"t\">"
                          "<namespace>custom</namespace><joint_name>propeller_joint</joint_name>"
                          "<fluid_density>950</fluid_density>"
                          "<propeller_diameter>0.25</propeller_diameter>" +
                          more + "</plugin>");
}

TEST_F(GazeboForces, AThrusterExertsTheForceThatItIsTold) {
  const double area = 950 * std::pow(0.25, 4);
  const std::string parts = mass("body", 100, "0 0 0 0 1.57 0", 33.89, 33.89, 1.125) +
                            mass("propeller", 0.1, "-1.05 0 0 0 0 0", 3.5e-4, 2.2e-5, 3.3e-4);
  const std::string limits =
      "<max_thrust_cmd>300</max_thrust_cmd><min_thrust_cmd>0</min_thrust_cmd>";
  struct Case {
    std::string more;
    double coefficient;
  };
  for (const auto& [more, coefficient] :
       {Case{"<thrust_coefficient>0.005</thrust_coefficient>"
             "<velocity_control>true</velocity_control>",
             0.005},
        Case{"<thrust_coefficient>0.004</thrust_coefficient>", 0.004},
        Case{"<thrust_coefficient>-0.005</thrust_coefficient>"
             "<velocity_control>true</velocity_control>",
             -0.005}}) {
    load(weightless(submarine(parts, more + limits)));
    EXPECT_EQ(diagnostics_.to_string(), "");
    steps(100);
    EXPECT_EQ(pose("sub").p.norm(), 0);
    set("propeller_joint rotor", -1000);
    steps(100);
    EXPECT_EQ(pose("sub").p.norm(), 0);
    set("propeller_joint rotor", 1000);
    steps(1000);
    EXPECT_NEAR(pose("sub").p.x(), 300 / (2 * 100.1), 1e-2);
    EXPECT_NEAR(pose("sub").p.tail<2>().norm(), 0, 1e-2);
    const double w = std::sqrt(300 / (area * std::abs(coefficient)));
    EXPECT_NEAR(speed("propeller_joint"), coefficient > 0 ? w : -w, 0.1);
  }
  // By the angular velocity, and with a coefficient that the speed of the vessel changes.
  load(weightless(
      submarine(parts,
                "<use_angvel_cmd>true</use_angvel_cmd><velocity_control>true</velocity_control>"
                "<alpha_1>0.005</alpha_1><alpha_2>0.002</alpha_2><wake_fraction>0.5</wake_fraction>"
                "<topic>thrust</topic>")));
  set("propeller_joint rotor", 100);
  steps(1000);
  // m dV/dt = density D^4 w^2 (a1 + a2 (1 - wake) V / (w D))
  const double a = area * 1e4 * 0.005 / 100.1, b = area * 100 * 0.002 * 0.5 / 0.25 / 100.1;
  EXPECT_NEAR(pose("sub").p.x(), a * (std::exp(b) - 1 - b) / (b * b), 5e-3);
}

TEST_F(GazeboForces, AThrusterHearsTheTopicsOfGazebo) {
  const std::string parts = mass("body", 100, "0 0 0 0 0 0", 1, 1, 1) +
                            mass("propeller", 0.1, "-1.05 0 0 0 0 0", 3.5e-4, 2.2e-5, 3.3e-4);
  const auto topic = [&](const std::string& more) {
    const auto document = read(weightless(submarine(parts, more)));
    return node(*document, "Topic").find("name")->value.strings.at(0);
  };
  EXPECT_EQ(topic(""), "/model/custom/joint/propeller_joint/cmd_thrust");
  EXPECT_EQ(topic("<use_angvel_cmd>1</use_angvel_cmd>"),
            "/model/custom/joint/propeller_joint/cmd_vel");
  EXPECT_EQ(topic("<topic>thrust</topic>"), "/custom/thrust");
}

/// A quadcopter of 1.5 kg whose rotors are nested models' way to write it: z of links is up.
std::string quadcopter(const std::string& more = "") {
  std::string out = heavy("base_link", 1.4, "0 0 0.1 0 0 0",
                          "<collision name=\"c\"><geometry><box><size>0.4 0.4 0.1</size></box>"
                          "</geometry></collision>");
  int number = 0;
  for (const auto& [x, y, sense] : {std::tuple(0.2, -0.2, "ccw"), std::tuple(-0.2, 0.2, "ccw"),
                                    std::tuple(0.2, 0.2, "cw"), std::tuple(-0.2, -0.2, "cw")}) {
    const std::string link = fmt::format("rotor_{}", number);
    out += fmt::format(
        "<link name=\"{}\"><pose>{} {} 0.15 0 0 0</pose><inertial><mass>0.025</mass><inertia>"
        "<ixx>1e-5</ixx><iyy>1e-5</iyy><izz>2e-5</izz></inertia></inertial></link>",
        link, x, y);
    out += hinge(link + "_joint", "base_link", link, "<xyz>0 0 1</xyz>");
    out += fmt::format(
        "<plugin filename=\"gz-sim-multicopter-motor-model-system\" name=\"r{0}\">"
        "<robotNamespace>X3</robotNamespace><jointName>{1}_joint</jointName><linkName>{1}</"
        "linkName>"
        "<turningDirection>{2}</turningDirection><timeConstantUp>0.0125</timeConstantUp>"
        "<timeConstantDown>0.025</timeConstantDown><maxRotVelocity>1000</maxRotVelocity>"
        "<motorConstant>8.54858e-06</motorConstant><momentConstant>0.016</momentConstant>"
        "<commandSubTopic>gazebo/command/motor_speed</commandSubTopic><motorNumber>{0}</"
        "motorNumber>"
        "<rotorDragCoefficient>8.06428e-05</rotorDragCoefficient>"
        "<rollingMomentCoefficient>1e-06</rollingMomentCoefficient>"
        "<rotorVelocitySlowdownSim>10</rotorVelocitySlowdownSim><motorType>velocity</motorType>"
        "</plugin>",
        number++, link, sense);
  }
  return world("<include><uri>model://ground_plane</uri></include>" + model("X3", out + more));
}

TEST_F(GazeboForces, AQuadcopterHoversAndTurnsByItsRotors) {
  load(quadcopter());
  EXPECT_EQ(diagnostics_.to_string(), "");
  const double hover = std::sqrt(1.5 * 9.81 / 4 / 8.54858e-06);
  const auto all = [&](double ccw, double cw) {
    for (int i = 0; i < 4; ++i) set(fmt::format("rotor_{}_joint rotor", i), i < 2 ? ccw : cw);
  };
  run(0.2);
  const double ground = pose("X3").p.z();
  all(1.1 * hover, 1.1 * hover);
  run(1);
  // (1.1^2 - 1) g, less what the rotors take to speed up.
  EXPECT_NEAR(pose("X3").p.z() - ground, 0.21 * 9.81 / 2, 0.1);
  EXPECT_NEAR(std::abs(speed("rotor_0_joint")), 1.1 * hover / 10, 0.5);
  EXPECT_LT(pose("X3").p.head<2>().norm(), 0.01);
  EXPECT_GT(speed("rotor_0_joint"), 0);
  EXPECT_LT(speed("rotor_2_joint"), 0);
  // Those that turn counterclockwise are slower: it turns counterclockwise.
  all(0.95 * hover, 1.05 * hover);
  run(0.3);
  const Mat3 R = pose("X3").R.toRotationMatrix();
  const double torque = 0.016 * 1.5 * 9.81 / 2 * (1.05 * 1.05 - 0.95 * 0.95);
  const double inertia = 0.025 + 4 * 0.025 * 0.08, late = (0.0125 + 0.025) / 2;
  EXPECT_NEAR(std::atan2(R(1, 0), R(0, 0)), torque / inertia * std::pow(0.3 - late, 2) / 2, 0.002);
  EXPECT_GT(R(2, 2), 0.999);
  // As messages of Gazebo's bridge have it.
  const auto document = read(quadcopter());
  EXPECT_EQ(node(*document, "Topic").find("name")->value.strings.at(0),
            "/X3/gazebo/command/motor_speed");
  EXPECT_EQ(node(*document, "Topic").find("message")->value.strings.at(0), "actuators");
}

// As lift_drag.sdf: a wing that is rolled by its dihedral, at 0.2 m/s.
TEST_F(GazeboForces, AWingLiftsByItsAngleOfAttack) {
  constexpr const char* wing =
      "<plugin filename=\"gz-sim-lift-drag-system\" name=\"l\"><a0>0.1</a0><cla>4</cla>"
      "<cda>0</cda><alpha_stall>10</alpha_stall><cp>0 0 0</cp><area>10</area>"
      "<air_density>1.2041</air_density><forward>-1 0 0</forward><upward>0 0 1</upward>"
      "<link_name>{}base_link</link_name></plugin>";
  const auto text = [&](const std::string& outside, const std::string& inside) {
    return weightless(model(
        "m", mass("body", 1000, "0 0 0 0 0 0", 100, 100, 100) +
                 model("wing", mass("base_link", 1, "0 0 0 0.1 0 0", 1, 1, 1) + inside) +
                 "<joint name=\"j\" type=\"fixed\"><parent>body</parent><child>wing::base_link"
                 "</child></joint>" +
                 outside));
  };
  // The plugin of the nested model names the link as that model does.
  for (const std::string& one :
       {text(fmt::format(wing, "wing::"), ""), text("", fmt::format(wing, ""))}) {
    load(one);
    EXPECT_EQ(diagnostics_.to_string(), "");
    auto& physics = *simulation_->model().physics;
    const auto body = simulation_->model().solids[0].body;
    physics.set_velocity(body, {-0.2, 0, 0}, Vec3::Zero());
    steps(1000);
    const double lift = 4 * 0.1 * 0.5 * 1.2041 * 0.2 * 0.2 * 10;
    EXPECT_NEAR(physics.velocity(body).z(), lift * std::cos(0.1) / 1001, 0.01 * lift / 1001);
    EXPECT_NEAR(physics.velocity(body).y(), -lift * std::sin(0.1) / 1001, 0.01 * lift / 1001);
  }
}

// gz-sim's coefficients push and VRX' resist.
TEST_F(GazeboForces, WaterBrakesWhatSinks) {
  const auto sinking = [](const std::string& plugin) {
    return world(model("m", "<pose>0 0 100 0 0 0</pose>" + heavy("hull", 20, "0 0 0 0 0 0") +
                                "<plugin name=\"p\" filename=\"" + plugin +
                                "<link_name>hull</link_name></plugin>"));
  };
  const auto speed = [&] {
    return -simulation_->model().physics->velocity(simulation_->model().solids[0].body).z();
  };
  load(sinking("gz-sim-hydrodynamics-system\"><zDotW>-60</zDotW><zW>-80</zW><xU>-3</xU>"));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(1);
  EXPECT_NEAR(speed(), 20 * 9.81 / 80 * (1 - std::exp(-80.0 / 80)), 0.03);
  load(
      sinking("gz-sim-hydrodynamics-system\"><zDotW>-60</zDotW><zWabsW>-30</zWabsW>"
              "<disable_added_mass>true</disable_added_mass>"));
  const double carried = std::sqrt(20 * 9.81 / 30);
  run(0.3);
  EXPECT_NEAR(speed(), carried * std::tanh(9.81 * 0.3 / carried), 0.03);
  load(sinking("libSimpleHydrodynamics.so\"><zDotW>60</zDotW><zW>80</zW>"));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(1);
  EXPECT_NEAR(speed(), 20 * 9.81 / 80 * (1 - std::exp(-80.0 / 80)), 0.03);
  load(
      sinking("gz-sim-hydrodynamics-system\"><yUabsU>-6</yUabsU>"
              "<default_current>1 0 0</default_current>"));
  run(0.005);
  const auto& physics = *simulation_->model().physics;
  EXPECT_NEAR(physics.velocity(simulation_->model().solids[0].body).y(), 6.0 / 20 * 0.005, 1e-6);
  // As written before gz-sim 8.
  load(sinking("gz-sim-hydrodynamics-system\"><zWW>-30</zWW>"));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(0.3);
  EXPECT_NEAR(speed(), carried * std::tanh(9.81 * 0.3 / carried), 0.03);
}

/// The first ellipsoid of gz-sim's added_mass_ellipsoids.sdf.
std::string ellipsoid(const std::string& added, const std::string& more = "") {
  return model("body1",
               "<link name=\"link\"><inertial><mass>1073.3774899765126</mass><inertia>"
               "<ixx>107.33774899765126</ixx><iyy>268.34437249412815</iyy>"
               "<izz>268.34437249412815</izz></inertia><fluid_added_mass>" +
                   added + "</fluid_added_mass></inertial></link>" + more);
}

// Where DART has it after a second (gz-sim, test/integration/added_mass.cc).
TEST_F(GazeboForces, WaterAroundALinkMovesAlong) {
  const std::string added =
      "<xx>236.14304779483277</xx><yy>901.6370915802705</yy>"
      "<zz>901.6370915802705</zz><qq>64.40264939859075</qq>"
      "<rr>64.40264939859075</rr>";
  // A plugin of the same link has its share of one node.
  for (const char* plugin : {"",
                             "<plugin name=\"p\" filename=\"gz-sim-hydrodynamics-system\">"
                             "<link_name>link</link_name><disable_coriolis>1"
                             "</disable_coriolis></plugin>"}) {
    load(weightless(ellipsoid(added, plugin)));
    EXPECT_EQ(diagnostics_.to_string(), "");
    auto& physics = *simulation_->model().physics;
    const auto body = simulation_->model().solids[0].body;
    for (int i = 0; i < 1000; ++i) {
      const double t = 0.001 * i;
      physics.apply_force(body, 2000 * std::sin(3 * kPi * t) * Vec3(1, 1, 0), physics.pose(body).p);
      physics.apply_torque(body, 200 * std::sin(2 * kPi * t) * Vec3(1, 1, 0));
      simulation_->step();
    }
    const Pose X = physics.pose(body);
    EXPECT_LT((X.p - Vec3(0.1615036362557803, 0.10710173528687592, -0.0024940422102210013)).norm(),
              1e-3);
    const Quat R = axis_angle({0.9487133476959254, 0.2967465880246766, -0.10901580802481375},
                              0.31351100787675423);
    EXPECT_LT(X.R.angularDistance(R), 1e-3);
    EXPECT_LT((physics.velocity(body) -
               Vec3(0.32087488227940963, 0.212772641112832, -0.010283659814296216))
                  .norm(),
              2e-3);
    EXPECT_LT((physics.angular_velocity(body) -
               Vec3(0.0031500380024329826, 0.0022451901112414984, -0.052564274312245286))
                  .norm(),
              2e-3);
  }
  EXPECT_THAT(messages(weightless(ellipsoid("<xx>1</xx><xr>2</xr>"))),
              HasSubstr("a <fluid_added_mass> that is negative in a direction has no effect"));
}

TEST_F(GazeboForces, WaterThatWouldDriveIsAWarning) {
  const auto told = [&](const std::string& more) {
    return messages(
        weightless(model("m", heavy("hull", 20, "0 0 0 0 0 0") + "<plugin name=\"p\" filename=\"" +
                                  more + "<link_name>hull</link_name></plugin>")));
  };
  EXPECT_THAT(told("gz-sim-hydrodynamics-system\"><zDotW>6</zDotW><xU>-2</xU><kPabsP>1</kPabsP>"),
              HasSubstr("<zDotW>, <kPabsP> would drive what moves: no effect; what resists is "
                        "negative"));
  EXPECT_THAT(told("libSimpleHydrodynamics.so\"><xU>-6</xU>"),
              HasSubstr("<xU> would drive what moves: no effect; what resists is positive"));
  EXPECT_THAT(told("gz-sim-hydrodynamics-system\"><zDotW>-6</zDotW><zDotU>-1</zDotU>"),
              HasSubstr("added mass of one direction by another has no effect"));
  EXPECT_THAT(told("gz-sim-hydrodynamics-system\"><xUV>-6</xUV>"),
              HasSubstr("<xUV> of Gazebo's <plugin>s of water has no effect"));
}

TEST_F(GazeboForces, WhatTheyNameAndIsNotThereIsAWarning) {
  const auto told = [&](const std::string& plugin) {
    return messages(
        weightless(model("m", heavy("wing", 1, "0 0 0 0 0 0") + heavy("flap", 1, "1 0 0 0 0 0") +
                                  hinge("j", "wing", "flap", "<xyz>0 1 0</xyz>") +
                                  "<plugin name=\"p\" filename=\"" + plugin + "</plugin>")));
  };
  EXPECT_THAT(told("gz-sim-lift-drag-system\"><link_name>wng</link_name>"),
              HasSubstr("there is no link 'wng' at which this <plugin> could push; did you mean "
                        "'wing'?"));
  EXPECT_THAT(told("libLiftDragPlugin.so\"><link_name>wing</link_name><control_joint_name>j"
                   "</control_joint_name>"),
              HasSubstr("a <control_joint_name> of a joint without a motor has no effect"));
  EXPECT_THAT(told("libLiftDragPlugin.so\"><link_name>wing</link_name><upward>1 0 0</upward>"),
              HasSubstr("an airfoil needs a <forward> and an <upward>"));
  EXPECT_THAT(told("gz-sim-thruster-system\"><joint_name>k</joint_name>"),
              HasSubstr("there is no revolute joint 'k' for a rotor"));
  EXPECT_THAT(told("gz-sim-multicopter-motor-model-system\"><jointName>j</jointName>"
                   "<linkName>flap</linkName><motorType>force</motorType>"),
              HasSubstr("a rotor with the <motorType> 'force' has no effect"));
}

}  // namespace
}  // namespace protobeam::sdf
