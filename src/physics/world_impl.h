// What a World is made of. For world*.cpp only.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "physics/bullet.h"
#include "physics/collision_shapes.h"
#include "physics/directed_friction.h"
#include "physics/joint_constraint.h"
#include "physics/stepper.h"
#include "physics/world.h"

namespace protobeam::physics {

/// Which of a body's collision shapes; Bullet's shapes point at theirs.
struct ShapeTag {
  int material, owner;
  Grain grain = Grain::kNone;
  Quat R_BS = Quat::Identity();
  Vec3 belt_B = Vec3::Zero();  ///< see World::set_belt
};

struct Body {
  std::string name;
  Motion motion;
  int robot;
  bool self_collision;
  double mass = 0;
  /// Of one of which some mass is weightless: kg at which gravity pulls, and the moment of that
  /// mass about the centre of mass, kg m in K.
  std::optional<double> weighed_mass;
  Vec3 weighed_moment_K = Vec3::Zero();
  Pose X_WB;        ///< of dynamic ones out of Bullet's, see settle()
  Vec3 v_WB, w_WB;  ///< kinematic
  Pose X_BK;        ///< K: Bullet's frame, at the centre of mass along the principal axes
  Pose X_KB;        ///< its inverse
  Vec3 force_W = Vec3::Zero(), torque_W = Vec3::Zero();  ///< of this step, about the centre of mass
  int kinematic_joint = -1;                              ///< that moves it
  int passing_joints = 0;  ///< that let it pass through what does not yield
  bool held = false;       ///< see BodySpec
  /// From which substep of the last step on it was awake; World::substeps(): it slept, or is
  /// static.
  int awake_from = 0;
  bool removed = false;                                  ///< its number is free

  std::vector<BulletShape> shapes;
  std::vector<ShapeTag> tags;
  std::unique_ptr<btCompoundShape> compound;
  std::unique_ptr<btRigidBody> rigid;
  /// A static body has an object for each shape, and `rigid` only stands in for it in joints.
  std::vector<std::unique_ptr<btCollisionObject>> parts;
  std::vector<Pose> X_BParts;

  bool dynamic() const { return motion == Motion::kDynamic; }
};

struct Joint {
  std::string name;
  BodyId parent, child;
  JointKinematics kinematics;
  std::unique_ptr<JointConstraint> constraint;       ///< of a dynamic child
  std::array<JointConstraint::Axis, 3> free_axes{};  ///< of a kinematic child
  bool removed = false;                              ///< its number is free
  bool passes_unyielding = false;                    ///< see Body::passing_joints

  JointConstraint::Axis& axis(int i) { return constraint ? constraint->axis(i) : free_axes[i]; }
  const JointConstraint::Axis& axis(int i) const {
    return constraint ? constraint->axis(i) : free_axes[i];
  }
};

/// A rigid connection that may end.
struct Link {
  BodyId a, b;  ///< as the caller named them
  std::unique_ptr<JointConstraint> constraint;
  double sign = 1;     ///< of the constraint's impulse, to be that on b
  bool apart = false;  ///< it has made the two neighbours
};

class World::Impl {
 public:
  explicit Impl(const WorldSpec& spec);
  ~Impl();

  // world_bodies.cpp
  BodyId add_body(const BodySpec& spec);
  const Pose& pose(BodyId body) const { return this->body(body).X_WB; }
  /// Takes the pose of a dynamic body out of Bullet's, after that has changed: it is asked for many
  /// times in a step, on all threads.
  static void settle(Body& body);
  Vec3 velocity(BodyId body) const;
  Vec3 angular_velocity(BodyId body) const;
  void set_pose(BodyId body, const Pose& X_WB);
  void set_velocity(BodyId body, const Vec3& v_WB, const Vec3& w_WB);
  void remove(BodyId id);
  bool exists(BodyId id) const {
    return id >= 0 && id < static_cast<int>(bodies.size()) && !bodies[id].removed;
  }
  void freeze(BodyId body, const Pose& X_WB);
  void wake(BodyId body);
  /// Wakes what `body` touches or almost touches.
  void wake_neighbours(BodyId body);

  // world_rays.cpp
  /// Where the shape of a body is that `object` is all or a part of.
  btTransform placed(const Body& body, int shape, const btTransform& X_WO) const;
  btTransform placed(const NearShape& near) const;
  void shapes_of(btCollisionObject& object, const btVector3& low_W, const btVector3& high_W,
                 std::vector<NearShape>& out) const;
  /// Into a fixed order: Bullet's tree has another one.
  static void sort_near(std::vector<NearShape>& shapes);
  /// Calls look(btCollisionObject&) with all whose boxes meet this one.
  template <typename Look>
  void objects_in(const btVector3& low_W, const btVector3& high_W, const Look& look) const;
  /// See World::triangles_near.
  bool triangles_of(const NearShape& shape, const Vec3& low_W, const Vec3& high_W,
                    std::vector<std::array<Vec3, 3>>& out) const;

  // world_floors.cpp
  /// Finds half spaces that lie in each other, unless nothing has changed.
  void find_floors();
  /// Another half space holds all of that one, and lets `body` touch it.
  bool lies_under_another(const btCollisionObject& floor, BodyId body) const;

