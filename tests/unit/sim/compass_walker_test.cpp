// Two straight legs with round feet and a hinge at the hip walk down a slope by themselves (McGeer,
// "Passive dynamic walking", 1990). The same legs are integrated here from their own equations.
//
// Straight legs scuff the ground by a few millimetres where the swinging one passes the other: as
// McGeer's did on boards, they walk on stones with gaps there.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/libm.h"
#include "base/math.h"
#include "tests/unit/sim/world_text.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

using Mat2 = Eigen::Matrix2d;

constexpr double kSlope = 0.05;  // rad, 2.9 degrees
constexpr double kLeg = 0.6;     // m, hip to ground
constexpr double kFoot = 0.2;    // m, radius of the foot
constexpr double kShin = kLeg - kFoot;
constexpr double kMass = 1.5;       // kg, of a leg
constexpr double kCentre = 0.2;     // m, from the hip to a leg's centre of mass
constexpr double kInertia = 0.034;  // kg m^2, of a leg about its centre of mass

/// Angles of the legs from the slope's normal, ahead positive; of the one that stands first.
struct Gait {
  Vec2 angle, speed;
};

// Near the steady gait, not in it.
const Gait kStart{{-0.35, 0.35}, {1.9, 0.8}};

/// The feet roll without slip. `stand` and `swing` are the Jacobians of the legs' centres.
struct Mechanics {
  Mat2 stand, swing, inertia;
  Vec2 acceleration;
};

Mechanics mechanics(const Gait& gait) {
  const double s = libm::sin(gait.angle[0]), c = libm::cos(gait.angle[0]);
  const double s2 = libm::sin(gait.angle[1]), c2 = libm::cos(gait.angle[1]);
  const double up = kShin - kCentre;  // from the foot's centre to the centre of mass
  const double w = gait.speed[0] * gait.speed[0], w2 = gait.speed[1] * gait.speed[1];
  Mechanics m;
  m.stand << kFoot + up * c, 0, -up * s, 0;
  m.swing << kFoot + kShin * c, -kCentre * c2, -kShin * s, kCentre * s2;
  m.inertia = kMass * (m.stand.transpose() * m.stand + m.swing.transpose() * m.swing) +
              kInertia * Mat2::Identity();
  const Vec2 down = kGravity * Vec2(libm::sin(kSlope), -libm::cos(kSlope));
  const Vec2 of_stand = -up * w * Vec2(s, c);
  const Vec2 of_swing = -kShin * w * Vec2(s, c) + kCentre * w2 * Vec2(s2, c2);
  m.acceleration =
      m.inertia.inverse() *
      (kMass * (m.stand.transpose() * (down - of_stand) + m.swing.transpose() * (down - of_swing)));
  return m;
}

Gait ahead(const Gait& gait, double h) {
  const auto moved = [&](const Gait& by, double time) {
    return Gait{gait.angle + time * by.angle, gait.speed + time * by.speed};
  };
  const auto rate = [](const Gait& g) { return Gait{g.speed, mechanics(g).acceleration}; };
  const Gait a = rate(gait), b = rate(moved(a, h / 2)), c = rate(moved(b, h / 2)),
             d = rate(moved(c, h));
  return {gait.angle + h / 6 * (a.angle + 2 * b.angle + 2 * c.angle + d.angle),
          gait.speed + h / 6 * (a.speed + 2 * b.speed + 2 * c.speed + d.speed)};
}

/// The foot that lands stops dead and rolls on; the other one is free from then on.
Gait landed(const Gait& gait) {
  const Mechanics before = mechanics(gait);
  Gait after{{gait.angle[1], gait.angle[0]}, Vec2::Zero()};
  const Mechanics m = mechanics(after);
  const Vec2 momentum = kMass * (m.stand.transpose() * (before.swing * gait.speed) +
                                 m.swing.transpose() * (before.stand * gait.speed)) +
                        kInertia * Vec2(gait.speed[1], gait.speed[0]);
  after.speed = m.inertia.inverse() * momentum;
  return after;
}

