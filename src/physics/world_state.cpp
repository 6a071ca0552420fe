// The state of a world as bytes: bodies and joints, and what Bullet remembers from substep to
// substep.
//
// Bullet remembers more than bodies: which boxes of its broadphase overlap (they are larger than
// the bodies, by where those were), in which order it has found that out, and for each pair the
// points of contact with the impulses that the solver begins with. All of it decides the last bits
// of what comes, or which bodies fall asleep together. Its collision algorithms cannot be copied:
// they are made anew by looking for contacts where they were looked for last, and then get the
// points that they had.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <type_traits>
#include <vector>

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

void save_node(StateArchive& archive, btDbvtNode& node) {
  bool leaf = node.isleaf();
  archive(leaf);
  visit_raw(archive, node.volume);
  if (leaf) {
    int number = static_cast<btDbvtProxy*>(node.data)->m_uniqueId;
    archive(number);
    return;
  }
  save_node(archive, *node.childs[0]);
  save_node(archive, *node.childs[1]);
}

void save_tree(StateArchive& archive, btDbvt& tree) {
  bool there = tree.m_root != nullptr;
  archive(there);
  if (there) save_node(archive, *tree.m_root);
  archive(tree.m_lkhd, tree.m_leaves, tree.m_opath);
}

/// A tree of the broadphase as a state has it: its nodes in the order of save_node().
struct SavedTree {
  struct Node {
    bool leaf = false;
    btDbvtVolume volume;
    int number = 0;
  };
  std::vector<Node> nodes;
  int lookahead = 0, leaves = 0;
  unsigned path = 0;
};

[[noreturn]] void throw_broken() { throw StateError("the state has a broken broadphase"); }

SavedTree read_tree(StateArchive& archive, std::size_t most_leaves) {
  SavedTree tree;
  bool there = false;
  archive(there);
  for (std::size_t missing = there ? 1 : 0; missing > 0;) {
    SavedTree::Node& node = tree.nodes.emplace_back();
    archive(node.leaf);
    visit_raw(archive, node.volume);
    if (node.leaf) archive(node.number);
    missing += node.leaf ? std::size_t(-1) : 1;
    if (tree.nodes.size() + missing >= 2 * most_leaves) throw_broken();
  }
  archive(tree.lookahead, tree.leaves, tree.path);
  return tree;
}

/// Into nodes as btDbvt makes them; `next` is the number of the node that comes.
btDbvtNode* restore_node(const SavedTree& tree, const Objects& objects, btDbvtNode* parent,
                         std::size_t& next) {
  const SavedTree::Node& saved = tree.nodes[next++];
  auto* node = static_cast<btDbvtNode*>(btAlignedAlloc(sizeof(btDbvtNode), 16));
  node->parent = parent;
  node->childs[0] = node->childs[1] = nullptr;
  node->volume = saved.volume;
  if (saved.leaf) {
    btDbvtProxy& proxy = proxy_of(objects, saved.number);
    node->data = &proxy;
    proxy.leaf = node;
    return node;
  }
  node->childs[0] = restore_node(tree, objects, node, next);
  node->childs[1] = restore_node(tree, objects, node, next);
  return node;
}

void restore_tree(const SavedTree& saved, btDbvt& tree, const Objects& objects) {
  tree.clear();
  std::size_t next = 0;
  tree.m_root = saved.nodes.empty() ? nullptr : restore_node(saved, objects, nullptr, next);
  tree.m_lkhd = saved.lookahead;
  tree.m_leaves = saved.leaves;
  tree.m_opath = saved.path;
}

constexpr int kStages = btDbvtBroadphase::STAGECOUNT;
/// Proxies that were updated at the same stage, in their order.
using SavedStages = std::array<std::vector<int>, kStages + 1>;

