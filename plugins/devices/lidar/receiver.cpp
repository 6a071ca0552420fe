#include "receiver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.h"
#include "constants.h"
#include "signal/detection.h"
#include "throw_invalid.h"

namespace protobeam {
namespace {

/// Normal values beyond this are never drawn (see gaussian()).
constexpr double kMaxSigmas = 6.7;

/// A `near` that was not written follows a smaller minRange.
double near_of(const Fields& fields) {
  const double near = fields.number("near"), min = fields.number("minRange");
  if (near > min && fields.is_set("near") && fields.is_set("minRange")) {
    throw_invalid("field 'near' of Lidar must not be greater than minRange (", min, "), got ",
                  near);
  }
  return fields.is_set("near") ? near : std::min(near, min);
}

/// All in one pass over the ranges.
template <bool kNoise, bool kSteps>
PROTOBEAM_INLINE std::size_t report(const RangeModel& model, const float* found,
                                    const float* normal, std::size_t n, float* range) {
  const float sigma = static_cast<float>(model.sigma);
  const float min = static_cast<float>(model.min), max = static_cast<float>(model.max);
  const double step = model.resolution;
  std::uint32_t returned = 0;
  for (std::size_t i = 0; i < n; ++i) {
    float r = found[i];
    if (kNoise) r += sigma * normal[i];
    if (kSteps) r = static_cast<float>(std::floor(r / step + 0.5) * step);
    const bool good = r >= min && r <= max;
    range[i] = good ? r : kInfinity;
    returned += good ? 1u : 0u;
  }
  return returned;
}

/// From what was found to what is reported: noise (none if `normal` is null), resolution, limits:
/// what is out of them does not return. Gives back how many do.
PROTOBEAM_CLONES std::size_t report(const RangeModel& model, const float* found,
                                    const float* normal, std::size_t n, float* range) {
  if (normal) {
    return model.resolution > 0 ? report<true, true>(model, found, normal, n, range)
                                : report<true, false>(model, found, normal, n, range);
  }
  return model.resolution > 0 ? report<false, true>(model, found, normal, n, range)
                              : report<false, false>(model, found, normal, n, range);
}

/// Normal values by place in the sweep. They come fastest in runs, so the gaps between places are
/// drawn, too, and thrown away.
void draw(const PulseBatch& pulses, std::size_t first, std::size_t n, float* normal) {
  if (!pulses.places) return fill_gaussian(pulses.noise, pulses.first_place + first, {normal, n});
  const std::uint32_t* places = pulses.places + first;
  constexpr std::size_t kRun = 2 * Returns::kMost;
  float run[kRun];
  for (std::size_t i = 0; i < n;) {
    const std::size_t begin = places[i];
    std::size_t end = n;
    while (places[end - 1] - begin >= kRun) end = i + (end - i + 1) / 2;
    fill_gaussian(pulses.noise, begin, {run, places[end - 1] - begin + 1});
    for (; i < end; ++i) normal[i] = run[places[i] - begin];
  }
}

}  // namespace

std::size_t RangeModel::finish(float* range, std::size_t n) const {
  return report(*this, range, nullptr, n, range);
}

Receiver::Receiver(const Fields& fields) : near_(near_of(fields)), noise_(fields.number("noise")) {
  const double max = fields.number("maxRange");
  model_ = {noise_ * max, fields.number("resolution"), fields.number("minRange"), max};
  if (!(model_.max > model_.min)) {
    throw_invalid("field 'maxRange' of Lidar must be greater than minRange (", model_.min,
                  "), got ", model_.max);
  }
  signal_ = signal_model_of(fields, model_.sigma);
}

RayBatch Receiver::batch(const SampleInput& in) const {
  RayBatch batch;
  batch.X_WS = in.X_WS;
  batch.t_near = static_cast<float>(near_);
  // Noise and rounding may bring back what is a little too far.
  const double sigma = signal_ ? double{signal_->budget.range_sigma(1)} : model_.sigma;
  batch.t_far =
      static_cast<float>(model_.max + kMaxSigmas * sigma + std::max(model_.resolution, 0.0));
  batch.hits = signal_.has_value() || in.labels;
  batch.normals = signal_ && signal_->code.photons && in.sun;
  return batch;
}

void Receiver::detect(const SampleInput& in, const PulseBatch& pulses,
                      const ReceiverCallback& callback) const {
  if (signal_) return detect_signals(in, pulses, *signal_, model_, callback);
  const auto take = [&](const RayBlock& block) {
    for (std::size_t done = 0; done < block.count; done += Returns::kMost) {
      Returns returns{block.first + done, std::min(Returns::kMost, block.count - done)};
      const std::size_t n = returns.count;
      float range[Returns::kMost];
      float normal[Returns::kMost];
      const bool noisy = model_.sigma > 0;
      if (noisy) draw(pulses, returns.first, n, normal);
      returns.range = range;
      returns.returned = report(model_, block.range + done, noisy ? normal : nullptr, n, range);
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

}  // namespace protobeam
