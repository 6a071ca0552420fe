// A packet of rays in double: as the batch gives them, and as Embree and the exact ranges want
// them.
#pragma once

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/clones.h"
#include "raycast/trace.h"

namespace protobeam {

/// The lanes of a member of Embree's packets, also of a packet of one.
template <typename T>
PROTOBEAM_INLINE T* lanes_of(T& single) {
  return &single;
}
template <typename T, std::size_t W>
PROTOBEAM_INLINE T* lanes_of(T (&packet)[W]) {
  return packet;
}

/// A component of a direction, or of a rotation of directions, as Embree gets it: 0 where rounding
/// of the other components to float hides it anyway. Embree 3.13 takes a component within 1e-18 of
/// 0, of either sign, for +1e-18. A packet of coherent rays that have the sign in common then has
/// inverse directions of both signs, and misses all that it should hit (TravRayK and Frustum in
/// Embree's kernels/bvh). Products of components that are not 0 stay far from 1e-18.
PROTOBEAM_INLINE float without_traces(float component) {
  return std::abs(component) < 3e-8f ? 0.0f : component;
}

/// What rays [first, first + count) have there; the last one's again where there are no more.
template <int W, typename To>
PROTOBEAM_INLINE void load_lanes(const float* from, std::size_t first, std::size_t count, To* to) {
  const float* values = from + first;
  if (count == W) {
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) to[l] = values[l];
  } else {
    for (int l = 0; l < W; ++l) to[l] = values[std::min<std::size_t>(l, count - 1)];
  }
}
template <int W, typename To>
PROTOBEAM_INLINE void load_vectors(const float* const from[3], std::size_t first, std::size_t count,
                                   To* x, To* y, To* z) {
  load_lanes<W>(from[0], first, count, x);
  load_lanes<W>(from[1], first, count, y);
  load_lanes<W>(from[2], first, count, z);
}

/// Rays that share origin and time: frame A is S.
template <int W>
struct StaticRays {
  static constexpr bool kMoving = false;
  alignas(64) float x[W];
  alignas(64) float y[W];
  alignas(64) float z[W];

  PROTOBEAM_INLINE void load(const TraceJob& job, std::size_t first, std::size_t count) {
    const float* const from[] = {job.batch->dx, job.batch->dy, job.batch->dz};
    load_vectors<W>(from, first, count, x, y, z);
  }

  /// What is the same in all packets of a job.
  template <typename Ray>
  PROTOBEAM_INLINE static void start(const TraceJob& job, Ray& ray) {
    float *ox = lanes_of(ray.org_x), *oy = lanes_of(ray.org_y), *oz = lanes_of(ray.org_z);
    float* time = lanes_of(ray.time);
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) ox[l] = job.o_L[0], oy[l] = job.o_L[1], oz[l] = job.o_L[2];
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) time[l] = 0;  // their scene is static
  }
  template <typename Ray>
  PROTOBEAM_INLINE void to_scene(const TraceJob& job, int l, Ray& ray) const {
    const float* R = job.R_LS;
    lanes_of(ray.dir_x)[l] = without_traces(R[0] * x[l] + R[1] * y[l] + R[2] * z[l]);
    lanes_of(ray.dir_y)[l] = without_traces(R[3] * x[l] + R[4] * y[l] + R[5] * z[l]);
    lanes_of(ray.dir_z)[l] = without_traces(R[6] * x[l] + R[7] * y[l] + R[8] * z[l]);
  }

  Vec3 direction(int l) const { return {x[l], y[l], z[l]}; }
  double step_fraction_at(int) const { return 0; }
  Vec3 origin(int) const { return Vec3::Zero(); }
};

/// The lanes of moving rays, for callbacks of Embree, which get ray numbers only.
struct MovingLanes {
  const double *x, *y, *z, *ox, *oy, *oz, *step_fraction;
  std::size_t first;  ///< number of the ray in lane 0
};

