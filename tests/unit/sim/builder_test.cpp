// From world text to bodies: the rules of Solid, Physics and joints, seen by what the bodies do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/simulation.h"
#include "tests/support/program.h"
#include "tests/unit/sim/device_named.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

class WorldTest : public testing::Test {
 protected:
  /// Loads a world without gravity, damping or noise to which the text is added.
  Simulation& load(const std::string& text, const std::string& info = "gravity 0") {
    const auto file =
        folder_.write("worlds/test.wbt",
                      "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 8 " + info + " }\n" + text);
    simulation_ = Simulation::load(file, {}, diagnostics_);
    if (!simulation_) throw std::runtime_error(diagnostics_.to_string());
    return *simulation_;
  }
  physics::World& physics() { return *simulation_->model().physics; }
  physics::BodyId body(const std::string& name) {
    for (const auto& solid : simulation_->model().solids) {
      if (solid.name == name) return solid.body;
    }
    throw std::runtime_error("no solid " + name);
  }
  Pose pose(const std::string& name) {
    for (const auto& solid : simulation_->model().solids) {
      if (solid.name != name) continue;
      return solid.body == physics::kWorldBody ? solid.X_BS
                                               : physics().pose(solid.body) * solid.X_BS;
    }
    throw std::runtime_error("no solid " + name);
  }
  void run(double seconds) {
    const auto steps = std::llround(seconds / simulation_->model().basic_time_step);
    for (long long i = 0; i < steps; ++i) simulation_->step();
  }
  DeviceCommand command(const std::string& device, const char* name,
                        std::vector<double> numbers) {
    const Device* found = &device_named(*simulation_, device);
    const int index = find_command(found->model->type().commands, name);
    const auto op = static_cast<std::uint16_t>(device_op::kFirstCommand + index);
    const auto& devices = simulation_->model().robots[0].devices;
    return {static_cast<std::uint16_t>(found - devices.data() + 1), op, std::move(numbers), {}};
  }

  TemporaryFolder folder_;
  Diagnostics diagnostics_;
  std::unique_ptr<Simulation> simulation_;
};

//   (=====)--------(=====)   two balls of 1 kg, 1 m apart, and a leaf without Physics
TEST_F(WorldTest, SolidsWithPhysicsBelowEachOtherAreOneBody) {
  load(
      R"(Solid { name "a" physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 }
    children [
      Solid { name "b" translation 1 0 0 physics Physics { density -1 mass 1 }
              boundingObject Sphere { radius 0.1 } }
      Solid { name "casing" translation 0 5 0 boundingObject Box { size 1 1 1 } }
    ] })");
  EXPECT_EQ(body("a"), body("b"));
  EXPECT_EQ(body("a"), body("casing"));
  EXPECT_EQ(physics().body_count(), 1);
  EXPECT_DOUBLE_EQ(physics().mass(body("a")), 2);
  // 2 (2/5 m r^2 + m d^2) with d = 0.5: a torque turns it about its middle.
  const double inertia = 2 * (0.4 * 0.01 + 0.25);
  physics().apply_torque(body("a"), Vec3(0, 0, 3));
  simulation_->step();
  EXPECT_NEAR(physics().angular_velocity(body("a")).z(), 3 * 0.008 / inertia, 1e-6);
  run(1);
  EXPECT_NEAR(((pose("a").p + pose("b").p) / 2 - Vec3(0.5, 0, 0)).norm(), 0, 1e-6);
}

TEST_F(WorldTest, MassComesFromTheVolumesOfTheBoundingObject) {
  load(R"(Solid { name "s" physics Physics { density 500 } boundingObject Group { children [
      Box { size 1 1 1 }  Pose { translation 2 0 0 children [ Cylinder { radius 0.5 height 2 } ] } ] } })");
  EXPECT_NEAR(physics().mass(body("s")), 500 * (1 + kPi * 0.25 * 2), 1e-6);
}

TEST_F(WorldTest, PhysicsWithNeitherMassNorDensityHasThatOfWater) {
  load(
      R"(Solid { name "s" physics Physics { density -1 mass -1 } boundingObject Box { size 1 2 1 } })");
  EXPECT_NEAR(physics().mass(body("s")), 1000 * 2, 1e-6);
}

TEST_F(WorldTest, ASolidWithoutPhysicsStaysWhereItIs) {
  load(R"(Solid { name "wall" translation 0 0 2 boundingObject Box { } }
          Robot { name "base" translation 5 0 1 })",
       "");
  run(1);
  EXPECT_EQ(pose("wall").p, Vec3(0, 0, 2));
  EXPECT_EQ(pose("base").p, Vec3(5, 0, 1));
}

