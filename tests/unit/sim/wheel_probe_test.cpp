// Where a disc meets shapes of all kinds, against elementary geometry.
#include "sim/vehicle/wheel_probe.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "base/rng.h"
#include "sim/vehicle/suspension.h"

namespace protobeam {
namespace {

constexpr double kWheelRadius = 0.2;  // m

class WheelProbe : public testing::Test {
 protected:
  void add(Geometry geometry, const Pose& X_WB, physics::Motion motion = physics::Motion::kStatic) {
    physics::BodySpec spec;
    spec.name = "ground";
    spec.motion = motion;
    spec.X_WB = X_WB;
    spec.shapes = {{std::make_shared<const Geometry>(std::move(geometry)), Pose{}, 0, 7}};
    world_.add_body(spec);
  }
  /// A wheel that drives along x with its centre at (x, 0, height).
  std::optional<ProbeContact> at(double x, double height = kWheelRadius, double reach = 0.1) {
    ProbeDisc disc;
    disc.centre_W = {x, 0, height};
    disc.radius = kWheelRadius;
    disc.clearance = 2 * kWheelRadius;
    disc.reach = reach;
    const Vec3 around = Vec3::Constant(1);
    world_.shapes_near(disc.centre_W - around, disc.centre_W + around, physics::kWorldBody,
                       surroundings_, shapes_);
    return probe(world_, shapes_, disc, memory_);
  }

