// Half spaces that lie in each other, as the floors of rooms side by side: Planes have no edges for
// what touches them. One of them carries all that all of them would, at a fraction of the rows.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "physics/world_impl.h"

namespace protobeam::physics {
namespace {

constexpr double kParallel = 1e-9;  // of unit normals, and of axes

struct Floor {
  BodyId body;
  int shape;
  int material;
  bool grained;   ///< friction on it has directions
  Mat3 R_W;       ///< its axes, z out of it
  double offset;  ///< m, along that

  bool faces_like(const Floor& other) const {
    const Mat3 apart = R_W - other.R_W;
    return grained ? apart.isZero(kParallel) : apart.col(2).isZero(kParallel);
  }
};

}  // namespace

void World::Impl::find_floors() {
  if (floors_known) return;
  floors_known = true;
  const auto directed = [&](int material) {
    return std::ranges::any_of(rules, [&](const auto& entry) {
      const auto& [pair, r] = entry;
      return (pair.first == material || pair.second == material) &&
             (r.friction_count > 1 || r.slip_count > 1);
    });
  };
  std::vector<Floor> all;
  for (BodyId id = 0; id < static_cast<BodyId>(bodies.size()); ++id) {
    Body& body = bodies[id];
    const bool may_sense = body.robot >= 0;  // a TouchSensor has its own contacts
    for (std::size_t i = 0; i < body.parts.size(); ++i) {
      btCollisionObject& part = *body.parts[i];
      part.setUserIndex2(-1);
      const bool is_plane = part.getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE;
      if (!is_plane || may_sense || !body.tags[i].belt_B.isZero(0)) continue;
      const auto& plane = static_cast<const btStaticPlaneShape&>(*part.getCollisionShape());
      const btMatrix3x3& R = part.getWorldTransform().getBasis();
      const btVector3 n = R * plane.getPlaneNormal();
      Floor floor{id,
                  static_cast<int>(i),
                  body.tags[i].material,
                  directed(body.tags[i].material),
                  Mat3::Zero(),
                  n.dot(part.getWorldTransform().getOrigin()) + plane.getPlaneConstant()};
      floor.R_W << from_bullet(R.getColumn(0)), from_bullet(R.getColumn(1)), from_bullet(n);
      all.push_back(floor);
    }
  }
  // The highest first: what is above it is above all.
  std::ranges::sort(all, [](const Floor& a, const Floor& b) {
    return std::tie(b.offset, a.body, a.shape) < std::tie(a.offset, b.body, b.shape);
  });
  std::vector<std::vector<std::pair<BodyId, int>>> found;
  std::vector<bool> taken(all.size());
  for (std::size_t first = 0; first < all.size(); ++first) {
    if (taken[first]) continue;
    std::vector<std::pair<BodyId, int>> group;
    for (std::size_t i = first; i < all.size(); ++i) {
      if (taken[i] || all[i].material != all[first].material || !all[i].faces_like(all[first]))
        continue;
      taken[i] = true;
      group.emplace_back(all[i].body, all[i].shape);
    }
    if (group.size() > 1) found.push_back(std::move(group));
  }
  for (std::size_t g = 0; g < found.size(); ++g) {
    for (std::size_t i = 0; i < found[g].size(); ++i) {
      const auto& [id, shape] = found[g][i];
      bodies[id].parts[static_cast<std::size_t>(shape)]->setUserIndex2(static_cast<int>(g));
      bodies[id].parts[static_cast<std::size_t>(shape)]->setUserIndex3(static_cast<int>(i));
    }
  }
  if (found == floors) return;
  floors = std::move(found);
  for (const auto& group : floors) wake_neighbours(group.front().first);
}

bool World::Impl::lies_under_another(const btCollisionObject& floor, BodyId body) const {
  if (!floors_known || floor.getUserIndex2() < 0) return false;
  const auto& group = floors[static_cast<std::size_t>(floor.getUserIndex2())];
  const auto above = group.begin() + floor.getUserIndex3();
  return std::any_of(group.begin(), above,
                     [&](const auto& other) { return may_touch(other.first, body); });
}

}  // namespace protobeam::physics
