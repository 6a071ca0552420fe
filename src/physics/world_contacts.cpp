#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "physics/mesh_shape.h"
#include "physics/terrain_shape.h"
#include "physics/world_impl.h"

namespace protobeam::physics {
namespace {

// Bullet multiplies friction with impulses, so that it must stay finite.
constexpr double kSticks = 1e10;
// Surfaces may always part with this speed: a body that was pressed in by a few tenths of a
// millimetre is where it belongs at once.
constexpr double kPushOut = 0.1;  // m/s

BodyId id_of(const btCollisionObject& object) { return object.getUserIndex(); }

/// Which of its body's shapes Bullet has touched: children of compounds, triangles of meshes.
int touched_shape(const btCollisionObjectWrapper* wrapper) {
  for (; wrapper; wrapper = wrapper->m_parent)
    if (wrapper->getCollisionShape()->getUserPointer())
      return wrapper->getCollisionShape()->getUserIndex();
  return 0;
}

/// Turns the normal of a contact with an edge inside a mesh to that of the mesh: things slide over
/// it.
void smooth_edge(btManifoldPoint& point, const btCollisionObjectWrapper* mesh,
                 const btCollisionObjectWrapper* other, int part, int triangle) {
  if (mesh->getCollisionShape()->getShapeType() != TRIANGLE_SHAPE_PROXYTYPE) return;
  // Bullet gives contacts to const shapes; what they learn is for its next function only.
  auto* whole = const_cast<btCollisionShape*>(mesh->getCollisionObject()->getCollisionShape());
  if (whole->getShapeType() == TERRAIN_SHAPE_PROXYTYPE) {
    static_cast<TerrainShape*>(whole)->find_edges_of(part, triangle);
  } else if (whole->getShapeType() == TRIANGLE_MESH_SHAPE_PROXYTYPE) {
    static_cast<MeshShape*>(whole)->find_edges_of(triangle);
  } else {
    return;
  }
  btAdjustInternalEdgeContacts(point, mesh, other, part, triangle);
}

/// Leaves the two shapes in the point: m_index0 that of the body with the smaller number.
bool finish_point(btManifoldPoint& point, const btCollisionObjectWrapper* a, int part_a,
                  int triangle_a, const btCollisionObjectWrapper* b, int part_b, int triangle_b) {
  smooth_edge(point, a, b, part_a, triangle_a);
  smooth_edge(point, b, a, part_b, triangle_b);
  if (id_of(*a->getCollisionObject()) > id_of(*b->getCollisionObject())) std::swap(a, b);
  point.m_index0 = touched_shape(a);
  point.m_index1 = touched_shape(b);
  return false;
}
[[maybe_unused]] const bool kFinishesPoints = (gContactAddedCallback = finish_point, true);

Vec3 velocity_at(const btCollisionObject& object, const btVector3& point) {
  const btRigidBody* body = btRigidBody::upcast(&object);
  if (!body) return Vec3::Zero();
  return from_bullet(body->getVelocityInLocalPoint(point - body->getCenterOfMassPosition()));
}

/// How the surface there runs over the body; n_W: out of it.
Vec3 belt_velocity(const Body& body, int shape, const Vec3& n_W) {
  const Vec3& belt_B = body.tags[shape].belt_B;
  if (belt_B.isZero(0)) return Vec3::Zero();
  const Quat R_WB = body.dynamic()
                        ? from_bullet(body.rigid->getWorldTransform()).R * body.X_BK.R.conjugate()
                        : body.X_WB.R;
  return (R_WB * belt_B).cross(n_W);
}

/// `given`: the first one, unless friction is the same in all; then it is that of the slip.
void choose_friction_directions(btManifoldPoint& point, const Vec3& n_W, const Vec3& v_W,
                                const Vec3* given) {
  Vec3 first, second;
  const Vec3 slip_W = v_W - n_W * n_W.dot(v_W);
  const bool known = point.m_contactPointFlags & BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED;
  const Vec3 old_1 = from_bullet(point.m_lateralFrictionDir1);
  const Vec3 old_2 = from_bullet(point.m_lateralFrictionDir2);
  if (given) {
    first = *given;
  } else if (slip_W.norm() > kSlips) {
    first = slip_W.normalized();
  } else {
    const Vec3 kept = old_1 - n_W * n_W.dot(old_1);
    first = known && kept.norm() > 0.5 ? kept.normalized() : n_W.unitOrthogonal();
  }
  second = first.cross(n_W);
  if (known) {
    const Vec3 impulse =
        old_1 * point.m_appliedImpulseLateral1 + old_2 * point.m_appliedImpulseLateral2;
    point.m_appliedImpulseLateral1 = impulse.dot(first);
    point.m_appliedImpulseLateral2 = impulse.dot(second);
  }
  point.m_lateralFrictionDir1 = to_bullet(first);
  point.m_lateralFrictionDir2 = to_bullet(second);
}

/// Of the friction across the slip, under a belt: velocity per impulse, 0 while it does not slip.
/// Friction acts against the slip v_W, and turns with it: a tank whose tracks slip does not stick
/// sideways.
double lateral_softness(const btManifoldPoint& point, const Vec3& n_W, const Vec3& v_W) {
  const double slip = (v_W - n_W * n_W.dot(v_W)).norm();
  const double most = point.m_combinedFriction * point.m_appliedImpulse;
  return slip > kSlips && most > 0 ? slip / most : 0;
}

auto order(const Contact& c) { return std::tie(c.body_a, c.body_b, c.owner_a, c.owner_b); }

}  // namespace

bool World::Impl::may_collide(const btCollisionObject& a, const btCollisionObject& b) const {
  if (!bodies[id_of(a)].dynamic() && !bodies[id_of(b)].dynamic()) return false;
  return may_touch(id_of(a), id_of(b)) && !lies_under_another(a, id_of(b)) &&
         !lies_under_another(b, id_of(a));
}

bool World::Impl::may_touch(BodyId a, BodyId b) const {
  const Body &body_a = bodies[a], &body_b = bodies[b];
  if (body_a.robot >= 0 && body_a.robot == body_b.robot &&
      !(body_a.self_collision && body_b.self_collision))
    return false;
  const auto passes = [](const Body& body) { return body.passing_joints > 0 || body.held; };
  const auto unyielding = [](const Body& body) { return !body.dynamic() && !body.held; };
  if ((passes(body_a) && unyielding(body_b)) || (passes(body_b) && unyielding(body_a)))
    return false;
  return neighbours.count(std::minmax(a, b)) == 0;
}

// A contact is ODE's: its ERP and CFM make a spring and damper (spring erp / (cfm h), damper
// (1 - erp) / cfm), with the substep as h. An impact is the exception: it is rigid for one substep,
// the one in which the surfaces meet, so that the bodies part with `bounce` times their speed.
//
// Deep overlaps, as of bodies that a world begins with, part as fast as in ODE with the whole step
// as its h: erp depth / step. With the substep they would be thrown out. What the contact carries
// already presses it in by its softness, and needs no limit. Below the greatest speed of parting it
// needs one only while the surfaces part: otherwise it would be one of the force, and what is too
// heavy would sink on and on.
double World::Impl::limited_erp(const ContactRule& r, const btManifoldPoint& point, double closing,
                                double h) const {
  const double depth = -point.getDistance();
  if (!(depth > 0)) return r.soft_erp;
  const double in_step = h / spec.time_step, force = point.m_appliedImpulse / h;
  const auto pressed = [&](double share) { return share * r.soft_cfm * force; };  // m/s
  const double fastest = std::max(kPushOut, spec.max_separation_speed);
  const double slow = std::clamp(2 + 2 * closing / fastest, 0.0, 1.0);  // 0: at the greatest speed
  const double as_ode = r.soft_erp * depth / spec.time_step;
  const double apart = std::max(kPushOut, std::min(as_ode, fastest + pressed(slow * in_step)));
  return std::min(r.soft_erp, (apart + pressed(1 - in_step)) * h / depth);
}

std::optional<DirectedFriction> World::Impl::friction_by_direction(const ContactRule& r,
                                                                   const Vec3& n_low_W, BodyId low,
                                                                   int low_shape, BodyId high,
                                                                   int high_shape) const {
  if (r.friction_count < 2 && r.slip_count < 2) return {};
  const auto grained = [&](BodyId id, int shape) {
    const ShapeTag& tag = bodies[id].tags[shape];
    return GrainedShape{tag.grain, pose(id).R * tag.R_BS};
  };
  // As Webots, the directions are turned about the normal that points to what moves, and of two
  // equal materials the first one is that of the other body (WbSimulationCluster.cpp, and what ODE
  // hands to it).
  const bool low_moves = bodies[low].dynamic();
  const GrainedShape moves = low_moves ? grained(low, low_shape) : grained(high, high_shape);
  const GrainedShape other = low_moves ? grained(high, high_shape) : grained(low, low_shape);
  const int others =
      low_moves ? bodies[high].tags[high_shape].material : bodies[low].tags[low_shape].material;
  const Vec3 to_moves_W = low_moves ? n_low_W : Vec3(-n_low_W);
  return others == r.first_material ? directed_friction(r, to_moves_W, other, moves)
                                    : directed_friction(r, to_moves_W, moves, other);
}

void World::Impl::prepare_contacts(double h) {
  second_directions.clear();
  X_WO_contacts.clear();
  for (const Body& body : bodies) {
    if (body.motion != Motion::kStatic && body.rigid && body.rigid->isInWorld())
      X_WO_contacts.push_back(body.rigid->getWorldTransform());
  }
  btCollisionDispatcher& dispatcher =
      static_cast<btCollisionDispatcher&>(*stepper->getDispatcher());
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
    const btCollisionObject& a = *manifold.getBody0();
    const btCollisionObject& b = *manifold.getBody1();
    if (!a.isActive() && !b.isActive()) continue;
    const Body& low = bodies[std::min(id_of(a), id_of(b))];
    const Body& high = bodies[std::max(id_of(a), id_of(b))];
    for (int p = 0; p < manifold.getNumContacts(); ++p) {
      btManifoldPoint& point = manifold.getContactPoint(p);
      const ContactRule& r =
          rule(low.tags[point.m_index0].material, high.tags[point.m_index1].material);
      const Vec3 n_W = from_bullet(point.m_normalWorldOnB);
      Vec3 v_W =
          velocity_at(a, point.getPositionWorldOnA()) - velocity_at(b, point.getPositionWorldOnB());
      // n_W points from b to a; the shape with index 0 is that of the body with the smaller number.
      const bool a_is_low = id_of(a) < id_of(b);
      const Vec3 belts_W =
          belt_velocity(a_is_low ? low : high, a_is_low ? point.m_index0 : point.m_index1, -n_W) -
          belt_velocity(a_is_low ? high : low, a_is_low ? point.m_index1 : point.m_index0, n_W);
      v_W += belts_W;
      const double closing = -n_W.dot(v_W);
      const bool impact = closing > r.bounce_velocity && point.m_appliedImpulse == 0 &&
                          point.getDistance() <= closing * h;

      const auto directed =
          friction_by_direction(r, a_is_low ? n_W : Vec3(-n_W), std::min(id_of(a), id_of(b)),
                                point.m_index0, std::max(id_of(a), id_of(b)), point.m_index1);
      choose_friction_directions(point, n_W, v_W, directed ? &directed->first_W : nullptr);
      point.m_contactPointFlags = BT_CONTACT_FLAG_HAS_CONTACT_CFM |
                                  BT_CONTACT_FLAG_HAS_CONTACT_ERP |
                                  BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED;
      point.m_contactCFM = impact ? 0 : r.soft_cfm;
      point.m_contactERP = impact ? 0 : limited_erp(r, point, closing, h);
      point.m_combinedRestitution = impact ? r.bounce : 0;
      if (impact) point.setDistance(std::min(point.getDistance(), 0.0));
      point.m_combinedFriction = std::min(directed ? directed->first : r.friction, kSticks);
      point.m_userPersistentData = nullptr;
      if (directed) {
        second_directions.push_back({std::min(directed->second, kSticks), directed->second_slip});
        point.m_userPersistentData = &second_directions.back();
      }
      // Bullet asks for rolling friction before it looks at the other.
      point.m_combinedRollingFriction =
          std::clamp(r.rolling_friction, r.spinning_friction > 0 ? 1e-12 : 0.0, kSticks);
      point.m_combinedSpinningFriction = std::min(r.spinning_friction, kSticks);
      point.m_frictionCFM = directed ? directed->first_slip : r.force_dependent_slip;
      point.m_contactMotion1 = point.m_contactMotion2 = 0;
      if (belts_W.isZero(0)) continue;
      point.m_contactMotion1 = -belts_W.dot(from_bullet(point.m_lateralFrictionDir1));
      point.m_contactMotion2 = -belts_W.dot(from_bullet(point.m_lateralFrictionDir2));
      if (directed) continue;
      second_directions.push_back(
          {point.m_combinedFriction, r.force_dependent_slip + h * lateral_softness(point, n_W, v_W)});
      point.m_userPersistentData = &second_directions.back();
    }
  }
}

