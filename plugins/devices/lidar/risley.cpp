#include "risley.h"

#include <cmath>

#include "base/clones.h"
#include "base/libm.h"

namespace protobeam {
namespace {

struct Ray {
  double x, y, z;
};

/// Through a face with normal x; m = n1 / n2.
PROTOBEAM_INLINE void through_flat(double m, Ray& d) {
  d.x = std::sqrt(1 - m * m * (1 - d.x * d.x));
  d.y *= m;
  d.z *= m;
}

/// Through a face with normal n.
PROTOBEAM_INLINE void through_tilted(double m, double nx, double ny, double nz, Ray& d) {
  const double c = d.x * nx + d.y * ny + d.z * nz;
  const double k = std::sqrt(1 - m * m * (1 - c * c)) - m * c;
  d.x = m * d.x + k * nx;
  d.y = m * d.y + k * ny;
  d.z = m * d.z + k * nz;
}

/// c, s: cosine and sine of the angle of the tilted faces; those of the prisms' turns follow.
PROTOBEAM_INLINE void through_prisms(bool tilted_outside, double index, double c, double s,
                                     double cA, double sA, double cB, double sB, Ray& d) {
  const double in = 1 / index, out = index;
  if (tilted_outside) {
    through_tilted(in, c, s * cA, s * sA, d);
    through_flat(out, d);
    through_flat(in, d);
    through_tilted(out, c, s * cB, s * sB, d);
  } else {
    through_flat(in, d);
    through_tilted(out, c, s * cA, s * sA, d);
    through_tilted(in, c, s * cB, s * sB, d);
    through_flat(out, d);
  }
}

struct Seed {
  double c[2], s[2];  ///< cosine and sine of the prisms' turns at the start of a run
};

template <bool kTiltedOutside>
PROTOBEAM_INLINE void run(const Prisms& p, const Vec3& d, const Seed& seed, const double* c0,
                          const double* s0, const double* c1, const double* s1, std::size_t n,
                          double* x, double* y, double* z) {
  const double c = libm::cos(p.angle), s = libm::sin(p.angle), index = p.index;
  const double dx = d.x(), dy = d.y(), dz = d.z();
  const double ca = seed.c[0], sa = seed.s[0], cb = seed.c[1], sb = seed.s[1];
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) {
    const double cA = ca * c0[i] - sa * s0[i], sA = sa * c0[i] + ca * s0[i];
    const double cB = cb * c1[i] - sb * s1[i], sB = sb * c1[i] + cb * s1[i];
    Ray ray{dx, dy, dz};
    through_prisms(kTiltedOutside, index, c, s, cA, sA, cB, sB, ray);
    x[i] = ray.x;
    y[i] = ray.y;
    z[i] = ray.z;
  }
}

PROTOBEAM_CLONES void run_any(const Prisms& p, const Vec3& d, const Seed& seed, const double* c0,
                              const double* s0, const double* c1, const double* s1, std::size_t n,
                              double* x, double* y, double* z) {
  if (p.tilted_outside) {
    run<true>(p, d, seed, c0, s0, c1, s1, n, x, y, z);
  } else {
    run<false>(p, d, seed, c0, s0, c1, s1, n, x, y, z);
  }
}

}  // namespace

Vec3 Prisms::refract(const Vec3& d, double A, double B) const {
  Ray ray{d.x(), d.y(), d.z()};
  through_prisms(tilted_outside, index, libm::cos(angle), libm::sin(angle), libm::cos(A),
                 libm::sin(A), libm::cos(B), libm::sin(B), ray);
  return {ray.x, ray.y, ray.z};
}

double Prisms::turned(int prism, double time) const {
  const double turns = rate[prism] * time + phase[prism] / (2 * kPi);
  return 2 * kPi * (turns - std::floor(turns));
}

PulseTrain::PulseTrain(const Prisms& prisms, const Vec3& d, double interval)
    : prisms_(prisms), d_(d) {
  for (int prism = 0; prism < 2; ++prism) {
    for (std::size_t i = 0; i < kRun; ++i) {
      const double angle = 2 * kPi * prisms.rate[prism] * interval * static_cast<double>(i);
      cos_[prism][i] = libm::cos(angle);
      sin_[prism][i] = libm::sin(angle);
    }
  }
}

void PulseTrain::directions(double first, std::size_t n, double* x, double* y, double* z) const {
  Seed seed;
  for (int prism = 0; prism < 2; ++prism) {
    const double angle = prisms_.turned(prism, first);
    seed.c[prism] = libm::cos(angle);
    seed.s[prism] = libm::sin(angle);
  }
  run_any(prisms_, d_, seed, cos_[0], sin_[0], cos_[1], sin_[1], n, x, y, z);
}

}  // namespace protobeam
