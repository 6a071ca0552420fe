#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "physics/world_impl.h"

namespace protobeam::physics {

JointId World::Impl::add_joint(const JointSpec& s) {
  const auto fail = [&](const std::string& what) {
    throw std::invalid_argument("joint \"" + s.name + "\": " + what);
  };
  Body& child = body(s.child);
  if (child.motion == Motion::kStatic) fail("its child \"" + child.name + "\" cannot move");
  if (s.parent == s.child) fail("joins \"" + child.name + "\" to itself");

  Joint joint{s.name, s.parent, s.child, JointKinematics(s), nullptr, {}};
  for (int i = 0; i < 3; ++i) {
    joint.free_axes[i].spec = s.axes[i];
    joint.free_axes[i].position = s.axes[i].position;
  }
  const JointId id =
      free_joints.empty() ? static_cast<JointId>(joints.size()) : *free_joints.begin();
  if (child.dynamic()) {
    btRigidBody& a = s.parent == kWorldBody ? *ground : *body(s.parent).rigid;
    const Pose X_AP = s.parent == kWorldBody ? Pose{} : body(s.parent).X_KB;
    joint.constraint =
        std::make_unique<JointConstraint>(s, a, X_AP, *child.rigid, child.X_KB);
    joint.constraint->set_rules(h, spec.erp);
    stepper->addConstraint(joint.constraint.get(), true);
  } else if (s.kind == JointKind::kDistance) {
    fail("its child \"" + child.name + "\" moves as it is told");
  } else {
    if (child.kinematic_joint >= 0) fail("\"" + child.name + "\" has a joint already");
    child.kinematic_joint = id;
  }
  if (free_joints.empty()) {
    joints.push_back(std::move(joint));
  } else {
    joints[id] = std::move(joint);
    free_joints.erase(id);
  }

  if (s.parent != kWorldBody) neighbours.insert(std::minmax(s.parent, s.child));
  const bool passes = s.passes_unyielding && child.dynamic() &&
                      (s.parent == kWorldBody || !body(s.parent).dynamic());
  if (passes) {
    joints[id].passes_unyielding = true;
    ++child.passing_joints;
  }
  if (passes || s.parent != kWorldBody) forget_pairs(s.child);
  if (!child.dynamic()) {
    kinematic_joints.push_back(id);
    const auto depth = [&](JointId j) {
      int depth = 0;
      for (BodyId b = joints[j].parent; b != kWorldBody && bodies[b].kinematic_joint >= 0;
           b = joints[bodies[b].kinematic_joint].parent)
        if (++depth > static_cast<int>(joints.size())) fail("moves itself in a circle");
      return depth;
    };
    std::stable_sort(kinematic_joints.begin(), kinematic_joints.end(),
                     [&](JointId a, JointId b) { return depth(a) < depth(b); });
    place_kinematic_children();
  }
  return id;
}

void World::Impl::remove_joint(JointId id) {
  Joint& joint = joints[id];
  if (joint.constraint) {
    stepper->removeConstraint(joint.constraint.get());
    joint.constraint.reset();
  }
  neighbours.erase(std::minmax(joint.parent, joint.child));
  std::erase(kinematic_joints, id);
  if (exists(joint.child)) {
    Body& child = bodies[joint.child];
    if (child.kinematic_joint == id) child.kinematic_joint = -1;
    if (joint.passes_unyielding) --child.passing_joints;
    forget_pairs(joint.child);
    wake(joint.child);
  }
  joint.free_axes = {};
  joint.passes_unyielding = false;
  joint.parent = joint.child = kWorldBody;
  joint.removed = true;
  free_joints.insert(id);
  while (!joints.empty() && joints.back().removed) {
    joints.pop_back();
    free_joints.erase(static_cast<JointId>(joints.size()));
  }
}

void World::Impl::set_joint_position(JointId id, int axis, double position) {
  Joint& moved = joint(id);
  if (moved.removed || axis < 0 || axis >= moved.kinematics.axis_count() || !std::isfinite(position))
    return;
  auto& chosen = moved.axis(axis);
  if (chosen.spec.min_stop != chosen.spec.max_stop)
    position = std::clamp(position, std::min(chosen.spec.min_stop, chosen.spec.max_stop),
                          std::max(chosen.spec.min_stop, chosen.spec.max_stop));
  if (moved.kinematics.measures_distance()) return;
  chosen.position = position;
  chosen.velocity = 0;
  wake(moved.parent);
  if (!moved.constraint) return place_kinematic_children();
  JointPositions q{};
  for (int i = 0; i < moved.kinematics.axis_count(); ++i) q[i] = moved.axis(i).position;
  const Pose X_WP = moved.parent == kWorldBody ? Pose{} : pose(moved.parent);
  const Pose after = X_WP * moved.kinematics.child_in_parent(q), before = pose(moved.child).inverse();
  std::vector<BodyId> hanging{moved.child};
  for (std::size_t i = 0; i < hanging.size(); ++i) {
    for (const Joint& other : joints) {
      const bool next = !other.removed && other.constraint && other.parent == hanging[i];
      if (next && std::find(hanging.begin(), hanging.end(), other.child) == hanging.end())
        hanging.push_back(other.child);
    }
  }
  for (const BodyId body : hanging) {
    if (body != moved.parent) set_pose(body, after * (before * pose(body)));
  }
}

void World::Impl::decide_motors() {
  for (Joint& joint : joints) {
    if (joint.constraint) {
      joint.constraint->start_step();
      joint.constraint->measure();
    }
    for (int i = 0; i < joint.kinematics.axis_count(); ++i) {
      auto& axis = joint.axis(i);
      axis.motor_impulse = 0;
      if (!axis.motor) continue;
      if (joint.constraint)
        axis.motor->decide(axis.position, spec.time_step);
      else
        axis.motor->decide_kinematic(axis.position, spec.time_step);
      if (axis.motor->busy()) {
        wake(joint.parent);
        wake(joint.child);
      }
    }
  }
}

void World::Impl::advance_motors(double h) {
  for (Joint& joint : joints) {
    for (int i = 0; i < joint.kinematics.axis_count(); ++i) {
      auto& axis = joint.axis(i);
      if (joint.constraint) {
        if (axis.motor) axis.motor->advance(h);
        continue;
      }
      // Nothing resists a kinematic child: it has the motor's velocity, up to its stops.
      axis.velocity = axis.motor ? axis.motor->kinematic_velocity() : 0;
      if (axis.spec.min_stop != axis.spec.max_stop)
        axis.velocity = std::clamp(axis.velocity, (axis.spec.min_stop - axis.position) / h,
                                   (axis.spec.max_stop - axis.position) / h);
    }
  }
}

void World::Impl::add_up_motors() {
  for (Joint& joint : joints)
    if (joint.constraint) joint.constraint->add_up_motors();
  for (auto& [id, link] : links) link.constraint->add_up_motors();
}

void World::Impl::measure_joints() {
  for (Joint& joint : joints)
    if (joint.constraint) joint.constraint->measure();
}

void World::Impl::update_kinematic_velocities() {
  for (const JointId id : kinematic_joints) {
    const Joint& joint = joints[id];
    Body& child = bodies[joint.child];
    const bool fixed_parent = joint.parent == kWorldBody;
    const Pose X_WP = fixed_parent ? Pose{} : pose(joint.parent);
    const Vec3 v_P = fixed_parent ? Vec3(Vec3::Zero()) : velocity(joint.parent);
    const Vec3 w_P = fixed_parent ? Vec3(Vec3::Zero()) : angular_velocity(joint.parent);

    JointPositions q{};
    Vec3 rates = Vec3::Zero();
    for (int i = 0; i < joint.kinematics.axis_count(); ++i) {
      q[i] = joint.axis(i).position;
      rates[i] = joint.axis(i).velocity;
    }
    const Vec3 motion_W = X_WP.R * (joint.kinematics.basis_P(q) * rates);
    child.v_WB = v_P + w_P.cross(child.X_WB.p - X_WP.p);
    child.w_WB = w_P;
    if (joint.kinematics.translates()) {
      child.v_WB += motion_W;
    } else {
      child.v_WB += motion_W.cross(child.X_WB.p - X_WP * joint.kinematics.anchor_P());
      child.w_WB += motion_W;
    }
  }
  for (Body& body : bodies) {
    if (body.motion != Motion::kKinematic) continue;
    body.rigid->setLinearVelocity(to_bullet(body.v_WB));
    body.rigid->setAngularVelocity(to_bullet(body.w_WB));
    // Bullet wakes what an active kinematic body touches.
    const bool moves = !body.v_WB.isZero(0) || !body.w_WB.isZero(0);
    body.rigid->forceActivationState(moves ? ACTIVE_TAG : ISLAND_SLEEPING);
  }
  for (const Joint& joint : joints) {
    if (joint.parent == kWorldBody) continue;
    const Body& parent = bodies[joint.parent];
    if (parent.motion == Motion::kKinematic && parent.rigid->isActive()) wake(joint.child);
  }
}

void World::Impl::move_kinematic_bodies(double h) {
  for (Body& body : bodies) {
    if (body.motion != Motion::kKinematic || body.kinematic_joint >= 0) continue;
    body.X_WB.p += body.v_WB * h;
    body.X_WB.R = (axis_angle(body.w_WB, body.w_WB.norm() * h) * body.X_WB.R).normalized();
    place_kinematic(body);
  }
  for (const JointId id : kinematic_joints)
    for (int i = 0; i < joints[id].kinematics.axis_count(); ++i)
      joints[id].axis(i).position += joints[id].axis(i).velocity * h;
  place_kinematic_children();
}

void World::Impl::place_kinematic_children() {
  for (const JointId id : kinematic_joints) {
    const Joint& joint = joints[id];
    JointPositions q{};
    for (int i = 0; i < joint.kinematics.axis_count(); ++i) q[i] = joint.axis(i).position;
    const Pose X_WP = joint.parent == kWorldBody ? Pose{} : pose(joint.parent);
    Body& child = bodies[joint.child];
    child.X_WB = X_WP * joint.kinematics.child_in_parent(q);
    place_kinematic(child);
  }
}

void World::Impl::place_kinematic(Body& body) {
  body.rigid->setCenterOfMassTransform(to_bullet(body.X_WB));
  if (body.rigid->isInWorld()) stepper->place(*body.rigid);
  for (std::size_t i = 0; i < body.parts.size(); ++i) {
    body.parts[i]->setWorldTransform(to_bullet(body.X_WB * body.X_BParts[i]));
    stepper->place(*body.parts[i]);
  }
}

}  // namespace protobeam::physics