TEST_F(WorldTest, FreeBodiesStartWithTheirWrittenVelocity) {
  load(
      R"(Solid { name "s" linearVelocity 1 2 0 angularVelocity 0 0 3 physics Physics { } boundingObject Box { } })");
  run(0.8);
  EXPECT_NEAR((pose("s").p - Vec3(0.8, 1.6, 0)).norm(), 0, 1e-9);
  EXPECT_NEAR(Eigen::AngleAxisd(pose("s").R).angle(), 2.4, 1e-6);
}

TEST_F(WorldTest, DefaultDampingTakesItsShareOfTheSpeedEachSecond) {
  load(R"(Solid { name "s" linearVelocity 1 0 0 physics Physics { } boundingObject Box { } })",
       "gravity 0 defaultDamping Damping { linear 0.3 }");
  run(1);
  EXPECT_NEAR(physics().velocity(body("s")).x(), 0.7, 1e-6);
}

TEST_F(WorldTest, AKinematicJointTurnsExactlyAsItsMotorIsTold) {
  load(R"(Robot { name "r" translation 1 0 0 children [ HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 anchor 0.5 0 0 }
      device [ RotationalMotor { name "m" maxTorque 1000 } PositionSensor { name "p" } ]
      endPoint Solid { name "arm" translation 1 0 0 } } ] })");
  RobotDriver driver(simulation_->model(), 0);
  driver.apply_command(command("m", "position", {HUGE_VAL}), 0);
  driver.apply_command(command("m", "velocity", {kPi / 2}), 0);
  run(1);
  // A quarter turn about (1.5, 0): from (2, 0) to (1.5, 0.5).
  EXPECT_NEAR((pose("arm").p - Vec3(1.5, 0.5, 0)).norm(), 0, 1e-6);
}

TEST_F(WorldTest, TheWrittenPoseOfAnEndPointIncludesTheJointsPosition) {
  load(R"(Robot { name "r" children [ HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 position 1.5707963267948966 }
      device [ RotationalMotor { name "m" } PositionSensor { name "p" } ]
      endPoint Solid { name "arm" translation 0 1 0 rotation 0 0 1 1.5707963267948966 } } ] })");
  RobotDriver driver(simulation_->model(), 0);
  driver.apply_command(command("m", "position", {0}), 0);
  run(3);
  EXPECT_NEAR((pose("arm").p - Vec3(1, 0, 0)).norm(), 0, 1e-3);
}

TEST_F(WorldTest, CoupledMotorsMoveTogetherByTheirMultipliers) {
  load(R"(Robot { name "r" children [
      HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 }
        device [ RotationalMotor { name "hand::left" } PositionSensor { name "left" } ]
        endPoint Solid { name "a" } }
      HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 }
        device [ RotationalMotor { name "hand::right" multiplier -2 } PositionSensor { name "right" } ]
        endPoint Solid { name "b" } } ] })");
  RobotDriver driver(simulation_->model(), 0);
  driver.apply_command(command("hand::left", "position", {0.2}), 0);
  run(3);
  EXPECT_NEAR(physics().joint_position(device_named(*simulation_, "left").joint, 0), 0.2, 1e-3);
  EXPECT_NEAR(physics().joint_position(device_named(*simulation_, "right").joint, 0), -0.4, 1e-3);
}

TEST_F(WorldTest, AnAccelerometerAtRestFeelsTheGroundAndInFreeFallNothing) {
  load(
      R"(Robot { name "r" physics Physics { } boundingObject Box { size 1 1 1 } children [ Accelerometer { } ] })",
      "");
  Device& device = device_named(*simulation_, "accelerometer");
  simulation_->enable(device, 0.008);
  run(0.4);
  const auto* value = reinterpret_cast<const double*>(device.data.data());
  EXPECT_NEAR(value[2], 0, 1e-6);
  load(R"(Robot { name "r" translation 0 0 1 children [ Accelerometer { } ] })", "");
  Device& still = device_named(*simulation_, "accelerometer");
  simulation_->enable(still, 0.008);
  run(0.4);
  EXPECT_NEAR(reinterpret_cast<const double*>(still.data.data())[2], 9.81, 1e-9);
}

