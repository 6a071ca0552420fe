// Rigid bodies, joints, motors and contacts; one fixed step at a time. The only folder that sees
// Bullet. Results depend on the calls alone: no threads, no clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/math.h"
#include "base/motor_spec.h"
#include "geometry/geometry.h"

class btCollisionObject;

namespace protobeam {
class StateArchive;
}

namespace protobeam::physics {

using BodyId = int;
using JointId = int;
using LinkId = int;
inline constexpr BodyId kWorldBody = -1;  ///< the static environment
inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();

enum class Motion {
  kStatic,     ///< never moves (but set_pose may)
  kKinematic,  ///< moves as set, or by its joint; pushes others, is not pushed
  kDynamic,
};

struct CollisionShape {
  std::shared_ptr<const Geometry> geometry;
  Pose X_BS;
  int material = 0;  ///< index from World::material()
  int owner = -1;  ///< the caller's number for the Solid that it belongs to; comes back in contacts
  Quat R_SF = Quat::Identity();  ///< its friction directions are those of a shape turned so
};

struct BodySpec {
  std::string name;  ///< for messages
  Motion motion = Motion::kStatic;
  Pose X_WB;
  Vec3 v_WB = Vec3::Zero(), w_WB = Vec3::Zero();   ///< m/s of B's origin, rad/s; in W
  MassProperties mass;                             ///< in B; kDynamic only
  double weightless_mass = 0;                      ///< kg of it at which gravity does not pull
  Vec3 weightless_com = Vec3::Zero();              ///< the centre of that, in B
  double linear_damping = 0, angular_damping = 0;  ///< fraction of the speed lost in one second
  std::vector<CollisionShape> shapes;
  int robot = -1;               ///< bodies of one robot do not collide with each other ...
  bool self_collision = false;  ///< ... unless this is set (never across one joint)
  /// kStatic: a body that a joint holds to the world, as other joints do those with
  /// passes_unyielding: these collide with it, and it does not with what else does not yield.
  bool held = false;
};

/// Webots' ContactProperties for one pair of materials.
struct ContactRule {
  double friction = 1;  ///< Coulomb; kUnlimited allowed
  /// Several values, 2 to 4: along and across the friction directions (directed_friction.h).
  int friction_count = 1, slip_count = 1;
  std::array<double, 4> frictions{}, slips{};  ///< frictions: finite
  Vec2 friction_rotation = Vec2::Zero();       ///< rad, of the directions of both
  int first_material = 0;                      ///< whose values come first
  /// In its shapes, whatever their form: then the first two values are along and across it, and the
  /// other body has no direction. 0: none.
  Vec3 first_direction = Vec3::Zero();
  double rolling_friction = 0, spinning_friction = 0;
  double bounce = 0.5, bounce_velocity = 0.01;
  double soft_erp = 0.2, soft_cfm = 0.001;  ///< ODE's spring and damper, of a substep
  double force_dependent_slip = 0;
};

enum class JointKind { kFixed, kHinge, kHinge2, kSlider, kBall, kDistance };

/// One axis of a joint: what Webots' JointParameters say.
struct JointAxis {
  Vec3 axis_P = Vec3::UnitX();        ///< unit, in the parent's frame at position 0
  double position = 0;                ///< initial, rad or m; X_PC0 below is the pose at position 0
  double min_stop = 0, max_stop = 0;  ///< equal: none
  double spring_constant = 0, damping_constant = 0, static_friction = 0;
  double spring_reference = 0;       ///< the position to which the spring pulls
  double max_velocity = kUnlimited;  ///< whatever drives it, rad/s or m/s
};

struct JointSpec {
  std::string name;
  JointKind kind = JointKind::kHinge;
  BodyId parent = kWorldBody, child = 0;
  Vec3 anchor_P = Vec3::Zero();  ///< in the parent's frame
  Pose X_PC0;                    ///< child in parent at position 0 of all axes
  /// kDistance: the other end, in the child's frame. The position is the distance of the two; it
  /// stays between the stops (equal: a rod), and the spring pulls to max_stop.
  Vec3 anchor_C = Vec3::Zero();
  std::array<JointAxis, 3>
      axes;  ///< hinge, slider, distance 1; hinge2 2 (the second rotates with the first); ball 3
  double suspension_spring = 0, suspension_damping = 0;
  /// m/rad along the axis of a hinge, right-handed: a screw, which has no suspension.
  double pitch = 0;
  Vec3 suspension_axis_P = Vec3::UnitX();
  /// A child that hangs on what does not yield does not collide with anything that does not yield.
  bool passes_unyielding = false;
};

using protobeam::MotorSpec;

struct Contact {
  BodyId body_a, body_b;
  int owner_a, owner_b;  ///< CollisionShape::owner
  Vec3 point_W;
  Vec3 normal_W;   ///< from b to a
  double depth;    ///< m, > 0 when touching
  double impulse;  ///< N s along the normal in the last step
  Vec3 friction_W = Vec3::Zero();  ///< N s on a, across the normal, in the last step

