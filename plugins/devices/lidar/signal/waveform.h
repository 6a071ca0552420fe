// What comes back of one shot: echoes, the pulses that they add up to, and the returns that the
// device picks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/rng.h"
#include "signal_model.h"
#include "sub_rays.h"

namespace protobeam {

inline constexpr int kMostFaces = 8;  ///< of glass, that a ray goes on through
/// Of one beam: what its rays hit, what is behind glass, and one of the air.
inline constexpr std::size_t kMostEchoes = kSubRays * (kMostFaces + 1) + 1;

struct Echo {
  float range;              ///< m
  float signal;             ///< link_budget.h
  std::uint32_t label = 0;  ///< of what it comes from; 0: nothing known, or weather
};

/// Sorts echoes by range, drops what comes from before model.min, and adds up those that lie within
/// `separation` of the first of their pulse: the receiver cannot tell them apart and reports their
/// mean, weighted by signal (W. Wagner et al., ISPRS J. Photogramm. 60 (2006), 100, treat such
/// mixtures in full). Pulses take the place of echoes, with the label of the strongest in them;
/// gives back how many there are.
std::size_t add_up(const SignalModel& model, std::span<Echo> echoes);

/// A pulse that the receiver has noticed.
struct Return {
  float range;        ///< m, with noise
  float amplitude;    ///< signal and noise
  float reflectance;  ///< that the device works out of amplitude and range
  std::uint32_t label = 0;
};

/// One pulse, with two standard normal values of noise.
PROTOBEAM_INLINE Return detect_echo(const LinkBudget& budget, float range, float signal,
                                    float range_noise, float signal_noise) {
  Return out;
  out.amplitude = signal + signal_noise;
  out.range = range + budget.range_sigma(signal) * range_noise;
  out.reflectance = out.amplitude / budget.white(range);
  return out;
}

/// What the receiver makes of a beam's echoes, at most kMostEchoes of them, in any order; they are
/// changed. `noise` is that of the batch, `place` that of the beam in the sweep. Gives back how
/// many returns there are; the others are {+inf, 0, 0}.
std::size_t returns_of(const SignalModel& model, const NoiseKey& noise, std::size_t place,
                       std::span<Echo> echoes, Return (&out)[2]);

/// Noise for pulse `pulse` of a beam, keyed by the beam's place in the sweep.
NoiseKey pulse_noise(NoiseKey key, std::size_t pulse);
inline constexpr std::uint32_t kAirStream = 15;

/// At most two returns, in the order in which the device delivers them: dual is the strongest and
/// the last, or the two strongest when the strongest is the last (Velodyne VLP-16 user manual
/// 63-9243, 6.2).
std::size_t choose(ReturnMode mode, std::span<const Return> detected, Return (&out)[2]);

}  // namespace protobeam
