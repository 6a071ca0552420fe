#include "physics/compound_children.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btCompoundCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCompoundCompoundCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btHashedSimplePairCache.h>

#include <algorithm>
#include <functional>

#include "base/state_archive.h"

namespace protobeam::physics {
namespace {

// Bullet gives no access to these members; an explicit instantiation may name them.
template <auto kMember>
struct ChildrenOfOne {
  friend auto& children_of(btCompoundCollisionAlgorithm& algorithm) { return algorithm.*kMember; }
};
auto& children_of(btCompoundCollisionAlgorithm& algorithm);
template struct ChildrenOfOne<&btCompoundCollisionAlgorithm::m_childCollisionAlgorithms>;

template <auto kMember>
struct SwapOfOne {
  friend auto& is_swapped(btCompoundCollisionAlgorithm& algorithm) { return algorithm.*kMember; }
};
auto& is_swapped(btCompoundCollisionAlgorithm& algorithm);
template struct SwapOfOne<&btCompoundCollisionAlgorithm::m_isSwapped>;

template <auto kMember>
struct ChildrenOfBoth {
  friend auto& cache_of(btCompoundCompoundCollisionAlgorithm& algorithm) {
    return algorithm.*kMember;
  }
};
auto& cache_of(btCompoundCompoundCollisionAlgorithm& algorithm);
template struct ChildrenOfBoth<
    &btCompoundCompoundCollisionAlgorithm::m_childCollisionAlgorithmCache>;

using One = btCompoundCollisionAlgorithm;
using Both = btCompoundCompoundCollisionAlgorithm;

struct Child {
  ChildPair shapes;
  btCollisionAlgorithm* algorithm = nullptr;
};

std::vector<Child> children(const btBroadphasePair& pair) {
  std::vector<Child> all;
  auto* one = dynamic_cast<One*>(pair.m_algorithm);
  if (!one) return all;
  const auto& algorithms = children_of(*one);
  for (int i = 0; i < algorithms.size(); ++i) {
    if (algorithms[i]) all.push_back({{i, -1}, algorithms[i]});
  }
  if (auto* both = dynamic_cast<Both*>(one)) {
    const btSimplePairArray& pairs = cache_of(*both)->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); ++i) {
      all.push_back({{pairs[i].m_indexA, pairs[i].m_indexB},
                     static_cast<btCollisionAlgorithm*>(pairs[i].m_userPointer)});
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Child& a, const Child& b) { return a.shapes < b.shapes; });
  return all;
}

btCollisionObjectWrapper whole(btCollisionObject* object) {
  return {nullptr, object->getCollisionShape(), object, object->getWorldTransform(), -1, -1};
}

/// Shape `index` of a compound body.
struct ChildWrapper {
  btTransform X_WC;
  btCollisionObjectWrapper wrapper;

  ChildWrapper(const btCollisionObjectWrapper& parent, int index)
      : X_WC(parent.getWorldTransform() *
             static_cast<const btCompoundShape*>(parent.getCollisionShape())
                 ->getChildTransform(index)),
        wrapper(
            &parent,
            static_cast<const btCompoundShape*>(parent.getCollisionShape())->getChildShape(index),
            parent.getCollisionObject(), X_WC, -1, index) {}
};

}  // namespace

std::vector<ChildPair> child_pairs(const btBroadphasePair& pair) {
  std::vector<ChildPair> all;
  for (const Child& child : children(pair)) all.push_back(child.shapes);
  return all;
}

btManifoldArray manifolds_of(const btBroadphasePair& pair) {
  btManifoldArray all;
  if (!pair.m_algorithm) return all;
  if (!dynamic_cast<One*>(pair.m_algorithm)) {
    pair.m_algorithm->getAllContactManifolds(all);
  } else {
    for (const Child& child : children(pair)) child.algorithm->getAllContactManifolds(all);
  }
  return all;
}

void make_child_pairs(const btBroadphasePair& pair, const std::vector<ChildPair>& wanted,
                      btDispatcher& dispatcher, const btDispatcherInfo& info) {
  auto* one = dynamic_cast<One*>(pair.m_algorithm);
  if (!one) return;
  auto* both = dynamic_cast<Both*>(one);
  const std::vector<ChildPair> there = child_pairs(pair);
  const btCollisionObjectWrapper first =
      whole(static_cast<btCollisionObject*>(pair.m_pProxy0->m_clientObject));
  const btCollisionObjectWrapper second =
      whole(static_cast<btCollisionObject*>(pair.m_pProxy1->m_clientObject));
  const auto make = [&](const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b) {
    btCollisionAlgorithm* made =
        dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    btManifoldResult result(&a, &b);
    made->processCollision(&a, &b, info, &result);
    return made;
  };
  const auto shapes_of = [](const btCollisionObjectWrapper& body) {
    return static_cast<const btCompoundShape*>(body.getCollisionShape())->getNumChildShapes();
  };
  // A pair that is made twice would be lost, and with it its contacts.
  if (std::ranges::adjacent_find(wanted, std::greater_equal<>()) != wanted.end())
    throw StateError("the state has a broken pair of shapes");
  for (const ChildPair& shapes : wanted) {
    const int most = both ? shapes_of(first) : children_of(*one).size();
    if (shapes.first < 0 || shapes.first >= most ||
        (shapes.second >= 0 && both && shapes.second >= shapes_of(second)))
      throw StateError("the state has a broken pair of shapes");
    if (std::binary_search(there.begin(), there.end(), shapes)) continue;
    if (shapes.second >= 0 && both) {
      const ChildWrapper a(first, shapes.first), b(second, shapes.second);
      btCollisionAlgorithm* made = make(a.wrapper, b.wrapper);
      cache_of(*both)->addOverlappingPair(shapes.first, shapes.second)->m_userPointer = made;
    } else if (shapes.second < 0 && shapes.first < children_of(*one).size()) {
      const bool swapped = is_swapped(*one);
      const ChildWrapper child(swapped ? second : first, shapes.first);
      children_of(*one)[shapes.first] = make(child.wrapper, swapped ? first : second);
    }
  }
}

}  // namespace protobeam::physics
