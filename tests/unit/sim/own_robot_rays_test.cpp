// What DistanceSensors and others measure of the robot that carries them.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

/// The value of the sensor "r/ds" of these robots, 1.5 m from a wall, in metres.
double distance_seen(const std::string& robots) {
  WorldText world;
  Simulation& simulation = world.load(robots + R"(
Solid { name "wall" translation 2 0 0 children [ DEF WALL Shape { geometry Box { size 1 9 9 } } ]
  boundingObject USE WALL })");
  simulation.step();
  const Device& sensor = device_named(simulation, "r/ds");
  return sensor.model->channel<double>(sensor.data, 0)[0];
}

std::string sensor_with(const std::string& type, const std::string& fields) {
  return "DistanceSensor { name \"ds\" samplingPeriod 8 lookupTable [ 0 0 0, 100 100 0 ] type \"" +
         type + "\" " + fields + " }";
}

/// A Robot with such a sensor in a body, or at the front of one that collides with itself, which
/// has an arm before it.
std::string robot_with_arm(const std::string& type, const std::string& fields) {
  return R"(Robot { name "r" )" + fields + R"( children [ )" + sensor_with(type, "") + R"(
    HingeJoint { jointParameters HingeJointParameters { axis 1 0 0 }
      endPoint Solid { name "arm" translation 0.5 0 0 children [ DEF ARM Shape { geometry Box { size 0.1 1 1 } } ]
        boundingObject USE ARM )" +
         (fields.find("physics") == std::string::npos ? "" : "physics Physics { }") + R"( } }
  ] boundingObject Pose { translation )" +
         (fields.find("selfCollision") == std::string::npos ? "0" : "-0.2") + R"( 0 0
      children [ Box { size 0.2 0.2 0.2 } ] } })";
}

TEST(DistanceSensorInAShape, LooksOutOfItInfraRed) {
  const auto with_children = [](const std::string& children) {
    return R"(Robot { name "r" children [ )" +
           sensor_with("infra-red", "children [ " + children + " ]") + " ] }";
  };
  EXPECT_NEAR(distance_seen(with_children("")), 1.5, 1e-6);
  for (const char* geometry : {"Box { size 0.1 0.2 0.2 }", "Sphere { radius 0.1 }",
                               "Cylinder { radius 0.1 height 0.1 }"}) {
    const std::string shape = std::string("Shape { geometry ") + geometry + " }";
    EXPECT_NEAR(distance_seen(with_children(shape)), 1.5, 1e-6) << geometry;
    // In that of its robot, and of a body that moves.
    for (const char* physics : {"", " physics Physics { } boundingObject Sphere { radius 0.1 }"}) {
      EXPECT_NEAR(distance_seen(R"(Robot { name "r" children [ )" + sensor_with("infra-red", "") +
                                shape + " ]" + physics + "}"),
                  1.5, 1e-6)
          << geometry;
    }
  }
  // What stands before it is seen, whosever it is.
  EXPECT_NEAR(distance_seen(with_children("Pose { translation 0.5 0 0 children [ "
                                          "Shape { geometry Box { size 0.2 0.2 0.2 } } ] }")),
              0.4, 1e-6);
  EXPECT_NEAR(distance_seen(robot_with_arm("infra-red", "")), 0.45, 1e-6);
}

TEST(DistanceSensorInAShape, LooksOutOfItWithManyRaysAndAfterItHasTurned) {
  EXPECT_NEAR(
      distance_seen(R"(Robot { name "r" rotation 0 0 1 0.5 children [ )" +
                    sensor_with("infra-red",
                                "rotation 0 0 1 -0.5 numberOfRays 12 aperture 0.001 children [ "
                                "Shape { geometry Box { size 0.3 0.2 0.1 } } ]") +
                    " ] }"),
      1.5, 1e-5);
}