/// Rays with origins or times of their own: frame A has the axes of W.
template <int W>
struct MovingRays {
  static constexpr bool kMoving = true;
  alignas(64) double x[W];
  alignas(64) double y[W];
  alignas(64) double z[W];
  alignas(64) double ox[W];
  alignas(64) double oy[W];
  alignas(64) double oz[W];
  alignas(64) double step_fraction[W];  ///< from the end of the step, -1..0

  PROTOBEAM_INLINE void load(const TraceJob& job, std::size_t first, std::size_t count) {
    const RayBatch& batch = *job.batch;
    const StepMotion& sensor = job.sensor;
    if (batch.time) {
      load_lanes<W>(batch.time, first, count, step_fraction);
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) {
        const double time = step_fraction[l];
        step_fraction[l] = (time > 0 ? (time < 1 ? time : 1) : 0) - 1;
      }
    } else {
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) step_fraction[l] = 0;
    }
    const float* const directions[] = {batch.dx, batch.dy, batch.dz};
    load_vectors<W>(directions, first, count, x, y, z);
    to_world(job, x, y, z);
    if (batch.ox) {
      const float* const origins[] = {batch.ox, batch.oy, batch.oz};
      load_vectors<W>(origins, first, count, ox, oy, oz);
      to_world(job, ox, oy, oz);
    } else {
      PROTOBEAM_LANES
      for (int l = 0; l < W; ++l) ox[l] = oy[l] = oz[l] = 0;
    }
    const double sx = sensor.translation_W.x(), sy = sensor.translation_W.y(),
                 sz = sensor.translation_W.z();
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      ox[l] += step_fraction[l] * sx;
      oy[l] += step_fraction[l] * sy;
      oz[l] += step_fraction[l] * sz;
    }
  }

  template <typename Ray>
  PROTOBEAM_INLINE static void start(const TraceJob&, Ray&) {}
  template <typename Ray>
  PROTOBEAM_INLINE void to_scene(const TraceJob& job, int l, Ray& ray) const {
    lanes_of(ray.dir_x)[l] = without_traces(static_cast<float>(x[l]));
    lanes_of(ray.dir_y)[l] = without_traces(static_cast<float>(y[l]));
    lanes_of(ray.dir_z)[l] = without_traces(static_cast<float>(z[l]));
    lanes_of(ray.org_x)[l] = static_cast<float>(job.p_LS[0] + ox[l]);
    lanes_of(ray.org_y)[l] = static_cast<float>(job.p_LS[1] + oy[l]);
    lanes_of(ray.org_z)[l] = static_cast<float>(job.p_LS[2] + oz[l]);
    lanes_of(ray.time)[l] = static_cast<float>(1 + step_fraction[l]);
  }

  Vec3 direction(int l) const { return {x[l], y[l], z[l]}; }
  double step_fraction_at(int l) const { return step_fraction[l]; }
  MovingLanes lanes() const { return {x, y, z, ox, oy, oz, step_fraction, 0}; }
  Vec3 origin(int l) const { return {ox[l], oy[l], oz[l]}; }

 private:
  /// Rotates vectors in S at the rays' times to the axes of W.
  PROTOBEAM_INLINE void to_world(const TraceJob& job, double* vx, double* vy, double* vz) const {
    if (job.sensor.rotation.angle != 0) rotate<W>(job.sensor.rotation, step_fraction, vx, vy, vz);
    const Mat3& R = job.R_WS;
    const double r0 = R(0, 0), r1 = R(0, 1), r2 = R(0, 2), r3 = R(1, 0), r4 = R(1, 1), r5 = R(1, 2),
                 r6 = R(2, 0), r7 = R(2, 1), r8 = R(2, 2);
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      const double a = vx[l], b = vy[l], c = vz[l];
      vx[l] = r0 * a + r1 * b + r2 * c;
      vy[l] = r3 * a + r4 * b + r5 * c;
      vz[l] = r6 * a + r7 * b + r8 * c;
    }
  }
};

}  // namespace protobeam