struct Step {
  double duration;  ///< s
  double length;    ///< m, along the slope
};

/// From one landing to the next, until it falls.
std::vector<Step> integrated(int count) {
  constexpr double kStep = 1e-4;
  std::vector<Step> steps;
  Gait gait = kStart;
  double time = 0;
  while (static_cast<int>(steps.size()) < count && time < 2) {
    const Gait next = ahead(gait, kStep);
    const double before = gait.angle.sum(), after = next.angle.sum();
    if (next.angle[0] > 0 && next.angle[1] < next.angle[0] && before < 0 && after >= 0) {
      const double part = before / (before - after);
      const Gait landing = ahead(gait, part * kStep);
      steps.push_back({time + part * kStep,
                       2 * kShin * libm::sin(landing.angle[0]) + 2 * kFoot * landing.angle[0]});
      gait = landed(landing);
      time = 0;
    } else {
      gait = next;
      time += kStep;
    }
  }
  return steps;
}

std::string vector(double x, double y, double z) { return fmt::format("{} {} {}", x, y, z); }

/// Of a leg whose origin is the hip: spheres, of which only the lowest points touch.
std::string leg(double side) {
  const auto foot = [&](double y) {
    return fmt::format(
        "Pose {{ translation {} children [ Sphere {{ radius {} subdivision 1 }} ] }} ",
        vector(0, y, -kShin), kFoot);
  };
  return fmt::format(
      "boundingObject Group {{ children [ {}{}] }} physics Physics {{ density -1 mass {} "
      "centerOfMass [ {} ] inertiaMatrix [ {}, 0 0 0 ] }} ",
      foot(-side), foot(side), kMass, vector(0, 0, -kCentre), vector(kInertia, kInertia, kInertia));
}

// The two inner feet and the two outer ones have lanes of their own.
constexpr double kInner = 0.06, kOuter = 0.26, kLane = 0.1;  // m
// A foot scuffs from 11 cm behind the one that stands until it is beside it. Gaps reach further.
constexpr double kGap = 0.31, kGapAhead = -0.115;  // m: its size, its middle from the other foot

/// Stones of both lanes, for feet that stand at 0 first and go on by `stride`.
std::string stones(double stride) {
  std::string out;
  const auto stone = [&](double from, double to, double y) {
    out += fmt::format("Pose {{ translation {} children [ Box {{ size {} }} ] }} ",
                       vector((from + to) / 2, y, -0.05), vector(to - from, kLane, 0.1));
  };
  for (const bool outer : {true, false}) {
    // The outer feet stand first; gaps are where the others stand.
    const auto gap = [&](int i) { return (2 * i + (outer ? 1 : 0)) * stride + kGapAhead; };
    for (int i = -2; i < 20; ++i) {
      for (const double side : {-1.0, 1.0}) {
        stone(gap(i) + kGap / 2, gap(i + 1) - kGap / 2, side * (outer ? kOuter : kInner));
      }
    }
  }
  return out;
}

struct Walk {
  std::vector<double> landings;  ///< s
  std::vector<double> places;    ///< m along the slope, of the foot that has landed
  double astray = 0;             ///< m, sideways at most
};

