// The state of a world as bytes: bodies and joints, and what Bullet remembers from substep to
// substep.
//
// Bullet remembers more than bodies: which boxes of its broadphase overlap (they are larger than
// the bodies, by where those were), in which order it has found that out, and for each pair the
// points of contact with the impulses that the solver begins with. All of it decides the last bits
// of what comes, or which bodies fall asleep together. Its collision algorithms cannot be copied:
// they are made anew by looking for contacts where they were looked for last, and then get the
// points that they had.
#include <type_traits>

#include "base/state_archive.h"
#include "physics/compound_children.h"
#include "physics/world_impl.h"

namespace protobeam::physics {
namespace {

static_assert(std::is_trivially_copyable_v<btDbvtVolume>);

template <class T>
void visit_raw(StateArchive& archive, T& value) {
  archive.raw(&value, sizeof value);
}

btDbvtProxy& proxy_of(const btCollisionObject& object) {
  return *static_cast<btDbvtProxy*>(const_cast<btBroadphaseProxy*>(object.getBroadphaseHandle()));
}

using Objects = std::map<int, btCollisionObject*>;

btDbvtProxy& proxy_of(const Objects& objects, int number) {
  const auto found = objects.find(number);
  if (found == objects.end()) throw StateError("the state is of another world");
  return proxy_of(*found->second);
}

void save_tree(StateArchive& archive, btDbvtNode& node) {
  bool leaf = node.isleaf();
  archive(leaf);
  visit_raw(archive, node.volume);
  if (leaf) {
    int number = static_cast<btDbvtProxy*>(node.data)->m_uniqueId;
    archive(number);
    return;
  }
  save_tree(archive, *node.childs[0]);
  save_tree(archive, *node.childs[1]);
}

/// Into nodes as btDbvt makes them.
btDbvtNode* restore_tree(StateArchive& archive, const Objects& objects, btDbvtNode* parent) {
  auto* node = static_cast<btDbvtNode*>(btAlignedAlloc(sizeof(btDbvtNode), 16));
  node->parent = parent;
  node->childs[0] = node->childs[1] = nullptr;
  bool leaf = false;
  archive(leaf);
  visit_raw(archive, node->volume);
  if (leaf) {
    int number = 0;
    archive(number);
    btDbvtProxy& proxy = proxy_of(objects, number);
    node->data = &proxy;
    proxy.leaf = node;
    return node;
  }
  node->childs[0] = restore_tree(archive, objects, node);
  node->childs[1] = restore_tree(archive, objects, node);
  return node;
}

void visit_tree(StateArchive& archive, btDbvt& tree, const Objects& objects) {
  bool there = tree.m_root != nullptr;
  archive(there);
  if (!archive.restores()) {
    if (there) save_tree(archive, *tree.m_root);
  } else {
    tree.clear();
    tree.m_root = there ? restore_tree(archive, objects, nullptr) : nullptr;
  }
  archive(tree.m_lkhd, tree.m_leaves, tree.m_opath);
}

/// Proxies that were updated at the same stage, in their order.
void visit_stage(StateArchive& archive, btDbvtProxy*& first, const Objects& objects) {
  std::vector<int> numbers;
  if (!archive.restores()) {
    for (const btDbvtProxy* proxy = first; proxy; proxy = proxy->links[1])
      numbers.push_back(proxy->m_uniqueId);
  }
  archive(numbers);
  if (!archive.restores()) return;
  btDbvtProxy* before = nullptr;
  first = nullptr;
  for (const int number : numbers) {
    btDbvtProxy& proxy = proxy_of(objects, number);
    proxy.links[0] = before;
    proxy.links[1] = nullptr;
    (before ? before->links[1] : first) = &proxy;
    before = &proxy;
  }
}

void visit_object(StateArchive& archive, btCollisionObject& object) {
  btTransform X = object.getWorldTransform();
  btTransform interpolated = object.getInterpolationWorldTransform();
  btVector3 v = object.getInterpolationLinearVelocity(),
            w = object.getInterpolationAngularVelocity();
  int activation = object.getActivationState();
  double still = object.getDeactivationTime();
  visit_raw(archive, X);
  visit_raw(archive, interpolated);
  visit_raw(archive, v);
  visit_raw(archive, w);
  archive(activation, still);
  btRigidBody* body = btRigidBody::upcast(&object);
  btVector3 body_v(0, 0, 0), body_w(0, 0, 0);
  if (body) body_v = body->getLinearVelocity(), body_w = body->getAngularVelocity();
  visit_raw(archive, body_v);
  visit_raw(archive, body_w);
  if (!archive.restores()) return;
  if (body) {
    body->setCenterOfMassTransform(X);
    body->setLinearVelocity(body_v);
    body->setAngularVelocity(body_w);
  }
  object.setWorldTransform(X);
  object.setInterpolationWorldTransform(interpolated);
  object.setInterpolationLinearVelocity(v);
  object.setInterpolationAngularVelocity(w);
  object.forceActivationState(activation);
  object.setDeactivationTime(still);
}

void visit_manifold(StateArchive& archive, btPersistentManifold& manifold) {
  int count = manifold.getNumContacts();
  archive(count);
  if (archive.restores()) {
    if (count < 0 || count > MANIFOLD_CACHE_SIZE)
      throw StateError("the state has a broken contact");
    manifold.setNumContacts(count);
  }
  for (int i = 0; i < count; ++i) {
    btManifoldPoint& point = manifold.getContactPoint(i);
    archive.raw(static_cast<void*>(&point), sizeof point);
    if (archive.restores()) point.m_userPersistentData = nullptr;  // prepare_contacts() makes it
  }
}

}  // namespace

std::map<int, btCollisionObject*> World::Impl::objects() {
  Objects all;
  auto& objects = stepper->getCollisionObjectArray();
  for (int i = 0; i < objects.size(); ++i) {
    if (objects[i]->getBroadphaseHandle()) all[proxy_of(*objects[i]).m_uniqueId] = objects[i];
  }
  return all;
}

void World::Impl::visit_broadphase(StateArchive& archive) {
  auto& broadphase = static_cast<btDbvtBroadphase&>(*stepper->getBroadphase());
  const Objects all = objects();
  for (const auto& [number, object] : all) {
    btDbvtProxy& proxy = proxy_of(*object);
    visit_raw(archive, proxy.m_aabbMin);
    visit_raw(archive, proxy.m_aabbMax);
    archive(proxy.stage);
  }
  for (btDbvt& tree : broadphase.m_sets) visit_tree(archive, tree, all);
  for (btDbvtProxy*& first : broadphase.m_stageRoots) visit_stage(archive, first, all);
  archive(broadphase.m_stageCurrent, broadphase.m_fupdates, broadphase.m_dupdates,
          broadphase.m_cupdates, broadphase.m_newpairs, broadphase.m_fixedleft,
          broadphase.m_updates_call, broadphase.m_updates_done, broadphase.m_updates_ratio,
          broadphase.m_pid, broadphase.m_cid, broadphase.m_needcleanup);
}

void World::Impl::visit_contacts(StateArchive& archive) {
  auto& dispatcher = static_cast<Dispatcher&>(*stepper->getDispatcher());
  btOverlappingPairCache& cache = *stepper->getPairCache();
  const Objects all = objects();
  struct Pair {
    int a = 0, b = 0;
    bool algorithm = false;
    std::vector<ChildPair> children;

    void visit_state(StateArchive& archive) { archive(a, b, algorithm, children); }
  };
  std::vector<Pair> pairs;
  const btBroadphasePairArray& found = cache.getOverlappingPairArray();
  for (int i = 0; !archive.restores() && i < found.size(); ++i) {
    pairs.push_back({found[i].m_pProxy0->m_uniqueId, found[i].m_pProxy1->m_uniqueId,
                     found[i].m_algorithm != nullptr, child_pairs(found[i])});
  }
  archive(pairs);
  if (archive.restores()) {
    while (found.size() > 0) {
      const btBroadphasePair last = found[found.size() - 1];
      cache.removeOverlappingPair(last.m_pProxy0, last.m_pProxy1, &dispatcher);
    }
    for (const Pair& pair : pairs)
      cache.addOverlappingPair(&proxy_of(all, pair.a), &proxy_of(all, pair.b));
    if (found.size() != static_cast<int>(pairs.size()))
      throw StateError("the state is of another world");
    // Pairs of bodies that sleep, too.
    for (const auto& [number, object] : all) object->forceActivationState(ACTIVE_TAG);
    for (int i = 0; i < found.size(); ++i) {
      const Pair& saved = pairs[static_cast<std::size_t>(i)];
      if (!saved.algorithm) continue;
      dispatcher.getNearCallback()(cache.getOverlappingPairArray()[i], dispatcher,
                                   stepper->getDispatchInfo());
      make_child_pairs(found[i], saved.children, dispatcher, stepper->getDispatchInfo());
    }
  }
  std::vector<btPersistentManifold*> order(static_cast<std::size_t>(dispatcher.getNumManifolds()));
  std::size_t seen = 0;
  for (int i = 0; i < found.size(); ++i) {
    const btManifoldArray manifolds = manifolds_of(found[i]);
    int count = manifolds.size();
    archive(count);
    if (count != manifolds.size())
      throw StateError("the contacts of the state cannot be found again");
    for (int m = 0; m < count; ++m, ++seen) {
      std::uint64_t place = static_cast<std::uint64_t>(manifolds[m]->m_index1a);
      archive(place);
      if (place >= order.size() || order[place])
        throw StateError("the contacts of the state cannot be found again");
      order[place] = manifolds[m];
      visit_manifold(archive, *manifolds[m]);
    }
  }
  if (seen != order.size()) throw StateError("the contacts of the state cannot be found again");
  if (archive.restores()) dispatcher.set_order(order);
}

void World::Impl::visit_state(StateArchive& archive) {
  std::uint64_t count = objects().size(), bodies_count = bodies.size(),
                joints_count = joints.size();
  const auto expect = [&](std::uint64_t mine) {
    std::uint64_t theirs = mine;
    archive(theirs);
    if (mine != theirs) throw StateError("the state is of another world");
  };
  expect(count);
  expect(bodies_count);
  expect(joints_count);
  expect(sizeof(btManifoldPoint));
  expect(sizeof(btTransform));
  archive(steps);

  // Contacts are found again where they were found last.
  std::vector<btRigidBody*> moving;
  for (Body& body : bodies) {
    if (body.motion != Motion::kStatic && body.rigid && body.rigid->isInWorld())
      moving.push_back(body.rigid.get());
  }
  if (!archive.restores() && X_WO_contacts.size() != moving.size()) {
    X_WO_contacts.clear();
    for (const btRigidBody* body : moving) X_WO_contacts.push_back(body->getWorldTransform());
  }
  X_WO_contacts.resize(moving.size());
  for (std::size_t i = 0; i < moving.size(); ++i) {
    visit_raw(archive, X_WO_contacts[i]);
    if (archive.restores()) moving[i]->setCenterOfMassTransform(X_WO_contacts[i]);
  }
  // What never moves may stand where somebody has put it.
  for (Body& body : bodies) {
    archive(body.X_WB, body.v_WB, body.w_WB, body.force_W, body.torque_W);
    for (ShapeTag& tag : body.tags) archive(tag.belt_B);
    for (std::size_t i = 0; archive.restores() && i < body.parts.size(); ++i)
      body.parts[i]->setWorldTransform(to_bullet(body.X_WB * body.X_BParts[i]));
  }
  visit_broadphase(archive);
  visit_contacts(archive);

  for (const auto& [number, object] : objects()) visit_object(archive, *object);
  for (Joint& joint : joints) {
    if (joint.constraint) joint.constraint->visit_state(archive);
    for (auto& axis : joint.free_axes) archive(axis);
  }
  archive(contacts);
  if (archive.restores()) {
    for (Joint& joint : joints) {
      if (joint.constraint) joint.constraint->measure();
    }
  }
}

void World::visit_state(StateArchive& archive) { impl_->visit_state(archive); }

std::string World::why_no_state() const {
  if (!impl_->links.empty()) return "bodies are linked by a connector or a gripper";
  if (!impl_->free_bodies.empty() || !impl_->free_joints.empty())
    return "bodies have been taken out of the world";
  return "";
}

}  // namespace protobeam::physics