  template <class Archive>
  void visit_state(Archive& archive) {
    archive(body_a, body_b, owner_a, owner_b, point_W, normal_W, depth, impulse, friction_W);
  }
};

/// A Solid that is touched.
struct SolidTouch {
  BodyId body;
  int owner;  ///< CollisionShape::owner
  bool operator==(const SolidTouch&) const = default;
};

struct SurfaceHit {
  double distance;  ///< m
  Vec3 normal_W;
  BodyId body;
  int owner;
};

/// A collision shape near a place, for many rays at it.
struct NearShape {
  BodyId body;
  int shape;  ///< which of the body's
  int owner;
  bool half_space = false;        ///< normal_W . p <= offset is inside
  Vec3 normal_W = Vec3::UnitZ();  ///< of a half space
  double offset = 0;              ///< m
};

/// What World::shapes_near() has found around a place, for the next question near there. It looks
/// further than it was asked, and again only after something else may have come near.
struct Surroundings {
  Vec3 low_W = Vec3::Zero(), high_W = Vec3::Zero();  ///< of the box that was looked at
  std::vector<btCollisionObject*> objects;           ///< whose boxes met it
  double crept = 0;           ///< m, how far boxes had grown by then, all steps added up
  std::uint64_t changes = 0;  ///< of the world, by then; 0: nothing is known
};

/// How a dynamic body is and moves, about its centre of mass.
struct RigidState {
  Pose X_WB;
  double mass = 0;                        ///< kg
  Vec3 centre_W = Vec3::Zero();           ///< of mass
  Vec3 v_W = Vec3::Zero();                ///< m/s, of the centre
  Vec3 w_W = Vec3::Zero();                ///< rad/s
  Mat3 inverse_inertia_W = Mat3::Zero();  ///< 1/(kg m^2), about the centre
};

/// Called before each substep of `dt` s, which starts `since` s after the step did.
using SubstepHook = std::function<void(double since, double dt)>;

struct WorldSpec {
  Vec3 gravity{0, 0, -9.81};
  double time_step = 0.032;  ///< s
  /// s: a step is cut into equal substeps of at most this. Short ones instead of ones that are
  /// solved to the end: the error of semi-implicit Euler, tunnelling and the drift of joints all
  /// shrink with them (Macklin et al., "Small Steps in Physics Simulation", 2019).
  double longest_substep = 0.002;
  int iterations = 50;      ///< of the solver in a substep, at most
  double residual = 1e-20;  ///< (m/s)^2: what is left is no more than that, stop early
  double erp = 0.2;   ///< fraction of a joint's error that a substep removes
  double cfm = 1e-5;  ///< as in Webots' files; not used: joints are rigid
  double sleep_time = 1, sleep_linear = 0.01, sleep_angular = 0.01;
  /// m/s, with which bodies that overlap part at most; 0.1 m/s is always allowed.
  double max_separation_speed = std::numeric_limits<double>::infinity();
};

class World {
 public:
  explicit World(const WorldSpec& spec);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// The number of a contactMaterial; the same name gives the same number. "default" is 0.
  int material(const std::string& name);
  void set_contact_rule(int material_1, int material_2, const ContactRule& rule);

  /// Throws std::invalid_argument (with the body's name) for a mass, inertia or size that is not
  /// positive and finite.
  BodyId add_body(const BodySpec& spec);
  /// A child that is kKinematic moves exactly as its motor says; kFixed carries it along.
  JointId add_joint(const JointSpec& spec);
  /// Two bodies that no joint connects do not collide either, as long as both are there.
  void keep_from_colliding(BodyId a, BodyId b);
  void add_motor(JointId joint, int axis, const MotorSpec& spec);

  const WorldSpec& spec() const;  ///< with the present gravity
  int substeps() const;           ///< of a step

  void step(const SubstepHook& before_substep = {});  ///< advances by WorldSpec::time_step
  double time() const;

  Pose pose(BodyId body) const;      ///< X_WB
  Vec3 velocity(BodyId body) const;  ///< of B's origin, in W
  Vec3 angular_velocity(BodyId body) const;
  double mass(BodyId body) const;
  bool asleep(BodyId body) const;  ///< kDynamic ones only
  /// Through the whole last step: it is where it was before, at rest. kDynamic ones only.
  bool slept(BodyId body) const;
  void set_pose(BodyId body, const Pose& X_WB);
  void set_velocity(BodyId body, const Vec3& v_WB, const Vec3& w_WB);
  void apply_force(BodyId body, const Vec3& force_W, const Vec3& point_W);
  void apply_torque(BodyId body, const Vec3& torque_W);
  /// Force at the centre of mass and torque for the substep that is about to start; only in a
  /// SubstepHook, and only on a dynamic body.
  void push(BodyId body, const Vec3& force_W, const Vec3& torque_W);
  RigidState rigid_state(BodyId body) const;  ///< of a dynamic body
  /// Velocity of the point of `body` (kWorldBody too) that is at p_W now.
  Vec3 point_velocity(BodyId body, const Vec3& p_W) const;