void restore_stage(const std::vector<int>& numbers, btDbvtProxy*& first, const Objects& objects) {
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

struct SavedProxy {
  btVector3 low, high;
  int stage = 0;
};

/// Bullet frees and follows whatever the broadphase names: each object has to be in one list, that
/// of its stage, and in the tree for that stage.
void check_broadphase(const std::map<int, SavedProxy>& proxies,
                      const std::array<SavedTree, 2>& trees, const SavedStages& stages) {
  std::map<int, int> listed, grown;
  for (int stage = 0; stage <= kStages; ++stage) {
    for (const int number : stages[static_cast<std::size_t>(stage)]) {
      const auto proxy = proxies.find(number);
      if (proxy == proxies.end() || proxy->second.stage != stage) throw_broken();
      if (!listed.emplace(number, stage).second) throw_broken();
    }
  }
  for (std::size_t set = 0; set < trees.size(); ++set) {
    int leaves = 0;
    for (const SavedTree::Node& node : trees[set].nodes) {
      if (!node.leaf) continue;
      ++leaves;
      const auto proxy = proxies.find(node.number);
      if (proxy == proxies.end() || (proxy->second.stage == kStages) != (set == 1)) throw_broken();
      if (!grown.emplace(node.number, 0).second) throw_broken();
    }
    if (leaves != trees[set].leaves) throw_broken();
  }
  if (listed.size() != proxies.size() || grown.size() != proxies.size()) throw_broken();
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
  if (activation < ACTIVE_TAG || activation > DISABLE_SIMULATION)
    throw StateError("the state has a body that neither moves nor sleeps");
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

/// `low` and `high`: how many shapes the body with the smaller number has, and the other.
void visit_manifold(StateArchive& archive, btPersistentManifold& manifold, std::size_t low,
                    std::size_t high) {
  const auto is_index = [](int index, std::size_t size) {
    return index >= 0 && static_cast<std::size_t>(index) < size;
  };
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
    if (!archive.restores()) continue;
    point.m_userPersistentData = nullptr;  // prepare_contacts() makes it
    if (!is_index(point.m_index0, low) || !is_index(point.m_index1, high)) {
      manifold.setNumContacts(0);
      throw StateError("the state has a broken contact");
    }
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
  std::map<int, SavedProxy> proxies;
  for (const auto& [number, object] : all) {
    const btDbvtProxy& proxy = proxy_of(*object);
    SavedProxy& saved = proxies[number];
    saved = {proxy.m_aabbMin, proxy.m_aabbMax, proxy.stage};
    visit_raw(archive, saved.low);
    visit_raw(archive, saved.high);
    archive(saved.stage);
  }
  std::array<SavedTree, 2> trees;
  SavedStages stages;
  static_assert(std::extent_v<decltype(broadphase.m_sets)> == std::tuple_size_v<decltype(trees)>);
  static_assert(std::extent_v<decltype(broadphase.m_stageRoots)> == std::tuple_size_v<SavedStages>);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (archive.restores()) {
      trees[i] = read_tree(archive, all.size());
    } else {
      save_tree(archive, broadphase.m_sets[i]);
    }
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!archive.restores()) {
      for (const btDbvtProxy* proxy = broadphase.m_stageRoots[i]; proxy; proxy = proxy->links[1])
        stages[i].push_back(proxy->m_uniqueId);
    }
    archive(stages[i]);
  }
  struct {
    int stage, fixed_updates, dynamic_updates, cleanups, new_pairs, fixed_left;
    unsigned calls, done;
    btScalar ratio;
    int pass, cleanup;
    bool needs_cleanup;
  } saved{broadphase.m_stageCurrent, broadphase.m_fupdates,     broadphase.m_dupdates,
          broadphase.m_cupdates,     broadphase.m_newpairs,     broadphase.m_fixedleft,
          broadphase.m_updates_call, broadphase.m_updates_done, broadphase.m_updates_ratio,
          broadphase.m_pid,          broadphase.m_cid,          broadphase.m_needcleanup};
  archive(saved.stage, saved.fixed_updates, saved.dynamic_updates, saved.cleanups, saved.new_pairs,
          saved.fixed_left, saved.calls, saved.done, saved.ratio, saved.pass, saved.cleanup,
          saved.needs_cleanup);
  if (!archive.restores()) return;

  // All of it before any of it: what is left of half a broadphase cannot even be freed.
  check_broadphase(proxies, trees, stages);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (trees[i].lookahead != broadphase.m_sets[i].m_lkhd) throw_broken();
  }
  // Shares of the work in each step, in percent: no state changes them.
  if (saved.fixed_updates != broadphase.m_fupdates ||
      saved.dynamic_updates != broadphase.m_dupdates || saved.cleanups != broadphase.m_cupdates)
    throw_broken();
  const auto is_count = [](int value) { return value >= 0 && value < (1 << 30); };
  if (!is_count(saved.stage) || saved.stage >= kStages || !is_count(saved.new_pairs) ||
      !is_count(saved.fixed_left) || !is_count(saved.cleanup))
    throw_broken();
  for (const auto& [number, object] : all) {
    btDbvtProxy& proxy = proxy_of(*object);
    const SavedProxy& from = proxies[number];
    proxy.m_aabbMin = from.low;
    proxy.m_aabbMax = from.high;
    proxy.stage = from.stage;
  }
  for (std::size_t i = 0; i < trees.size(); ++i) restore_tree(trees[i], broadphase.m_sets[i], all);
  for (std::size_t i = 0; i < stages.size(); ++i)
    restore_stage(stages[i], broadphase.m_stageRoots[i], all);
  broadphase.m_stageCurrent = saved.stage;
  broadphase.m_newpairs = saved.new_pairs;
  broadphase.m_fixedleft = saved.fixed_left;
  broadphase.m_updates_call = saved.calls;
  broadphase.m_updates_done = saved.done;
  broadphase.m_updates_ratio = saved.ratio;
  broadphase.m_pid = saved.pass;
  broadphase.m_cid = saved.cleanup;
  broadphase.m_needcleanup = saved.needs_cleanup;
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
    for (const Pair& pair : pairs) {
      if (pair.a == pair.b) throw StateError("the state has a body that touches itself");
      cache.addOverlappingPair(&proxy_of(all, pair.a), &proxy_of(all, pair.b));
    }
    if (found.size() != static_cast<int>(pairs.size()))
      throw StateError("the state is of another world");
    // Pairs of bodies that sleep, too.
    for (const auto& [number, object] : all) object->forceActivationState(ACTIVE_TAG);
    for (int i = 0; i < found.size(); ++i) {
      const Pair& saved = pairs[static_cast<std::size_t>(i)];
      if (!saved.algorithm) continue;
      dispatcher.far_pairs = true;  // boxes are where bodies have come to since
      dispatcher.getNearCallback()(cache.getOverlappingPairArray()[i], dispatcher,
                                   stepper->getDispatchInfo());
      dispatcher.far_pairs = false;
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
      const auto shapes = [&](BodyId body) {
        return bodies[static_cast<std::size_t>(body)].tags.size();
      };
      const auto [low, high] = std::minmax(
          {manifolds[m]->getBody0()->getUserIndex(), manifolds[m]->getBody1()->getUserIndex()});
      visit_manifold(archive, *manifolds[m], shapes(low), shapes(high));
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
  // Contacts with all floors may be in a state; those that lie under others are let go in the next
  // step. Finding them wakes bodies, whose sleep comes below.
  floors_known = floors_known && !archive.restores();
  visit_broadphase(archive);
  visit_contacts(archive);
  find_floors();

  for (const auto& [number, object] : objects()) visit_object(archive, *object);
  if (archive.restores()) {
    std::ranges::for_each(bodies, settle);
    stepper->note_change();
  }
  for (Joint& joint : joints) {
    if (joint.constraint) joint.constraint->visit_state(archive);
    for (auto& axis : joint.free_axes) archive(axis);
  }
  archive(contacts);
  if (archive.restores()) {
    const auto is_part = [this](BodyId body, int owner) {
      return body >= 0 && static_cast<std::size_t>(body) < bodies.size() &&
             std::ranges::any_of(bodies[static_cast<std::size_t>(body)].tags,
                                 [owner](const ShapeTag& tag) { return tag.owner == owner; });
    };
    for (const Contact& contact : contacts) {
      if (!is_part(contact.body_a, contact.owner_a) || !is_part(contact.body_b, contact.owner_b)) {
        contacts.clear();
        throw StateError("the state has a broken contact");
      }
    }
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