  // world_touches.cpp
  bool overlap(const NearShape& a, const NearShape& b) const;

  // world_joints.cpp
  JointId add_joint(const JointSpec& spec);
  void remove_joint(JointId id);
  void set_joint_position(JointId id, int axis, double position);
  void decide_motors();
  void advance_motors(double h);
  void add_up_motors();
  void measure_joints();
  /// Velocities of kinematic bodies out of their joints' and parents'.
  void update_kinematic_velocities();
  void move_kinematic_bodies(double h);
  void place_kinematic_children();
  void place_kinematic(Body& body);

  // world_links.cpp
  LinkId link(BodyId a, BodyId b);
  void unlink(LinkId id);
  std::vector<BodyId> assembly(BodyId body) const;
  bool move_assembly(BodyId body, const Pose& X_WB);
  void set_belt(BodyId body, int owner, const Vec3& belt_B);

  // world_contacts.cpp
  bool may_collide(const btCollisionObject& a, const btCollisionObject& b) const;
  /// By their robots and joints; whether one of them yields is another question.
  bool may_touch(BodyId a, BodyId b) const;
  void prepare_contacts(double h);
  /// The normal points to the body with the smaller number.
  std::optional<DirectedFriction> friction_by_direction(const ContactRule& r, const Vec3& n_low_W,
                                                        BodyId low, int low_shape, BodyId high,
                                                        int high_shape) const;
  /// The erp of a contact whose surfaces near each other with `closing` m/s.
  double limited_erp(const ContactRule& r, const btManifoldPoint& point, double closing,
                     double h) const;
  void collect_contacts(int substep);
  void finish_contacts();
  /// Of the last step, as Body::awake_from; of two bodies that touch, the first one that was awake.
  int awake_from(BodyId a, BodyId b) const {
    return std::min(bodies[a].awake_from, bodies[b].awake_from);
  }
  /// Who sleeps as a step begins.
  void begin_sleep();
  /// Leaves in `contacts` those of bodies that have slept through the step. What others carried
  /// until they woke goes to `touches`.
  void keep_resting_contacts();
  /// What `body` has touched is not touched any more.
  void forget_contacts(BodyId body);
  /// After a rule about its pairs has changed.
  void forget_pairs(BodyId body);

  // world_state.cpp
  void visit_state(StateArchive& archive);
  void visit_broadphase(StateArchive& archive);
  void visit_contacts(StateArchive& archive);
  /// Bullet's objects, by the numbers of their proxies.
  std::map<int, btCollisionObject*> objects();

  void step(const SubstepHook& before_substep);

  Body& body(BodyId id) {
    if (id < 0 || id >= static_cast<int>(bodies.size())) throw_no_body(id);
    return bodies[id];
  }
  const Body& body(BodyId id) const { return const_cast<Impl*>(this)->body(id); }
  [[noreturn]] static void throw_no_body(BodyId id);
  void pull_down(const Body& body);
  Joint& joint(JointId id);
  Motor& motor(JointId id, int axis);
  const ContactRule& rule(int material_1, int material_2) const;

  WorldSpec spec;
  int substeps;
  double h;
  long long steps = 0;
  std::map<std::string, int> materials{{"default", 0}};
  std::map<std::pair<int, int>, ContactRule> rules;
  ContactRule default_rule;

  std::unique_ptr<Stepper> stepper;
  std::unique_ptr<btRigidBody> ground;  ///< kWorldBody in joints
  btEmptyShape no_shape;
  std::deque<Body> bodies;
  std::deque<Joint> joints;
  std::map<LinkId, Link> links;
  LinkId next_link = 0;
  std::set<BodyId> free_bodies;  ///< numbers of removed ones
  std::set<JointId> free_joints;
  std::vector<JointId> kinematic_joints;           ///< parents first
  /// Half spaces of one material that do not move and face one way, by body and shape, the highest
  /// first. Bullet's objects hold as user indices 2 and 3 in which of these they are, and where.
  std::vector<std::vector<std::pair<BodyId, int>>> floors;
  bool floors_known = true;                        ///< as bodies and rules are now
  std::set<std::pair<BodyId, BodyId>> neighbours;  ///< that do not collide: across a joint, ...
  std::deque<SecondDirection> second_directions;   ///< of contacts of this substep
  /// The first ones are of bodies that sleep, and as they were when these fell asleep.
  std::vector<Contact> contacts;
  std::size_t resting_contacts = 0;
  bool sleep_changed = true;     ///< since those were found
  std::vector<Contact> touches;  ///< of all substeps so far, without those that rest
  std::vector<int> touch_substep;
  /// Of each of Bullet's objects when contacts were looked for last.
  std::vector<btTransform> X_WO_contacts;
};

template <typename Look>
void World::Impl::objects_in(const btVector3& low_W, const btVector3& high_W,
                             const Look& look) const {
  struct Callback : btBroadphaseAabbCallback {
    explicit Callback(const Look& l) : look(l) {}
    bool process(const btBroadphaseProxy* proxy) override {
      look(*static_cast<btCollisionObject*>(proxy->m_clientObject));
      return true;
    }
    const Look& look;
  } callback(look);
  stepper->getBroadphase()->aabbTest(low_W, high_W, callback);
}

}  // namespace protobeam::physics
