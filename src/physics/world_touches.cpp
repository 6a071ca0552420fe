// What bodies that do not yield touch of each other, for who asks: the step looks for no contacts
// between two of them.
#include <algorithm>
#include <array>

#include "physics/world_impl.h"

namespace protobeam::physics {
namespace {

/// Bullet compares two meshes, or a mesh and a half space, by none of its algorithms.
bool bullet_compares(const btCollisionShape& a, const btCollisionShape& b) {
  return a.isConvex() || b.isConvex();
}

}  // namespace

bool World::Impl::overlap(const NearShape& a, const NearShape& b) const {
  btCollisionShape& form_a = *bodies[a.body].shapes[a.shape].shape;
  btCollisionShape& form_b = *bodies[b.body].shapes[b.shape].shape;
  const btTransform X_WA = placed(a), X_WB = placed(b);
  if (bullet_compares(form_a, form_b)) return stepper->overlap(form_a, X_WA, form_b, X_WB);

  btVector3 low, high, low_b, high_b;
  form_a.getAabb(X_WA, low, high);
  form_b.getAabb(X_WB, low_b, high_b);
  low.setMax(low_b);
  high.setMin(high_b);
  std::vector<std::array<Vec3, 3>> triangles_W;
  triangles_of(a, from_bullet(low), from_bullet(high), triangles_W);
  return std::ranges::any_of(triangles_W, [&](const std::array<Vec3, 3>& p) {
    btTriangleShape triangle(to_bullet(p[0]), to_bullet(p[1]), to_bullet(p[2]));
    triangle.setMargin(0);
    return stepper->overlap(triangle, btTransform::getIdentity(), form_b, X_WB);
  });
}

std::vector<SolidTouch> World::unyielding_touches(BodyId id, int owner) const {
  const Body& body = impl_->body(id);
  std::vector<SolidTouch> touches;
  if (body.removed || body.dynamic()) return touches;
  std::vector<NearShape> others;
  for (int i = 0; i < static_cast<int>(body.shapes.size()); ++i) {
    if (body.tags[i].owner != owner) continue;
    const NearShape own{id, i, owner};
    btVector3 low, high;
    body.shapes[i].shape->getAabb(impl_->placed(own), low, high);
    others.clear();
    impl_->objects_in(low, high, [&](btCollisionObject& object) {
      const BodyId other = object.getUserIndex();
      if (other != id && !impl_->bodies[other].dynamic() && impl_->may_touch(id, other))
        impl_->shapes_of(object, low, high, others);
    });
    Impl::sort_near(others);
    for (const NearShape& other : others) {
      const SolidTouch touch{other.body, other.owner};
      if (std::ranges::find(touches, touch) != touches.end()) continue;
      if (impl_->overlap(own, other)) touches.push_back(touch);
    }
  }
  return touches;
}

}  // namespace protobeam::physics
