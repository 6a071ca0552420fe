// Vehicles in the text of a world: what stands where, what it weighs, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

const std::string kWheels = R"(wheels [
  VehicleWheel { position 0 0.3 0.1 diameter 0.2 width 0.05 mass 1
    children [ Shape { geometry Cylinder { radius 0.1 height 0.05 } } ] }
  VehicleWheel { position 0 -0.3 0.1 diameter 0.2 width 0.05 mass 1 } ])";
const std::string kChassis =
    "boundingObject Pose { translation 0 0 0.2 children [ Box { size 0.6 0.4 0.2 } ] } ";

std::string robot(const std::string& drive,
                  const std::string& physics = "physics Physics { density -1 mass 10 }") {
  return "Robot { name \"car\" controller \"<none>\" " + kChassis + physics + " children [ " +
         drive + " ] }\n";
}

std::string refusal(const std::string& text) {
  WorldText world;
  try {
    world.load(text, "");
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
  return "";
}

TEST(VehicleWorld, HasItsVehiclesWithTheMassOfChassisAndWheels) {
  WorldText world;
  Simulation& s = world.load(robot("DifferentialDrive { " + kWheels + " }"));
  VehicleHost* vehicle = s.find_vehicle("car");
  ASSERT_TRUE(vehicle);
  EXPECT_EQ(s.find_vehicle("bus"), nullptr);
  EXPECT_DOUBLE_EQ(s.model().physics->mass(vehicle->body()), 12);
  EXPECT_DOUBLE_EQ(vehicle->vehicle().layout().chassis_mass, 10);
  const Device* device = s.find_device("car/drive");
  ASSERT_TRUE(device);
  EXPECT_EQ(device->model->type().webots_node, 1001);
  EXPECT_EQ(vehicle->device(), 0);
}

TEST(VehicleWorld, TakesCommandsOrSaysWhyNot) {
  WorldText world;
  Simulation& s =
      world.load(robot("DifferentialDrive { controller TwistPid { } " + kWheels + " }"));
  VehicleHost& vehicle = *s.find_vehicle("car");
  EXPECT_EQ(vehicle.command(Twist{1, 0, 0}), "");
  EXPECT_THAT(vehicle.command(SpeedCommand{1, 0}), HasSubstr("TwistPid takes twists"));
}

TEST(VehicleWorld, ShowsAWheelWhereItIs) {
  WorldText world;
  Simulation& s = world.load(
      robot("Pose { translation 0.1 0 0 children [ DifferentialDrive { " + kWheels + " } ] }"));
  const VisualGroup* seen = nullptr;
  for (const VisualGroup& group : s.model().visuals) {
    if (group.vehicle == 0) seen = &group;
  }
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->wheel, 0);
  EXPECT_TRUE(s.pose_of(*seen).p.isApprox(Vec3(0.1, 0.3, 0.1)));
}

TEST(VehicleWorld, RefusesADriveThatDrivesNoRobot) {
  const std::string drive = "DifferentialDrive { " + kWheels + " }";
  EXPECT_THAT(refusal("Solid { " + kChassis + "physics Physics { } children [ " + drive + " ] }"),
              HasSubstr("test.wbt:3:122: error: "));
  EXPECT_THAT(refusal("Solid { children [ " + drive + " ] }"),
              HasSubstr("a DifferentialDrive drives a Robot"));
  EXPECT_THAT(refusal(robot("Solid { name \"inner\" children [ " + drive + " ] }")),
              HasSubstr("a DifferentialDrive drives a Robot"));
  EXPECT_THAT(refusal(robot(drive, "")), HasSubstr("the Robot 'car' needs Physics"));
  EXPECT_THAT(refusal(robot(drive + " " + drive)), HasSubstr("a Robot has one drive"));
}

TEST(VehicleWorld, RefusesTypesThatOthersOnlyExtend) {
  EXPECT_THAT(refusal(robot("VehicleDrive { " + kWheels + " }")),
              HasSubstr("VehicleDrive is only what vehicles have in common: use one of "
                        "AckermannDrive, AckermannDrivetrain, DifferentialDrive"));
  EXPECT_THAT(refusal(robot("DifferentialDrive { tyre Tyre { } " + kWheels + " }")),
              HasSubstr("Tyre is only what tyres have in common: use one of DefaultFriction"));
  EXPECT_THAT(
      refusal(robot("DifferentialDrive { controller DriveController { } " + kWheels + " }")),
      HasSubstr("DriveController is only what controllers have in common"));
}

TEST(VehicleWorld, TellsTheFieldThatAPluginRefuses) {
  const std::string one_wheel = "DifferentialDrive {\n wheels [ VehicleWheel { } ] }";
  EXPECT_THAT(refusal(robot(one_wheel)),
              HasSubstr("test.wbt:4:9: error: wheels of a DifferentialDrive must be 2, 3 or 4"));
  const std::string heavy =
      "DifferentialDrive { wheels [ VehicleWheel { position 0 1 0 }\n"
      "VehicleWheel { position 0 -1 0\nmass 1e999 } ] }";
  EXPECT_THAT(refusal(robot(heavy)), HasSubstr("test.wbt:5:"));
  EXPECT_THAT(refusal(robot("DifferentialDrive { controller\nFrontSteerPid { } " + kWheels + " }")),
              HasSubstr("test.wbt:4:1: error: "));
}

TEST(VehicleWorld, RefusesBodiesInWheels) {
  EXPECT_THAT(refusal(robot("DifferentialDrive { wheels [ VehicleWheel { position 0 1 0 children [ "
                            "Solid { } ] } VehicleWheel { position 0 -1 0 } ] }")),
              HasSubstr("a Solid cannot stand in a VehicleWheel"));
  EXPECT_THAT(refusal("VehicleWheel { }"), HasSubstr("stands in the field 'wheels' of a drive"));
}

}  // namespace
}  // namespace protobeam
