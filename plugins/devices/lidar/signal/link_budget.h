// From a target's reflectance to what the receiver makes of its echo.
//
// Signals are amplitudes in units of the receiver's noise (rms): signal-to-noise ratios.
#pragma once

#include <cmath>

#include "base/clones.h"
#include "base/fast_math.h"
#include "base/libm.h"

namespace protobeam {

/// An echo is reported when signal + noise exceeds this: once in 10,000 beams noise alone does
/// (the rate that Ouster and Livox publish), though such false alarms are not simulated.
inline constexpr float kThreshold = 3.719016f;
/// The signal that is reported with a probability of 90 %.
inline constexpr float kDetectable = kThreshold + 1.281552f;
/// Photons of a signal of 1, for devices that count them: then the echo that is just detectable
/// has 25 of them, and their Poisson noise is its signal-to-noise ratio.
inline constexpr float kPhotons = 5;
inline constexpr double kSpeedOfLight = 299'792'458;  ///< m/s

struct LinkBudget {
  float gain = 0;         ///< signal of a white surface at 1 m, if all its light were received
  float overlap = 1e30f;  ///< 2 / R0^2, 1/m^2
  float best = 0;         ///< m, sigma of the range of a strong echo
  float jitter = 0;       ///< m, sigma that a signal of 1 adds

  /// Signal of a white surface at r > 0 in clear air. Laser range equation for targets that are
  /// larger than the beam: A. Jelalian, "Laser radar systems", 1992, 1.2. Near the device laser and
  /// receiver do not look at the same spot; the overlap 1 - exp(-2 (r / R0)^2) is the form of
  /// W. Fang et al., IEEE Trans. Geosci. Remote Sens. 53 (2015), 942.
  PROTOBEAM_INLINE float white(float r) const {
    const float r2 = r * r;
    return gain * (1 - exp_f(-overlap * r2)) / r2;
  }
  /// Sigma of the range, m: timing jitter is noise over slope, so it falls with the signal
  /// (M.-C. Amann et al., "Laser ranging: a critical review", Opt. Eng. 40 (2001), 10).
  PROTOBEAM_INLINE float range_sigma(float signal) const {
    const float weak = jitter / (signal > 1 ? signal : 1.0f);
    return std::sqrt(best * best + weak * weak);
  }
};

/// Share of the beams that a signal is reported in.
inline double detection_probability(double signal) {
  return 0.5 * libm::erfc((kThreshold - signal) / std::sqrt(2.0));
}

/// m, what a signal of 1 adds to the range's sigma when the half-way slope of a Gaussian pulse is
/// timed whose full width at half maximum is `pulse` seconds: its steepest slope is
/// sqrt(8 ln 2) exp(-1/2) / pulse of its peak.
inline double pulse_jitter(double pulse) {
  return kSpeedOfLight / 2 * pulse / (std::sqrt(8 * libm::log(2.0)) * libm::exp(-0.5));
}

}  // namespace protobeam