/// Until it has landed `count` times or 10 s are over.
Walk simulated(int step_ms, int count, double stride) {
  const Gait& start = kStart;
  // Across the slope: the hip above the foot that stands, whose lowest point at upright is 0.
  const double along = kFoot * start.angle[0] + kShin * libm::sin(start.angle[0]);
  const double above = kFoot + kShin * libm::cos(start.angle[0]);
  const double speed_along = (kFoot + kShin * libm::cos(start.angle[0])) * start.speed[0];
  const double speed_above = -kShin * libm::sin(start.angle[0]) * start.speed[0];
  const double s = libm::sin(kSlope), c = libm::cos(kSlope);
  const auto in_world = [&](double x, double z) { return vector(c * x + s * z, 0, c * z - s * x); };
  const auto velocities = [&](double turning) {
    return "linearVelocity " + in_world(speed_along, speed_above) + " angularVelocity " +
           vector(0, turning, 0) + " ";
  };
  WorldText text;
  Simulation& simulation = text.load(
      fmt::format("Solid {{ rotation 0 1 0 {} boundingObject Group {{ children [ {}] }} }}\n",
                  kSlope, stones(stride)) +
          fmt::format("Robot {{ controller \"<none>\" translation {} rotation 0 1 0 {} {}",
                      in_world(along, above), kSlope + start.angle[0], leg(kOuter)) +
          velocities(start.speed[0]) +
          fmt::format("children [ HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 1 0 "
                      "position {} }} endPoint Solid {{ rotation 0 1 0 {} {}{}}} }} ] }}",
                      start.angle[1] - start.angle[0], start.angle[1] - start.angle[0], leg(kInner),
                      velocities(start.speed[1])),
      fmt::format(
          "gravity {} contactProperties [ ContactProperties {{ coulombFriction 1 bounce 0 }} ]",
          kGravity),
      {}, step_ms);
  const physics::World& world = *simulation.model().physics;
  const std::array legs = {simulation.model().solids.at(1).body,
                           simulation.model().solids.at(2).body};
  Walk walk;
  int standing = 0;  // which leg, that is whose turn it was last
  while (static_cast<int>(walk.landings.size()) < count && world.time() < 10) {
    simulation.step();
    for (const physics::Contact& contact : world.contacts()) {
      const int other = 1 - standing;
      if (!(contact.impulse > 0) ||
          (contact.body_a != legs[other] && contact.body_b != legs[other]))
        continue;
      const Vec3 foot = world.pose(legs[other]) * Vec3(0, 0, -kShin);
      const Vec3 old = world.pose(legs[standing]) * Vec3(0, 0, -kShin);
      const double length = c * (foot.x() - old.x()) - s * (foot.z() - old.z());
      if (length < kFoot) continue;  // it has not left yet
      walk.landings.push_back(world.time());
      walk.places.push_back(c * contact.point_W.x() - s * contact.point_W.z());
      standing = other;
      break;
    }
    walk.astray = std::max(walk.astray, std::abs(world.pose(legs[0]).p.y()));
  }
  return walk;
}

/// basicTimeStep, ms.
class CompassWalker : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(steps, CompassWalker, testing::Values(2, 8, 16, 32));

TEST_P(CompassWalker, TakesTheStepsOfItsEquations) {
  constexpr int kSteps = 16;
  const std::vector<Step> steps = integrated(kSteps);
  ASSERT_EQ(steps.size(), kSteps);
  const Walk walk = simulated(GetParam(), kSteps, steps.back().length);
  ASSERT_EQ(walk.landings.size(), kSteps) << "it has fallen";
  for (int i = 1; i < kSteps; ++i) {
    // A landing is seen at the end of a step.
    EXPECT_NEAR(walk.landings[i] - walk.landings[i - 1], steps[i].duration,
                0.05 * steps[i].duration + 0.001 * GetParam())
        << i;
    EXPECT_NEAR(walk.places[i] - walk.places[i - 1], steps[i].length, 0.1 * steps[i].length) << i;
  }
  constexpr int kLast = 10;  // which are steady, and begin and end with the same foot
  const double duration = (walk.landings.back() - walk.landings[kSteps - 1 - kLast]) / kLast;
  const double length = (walk.places.back() - walk.places[kSteps - 1 - kLast]) / kLast;
  EXPECT_NEAR(duration, steps.back().duration, 0.03 * steps.back().duration);
  EXPECT_NEAR(length, steps.back().length, 0.05 * steps.back().length);
  EXPECT_LT(walk.astray, 0.05);
}

}  // namespace
}  // namespace protobeam
