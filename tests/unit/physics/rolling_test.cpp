// What rolls on soft ground neither gains speed nor sinks further than at rest.
#include <gtest/gtest.h>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

constexpr double kMass = 300, kRadius = 0.35, kSpeed = 13, kStep = 0.002;

/// Ground of 200 m that begins 10 m behind the origin.
Geometry mesh_ground() {
  Mesh mesh;
  mesh.vertices = {{-10, -5, 0}, {190, -5, 0}, {190, 5, 0}, {-10, 5, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

Geometry terrain() {
  HeightField field;
  field.columns = 201;
  field.rows = 11;
  field.origin = {-10, -5};
  field.spacing = {1, 1};
  field.heights.assign(static_cast<std::size_t>(field.columns) * field.rows, 0);
  return field;
}

struct Ground {
  std::string name;
  Geometry geometry;
  Pose X_BS;
};

class Rolling : public testing::TestWithParam<Ground> {
 protected:
  /// It stands as deep as its `points` hold it by their softness, which is that of ODE's contacts:
  /// depth erp / step = cfm force.
  void roll(BodySpec body, int points) {
    World world(world_spec(kStep));
    const ContactRule soft = rule(1, 0);
    world.set_contact_rule(0, 0, soft);
    BodySpec ground;
    ground.name = "ground";
    ground.shapes = {shape(GetParam().geometry, GetParam().X_BS)};
    world.add_body(ground);
    const double depth = soft.soft_cfm * kMass * kGravity / points * kStep / soft.soft_erp;
    body.X_WB.p.z() = kRadius - depth;
    body.v_WB = {kSpeed, 0, 0};
    body.w_WB = {0, kSpeed / kRadius, 0};
    const BodyId b = world.add_body(body);
    run(world, 10);
    EXPECT_NEAR(world.velocity(b).x(), kSpeed, 1e-3 * kSpeed);
    EXPECT_NEAR(world.pose(b).p.x(), 10 * kSpeed, 0.1);
    EXPECT_NEAR(kRadius - world.pose(b).p.z(), depth, 0.02 * depth);
    EXPECT_NEAR(world.angular_velocity(b).y(), kSpeed / kRadius, 1e-3 * kSpeed / kRadius);
  }
};

TEST_P(Rolling, BallsKeepTheirSpeed) { roll(ball("ball", kMass, kRadius, {0, 0, 0}), 1); }

TEST_P(Rolling, WheelsKeepTheirSpeed) {
  BodySpec wheel;
  wheel.name = "wheel";
  wheel.motion = Motion::kDynamic;
  wheel.X_WB.R = axis_angle(Vec3::UnitX(), kPi / 2);
  wheel.mass = cylinder_mass(kMass, kRadius, 0.2);
  wheel.shapes = {shape(Cylinder{kRadius, 0.2})};
  roll(wheel, 2);
}

INSTANTIATE_TEST_SUITE_P(
    grounds, Rolling,
    testing::Values(Ground{"plane", Plane{}, {}},
                    Ground{"box", Box{{400, 10, 1}}, Pose::translation({0, 0, -0.5})},
                    Ground{"mesh", mesh_ground(), {}}, Ground{"terrain", terrain(), {}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace protobeam::physics
