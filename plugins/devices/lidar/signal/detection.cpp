#include "detection.h"

#include <algorithm>
#include <limits>

#include "../constants.h"
#include "reflection.h"
#include "waveform.h"

namespace protobeam {
namespace {

/// Reflectances in, what the device makes of them out.
struct Detections {
  float range[Returns::kMost], reflectance[Returns::kMost], photons[Returns::kMost];
};

PROTOBEAM_CLONES void detect_all(const LinkBudget& budget, const float* range,
                                 const float* reflectance, const float* range_noise,
                                 const float* signal_noise, std::size_t n, Detections& out) {
  for (std::size_t i = 0; i < n; ++i) {
    const float signal = reflectance[i] > 0 ? budget.white(range[i]) * reflectance[i] : 0.0f;
    const Return r = detect_echo(budget, range[i], signal, range_noise[i], signal_noise[i]);
    const bool detected = r.amplitude > kThreshold && range[i] < kInfinity;
    out.range[i] = detected ? r.range : kInfinity;
    out.reflectance[i] = detected ? r.reflectance : 0.0f;
    out.photons[i] = detected ? kPhotons * r.amplitude : 0.0f;
  }
}

void clear_misses(const float* range, std::size_t n, float* value) {
  for (std::size_t i = 0; i < n; ++i) value[i] = range[i] < kInfinity ? value[i] : 0.0f;
}

void detect_single_echoes(const SampleInput& in, const PulseBatch& pulses, const SignalModel& model,
                          const RangeModel& ranges, const ReceiverCallback& callback) {
  const auto take = [&](const RayBlock& block) {
    for (std::size_t done = 0; done < block.count; done += Returns::kMost) {
      Returns returns{block.first + done, std::min(Returns::kMost, block.count - done)};
      const std::size_t n = returns.count;
      float reflectances[Returns::kMost];
      reflect(block, done, n, in.surfaces, reflectances, nullptr);
      std::uint32_t places[Returns::kMost];
      for (std::size_t i = 0; i < n; ++i) {
        places[i] = static_cast<std::uint32_t>(pulses.place(returns.first + i));
      }
      float range_noise[Returns::kMost], signal_noise[Returns::kMost];
      fill_gaussian_pairs(pulse_noise(pulses.noise, 0), {places, n}, range_noise, signal_noise);
      Detections detected;
      detect_all(model.budget, block.range + done, reflectances, range_noise, signal_noise, n,
                 detected);
      returns.range = detected.range;
      returns.returned = ranges.finish(detected.range, n);
      encode(model.code, detected.reflectance, n, detected.reflectance);
      clear_misses(detected.range, n, detected.reflectance);
      clear_misses(detected.range, n, detected.photons);
      SignalReturns signal{detected.reflectance, detected.photons};
      float light[Returns::kMost];
      if (model.code.photons) {
        ambient(block, done, n, in.surfaces, in.sun, light);
        for (std::size_t i = 0; i < n; ++i) light[i] *= kSunlight;
        signal.ambient = light;
      }
      returns.signal = &signal;
      std::uint32_t label[Returns::kMost];
      if (in.labels) {
        read_labels(*in.labels, block, done, n, label);
        returns.label = label;
      }
      callback(returns);
    }
  };
  in.visible->cast(pulses.batch, [&take](const RayBlock& block) { take(block); });
}

}  // namespace

void detect_signals(const SampleInput& in, const PulseBatch& pulses, const SignalModel& model,
                    const RangeModel& ranges, const ReceiverCallback& callback) {
  const bool glass = in.surfaces && in.surfaces->has_transmission();
  const bool clear = !in.atmosphere || in.atmosphere->clear();
  const bool single = model.divergence <= 0 && !glass && clear;
  (single ? detect_single_echoes : detect_waveforms)(in, pulses, model, ranges, callback);
}

}  // namespace protobeam