void World::Impl::collect_contacts(int substep) {
  btCollisionDispatcher& dispatcher =
      static_cast<btCollisionDispatcher&>(*stepper->getDispatcher());
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
    BodyId a = id_of(*manifold.getBody0()), b = id_of(*manifold.getBody1());
    if (awake_from(a, b) > substep) continue;
    const bool swapped = a > b;
    if (swapped) std::swap(a, b);
    for (int p = 0; p < manifold.getNumContacts(); ++p) {
      const btManifoldPoint& point = manifold.getContactPoint(p);
      if (!(point.m_appliedImpulse > 0) && !(point.getDistance() < 0)) continue;
      const Vec3 middle_W = 0.5 * (from_bullet(point.getPositionWorldOnA()) +
                                   from_bullet(point.getPositionWorldOnB()));
      // Of body 0: Bullet's normal points to it, and its friction acts on it.
      const double sign = swapped ? -1 : 1;
      const Vec3 n_W = sign * from_bullet(point.m_normalWorldOnB);
      const Vec3 friction_W =
          sign * (point.m_appliedImpulseLateral1 * from_bullet(point.m_lateralFrictionDir1) +
                  point.m_appliedImpulseLateral2 * from_bullet(point.m_lateralFrictionDir2));
      touches.push_back({a, b, bodies[a].tags[point.m_index0].owner,
                         bodies[b].tags[point.m_index1].owner, middle_W, n_W, -point.getDistance(),
                         point.m_appliedImpulse, friction_W});
      touch_substep.push_back(substep);
    }
  }
}

