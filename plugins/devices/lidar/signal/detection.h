// The signal path of a batch of pulses: surfaces, air, receiver noise, detection, encoding.
#pragma once

#include "../returns.h"
#include "device/device_model.h"
#include "signal_model.h"

namespace protobeam {

/// Casts the pulses and reports the returns. Beams of one ray (no divergence) in clear air are
/// worked on in vectors, but for those that meet glass; the others one by one.
void detect_signals(const SampleInput& in, const PulseBatch& pulses, const SignalModel& model,
                    const RangeModel& ranges, const ReceiverCallback& callback);

/// All of them one by one, which gives the same.
void detect_waveforms(const SampleInput& in, const PulseBatch& pulses, const SignalModel& model,
                      const RangeModel& ranges, const ReceiverCallback& callback);

/// Ambient light in photons of a white surface in the full sun; a choice of ours.
inline constexpr float kSunlight = 1000;

}  // namespace protobeam
