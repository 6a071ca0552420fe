// The signal path of a batch of pulses: surfaces, air, receiver noise, detection, encoding.
#pragma once

#include "../returns.h"
#include "device/device_model.h"
#include "signal_model.h"

namespace protobeam {

/// Casts the pulses and reports the returns. Beams that can only have one echo (no divergence, no glass in
/// the world, clear air) are worked on in vectors; the others one by one.
void detect_signals(const SampleInput& in, const PulseBatch& pulses, const SignalModel& model,
                    const RangeModel& ranges, const ReceiverCallback& callback);

/// The second of these; the first gives the same for beams with one echo.
void detect_waveforms(const SampleInput& in, const PulseBatch& pulses, const SignalModel& model,
                      const RangeModel& ranges, const ReceiverCallback& callback);

/// Ambient light in photons of a white surface in the full sun; a choice of ours.
inline constexpr float kSunlight = 1000;

}  // namespace protobeam
