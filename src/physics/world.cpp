#include "physics/world.h"

#include <cmath>
#include <stdexcept>

#include "physics/world_impl.h"

namespace protobeam::physics {
namespace {

int substep_count(const WorldSpec& spec) {
  if (!(spec.time_step > 0) || !std::isfinite(spec.time_step))
    throw std::invalid_argument("the time step must be positive and finite");
  return std::max(1, static_cast<int>(std::ceil(spec.time_step / spec.longest_substep - 1e-9)));
}

}  // namespace

World::Impl::Impl(const WorldSpec& s)
    : spec(s), substeps(substep_count(s)), h(s.time_step / substeps) {
  if (!s.gravity.allFinite()) throw std::invalid_argument("gravity must be finite");
  stepper = std::make_unique<Stepper>(
      s,
      [this](const btCollisionObject& a, const btCollisionObject& b) { return may_collide(a, b); },
      [this](double step) { prepare_contacts(step); });
  ground = std::make_unique<btRigidBody>(0, nullptr, &no_shape);
}

World::Impl::~Impl() {
  for (auto& [id, link] : links) stepper->removeConstraint(link.constraint.get());
  for (Joint& joint : joints)
    if (joint.constraint) stepper->removeConstraint(joint.constraint.get());
  for (Body& body : bodies) {
    for (auto& part : body.parts) stepper->removeCollisionObject(part.get());
    if (body.rigid && body.rigid->isInWorld()) stepper->removeRigidBody(body.rigid.get());
  }
}

void World::Impl::step(const SubstepHook& before_substep) {
  touches.clear();
  touch_substep.clear();
  find_floors();
  decide_motors();
  for (auto& [id, link] : links) link.constraint->start_step();
  begin_sleep();
  for (int i = 0; i < substeps; ++i) {
    advance_motors(h);
    update_kinematic_velocities();
    stepper->clearForces();
    stepper->applyGravity();
    for (Body& body : bodies) {
      if (!body.dynamic()) continue;
      body.rigid->applyCentralForce(to_bullet(body.force_W));
      body.rigid->applyTorque(to_bullet(body.torque_W));
      if (body.weighed_mass) pull_down(body);
    }
    if (before_substep) before_substep(i * h, h);
    stepper->substep(h);
    for (Body& body : bodies) {
      if (!body.dynamic() || !body.rigid->isActive()) continue;
      sleep_changed = sleep_changed || body.awake_from > i;
      body.awake_from = std::min(body.awake_from, i);
      settle(body);
    }
    move_kinematic_bodies(h);
    add_up_motors();
    collect_contacts(i);
  }
  for (Body& body : bodies) {
    body.force_W.setZero();
    body.torque_W.setZero();
  }
  update_kinematic_velocities();
  stepper->updateAabbs();
  measure_joints();
  finish_contacts();
  ++steps;
}

void World::Impl::pull_down(const Body& body) {
  const Vec3 moment_W =
      from_bullet(body.rigid->getWorldTransform().getBasis() * to_bullet(body.weighed_moment_K));
  body.rigid->applyCentralForce(to_bullet(*body.weighed_mass * spec.gravity));
  body.rigid->applyTorque(to_bullet(moment_W.cross(spec.gravity)));
}

void World::Impl::throw_no_body(BodyId id) {
  throw std::out_of_range("no body " + std::to_string(id));
}

Joint& World::Impl::joint(JointId id) {
  if (id < 0 || id >= static_cast<int>(joints.size()))
    throw std::out_of_range("no joint " + std::to_string(id));
  return joints[id];
}

Motor& World::Impl::motor(JointId id, int axis) {
  Joint& j = joint(id);
  if (axis < 0 || axis >= 3 || !j.axis(axis).motor)
    throw std::invalid_argument("joint \"" + j.name + "\" has no motor on axis " +
                                std::to_string(axis));
  // Any of these commands may move it.
  wake(j.parent);
  wake(j.child);
  return *j.axis(axis).motor;
}

const ContactRule& World::Impl::rule(int material_1, int material_2) const {
  const auto found = rules.find(std::minmax(material_1, material_2));
  return found == rules.end() ? default_rule : found->second;
}

World::World(const WorldSpec& spec) : impl_(std::make_unique<Impl>(spec)) {}
World::~World() = default;

int World::material(const std::string& name) {
  return impl_->materials.emplace(name, static_cast<int>(impl_->materials.size())).first->second;
}
void World::set_contact_rule(int material_1, int material_2, const ContactRule& rule) {
  impl_->rules[std::minmax(material_1, material_2)] = rule;
  impl_->floors_known = false;
}

BodyId World::add_body(const BodySpec& spec) { return impl_->add_body(spec); }
JointId World::add_joint(const JointSpec& spec) { return impl_->add_joint(spec); }
void World::keep_from_colliding(BodyId a, BodyId b) {
  impl_->neighbours.insert(std::minmax(a, b));
  impl_->forget_pairs(b);
}
void World::add_motor(JointId joint, int axis, const MotorSpec& spec) {
  Joint& j = impl_->joint(joint);
  if (axis < 0 || axis >= j.kinematics.axis_count())
    throw std::invalid_argument("joint \"" + j.name + "\" has no axis " + std::to_string(axis));
  if (!(spec.max_velocity >= 0) || !(spec.max_effort >= 0))
    throw std::invalid_argument("joint \"" + j.name +
                                "\": a motor's largest velocity and effort must not be negative");
  j.axis(axis).motor.emplace(spec, j.axis(axis).position);
}

void World::step(const SubstepHook& before_substep) { impl_->step(before_substep); }
const WorldSpec& World::spec() const { return impl_->spec; }
int World::substeps() const { return impl_->substeps; }
double World::time() const { return static_cast<double>(impl_->steps) * impl_->spec.time_step; }

Pose World::pose(BodyId body) const { return impl_->pose(body); }
Vec3 World::velocity(BodyId body) const { return impl_->velocity(body); }
Vec3 World::angular_velocity(BodyId body) const { return impl_->angular_velocity(body); }
double World::mass(BodyId body) const { return impl_->body(body).mass; }
bool World::slept(BodyId body) const {
  const Body& b = impl_->body(body);
  return b.dynamic() && b.awake_from == impl_->substeps;
}
bool World::asleep(BodyId body) const {
  const Body& b = impl_->body(body);
  return b.dynamic() && b.rigid->getActivationState() == ISLAND_SLEEPING;
}
void World::set_pose(BodyId body, const Pose& X_WB) { impl_->set_pose(body, X_WB); }
void World::set_velocity(BodyId body, const Vec3& v_WB, const Vec3& w_WB) {
  impl_->set_velocity(body, v_WB, w_WB);
}
void World::apply_force(BodyId body, const Vec3& force_W, const Vec3& point_W) {
  Body& b = impl_->body(body);
  if (!b.dynamic()) return;
  const Vec3 com_W = from_bullet(b.rigid->getWorldTransform().getOrigin());
  b.force_W += force_W;
  b.torque_W += (point_W - com_W).cross(force_W);
  impl_->wake(body);
}
void World::apply_torque(BodyId body, const Vec3& torque_W) {
  Body& b = impl_->body(body);
  if (!b.dynamic()) return;
  b.torque_W += torque_W;
  impl_->wake(body);
}

void World::push(BodyId body, const Vec3& force_W, const Vec3& torque_W) {
  Body& b = impl_->body(body);
  if (!b.dynamic()) return;
  b.rigid->applyCentralForce(to_bullet(force_W));
  b.rigid->applyTorque(to_bullet(torque_W));
  impl_->wake(body);
}
RigidState World::rigid_state(BodyId body) const {
  const Body& b = impl_->body(body);
  const btMatrix3x3& inverse = b.rigid->getInvInertiaTensorWorld();
  RigidState out{impl_->pose(body),
                 b.mass,
                 from_bullet(b.rigid->getWorldTransform().getOrigin()),
                 from_bullet(b.rigid->getLinearVelocity()),
                 from_bullet(b.rigid->getAngularVelocity()),
                 Mat3::Zero()};
  for (int i = 0; i < 3; ++i) out.inverse_inertia_W.row(i) = from_bullet(inverse[i]);
  return out;
}
Vec3 World::point_velocity(BodyId body, const Vec3& p_W) const {
  if (body == kWorldBody || impl_->body(body).motion == Motion::kStatic) return Vec3::Zero();
  return impl_->velocity(body) +
         impl_->angular_velocity(body).cross(p_W - impl_->pose(body).p);
}

double World::joint_position(JointId joint, int axis) const {
  return impl_->joint(joint).axis(axis).position;
}
double World::joint_velocity(JointId joint, int axis) const {
  return impl_->joint(joint).axis(axis).velocity;
}
double World::motor_effort(JointId joint, int axis) const {
  return impl_->joint(joint).axis(axis).motor_impulse / impl_->spec.time_step;
}
void World::set_motor_position(JointId joint, int axis, double target) {
  impl_->motor(joint, axis).set_position(target);
}
void World::set_motor_velocity(JointId joint, int axis, double velocity) {
  impl_->motor(joint, axis).set_velocity(velocity);
}
void World::set_motor_acceleration(JointId joint, int axis, double acceleration) {
  impl_->motor(joint, axis).set_acceleration(acceleration);
}
void World::set_motor_effort(JointId joint, int axis, double effort) {
  impl_->motor(joint, axis).set_effort(effort);
}
void World::set_motor_available_effort(JointId joint, int axis, double effort) {
  impl_->motor(joint, axis).set_available_effort(effort);
}
void World::set_motor_pid(JointId joint, int axis, double p, double i, double d) {
  impl_->motor(joint, axis).set_pid(p, i, d);
}
void World::set_motor_limits(JointId joint, int axis, const MotorSpec& spec) {
  impl_->motor(joint, axis).set_limits(spec);
}
void World::set_brake(JointId joint, int axis, double damping_constant) {
  if (!std::isfinite(damping_constant)) return;
  Joint& j = impl_->joint(joint);
  j.axis(axis).brake = std::max(0.0, damping_constant);
  impl_->wake(j.parent);
  impl_->wake(j.child);
}

std::vector<std::byte> World::commands(JointId joint, int axis) const {
  JointConstraint::Axis of = impl_->joint(joint).axis(axis);
  bool has_motor = of.motor.has_value();
  StateArchive archive;
  archive(has_motor, of.brake);
  if (of.motor) of.motor->visit_state(archive);
  return archive.take();
}

void World::set_commands(JointId joint, int axis, std::span<const std::byte> commands) {
  Joint& j = impl_->joint(joint);
  auto& of = j.axis(axis);
  StateArchive archive(commands);
  bool has_motor = false;
  double brake = 0;
  archive(has_motor, brake);
  if (has_motor != of.motor.has_value()) return;
  of.brake = brake;
  if (of.motor) of.motor->visit_state(archive);
  impl_->wake(j.parent);
  impl_->wake(j.child);
}

Vec3 World::joint_force(JointId id) const {
  const Joint& joint = impl_->joint(id);
  if (joint.removed || !joint.constraint) return Vec3::Zero();
  return joint.constraint->step_impulse_W() / impl_->spec.time_step;
}

LinkId World::link(BodyId a, BodyId b) { return impl_->link(a, b); }
void World::unlink(LinkId link) { impl_->unlink(link); }
Vec3 World::link_force(LinkId id) const {
  const auto found = impl_->links.find(id);
  if (found == impl_->links.end()) return Vec3::Zero();
  const Link& link = found->second;
  return link.sign * link.constraint->step_impulse_W() / impl_->spec.time_step;
}
std::vector<BodyId> World::assembly(BodyId body) const { return impl_->assembly(body); }
bool World::move_assembly(BodyId body, const Pose& X_WB) {
  return impl_->move_assembly(body, X_WB);
}
void World::set_belt(BodyId body, int owner, const Vec3& belt_B) {
  impl_->set_belt(body, owner, belt_B);
}

const std::vector<Contact>& World::contacts() const { return impl_->contacts; }

BodyId World::first_broken_body() const {
  for (int i = 0; i < body_count(); ++i) {
    const Pose X = pose(i);
    if (!X.p.allFinite() || !X.R.coeffs().allFinite() || !velocity(i).allFinite() ||
        !angular_velocity(i).allFinite())
      return i;
  }
  return kWorldBody;
}
void World::freeze(BodyId body, const Pose& X_WB) { impl_->freeze(body, X_WB); }
void World::remove(BodyId body) { impl_->remove(body); }
bool World::exists(BodyId body) const { return impl_->exists(body); }
bool World::joint_exists(JointId joint) const {
  return joint >= 0 && joint < static_cast<int>(impl_->joints.size()) && !impl_->joints[joint].removed;
}
void World::set_joint_position(JointId joint, int axis, double position) {
  impl_->set_joint_position(joint, axis, position);
}
void World::clear_forces(BodyId body) {
  Body& b = impl_->body(body);
  b.force_W.setZero();
  b.torque_W.setZero();
}
void World::set_gravity(const Vec3& gravity) {
  if (!gravity.allFinite()) throw std::invalid_argument("gravity must be finite");
  impl_->spec.gravity = gravity;
  impl_->stepper->setGravity(to_bullet(gravity));
  for (BodyId i = 0; i < body_count(); ++i) {
    if (exists(i)) impl_->wake(i);
  }
}
const std::string& World::body_name(BodyId body) const { return impl_->body(body).name; }
int World::body_count() const { return static_cast<int>(impl_->bodies.size()); }

}  // namespace protobeam::physics
