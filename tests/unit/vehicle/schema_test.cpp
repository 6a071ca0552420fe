// The field tables of the vehicle plugins: MVSim's defaults, and defaults within their ranges.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "tests/unit/vehicle/vehicle_plugins.h"

namespace protobeam {
namespace {

const std::map<std::string, const char*> kBases = {
    {"DifferentialDrive", "VehicleDrive"},   {"AckermannDrive", "VehicleDrive"},
    {"AckermannDrivetrain", "VehicleDrive"}, {"DefaultFriction", "Tyre"},
    {"WardIagnemmaFriction", "Tyre"},        {"EllipseFriction", "Tyre"},
    {"RawControl", "DriveController"},       {"TwistPid", "DriveController"},
    {"TwistIdeal", "DriveController"},       {"FrontSteer", "DriveController"},
    {"FrontSteerPid", "DriveController"}};

TEST(VehiclePlugins, ExtendTheTypeThatFitsTheirPlace) {
  for (const auto& [node, base] : kBases) {
    const NodeSchema& schema = load_any_plugin(node).schema;
    EXPECT_EQ(schema.name, node);
    EXPECT_STREQ(schema.base, base);
  }
}

TEST(VehiclePlugins, HaveDefaultsWithinTheirRanges) {
  for (const auto& [node, base] : kBases) {
    const NodeSchema schema = with_base(load_any_plugin(node).schema);
    const TestFields fields(schema);
    std::set<std::string> names;
    for (const FieldSpec& field : schema.fields) {
      EXPECT_TRUE(names.insert(field.name).second) << node << "." << field.name << " twice";
      const FieldType type = single(field.type);
      if (type != FieldType::kFloat && type != FieldType::kInt32) continue;
      for (const double value : fields.numbers(field.name)) {
        EXPECT_TRUE(field.range.contains(value)) << node << "." << field.name << " " << value;
      }
    }
  }
}

/// MVSim: FrictionModels/*.h, VehicleDynamics/*.h, ControllerBase.
TEST(VehiclePlugins, HaveTheDefaultsOfMvsim) {
  const std::map<std::string, std::map<std::string, double>> reference = {
      {"DefaultFriction", {{"mu", 0.8}, {"bearingDamping", 0.01}, {"rollingResistance", 0}}},
      {"WardIagnemmaFriction", {{"mu", 0.8}, {"aRoll", 50}, {"r1", 0.0075}, {"r2", 0.02}}},
      {"EllipseFriction",
       {{"corneringStiffness", 8.5},
        {"slipStiffness", 7.5},
        {"slipAngleSaturation", 0.1},
        {"slipRatioSaturation", 0.1},
        {"corneringCoupling", 0.5},
        {"slipCoupling", 0.5}}},
      {"TwistPid", {{"kp", 10}, {"ki", 0}, {"kd", 0}, {"maxTorque", 100}, {"commandTimeout", 1}}},
      {"FrontSteerPid", {{"kp", 100}, {"ki", 0}, {"kd", 0}, {"maxTorque", 100}}},
      {"FrontSteer", {{"kp", 100}, {"referenceFilterTau", 0.1}, {"feedForwardGain", 1}}},
      {"AckermannDrive", {{"linearDamping", 0.1}, {"angularDamping", 0.1}}},
      {"AckermannDrivetrain", {{"frontRearSplit", 0.5}, {"frontRearBias", 1.5}}},
  };
  for (const auto& [node, values] : reference) {
    const TestFields fields(with_base(load_any_plugin(node).schema));
    for (const auto& [field, value] : values) EXPECT_EQ(fields.number(field), value) << field;
  }
  const TestFields car(load_any_plugin("AckermannDrive").schema);
  EXPECT_NEAR(car.number("maxSteeringAngle"), kPi / 6, 1e-6);
}

TEST(VehicleWheel, HasTheInertiaOfADiscUnlessItIsGiven) {
  const NodeSchema schema = wheel_schema();
  const Wheel plain = wheel_from(TestFields(schema));
  EXPECT_EQ(plain.mass, 2);
  EXPECT_EQ(plain.diameter, 0.4);
  EXPECT_EQ(plain.width, 0.2);
  EXPECT_DOUBLE_EQ(plain.inertia, 0.5 * 2 * 0.2 * 0.2);
  const Wheel given =
      wheel_from(TestFields(schema, {{"position", "1 2 3"}, {"yaw", "0.1"}, {"inertia", "0.7"}}));
  EXPECT_EQ(given.inertia, 0.7);
  EXPECT_EQ(given.planar(), Vec2(1, 2));
  EXPECT_EQ(given.yaw, 0.1);
}

}  // namespace
}  // namespace protobeam
