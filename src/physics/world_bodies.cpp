#include <Eigen/Eigenvalues>
#include <cmath>
#include <stdexcept>

#include "physics/world_impl.h"

namespace protobeam::physics {
namespace {

/// Principal moments, in axes rotated as little as possible: a diagonal inertia keeps its axes.
std::pair<Mat3, Vec3> principal_axes(const Mat3& inertia) {
  const double off = std::abs(inertia(0, 1)) + std::abs(inertia(0, 2)) + std::abs(inertia(1, 2));
  if (off <= 1e-12 * inertia.trace()) return {Mat3::Identity(), inertia.diagonal()};
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
  Mat3 axes = eigen.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) *= -1;
  return {axes, eigen.eigenvalues()};
}

bool is_identity(const Pose& X) { return X.p.isZero(0) && X.R.vec().isZero(0); }

}  // namespace

BodyId World::Impl::add_body(const BodySpec& s) {
  const std::string who = "body \"" + s.name + "\"";
  const auto fail = [&](const std::string& what) {
    throw std::invalid_argument(who + ": " + what);
  };
  if (!s.X_WB.p.allFinite() || !s.X_WB.R.coeffs().allFinite()) fail("pose is not finite");
  if (!s.v_WB.allFinite() || !s.w_WB.allFinite()) fail("velocity is not finite");

  Body b;
  b.name = s.name;
  b.motion = s.motion;
  b.robot = s.robot;
  b.self_collision = s.self_collision;
  b.held = s.held;
  b.X_WB = {s.X_WB.R.normalized(), s.X_WB.p};
  b.v_WB = s.v_WB;
  b.w_WB = s.w_WB;
  Vec3 moments = Vec3::Zero();
  if (b.dynamic()) {
    if (!(s.mass.mass > 0) || !std::isfinite(s.mass.mass))
      fail("mass " + std::to_string(s.mass.mass) + " kg must be positive and finite");
    if (!s.mass.com.allFinite()) fail("centre of mass is not finite");
    if (!s.mass.inertia.allFinite()) fail("inertia is not finite");
    const auto [axes, principal] = principal_axes(s.mass.inertia);
    if (!(principal.minCoeff() > 0)) fail("inertia must be positive definite");
    b.mass = s.mass.mass;
    b.X_BK = {Quat(axes), s.mass.com};
    moments = principal;
  }

  b.X_KB = b.X_BK.inverse();
  if (s.weightless_mass > 0) {
    b.weighed_mass = std::max(0.0, b.mass - s.weightless_mass);
    if (*b.weighed_mass > 0) b.weighed_moment_K = -s.weightless_mass * (b.X_KB * s.weightless_com);
  }
  std::vector<Pose> X_BShapes;
  for (const CollisionShape& shape : s.shapes) {
    b.shapes.push_back(collision_shape(shape.geometry, b.motion, who));
    X_BShapes.push_back(shape.X_BS * Pose{Quat::Identity(), b.shapes.back().center});
    b.tags.push_back(
        {shape.material, shape.owner, grain_of(*shape.geometry), shape.X_BS.R * shape.R_SF});
  }
  btCollisionShape* whole = &no_shape;
  if (b.motion != Motion::kStatic && !b.shapes.empty()) {
    if (b.shapes.size() == 1 && is_identity(b.X_KB * X_BShapes[0])) {
      whole = b.shapes[0].shape.get();
    } else {
      b.compound = std::make_unique<btCompoundShape>(true, static_cast<int>(b.shapes.size()));
      for (std::size_t i = 0; i < b.shapes.size(); ++i)
        b.compound->addChildShape(to_bullet(b.X_KB * X_BShapes[i]), b.shapes[i].shape.get());
      whole = b.compound.get();
    }
  }

  btRigidBody::btRigidBodyConstructionInfo info(b.mass, nullptr, whole, to_bullet(moments));
  info.m_startWorldTransform = to_bullet(b.X_WB * b.X_BK);
  info.m_linearDamping = s.linear_damping;
  info.m_angularDamping = s.angular_damping;
  b.rigid = std::make_unique<btRigidBody>(info);
  if (b.weighed_mass) b.rigid->setFlags(b.rigid->getFlags() | BT_DISABLE_WORLD_GRAVITY);

  const BodyId id =
      free_bodies.empty() ? static_cast<BodyId>(bodies.size()) : *free_bodies.begin();
  if (free_bodies.empty()) {
    bodies.push_back(std::move(b));
  } else {
    bodies[id] = std::move(b);
    free_bodies.erase(id);
  }
  Body& body = bodies[id];
  // From here on the tags stay where they are.
  for (std::size_t i = 0; i < body.shapes.size(); ++i) {
    body.shapes[i].shape->setUserPointer(&body.tags[i]);
    body.shapes[i].shape->setUserIndex(static_cast<int>(i));
  }
  const auto enlist = [&](btCollisionObject& object) {
    object.setUserIndex(id);
    object.setCollisionFlags(object.getCollisionFlags() |
                             btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
  };
  stepper->note_change();
  switch (body.motion) {
    case Motion::kStatic:
      floors_known = false;
      for (std::size_t i = 0; i < body.shapes.size(); ++i) {
        auto part = std::make_unique<btCollisionObject>();
        part->setCollisionShape(body.shapes[i].shape.get());
        part->setWorldTransform(to_bullet(body.X_WB * X_BShapes[i]));
        part->setActivationState(ISLAND_SLEEPING);
        enlist(*part);
        stepper->addCollisionObject(part.get());
        body.parts.push_back(std::move(part));
        body.X_BParts.push_back(X_BShapes[i]);
      }
      break;
    case Motion::kKinematic:
      enlist(*body.rigid);
      body.rigid->setCollisionFlags(body.rigid->getCollisionFlags() |
                                    btCollisionObject::CF_KINEMATIC_OBJECT);
      stepper->addRigidBody(body.rigid.get());
      break;
    case Motion::kDynamic:
      enlist(*body.rigid);
      stepper->addRigidBody(body.rigid.get());
      if (!(spec.sleep_time > 0)) body.rigid->setActivationState(DISABLE_DEACTIVATION);
      settle(body);
      set_velocity(id, s.v_WB, s.w_WB);
      break;
  }
  return id;
}

void World::Impl::settle(Body& b) {
  if (b.dynamic()) b.X_WB = from_bullet(b.rigid->getWorldTransform()) * b.X_KB;
}

Vec3 World::Impl::velocity(BodyId id) const {
  const Body& b = body(id);
  if (!b.dynamic()) return b.motion == Motion::kStatic ? Vec3(Vec3::Zero()) : b.v_WB;
  const Vec3 com_to_origin_W =
      from_bullet(b.rigid->getWorldTransform().getBasis() * to_bullet(b.X_KB.p));
  return from_bullet(b.rigid->getLinearVelocity()) + angular_velocity(id).cross(com_to_origin_W);
}

Vec3 World::Impl::angular_velocity(BodyId id) const {
  const Body& b = body(id);
  if (!b.dynamic()) return b.motion == Motion::kStatic ? Vec3(Vec3::Zero()) : b.w_WB;
  return from_bullet(b.rigid->getAngularVelocity());
}

void World::Impl::set_pose(BodyId id, const Pose& X) {
  Body& b = body(id);
  if (b.removed) return;
  wake_neighbours(id);
  const Pose X_WB{X.R.normalized(), X.p};
  if (b.dynamic()) {
    b.rigid->setCenterOfMassTransform(to_bullet(X_WB * b.X_BK));
    settle(b);
    stepper->place(*b.rigid);
    wake(id);
  } else {
    floors_known = floors_known && b.motion != Motion::kStatic;
    b.X_WB = X_WB;
    place_kinematic(b);
  }
  place_kinematic_children();
  wake_neighbours(id);
}

void World::Impl::freeze(BodyId id, const Pose& X_WB) {
  Body& b = body(id);
  if (b.removed) return;
  for (Joint& joint : joints) {
    if ((joint.parent == id || joint.child == id) && joint.constraint) {
      stepper->removeConstraint(joint.constraint.get());
    }
  }
  for (auto& [number, link] : links) {
    if (link.a == id || link.b == id) stepper->removeConstraint(link.constraint.get());
  }
  b.force_W.setZero();
  b.torque_W.setZero();
  b.v_WB.setZero();
  b.w_WB.setZero();
  b.X_WB = X_WB;
  if (!b.dynamic()) return;
  forget_contacts(id);
  stepper->removeRigidBody(b.rigid.get());
  stepper->note_change();
  b.rigid->setCenterOfMassTransform(to_bullet(X_WB * b.X_BK));
  b.rigid->setInterpolationWorldTransform(b.rigid->getCenterOfMassTransform());
  b.rigid->setLinearVelocity(btVector3(0, 0, 0));
  b.rigid->setAngularVelocity(btVector3(0, 0, 0));
  b.rigid->clearForces();
  b.motion = Motion::kStatic;
}

void World::Impl::remove(BodyId id) {
  if (!exists(id)) return;
  // What has come to rest on it falls.
  wake_neighbours(id);
  for (JointId j = static_cast<JointId>(joints.size()) - 1; j >= 0; --j) {
    if (!joints[j].removed && (joints[j].parent == id || joints[j].child == id)) remove_joint(j);
  }
  std::erase_if(neighbours, [id](const auto& pair) { return pair.first == id || pair.second == id; });
  forget_contacts(id);
  floors_known = floors_known && body(id).motion != Motion::kStatic;
  const Pose X_WB = pose(id);
  Body gone = std::move(body(id));
  for (const auto& part : gone.parts) {
    if (part->getBroadphaseHandle()) stepper->removeCollisionObject(part.get());
  }
  if (gone.rigid->isInWorld()) stepper->removeRigidBody(gone.rigid.get());
  stepper->note_change();
  Body nothing{};
  nothing.motion = Motion::kStatic;
  nothing.robot = -1;
  nothing.removed = true;
  nothing.X_WB = X_WB;
  nothing.v_WB = nothing.w_WB = Vec3::Zero();
  bodies[id] = std::move(nothing);
  free_bodies.insert(id);
  while (!bodies.empty() && bodies.back().removed) {
    bodies.pop_back();
    free_bodies.erase(static_cast<BodyId>(bodies.size()));
  }
}

void World::Impl::set_velocity(BodyId id, const Vec3& v_WB, const Vec3& w_WB) {
  Body& b = body(id);
  if (b.dynamic()) {
    b.rigid->setLinearVelocity(to_bullet(v_WB + w_WB.cross(pose(id).R * b.X_BK.p)));
    b.rigid->setAngularVelocity(to_bullet(w_WB));
    wake(id);
  } else if (b.motion == Motion::kKinematic) {
    b.v_WB = v_WB;
    b.w_WB = w_WB;
  }
}

void World::Impl::wake(BodyId id) {
  if (id == kWorldBody) return;
  if (Body& b = body(id); b.dynamic()) b.rigid->activate(true);
}

void World::Impl::wake_neighbours(BodyId id) {
  const auto around = [&](const btCollisionObject& object) {
    btVector3 low, high;
    object.getCollisionShape()->getAabb(object.getWorldTransform(), low, high);
    const btVector3 reach(gContactBreakingThreshold, gContactBreakingThreshold,
                          gContactBreakingThreshold);
    objects_in(low - reach, high + reach, [](btCollisionObject& near) {
      if (!near.isStaticOrKinematicObject()) near.activate(true);
    });
  };
  const Body& b = body(id);
  if (b.removed) return;
  for (const auto& part : b.parts) around(*part);
  if (b.rigid->isInWorld()) around(*b.rigid);
  for (const Joint& joint : joints) {
    if (joint.removed) continue;
    if (joint.parent == id) wake(joint.child);
    if (joint.child == id) wake(joint.parent);
  }
  for (const auto& [number, link] : links) {
    if (link.a == id) wake(link.b);
    if (link.b == id) wake(link.a);
  }
}

}  // namespace protobeam::physics