  physics::World world_{{}};
  physics::Surroundings surroundings_;
  std::vector<physics::NearShape> shapes_;
  ProbeMemory memory_;
};

TEST_F(WheelProbe, TouchesAPlaneFlat) {
  const double slope = 0.3;
  add(Plane{}, Pose::rotation(axis_angle(Vec3::UnitY(), -slope)));
  const auto contact = at(0);
  ASSERT_TRUE(contact);
  // The centre has to be R / cos(slope) above the plane.
  EXPECT_NEAR(contact->lift, kWheelRadius / std::cos(slope) - kWheelRadius, 1e-12);
  EXPECT_NEAR(contact->point_W.x(), kWheelRadius * std::sin(slope), 1e-12);
  EXPECT_TRUE(contact->normal_W.isApprox(Vec3(-std::sin(slope), 0, std::cos(slope))));
  EXPECT_EQ(contact->shape->owner, 7);
}

TEST_F(WheelProbe, FindsNothingOutOfReach) {
  add(Plane{}, Pose{});
  EXPECT_TRUE(at(0, kWheelRadius + 0.09));
  EXPECT_FALSE(at(0, kWheelRadius + 0.11));
}

//        ____    the edge of a step of 0.08 m at x = 0
//   ____|
TEST_F(WheelProbe, RollsOverAnEdgeOnItsCircle) {
  add(Plane{}, Pose{});
  add(Box{{2, 1, 0.08}}, Pose::translation({1, 0, 0.04}));
  const double first =
      std::sqrt(kWheelRadius * kWheelRadius - (kWheelRadius - 0.08) * (kWheelRadius - 0.08));
  EXPECT_NEAR(at(-first - 1e-3)->lift, 0, 1e-12);
  for (const double before : {0.9 * first, 0.5 * first, 0.1 * first}) {
    const auto contact = at(-before);
    ASSERT_TRUE(contact);
    const double half = std::sqrt(kWheelRadius * kWheelRadius - before * before);
    EXPECT_NEAR(contact->lift, 0.08 + half - kWheelRadius, 1e-6);
    EXPECT_NEAR(contact->normal_W.x(), -before / kWheelRadius, 1e-6);
    EXPECT_NEAR(contact->point_W.x(), 0, 1e-9);
  }
  EXPECT_NEAR(at(0.1)->lift, 0.08, 1e-9);
}

TEST_F(WheelProbe, LeavesStepsAboveItsCentreToTheChassis) {
  add(Plane{}, Pose{});
  add(Box{{2, 1, 0.3}}, Pose::translation({1.1, 0, 0.15}));
  EXPECT_NEAR(at(0)->lift, 0, 1e-12);
}

/// Hills of a grid: a ridge of two faces, z = -0.5 |x|.
TEST_F(WheelProbe, StandsOnARidge) {
  Mesh ridge;
  for (const double x : {-1.0, 0.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) ridge.vertices.emplace_back(x, y, -0.5 * std::abs(x));
  }
  ridge.triangles = {{0, 2, 3}, {0, 3, 1}, {2, 4, 5}, {2, 5, 3}};
  add(ridge, Pose{});
  EXPECT_NEAR(at(0)->lift, 0, 1e-9);
  EXPECT_NEAR(at(0)->point_W.x(), 0, 1e-9);
  // Far enough down it touches the face alone: R / cos - R above z = -0.5 x.
  const auto contact = at(0.3, kWheelRadius - 0.15);
  EXPECT_NEAR(contact->lift, kWheelRadius * std::hypot(1, 0.5) - kWheelRadius, 1e-9);
  EXPECT_TRUE(contact->normal_W.isApprox(Vec3(0.5, 0, 1).normalized(), 1e-9));
}

/// Wheels in all directions, upright and leaning, anywhere on hills and across their border.
TEST(WheelProbeOnATerrain, FindsWhatItFindsOnTheSameMesh) {
  HeightField hills;
  hills.columns = 9;
  hills.rows = 7;
  hills.origin = {-1.2, -0.7};
  hills.spacing = {0.25, 0.3};
  const NoiseKey key{.seed = 5, .device = 0, .stream = 0, .frame = 0};
  for (int i = 0; i < hills.columns * hills.rows; ++i)
    hills.heights.push_back(0.15 * static_cast<double>(uniform(key, i)));
  const Pose X_WB{axis_angle(Vec3(0.1, 0.2, 1).normalized(), 0.4), {0.3, -0.2, 0.1}};
  physics::World terrain{{}}, mesh{{}};
  const auto add = [&](physics::World& world, const Geometry& geometry) {
    physics::BodySpec spec;
    spec.name = "ground";
    spec.X_WB = X_WB;
    spec.shapes = {{std::make_shared<const Geometry>(geometry), Pose{}, 0, 7}};
    world.add_body(spec);
  };
  add(terrain, hills);
  add(mesh, triangulated(hills));
  std::uint64_t drawn = 1000;
  const auto draw = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(uniform(key, drawn++));
  };
  const auto look = [](const physics::World& world, const ProbeDisc& disc, ProbeMemory& memory,
                       std::vector<physics::NearShape>& shapes) {
    physics::Surroundings surroundings;
    world.shapes_near(disc.centre_W - Vec3::Ones(), disc.centre_W + Vec3::Ones(),
                      physics::kWorldBody, surroundings, shapes);
    return probe(world, shapes, disc, memory);
  };
  int touched = 0, missed = 0, on_other_face = 0;
  for (int i = 0; i < 2000; ++i) {
    const Quat R = axis_angle(Vec3::UnitZ(), draw(-3, 3)) *
                   axis_angle(Vec3(draw(-1, 1), draw(-1, 1), 0.1).normalized(), draw(0, 0.4));
    ProbeDisc disc;
    disc.centre_W = {draw(-1.5, 2), draw(-1.5, 1.5), draw(0.1, 0.6)};
    disc.forward_W = R * Vec3::UnitX();
    disc.up_W = R * Vec3::UnitZ();
    disc.radius = i % 5 == 0 ? 0 : kWheelRadius;
    disc.clearance = 2 * kWheelRadius;
    disc.reach = 0.2;
    ProbeMemory memory;
    std::vector<physics::NearShape> shapes, others;
    const auto found = look(terrain, disc, memory, shapes);
    const auto wanted = look(mesh, disc, memory, others);
    ASSERT_EQ(found.has_value(), wanted.has_value()) << i;
    ++(found ? touched : missed);
    if (!found) continue;
    EXPECT_NEAR(found->lift, wanted->lift, 1e-9) << i;
    EXPECT_LT((found->point_W - wanted->point_W).norm(), 1e-6) << i;
    // Where two faces are touched flat at once, the first one counts.
    on_other_face += (found->normal_W - wanted->normal_W).norm() > 1e-6;
  }
  EXPECT_GT(touched, 300);
  EXPECT_GT(missed, 100);
  EXPECT_LT(on_other_face, touched / 50);
}

//     _
//   _( )_   a pipe of 0.06 m radius, half in the ground: the centre moves on a circle of R + r
TEST_F(WheelProbe, RollsOverRoundThings) {
  add(Plane{}, Pose{});
  const double r = 0.06;
  add(Cylinder{r, 1}, Pose::rotation(axis_angle(Vec3::UnitX(), kPi / 2)));
  for (const double x : {-0.12, -0.05, 0.0, 0.08}) {
    EXPECT_NEAR(at(x)->lift,
                std::sqrt((kWheelRadius + r) * (kWheelRadius + r) - x * x) - kWheelRadius, 1e-3)
        << x;
  }
  EXPECT_NEAR(at(0.3)->lift, 0, 1e-12);
}

TEST_F(WheelProbe, ComesUpFromBelowTheGround) {
  add(Plane{}, Pose{});
  EXPECT_NEAR(at(0, -0.1)->lift, kWheelRadius + 0.1, 1e-12);
}

// Struts ---------------------------------------------------------------------------------------

VehicleLayout four_wheels() {
  VehicleLayout layout;
  layout.chassis_mass = 20;
  for (const Vec2& p : {Vec2(-0.3, 0.2), Vec2(-0.3, -0.2), Vec2(0.3, 0.2), Vec2(0.3, -0.2)}) {
    Wheel wheel;
    wheel.position_V = {p.x(), p.y(), 0.2};
    wheel.mass = 1;
    layout.wheels.push_back(wheel);
  }
  return layout;
}

TEST(Struts, CarryTheWeightWithoutTurningTheBody) {
  const Vec3 centre(0.1, -0.03, 0.3);
  const auto struts = make_struts(four_wheels(), {}, centre, 240);
  ASSERT_EQ(struts.size(), 4u);
  double force = 0;
  Vec2 moment = Vec2::Zero();
  for (const Strut& strut : struts) {
    force += strut.preload;
    moment += strut.preload * (strut.position_V - centre).head<2>();
  }
  EXPECT_NEAR(force, 240, 1e-9);
  EXPECT_LT(moment.norm(), 1e-9);
}

TEST(Struts, KeepAnAxleUprightByTwoSupports) {
  VehicleLayout layout = four_wheels();
  layout.wheels.resize(2);
  const auto struts = make_struts(layout, {}, {-0.3, 0, 0.3}, 100);
  ASSERT_EQ(struts.size(), 4u);
  // Half a track of 0.4 m before and behind the axle, on the ground.
  EXPECT_NEAR(std::abs(struts[2].position_V.x() + 0.3), 0.2, 1e-12);
  EXPECT_NEAR(struts[2].position_V.z(), 0, 1e-12);
  EXPECT_EQ(struts[3].radius, 0);
  const Vec3 support(0.1, 0, 0);
  EXPECT_EQ(make_struts(layout, {&support, 1}, {-0.2, 0, 0.3}, 100).size(), 3u);
}

TEST(Struts, PushWithWhatTheirSpringHasAtRest) {
  const VehicleLayout layout = four_wheels();
  const auto struts = make_struts(layout, {}, {0, 0, 0.3}, 24 * 9.81);
  std::vector<StrutContact> contacts(4);
  for (std::size_t i = 0; i < 4; ++i) {
    contacts[i].strut = &struts[i];
    contacts[i].arm_W = struts[i].position_V - Vec3(0, 0, 0.3);
    contacts[i].push_W = Vec3::UnitZ();
    contacts[i].rate = 9.81 * 0.005;  // gravity's, if nothing pushed
  }
  solve_struts(contacts, {1.0 / 24, Mat3::Identity()}, 0.005);
  for (const StrutContact& contact : contacts) EXPECT_NEAR(contact.force, 6 * 9.81, 1e-9);
  contacts[0].compression = -0.1;
  solve_struts(contacts, {1.0 / 24, Mat3::Identity()}, 0.005);
  EXPECT_EQ(contacts[0].force, 0);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_GT(contacts[i].force, 0);
}

/// Of any number, as long as all of them push.
TEST(Struts, BalanceInertiaDampersAndSprings) {
  const double dt = 0.005;
  Strut strut;
  strut.spring = 5e4, strut.damper = 300, strut.preload = 800, strut.travel = 1;
  std::uint64_t draw = 0;
  const auto number = [&](double low, double high) {
    const NoiseKey key{.seed = 1, .device = 0, .stream = 0, .frame = 0};
    return low + (high - low) * uniform(key, draw++);
  };
  int compared = 0;
  for (int turn = 0; turn < 600; ++turn) {
    const int count = 1 + turn % 6;
    BodyMobility body{1 / number(20, 40), Mat3::Zero()};
    body.inverse_inertia_W.diagonal() = Vec3(number(0.2, 0.9), number(0.2, 0.9), number(0.2, 0.9));
    std::vector<StrutContact> contacts(static_cast<std::size_t>(count));
    for (StrutContact& c : contacts) {
      c.strut = &strut;
      c.arm_W = {number(-0.5, 0.5), number(-0.5, 0.5), number(-0.3, -0.1)};
      c.push_W = {number(-0.1, 0.1), number(-0.1, 0.1), 1};
      c.compression = number(0, 0.003);
      c.rate = number(0, 0.01);
    }
    // spring force = preload + k (s + dt r) + c r, where r = rate - dt A f.
    Eigen::MatrixXd left(count, count);
    Eigen::VectorXd right(count);
    for (int i = 0; i < count; ++i) {
      const StrutContact& a = contacts[static_cast<std::size_t>(i)];
      for (int j = 0; j < count; ++j) {
        const StrutContact& b = contacts[static_cast<std::size_t>(j)];
        const Vec3 spin = body.inverse_inertia_W * b.arm_W.cross(b.push_W);
        const double along = a.push_W.dot(body.inverse_mass * b.push_W + spin.cross(a.arm_W));
        left(i, j) = (strut.spring * dt + strut.damper) * dt * along + (i == j ? 1 : 0);
      }
      right[i] = strut.preload + strut.spring * a.compression +
                 (strut.spring * dt + strut.damper) * a.rate;
    }
    const Eigen::VectorXd force = left.fullPivLu().solve(right);
    if (force.minCoeff() < 0) continue;
    ++compared;
    solve_struts(contacts, body, dt);
    for (int i = 0; i < count; ++i)
      ASSERT_NEAR(contacts[static_cast<std::size_t>(i)].force, force[i], 1e-8) << count;
  }
  EXPECT_GT(compared, 400);
}

}  // namespace
}  // namespace protobeam