// Webots, WbAccelerometer::computeValue: an impact counts whenever it comes between two samples.
TEST_F(WorldTest, AnAccelerometerTellsTheMeanOverItsPeriod) {
  load(
      R"(Robot { name "r" translation 0 0 0.6 physics Physics { density -1 mass 1 } boundingObject Box { size 1 1 1 } children [ Accelerometer { } ] }
Solid { name "ground" boundingObject Plane { size 9 9 } })",
      "");
  Device& device = device_named(*simulation_, "accelerometer");
  simulation_->enable(device, 0.032);
  run(0.032);
  const auto& physics = *simulation_->model().physics;
  double before = physics.velocity(device.body).z(), hardest = 0;
  for (int i = 0; i < 10; ++i) {
    run(0.032);
    const double now = physics.velocity(device.body).z();
    const double felt = reinterpret_cast<const double*>(device.data.data())[2];
    EXPECT_NEAR(felt, (now - before) / 0.032 + 9.81, 1e-9) << i;
    before = now;
    hardest = std::max(hardest, felt);
  }
  EXPECT_GT(hardest, 30);  // 1.4 m/s within a period
}

TEST_F(WorldTest, AConcaveFaceIsSplitIntoTrianglesOfItsOwnArea) {
  // An L of area 3, written as one face; fans would cover its notch.
  load(R"(Solid { name "s" children [ Shape { geometry IndexedFaceSet {
      coord Coordinate { point [ 0 0 0, 2 0 0, 2 1 0, 1 1 0, 1 2 0, 0 2 0 ] }
      convex FALSE coordIndex [ 0 1 2 3 4 5 -1 ] } } ] })");
  const auto& mesh = std::get<Mesh>(*simulation_->model().visuals.at(0).geometries.at(0));
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3 n = (mesh.vertices[t[1]] - mesh.vertices[t[0]])
                       .cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
    EXPECT_GT(n.z(), 0);  // as the face turns
    area += n.norm() / 2;
  }
  EXPECT_NEAR(area, 3, 1e-12);
}

/// A ridge along y of two square faces, 0.8 rad apart, and one with its directions written.
class Ridge : public WorldTest {
 protected:
  Mesh ridge(const std::string& fields) {
    const double x = std::cos(0.4), z = std::sin(0.4);
    load(fmt::format(R"(Solid {{ name "s" children [ Shape {{ geometry IndexedFaceSet {{
      coord Coordinate {{ point [ {0} 0 0, {0} 1 0, 0 1 {1}, 0 0 {1}, -{0} 1 0, -{0} 0 0 ] }}
      coordIndex [ 0 1 2 3 -1 3 2 4 5 -1 ] {2} }} }} ] }})",
                     x, z, fields));
    return std::get<Mesh>(*simulation_->model().visuals.at(0).geometries.at(0));
  }
  static Vec3 normal(const Mesh& mesh, std::size_t triangle, std::uint32_t point) {
    for (std::size_t k = 0; k < 3; ++k)
      if (mesh.triangles.at(triangle)[k] == point)
        return mesh.normals.at(triangle)[k].cast<double>();
    throw std::runtime_error("no such corner");
  }
  const Vec3 right_{std::sin(0.4), 0, std::cos(0.4)}, left_{-std::sin(0.4), 0, std::cos(0.4)};
};

TEST_F(Ridge, IsSmoothWhereItsFacesMeetAtLessThanTheCreaseAngle) {
  EXPECT_TRUE(ridge("").normals.empty());
  const Mesh sharp = ridge("creaseAngle 0.79"), smooth = ridge("creaseAngle 0.81");
  ASSERT_EQ(smooth.normals.size(), 4u);
  for (const std::uint32_t crest : {2u, 3u}) {
    for (std::size_t t = 0; t < 4; ++t) {
      const auto& corners = smooth.triangles[t];
      if (std::ranges::find(corners, crest) == corners.end()) continue;
      EXPECT_LT((normal(smooth, t, crest) - Vec3::UnitZ()).norm(), 1e-6) << t;
      EXPECT_LT((normal(sharp, t, crest) - (t < 2 ? right_ : left_)).norm(), 1e-6) << t;
    }
  }
  EXPECT_LT((normal(smooth, 0, 0) - right_).norm(), 1e-6);
  const Mesh turned = ridge("creaseAngle 0.81 ccw FALSE");
  for (std::size_t t = 0; t < 4; ++t) {
    const auto& corners = turned.triangles[t];
    if (std::ranges::find(corners, 3u) == corners.end()) continue;
    EXPECT_LT((normal(turned, t, 3) + Vec3::UnitZ()).norm(), 1e-6) << t;
  }
}

