#include "physics/surface_contact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "physics/collision_shapes.h"
#include "physics/fresh_points.h"
#include "physics/plane_points.h"
#include "physics/terrain_shape.h"

namespace protobeam::physics {
namespace {

constexpr int kMost = 256;      // triangles; of more, the pieces are smaller than what they carry
constexpr int kMostPlanes = 6;  // in a corner of a room there are three
constexpr double kReachesOver = 1e-6;  // m, of distances
constexpr double kEven =
    1e-6;  // of a place's distance from the origin: what rounding to float leaves

/// A shape over a surface, in the frame of the latter.
class Reach {
 public:
  /// As far as `more` from the shape.
  Reach(const btConvexShape& shape, const btTransform& X_GS, double more)
      : shape_(shape), X_GS_(X_GS), more_(more) {
    shape.getAabb(X_GS, box_low_, box_high_);
    middle_ = (box_low_ + box_high_) / 2;
    half_ = (box_high_ - box_low_) / 2 + btVector3(more, more, more);
  }

  /// Of the box around the shape itself.
  const btVector3& box_low() const { return box_low_; }
  const btVector3& box_high() const { return box_high_; }
  const btVector3& middle() const { return middle_; }
  btVector3 low() const { return middle_ - half_; }
  btVector3 high() const { return middle_ + half_; }

  /// False: all of the shape is too far from the triangle's plane.
  bool meets(const btVector3& a, const btVector3& b, const btVector3& c) const {
    const btVector3 area = (b - a).cross(c - a);
    const double above = area.dot(middle_ - a);
    if (std::abs(above) > half_.dot(area.absolute())) return false;
    const btVector3 down = above > 0 ? -area : area;
    const btVector3 nearest = X_GS_(shape_.localGetSupportingVertex(down * X_GS_.getBasis()));
    return down.dot(nearest - a) >= -more_ * area.length();
  }

 private:
  const btConvexShape& shape_;
  btTransform X_GS_;
  double more_;
  btVector3 box_low_, box_high_, middle_, half_;
};

/// The triangles in a box, as long as they lie in few planes of which each is wholly above the
/// others.
class Hollow : public btTriangleCallback {
 public:
  struct Plane {
    btVector3 n;
    double offset;
    double distance(const btVector3& p) const { return n.dot(p) - offset; }
  };

  /// Below a shape that is on the side that touches.
  explicit Hollow(const Reach& reach) : reach_(reach) {}

  void processTriangle(btVector3* corners, int, int) override {
    met_ = met_ || reach_.meets(corners[0], corners[1], corners[2]);
    if (!simple_) return;
    const btVector3 area = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    const double size = area.length();
    if (!(size > 1e-12)) return;  // no triangle
    Triangle triangle{{corners[0], corners[1], corners[2]}, 0};
    const auto lies_in = [&](const Plane& plane) {
      return std::all_of(triangle.corners.begin(), triangle.corners.end(), [&](const btVector3& p) {
        return std::abs(plane.distance(p)) <= slack(p);
      });
    };
    while (triangle.plane < planes_ && !lies_in(plane_[triangle.plane])) ++triangle.plane;
    if (triangle.plane == kMostPlanes || count_ == kMost) {
      simple_ = false;
      return;
    }
    if (triangle.plane == planes_) {
      Plane& plane = plane_[planes_++];
      plane.n = area / size;
      plane.offset = plane.n.dot(corners[0]);
      if (plane.distance(reach_.middle()) < 0) plane = {-plane.n, -plane.offset};
    }
    triangle_[count_++] = triangle;
  }

  /// The shape may touch one of them.
  bool is_met() const { return met_; }

  /// Edges that stick out touch by more than corners of what lies on them.
  bool found() const {
    const auto sticks_out = [this](const Triangle& t) {
      for (std::size_t i = 0; i < planes_; ++i) {
        for (const btVector3& p : t.corners)
          if (i != t.plane && plane_[i].distance(p) < -slack(p)) return true;
      }
      return false;
    };
    return simple_ && count_ > 0 && std::none_of(triangle_.begin(), end(), sticks_out);
  }

  /// After found().
  std::span<const Plane> planes() const { return {plane_.data(), planes_}; }

  /// Whether there are triangles of the plane below `p`, a point near it.
  bool holds(const Plane& plane, const btVector3& p) const {
    const auto number = static_cast<std::size_t>(&plane - plane_.data());
    return std::any_of(triangle_.begin(), end(), [&](const Triangle& t) {
      return t.plane == number && is_over(t, plane.n, p);
    });
  }

 private:
  struct Triangle {
    std::array<btVector3, 3> corners;
    std::size_t plane;
  };

  static double slack(const btVector3& p) { return kEven * std::max(1.0, p.length()); }