TEST(SolidRays, PassThroughTheirOwnRobot) {
  for (const char* type : {"generic", "sonar", "laser"}) {
    for (const char* fields : {"", "physics Physics { }"}) {
      EXPECT_NEAR(distance_seen(robot_with_arm(type, fields)), 1.5, 1e-6) << type << fields;
    }
    // Its parts feel each other, and so does the sensor.
    EXPECT_NEAR(distance_seen(robot_with_arm(type, "selfCollision TRUE physics Physics { }")), 0.45,
                1e-6);
  }
  // Those of another robot do not.
  EXPECT_NEAR(
      distance_seen(
          robot_with_arm("laser", "") +
          R"(Robot { name "other" translation 1 0 0 boundingObject Box { size 0.2 1 1 } })"),
      0.9, 1e-6);
}

// Webots: WbSimulationCluster::odeNearCallback lets through what is of one robot, unless it has
// selfCollision, and nothing else.
TEST(SolidRays, OfARobotWithSelfCollisionMeetItsOwnBody) {
  const auto robot = [](const std::string& fields) {
    return R"(Robot { name "r" )" + fields + R"( children [ )" + sensor_with("laser", "") + R"(
      Solid { name "bumper" translation 0.5 0 0 boundingObject Box { size 0.2 1 1 } } ]
      boundingObject Pose { translation -0.2 0 0 children [ Box { size 0.2 0.2 0.2 } ] } })";
  };
  for (const char* physics : {"", " physics Physics { }"}) {
    EXPECT_NEAR(distance_seen(robot(std::string("selfCollision TRUE") + physics)), 0.4, 1e-6)
        << physics;
    EXPECT_NEAR(distance_seen(robot(physics)), 1.5, 1e-6) << physics;
  }
}

// ODE: dCollideRayBox and its like meet the far side of what a ray begins in.
TEST(SolidRays, MeetTheFarSideOfWhatTheyBeginIn) {
  const auto robot = [](const std::string& type, const std::string& fields) {
    return R"(Robot { name "r" children [ )" + sensor_with(type, "") + " ] " + fields + " }";
  };
  struct Form {
    const char *geometry, *type;
    double distance;
  };
  const Form forms[] = {
      {"Box { size 0.4 2 2 }", "generic", 0.2},
      {"Sphere { radius 0.3 }", "laser", 0.3},
      {"Capsule { radius 0.3 height 1 }", "sonar", 0.3},
      {"Cylinder { radius 0.3 height 1 }", "laser", 0.3},
      // Its contact normals point outwards, and a sonar takes no echo from behind a surface.
      {"Cylinder { radius 0.3 height 1 }", "sonar", 100},
  };
  for (const Form& form : forms) {
    SCOPED_TRACE(std::string(form.type) + " " + form.geometry);
    const std::string bounding = std::string("boundingObject ") + form.geometry;
    EXPECT_NEAR(distance_seen(robot(form.type, "") + "Solid { name \"haze\" " + bounding + " }"),
                form.distance, 1e-4);
    for (const char* physics : {"", " physics Physics { }"}) {
      EXPECT_NEAR(distance_seen(robot(form.type, "selfCollision TRUE " + bounding + physics)),
                  form.distance, 1e-4)
          << physics;
      EXPECT_NEAR(distance_seen(robot(form.type, bounding + physics)), 1.5, 1e-6) << physics;
    }
  }
}

TEST(SolidRays, OfALightSensorPassThroughItsRobot) {
  WorldText world;
  const std::string arm = robot_with_arm("generic", "");
  Simulation& simulation = world.load(
      "DirectionalLight { direction -1 0 0 }" + arm.substr(0, arm.find("DistanceSensor")) +
      "LightSensor { name \"light\" occlusion TRUE samplingPeriod 8 }" +
      arm.substr(arm.find("DistanceSensor")));
  simulation.step();
  const Device& sensor = device_named(simulation, "r/light");
  EXPECT_GT(sensor.model->channel<double>(sensor.data, 0)[0], 900);
}

}  // namespace
}  // namespace protobeam