TEST_F(Ridge, HasTheDirectionsThatItsTextGives) {
  const std::string two = "normal Normal { vector [ 0 0 2, 1 0 0 ] } creaseAngle 3 ";
  const Mesh by_face = ridge(two + "normalPerVertex FALSE normalIndex [ 1 0 ]");
  EXPECT_EQ(normal(by_face, 0, 0), Vec3::UnitX());
  EXPECT_EQ(normal(by_face, 3, 5), Vec3::UnitZ());
  const Mesh in_order = ridge(two + "normalPerVertex FALSE");
  EXPECT_EQ(normal(in_order, 0, 0), Vec3::UnitZ());
  EXPECT_EQ(normal(in_order, 3, 5), Vec3::UnitX());
  // By point; those that are not there leave their corners flat.
  const Mesh by_corner = ridge(two);
  EXPECT_EQ(normal(by_corner, 0, 0), Vec3::UnitZ());
  EXPECT_EQ(normal(by_corner, 0, 1), Vec3::UnitX());
  EXPECT_EQ(normal(by_corner, 3, 5), Vec3::Zero());
  const Mesh by_index = ridge(two + "normalIndex [ 1 1 1 1 -1 0 0 0 0 -1 ]");
  EXPECT_EQ(normal(by_index, 1, 3), Vec3::UnitX());
  EXPECT_EQ(normal(by_index, 2, 3), Vec3::UnitZ());
}

// As in Webots: WbElevationGrid::setOdeHeightfieldData.
TEST_F(WorldTest, HeightsThatAnElevationGridLacksAreZero) {
  const auto ball = [](const std::string& name, int y) {
    return "Solid { name \"" + name + "\" translation 1.5 " + std::to_string(y) +
           ".5 2 boundingObject Sphere { radius 0.1 } physics Physics { } } ";
  };
  load(
      "Solid { name \"hill\" boundingObject ElevationGrid { xDimension 4 yDimension 4 "
      "height [ 1 1 1 1, 1 1 1 1 ] } } " +
          ball("low", 2) + ball("high", 0),
      "");
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("has 8 numbers for xDimension x yDimension = 16"));
  run(2);
  EXPECT_NEAR(pose("high").p.z(), 1.1, 0.02);
  EXPECT_NEAR(pose("low").p.z(), 0.1, 0.02);
}


TEST_F(WorldTest, PhysicsWithoutVolumeOrMassWeighsAKilogram) {
  load("Solid { physics Physics { } }");
  const auto& model = simulation_->model();
  EXPECT_EQ(model.physics->mass(model.solids.at(0).body), 1);
}

TEST_F(WorldTest, TwoWorldsOfOneTextHaveOneHash) {
  const std::string text =
      R"(Solid { translation 0 0 3 rotation 1 1 0 0.3 physics Physics { } boundingObject Box { size 1 1 1 } }
    Solid { boundingObject Plane { } })";
  load(text, "");
  run(2);
  const auto first = simulation_->state_hash();
  load(text, "");
  run(2);
  EXPECT_EQ(first, simulation_->state_hash());
}

TEST_F(WorldTest, AHinge2JointNeedsTwoDifferentAxes) {
  try {
    load(R"(Solid { physics Physics { mass 1 density -1 } children [ Hinge2Joint {
 jointParameters HingeJointParameters { axis 0 1 0 }
 jointParameters2 JointParameters { axis 0 -1 0 }
 endPoint Solid { name "w" physics Physics { mass 1 density -1 } } } ] })");
    FAIL();
  } catch (const std::runtime_error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("test.wbt:5:42: error: the two axes of this Hinge2Joint are parallel"));
  }
}

TEST_F(WorldTest, AChannelThatIsNotAllowedGivesWayWithAWarning) {
  load(R"(Robot { name "r" controller "<none>" children [
 Emitter { channel 1 allowedChannels [ 3, 4 ] }
 Receiver { allowedChannels [ 3, 4 ] channel 4 }
 Receiver { name "any" channel 7 } ] })");
  EXPECT_EQ(diagnostics_.warning_count(), 1);
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("test.wbt:4:20: warning: channel 1 is not one of allowedChannels: 3 "
                        "counts, as in Webots\n"));
  EXPECT_EQ(
      std::get<double>(device_named(*simulation_, "emitter").model->properties().at("channel")), 3);
}

TEST_F(WorldTest, ALookupTableInNoOrderIsReadWithAWarning) {
  load(R"(Robot { name "r" controller "<none>" children [
 LightSensor { lookupTable [ 37 12 0, 30 5 0, 25 2 0, 38 1000 0 ] }
 LightSensor { name "step" lookupTable [ 0 0 0, 1 0 0, 1 5 0 ] } ] })");
  EXPECT_EQ(diagnostics_.warning_count(), 1);
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("test.wbt:4:39: warning: field 'lookupTable' of LightSensor: inputs must "
                        "ascend, but 30 follows 37"));
}

}  // namespace
}  // namespace protobeam