void World::Impl::begin_sleep() {
  for (Body& body : bodies) {
    const bool sleeps = body.motion == Motion::kStatic || !body.rigid->isActive();
    const int from = sleeps ? substeps : 0;
    sleep_changed = sleep_changed || body.awake_from != from;
    body.awake_from = from;
  }
}

void World::Impl::keep_resting_contacts() {
  if (sleep_changed) {
    std::vector<Contact> woken;
    resting_contacts = 0;
    for (const Contact& contact : contacts) {
      const int from = awake_from(contact.body_a, contact.body_b);
      if (from == substeps) {
        contacts[resting_contacts++] = contact;
      } else if (from > 0) {
        const double share = static_cast<double>(from) / substeps;
        woken.push_back(contact);
        woken.back().impulse *= share;
        woken.back().friction_W *= share;
      }
    }
    touches.insert(touches.begin(), woken.begin(), woken.end());
    touch_substep.insert(touch_substep.begin(), woken.size(), -1);
    sleep_changed = false;
  }
  contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(resting_contacts), contacts.end());
}

void World::Impl::forget_contacts(BodyId id) {
  std::erase_if(contacts, [id](const Contact& c) { return c.body_a == id || c.body_b == id; });
  sleep_changed = true;
}

void World::Impl::forget_pairs(BodyId id) {
  btRigidBody& rigid = *body(id).rigid;
  if (!rigid.isActive()) forget_contacts(id);
  stepper->forget_pairs(rigid);
}

