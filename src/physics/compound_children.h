// What Bullet keeps for a pair of bodies of which one or both consist of several shapes: a
// collision algorithm for each two shapes. It makes one when their boxes in the coordinates of a
// body overlap, and frees it when those in the coordinates of the world do not: which there are
// depends on the past.
#pragma once

#include <utility>
#include <vector>

#include "physics/bullet.h"

namespace protobeam::physics {

/// Numbers of a shape of each body; -1 where a body has only one.
using ChildPair = std::pair<int, int>;

/// The algorithms within the pair's, by their shapes, in order; none when bodies have one shape
/// each.
std::vector<ChildPair> child_pairs(const btBroadphasePair& pair);

/// Makes those of `wanted` that are not there.
void make_child_pairs(const btBroadphasePair& pair, const std::vector<ChildPair>& wanted,
                      btDispatcher& dispatcher, const btDispatcherInfo& info);

/// The pair's manifolds, in the order of child_pairs().
btManifoldArray manifolds_of(const btBroadphasePair& pair);

}  // namespace protobeam::physics
