#include <algorithm>
#include <cmath>
#include <tuple>

#include "physics/ray_query.h"
#include "physics/terrain_shape.h"
#include "physics/world_impl.h"

namespace protobeam::physics {

btTransform World::Impl::placed(const Body& body, int shape, const btTransform& X_WO) const {
  return body.compound ? X_WO * body.compound->getChildTransform(shape) : X_WO;
}

std::optional<SurfaceHit> World::cast_ray(const Vec3& from_W, const Vec3& unit_direction_W,
                                          double max_distance, BodyId ignore,
                                          const std::function<bool(int)>& passes) const {
  if (!from_W.allFinite() || !unit_direction_W.allFinite()) return std::nullopt;
  btBroadphaseInterface& broadphase = *impl_->stepper->getBroadphase();
  Ray ray{from_W, unit_direction_W, 0, reach(broadphase, from_W, max_distance)};
  std::optional<SurfaceHit> nearest;
  const auto test_object = [&](BodyId id, int shape, const btTransform& X_WS) {
    const Body& body = impl_->bodies[id];
    const int owner = body.tags[shape].owner;
    if (passes && passes(owner)) return;
    const auto hit = cast_whole(body.shapes[shape], X_WS, ray);
    if (!hit) return;
    // Among equals the first body, so that the order of Bullet's tree does not matter.
    if (nearest && hit->distance == nearest->distance &&
        std::pair(nearest->body, nearest->owner) < std::pair(id, owner))
      return;
    nearest = {hit->distance, hit->normal_W, id, owner};
    ray.to = std::nextafter(hit->distance, kUnlimited);
  };
  for_each_on_ray(broadphase, ray, [&](btCollisionObject& object) {
    const BodyId id = object.getUserIndex();
    if (id == ignore) return ray.to;
    const Body& body = impl_->bodies[id];
    const btTransform& X_WO = object.getWorldTransform();
    if (body.compound) {
      for (int i = 0; i < body.compound->getNumChildShapes(); ++i)
        test_object(id, i, impl_->placed(body, i, X_WO));
    } else if (!body.shapes.empty()) {
      test_object(id, object.getCollisionShape()->getUserIndex(), X_WO);
    }
    return ray.to;
  });
  return nearest;
}

void World::Impl::shapes_of(btCollisionObject& object, const btVector3& low_W,
                            const btVector3& high_W, std::vector<NearShape>& out) const {
  const BodyId id = object.getUserIndex();
  const Body& body = bodies[id];
  const auto add = [&](int shape) {
    const btCollisionShape& form = *body.shapes[shape].shape;
    const btTransform X_WS = placed(body, shape, object.getWorldTransform());
    NearShape near{id, shape, body.tags[shape].owner};
    if (form.getShapeType() == STATIC_PLANE_PROXYTYPE) {
      const auto& plane = static_cast<const btStaticPlaneShape&>(form);
      near.half_space = true;
      near.normal_W = from_bullet(X_WS.getBasis() * plane.getPlaneNormal());
      near.offset = near.normal_W.dot(from_bullet(X_WS.getOrigin())) + plane.getPlaneConstant();
    } else {
      btVector3 low, high;
      form.getAabb(X_WS, low, high);
      if (!TestAabbAgainstAabb2(low, high, low_W, high_W)) return;
    }
    out.push_back(near);
  };
  if (body.compound) {
    for (int i = 0; i < body.compound->getNumChildShapes(); ++i) add(i);
  } else if (!body.shapes.empty()) {
    add(object.getCollisionShape()->getUserIndex());
  }
}

void World::shapes_near(const Vec3& low_W, const Vec3& high_W, BodyId except, Surroundings& known,
                        std::vector<NearShape>& out) const {
  constexpr double kBeyond = 0.5;  // m; vehicles come that far in some ten steps
  out.clear();
  if (!low_W.allFinite() || !high_W.allFinite()) return;
  const Stepper& stepper = *impl_->stepper;
  const Vec3 crept = Vec3::Constant(stepper.crept() - known.crept);
  const bool same = known.changes == stepper.changes() &&
                    (low_W - crept - known.low_W).minCoeff() >= 0 &&
                    (known.high_W - high_W - crept).minCoeff() >= 0;
  if (!same) {
    const Vec3 beyond = Vec3::Constant(kBeyond);
    known = {low_W - beyond, high_W + beyond, std::move(known.objects), stepper.crept(),
             stepper.changes()};
    known.objects.clear();
    const int own = except == kWorldBody ? -1 : impl_->body(except).robot;
    impl_->objects_in(to_bullet(known.low_W), to_bullet(known.high_W),
                      [&](btCollisionObject& object) {
                        const BodyId id = object.getUserIndex();
                        const int robot = impl_->bodies[id].robot;
                        if (id != except && (robot < 0 || robot != own))
                          known.objects.push_back(&object);
                      });
  }
  const btVector3 low = to_bullet(low_W), high = to_bullet(high_W);
  for (btCollisionObject* object : known.objects) impl_->shapes_of(*object, low, high, out);
  Impl::sort_near(out);
}

void World::Impl::sort_near(std::vector<NearShape>& shapes) {
  if (shapes.size() < 2) return;
  std::sort(shapes.begin(), shapes.end(), [](const NearShape& a, const NearShape& b) {
    return std::tie(a.body, a.shape) < std::tie(b.body, b.shape);
  });
}

btTransform World::Impl::placed(const NearShape& near) const {
  const Body& body = bodies[near.body];
  return placed(body, near.shape,
                body.rigid->isInWorld() ? body.rigid->getWorldTransform()
                                        : body.parts[near.shape]->getWorldTransform());
}

bool World::triangles_near(const NearShape& near, const Vec3& low_W, const Vec3& high_W,
                           std::vector<std::array<Vec3, 3>>& out) const {
  return impl_->triangles_of(near, low_W, high_W, out);
}

bool World::Impl::triangles_of(const NearShape& near, const Vec3& low_W, const Vec3& high_W,
                               std::vector<std::array<Vec3, 3>>& out) const {
  const btCollisionShape& form = *bodies[near.body].shapes[near.shape].shape;
  const btTransform X_WS = placed(near);
  const bool turned = !(X_WS.getBasis() == btMatrix3x3::getIdentity());  // ground mostly is not
  const auto in_world = [&](const btVector3& p) {
    return from_bullet(turned ? X_WS(p) : p + X_WS.getOrigin());
  };
  const auto add = [&](const btVector3& a, const btVector3& b, const btVector3& c) {
    out.push_back({in_world(a), in_world(b), in_world(c)});
  };
  if (form.getShapeType() == BOX_SHAPE_PROXYTYPE) {
    const btVector3 half = static_cast<const btBoxShape&>(form).getHalfExtentsWithMargin();
    for (int axis = 0; axis < 3; ++axis) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (const double side : {-1.0, 1.0}) {
        btVector3 corners[4];
        for (int i = 0; i < 4; ++i) {
          corners[i][axis] = side * half[axis];
          corners[i][u] = (i == 1 || i == 2 ? 1 : -1) * half[u];
          corners[i][v] = (i >= 2 ? 1 : -1) * half[v];
        }
        add(corners[0], corners[1], corners[2]);
        add(corners[0], corners[2], corners[3]);
      }
    }
    return true;
  }
  btVector3 middle = to_bullet(0.5 * (low_W + high_W)), half = to_bullet(0.5 * (high_W - low_W));
  if (turned) {
    const btTransform X_SW = X_WS.inverse();
    middle = X_SW(middle), half = X_SW.getBasis().absolute() * half;
  } else {
    middle -= X_WS.getOrigin();
  }
  if (form.getShapeType() == TERRAIN_SHAPE_PROXYTYPE) {
    static_cast<const TerrainShape&>(form).triangles_in(middle - half, middle + half, add);
    return true;
  }
  if (form.getShapeType() != TRIANGLE_MESH_SHAPE_PROXYTYPE) return false;
  struct Collect : btTriangleCallback {
    explicit Collect(const decltype(add)& take_one) : take(take_one) {}
    void processTriangle(btVector3* corners, int, int) override {
      take(corners[0], corners[1], corners[2]);
    }
    const decltype(add)& take;
  } collect(add);
  static_cast<const btBvhTriangleMeshShape&>(form).processAllTriangles(&collect, middle - half,
                                                                       middle + half);
  return true;
}

std::optional<SurfaceHit> World::cast_ray(const NearShape& near, const Vec3& from_W,
                                          const Vec3& unit_direction_W, double max_distance) const {
  const Body& body = impl_->bodies[near.body];
  const btTransform X_WO = body.rigid->isInWorld() ? body.rigid->getWorldTransform()
                                                   : body.parts[near.shape]->getWorldTransform();
  const auto hit = cast_at(body.shapes[near.shape], impl_->placed(body, near.shape, X_WO),
                           {from_W, unit_direction_W, 0, max_distance});
  if (!hit) return std::nullopt;
  return SurfaceHit{hit->distance, hit->normal_W, near.body, near.owner};
}

}  // namespace protobeam::physics