  double joint_position(JointId joint, int axis) const;
  double joint_velocity(JointId joint, int axis) const;
  double motor_effort(JointId joint, int axis) const;  ///< N or N m applied in the last step
  /// N that the joint exerted on its child, in W, averaged over the last step; 0 on a kinematic child.
  Vec3 joint_force(JointId joint) const;
  // Commands of controllers; each wakes the bodies. Values that are not finite are ignored,
  // except position +inf or -inf (velocity control).
  void set_motor_position(JointId joint, int axis, double target);
  void set_motor_velocity(JointId joint, int axis, double velocity);
  void set_motor_acceleration(JointId joint, int axis, double acceleration);
  void set_motor_effort(JointId joint, int axis, double effort);
  void set_motor_available_effort(JointId joint, int axis, double effort);
  void set_motor_pid(JointId joint, int axis, double p, double i, double d);
  void set_motor_limits(JointId joint, int axis, const MotorSpec& spec);
  void set_brake(JointId joint, int axis, double damping_constant);
  /// What the axis's motor and brake were told, for set_commands() of the joint that is made in its
  /// place. Nothing happens to an axis that has no motor, or has one, unlike the other.
  std::vector<std::byte> commands(JointId joint, int axis) const;
  void set_commands(JointId joint, int axis, std::span<const std::byte> commands);

  // Rigid links, made and broken between steps.
  /// Locks two bodies to each other as they are now; kWorldBody and bodies that do not yield may be
  /// one of them. -1 when neither yields. They do not collide with each other then.
  LinkId link(BodyId a, BodyId b);
  void unlink(LinkId link);
  /// N that the link exerted on `b`, in W, averaged over the last step.
  Vec3 link_force(LinkId link) const;
  /// A dynamic body, and after it all bodies that joints and links hold on it; none when something
  /// holds them to what does not yield.
  std::vector<BodyId> assembly(BodyId body) const;
  /// Moves a dynamic body, and with it all bodies that joints and links hold on it, without a
  /// change of their velocities. False, and nothing has moved, when something holds them to what
  /// does not yield.
  bool move_assembly(BodyId body, const Pose& X_WB);
  /// The surface of the body's shapes with that `owner` moves along belt_B x outward normal, in
  /// m/s: a belt runs over them. The body itself does not move by this.
  void set_belt(BodyId body, int owner, const Vec3& belt_B);

  const std::vector<Contact>& contacts() const;  ///< of the last step, in a fixed order
  /// What the shapes of `body` with that owner touch now, in a fixed order, of bodies that yield as
  /// little as it does: contacts() has nothing of these. Nothing for a dynamic body.
  std::vector<SolidTouch> unyielding_touches(BodyId body, int owner) const;
  /// First collision shape along a ray; it passes through the body `ignore`, and through shapes of
  /// whose owner `passes` says so. One in which it begins is met at its far side; the normal of a
  /// Cylinder points away from the ray's origin there, as ODE's, all others face it.
  std::optional<SurfaceHit> cast_ray(const Vec3& from_W, const Vec3& unit_direction_W,
                                     double max_distance, BodyId ignore = kWorldBody,
                                     const std::function<bool(int owner)>& passes = {}) const;
  /// Collision shapes whose boxes meet the given one, in a fixed order; without those of `except`
  /// and of its robot. `known` is what was found last for that body in this world.
  void shapes_near(const Vec3& low_W, const Vec3& high_W, BodyId except, Surroundings& known,
                   std::vector<NearShape>& out) const;
  /// Adds the triangles of that shape that may meet the box, corners in W. False when it has no
  /// flat faces: then rays have to look at it.
  bool triangles_near(const NearShape& shape, const Vec3& low_W, const Vec3& high_W,
                      std::vector<std::array<Vec3, 3>>& out) const;
  /// Where a ray meets that shape first; a convex one not from inside.
  std::optional<SurfaceHit> cast_ray(const NearShape& shape, const Vec3& from_W,
                                     const Vec3& unit_direction_W, double max_distance) const;
  /// First body whose state is not finite, for a message; kWorldBody when all is well.
  BodyId first_broken_body() const;
  /// Takes a body out of what moves and touches: it stands still there for good, and its joints hold
  /// nothing any more. For one whose state is no longer finite, before it spreads.
  void freeze(BodyId body, const Pose& X_WB);
  /// Takes a body out of the world, and its joints with it; what touched it wakes up. Its number and
  /// those of its joints are given again to the next ones, the lowest free number first.
  void remove(BodyId body);
  bool exists(BodyId body) const;
  bool joint_exists(JointId joint) const;
  /// The child is there at once, and all that hangs on it moves along; not across the stops.
  void set_joint_position(JointId joint, int axis, double position);
  /// Forgets the forces and torques that were applied for the coming step.
  void clear_forces(BodyId body);
  void set_gravity(const Vec3& gravity);
  const std::string& body_name(BodyId body) const;
  /// Saves what decides the future, or restores it into a world that was just built in the same way;
  /// nobody may have added or removed anything. Throws StateError when it does not fit.
  void visit_state(StateArchive& archive);
  /// "" or why it cannot be saved now.
  std::string why_no_state() const;
  /// One more than the highest number; those that do not exist are at rest and weigh nothing.
  int body_count() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam::physics
