// Joints that close loops: they lock some motions twice.
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

/// A body on two legs, each of two thighs and two shins that meet at a wheel, with a weight above
/// it.
class LoopedLegs {
 public:
  LoopedLegs() : world_(world_spec(0.008)) {
    world_.set_contact_rule(0, 0, rule(1));
    world_.add_body(ground());
    const BodyId trunk = add("trunk", 4.7, {0.2, 0.2, 0.08}, Pose::translation({0, 0, kHip}));
    for (const double y : {-0.13, 0.13}) add_leg(trunk, y);
    add("weight", 8, {0.1, 0.1, 0.1}, Pose::translation({-0.02, 0.03, kHip + 0.12}));
  }

  void step() { world_.step(); }
  double time() const { return world_.time(); }
  double energy() const {
    double sum = 0;
    for (const auto& [id, mass] : bodies_) {
      const Vec3 w_B = world_.pose(id).R.inverse() * world_.angular_velocity(id);
      sum += mass.mass * kGravity * world_.pose(id).p.z() +
             mass.mass * world_.velocity(id).squaredNorm() / 2 + w_B.dot(mass.inertia * w_B) / 2;
    }
    return sum;
  }

 private:
  static constexpr double kHip = 0.24, kKnee = 0.187, kFoot = 0.0375;

  BodyId add(const std::string& name, double mass, const Vec3& size, const Pose& X_WB,
             bool touches = true) {
    BodySpec spec = box(name, mass, size, Vec3::Zero());
    if (!touches) spec.shapes.clear();
    spec.X_WB = X_WB;
    bodies_.emplace_back(world_.add_body(spec), spec.mass);
    return bodies_.back().first;
  }

  /// From one point to the other.
  BodyId link(const std::string& name, double mass, const Vec3& from, const Vec3& to) {
    const Vec3 along = to - from;
    const double angle = std::atan2(-along.z(), along.x());
    return add(
        name, mass, {along.norm(), 0.02, 0.02},
        Pose::translation((from + to) / 2) * Pose::rotation(axis_angle(Vec3::UnitY(), angle)),
        false);
  }

  void join(BodyId parent, BodyId child, const Vec3& at, double friction, double torque) {
    JointSpec spec =
        hinge(child, world_.pose(parent).inverse() * world_.pose(child),
              world_.pose(parent).R.inverse() * Vec3::UnitY(), world_.pose(parent).inverse() * at);
    spec.parent = parent;
    spec.axes[0].damping_constant = 2 * friction;
    spec.axes[0].static_friction = friction;
    const JointId joint = world_.add_joint(spec);
    if (torque > 0) world_.add_motor(joint, 0, {.max_effort = torque});
  }

  void add_leg(BodyId trunk, double y) {
    const Vec3 foot(-0.005, y, kFoot);
    const BodyId wheel = add("wheel", 0.5, {0.07, 0.02, 0.07}, Pose::translation(foot));
    for (const double side : {-1.0, 1.0}) {
      const Vec3 hip(0.045 * side, y, kHip), knee(0.185 * side, y, kKnee);
      const BodyId thigh = link("thigh", 0.06, hip, knee), shin = link("shin", 0.08, knee, foot);
      join(trunk, thigh, hip, 0.2, 1e4);
      join(thigh, shin, knee, 0.1, 0);
      join(shin, wheel, foot, side < 0 ? 0.1 : 0, side < 0 ? 1e4 : 0);
    }
  }

  World world_;
  std::vector<std::pair<BodyId, MassProperties>> bodies_;
};

TEST(Loop, OfLightLinksWithFrictionGainsNoEnergyFromAWeightThatFallsOnIt) {
  LoopedLegs legs;
  const double first = legs.energy();
  while (legs.time() < 3) {
    legs.step();
    ASSERT_LT(legs.energy(), first + 0.01) << "J, at " << legs.time() << " s";
  }
}

}  // namespace
}  // namespace protobeam::physics