// A pair of shapes is reported where it touched last, with the impulses of the whole step.
void World::Impl::finish_contacts() {
  keep_resting_contacts();
  std::vector<int> sorted(touches.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = static_cast<int>(i);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](int i, int j) { return order(touches[i]) < order(touches[j]); });
  for (std::size_t first = 0, end; first < sorted.size(); first = end) {
    double total = 0, last = 0;
    Vec3 friction_W = Vec3::Zero();
    const int last_substep = [&] {
      for (end = first;
           end < sorted.size() && order(touches[sorted[end]]) == order(touches[sorted[first]]);
           ++end) {
        total += touches[sorted[end]].impulse;
        friction_W += touches[sorted[end]].friction_W;
      }
      return touch_substep[sorted[end - 1]];
    }();
    const std::size_t out = contacts.size();
    for (std::size_t i = first; i < end; ++i)
      if (touch_substep[sorted[i]] == last_substep) {
        contacts.push_back(touches[sorted[i]]);
        last += contacts.back().impulse;
      }
    const double points = static_cast<double>(contacts.size() - out);
    for (std::size_t i = out; i < contacts.size(); ++i) {
      const double share = last > 0 ? contacts[i].impulse / last : 1 / points;
      contacts[i].impulse = last > 0 ? contacts[i].impulse * (total / last) : total / points;
      contacts[i].friction_W = share * friction_W;
    }
  }
}

}  // namespace protobeam::physics
