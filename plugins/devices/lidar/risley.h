// Two wedge prisms that turn about x, one behind the other: where a ray along x goes.
//
// A wedge has a flat face, normal x, and one that is tilted by its angle a; when it is turned by A
// about x, the tilted normal is (cos a, sin a cos A, sin a sin A). At each of the four faces light
// from a medium of index n1 into one of n2 is refracted (Snell's law in vectors), c = d . n:
//   d' = n1/n2 d + (sqrt(1 - (n1/n2)^2 (1 - c^2)) - n1/n2 c) n
// Y. Li, "Third-order theory of the Risley-prism-based beam steering system", Appl. Opt. 50 (2011).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/math.h"

namespace protobeam {

struct Prisms {
  double angle = 0;            ///< rad, of the tilted faces
  double index = 1;            ///< of refraction
  double rate[2] = {0, 0};     ///< turns a second, positive: counter-clockwise seen against x
  double phase[2] = {0, 0};    ///< rad, at time 0
  bool tilted_outside = true;  ///< tilted faces are the outer ones, or they face each other

  /// Unit direction in which a ray leaves that enters as `d` when the prisms are turned by A and B;
  /// not a number where it is totally reflected.
  Vec3 refract(const Vec3& d, double A, double B) const;
  /// Turn of prism 0 or 1 at a time, in [0, 2 pi).
  double turned(int prism, double time) const;
};

/// Pulses at equal intervals: directions by the addition of angles, in runs that begin afresh, so
/// that errors do not add up.
class PulseTrain {
 public:
  static constexpr std::size_t kRun = 256;

  /// A laser that enters the prisms as `d` and fires every `interval` seconds.
  PulseTrain(const Prisms& prisms, const Vec3& d, double interval);
  /// Directions of pulses at first, first + interval, ...; n <= kRun.
  void directions(double first, std::size_t n, double* x, double* y, double* z) const;

 private:
  Prisms prisms_;
  Vec3 d_;
  double cos_[2][kRun], sin_[2][kRun];  ///< of the turn during 0, 1, ... intervals
};

}  // namespace protobeam