  static bool is_over(const Triangle& t, const btVector3& n, const btVector3& p) {
    bool left = true, right = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const btVector3 edge = t.corners[(i + 1) % 3] - t.corners[i];
      const double side = n.dot(edge.cross(p - t.corners[i]));
      const double slack = 1e-9 * edge.length();  // on the edge between two it is over both
      left &= side >= -slack;
      right &= side <= slack;
    }
    return left || right;
  }

  const Triangle* end() const { return triangle_.begin() + count_; }

  const Reach& reach_;
  bool met_ = false;
  bool simple_ = true;
  std::size_t count_ = 0, planes_ = 0;
  std::array<Triangle, kMost> triangle_;
  std::array<Plane, kMostPlanes> plane_;
};

const TerrainShape& terrain_of(const btConcaveShape& surface) {
  return static_cast<const TerrainShape&>(surface);  // no other terrains are made
}

bool is_near(const TerrainShape& terrain, const Reach& reach) {
  bool near = false;
  terrain.triangles_in(reach.low(), reach.high(),
                       [&](const btVector3& a, const btVector3& b, const btVector3& c) {
                         near = near || reach.meets(a, b, c);
                       });
  return near;
}

}  // namespace

SurfaceContact::SurfaceContact(const btCollisionAlgorithmConstructionInfo& info,
                               const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b,
                               bool surface_first)
    : btConvexConcaveCollisionAlgorithm(info, a, b, surface_first), surface_first_(surface_first) {
  btManifoldArray manifolds;
  getAllContactManifolds(manifolds);
  if (manifolds.size() == 0) return;
  manifold_ = manifolds[0];
  // As in Dispatcher::getNewManifold(), for one shape of many.
  const btCollisionShape& shape = *(surface_first ? b : a)->getCollisionShape();
  manifold_->setContactBreakingThreshold(
      std::min(manifold_->getContactBreakingThreshold(), nearest_corners(shape)));
}

void SurfaceContact::processCollision(const btCollisionObjectWrapper* a,
                                      const btCollisionObjectWrapper* b,
                                      const btDispatcherInfo& info, btManifoldResult* result) {
  if (!manifold_) return;
  const btCollisionObjectWrapper& body = *(surface_first_ ? b : a);
  const btCollisionObjectWrapper& ground = *(surface_first_ ? a : b);
  const auto& shape = static_cast<const btConvexShape&>(*body.getCollisionShape());
  const auto& surface = static_cast<const btConcaveShape&>(*ground.getCollisionShape());
  const double reach = manifold_->getContactBreakingThreshold();

  const btTransform X_GS = ground.getWorldTransform().inverseTimes(body.getWorldTransform());
  const Reach around(shape, X_GS, reach + surface.getMargin() + kReachesOver);
  const auto touch_nothing = [&] {
    result->setPersistentManifold(manifold_);
    result->refreshContactPoints();
  };
  // What passes over hills mostly is above all that is under it.
  if (surface.getShapeType() == TERRAIN_SHAPE_PROXYTYPE && !is_near(terrain_of(surface), around)) {
    return touch_nothing();
  }
  const btVector3 &low = around.box_low(), &high = around.box_high();
  const btVector3 more(reach, reach, reach);
  Hollow hollow(around);
  surface.processAllTriangles(&hollow, low - more, high + more);
  if (!hollow.is_met()) return touch_nothing();

  bool rests = hollow.found();
  if (rests) {
    int points = 0, touched = 0;
    for (const Hollow::Plane& plane : hollow.planes()) {
      // Deeper than a quarter of the shape it is not clear on which side of the surface it should
      // be.
      const double deepest = -0.25 * (high - low).dot(plane.n.absolute());
      const int before = points;
      points_near_plane(shape, X_GS, plane.n, plane.offset, reach,
                        [&](const btVector3& p, double distance) {
                          rests &= distance > deepest && hollow.holds(plane, p);
                          ++points;
                        });
      touched += points > before ? 1 : 0;
    }
    // A manifold that is full chooses among the points of one plane, but not among planes.
    rests &= touched < 2 || points <= MANIFOLD_CACHE_SIZE;
  }
  if (!rests) return btConvexConcaveCollisionAlgorithm::processCollision(a, b, info, result);

  const btTransform& X_WG = ground.getWorldTransform();
  result->setPersistentManifold(manifold_);
  FreshPoints points(*result);
  for (const Hollow::Plane& plane : hollow.planes()) {
    const btVector3 n_W = X_WG.getBasis() * plane.n;
    points_near_plane(shape, X_GS, plane.n, plane.offset, reach,
                      [&](const btVector3& p, double distance) {
                        points.add(n_W, X_WG(p - distance * plane.n), distance);
                      });
  }
  points.finish();
}

}  // namespace protobeam::physics
