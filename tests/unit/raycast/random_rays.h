// Rays for tests: any direction, from around, near or inside a shape.
#pragma once

#include <limits>
#include <random>
#include <vector>

#include "base/math.h"
#include "raycast/quadric.h"
#include "raycast/ray_scene.h"

namespace protobeam::test {

inline constexpr float kInf = std::numeric_limits<float>::infinity();

class RandomRays {
 public:
  explicit RandomRays(unsigned seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vec3 in_box(double half) {
    return {uniform(-half, half), uniform(-half, half), uniform(-half, half)};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = in_box(1);
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }
  Quat rotation() { return rotation(kPi); }
  /// By at most `most`, rad. The angle is drawn first: the order of arguments is the compiler's.
  Quat rotation(double most) {
    const double angle = uniform(-most, most);
    return axis_angle(direction(), angle);
  }

 private:
  std::mt19937 engine_;
};

/// Rays as RayBatch wants them, and what came back.
struct Scan {
  std::vector<float> dx, dy, dz, range, nx, ny, nz, u, v;
  std::vector<float> ox, oy, oz, time;  ///< as many as directions, or none
  std::vector<std::uint32_t> instance, shape, primitive;

  void add(const Vec3& d) {
    dx.push_back(static_cast<float>(d.x()));
    dy.push_back(static_cast<float>(d.y()));
    dz.push_back(static_cast<float>(d.z()));
  }
  void add(const Vec3& d, double at, const Vec3& o) {
    add(d, at);
    ox.push_back(static_cast<float>(o.x()));
    oy.push_back(static_cast<float>(o.y()));
    oz.push_back(static_cast<float>(o.z()));
  }
  void add(const Vec3& d, double at) {
    add(d);
    time.push_back(static_cast<float>(at));
  }
  std::size_t size() const { return dx.size(); }
  /// The direction that is really cast: rounded to float.
  Vec3 direction(std::size_t i) const { return {dx[i], dy[i], dz[i]}; }
  Vec3 origin(std::size_t i) const {
    return ox.empty() ? Vec3(0, 0, 0) : Vec3(ox[i], oy[i], oz[i]);
  }

  RayBatch batch(const Pose& X_WS) const {
    RayBatch batch;
    batch.X_WS = X_WS;
    batch.dx = dx.data(), batch.dy = dy.data(), batch.dz = dz.data();
    if (!ox.empty()) batch.ox = ox.data(), batch.oy = oy.data(), batch.oz = oz.data();
    if (!time.empty()) batch.time = time.data();
    batch.count = size();
    return batch;
  }

  void cast(RayScene& scene, const Pose& X_WS, int packet = 16, bool hits = false, float t_near = 0,
            float t_far = 1e30f) {
    RayBatch batch = this->batch(X_WS);
    batch.t_near = t_near, batch.t_far = t_far;
    batch.packet = packet;
    batch.hits = batch.normals = hits;
    cast_batch(scene, batch);
  }

  /// A batch of these rays.
  void cast_batch(RayScene& scene, const RayBatch& batch) {
    const bool hits = batch.hits;
    for (auto* floats : {&range, &nx, &ny, &nz, &u, &v}) floats->assign(size(), -1.0f);
    for (auto* numbers : {&instance, &shape, &primitive}) numbers->assign(size(), 12345u);
    scene.cast(batch, [&](const RayBlock& b) {
      for (std::size_t i = 0; i < b.count; ++i) {
        const std::size_t k = b.first + i;
        range[k] = b.range[i];
        if (!hits) continue;
        instance[k] = b.instance[i], shape[k] = b.shape[i], primitive[k] = b.primitive[i];
        nx[k] = b.nx[i], ny[k] = b.ny[i], nz[k] = b.nz[i];
        u[k] = b.u[i], v[k] = b.v[i];
      }
    });
  }
};

/// One ray and a quadric in its own frame.
struct QuadricHit {
  double t;
  Vec3 normal;
};
inline QuadricHit intersect_quadric(const Geometry& geometry, const Vec3& o, const Vec3& d,
                                    double near, double far) {
  const Quadric quadric = make_quadric(geometry);
  QuadricRays<1> ray{{o.x()}, {o.y()}, {o.z()}, {d.x()}, {d.y()}, {d.z()}, {near}, {far}, {}, {}};
  intersect(quadric, ray);
  return {ray.t[0], normal(quadric, static_cast<int>(ray.part[0]), o + ray.t[0] * d)};
}

inline std::vector<VisibleShape> one(Geometry geometry, const Pose& X_BS = {}) {
  return {{std::make_shared<Geometry>(std::move(geometry)), X_BS}};
}

}  // namespace protobeam::test
