#include "receiver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.h"
#include "refuse.h"

namespace protobeam {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// Normal values beyond this are never drawn (see gaussian()).
constexpr double kMaxSigmas = 6.7;

/// A `near` that was not written follows a smaller minRange.
double near_of(const Fields& fields) {
  const double near = fields.number("near"), min = fields.number("minRange");
  if (near > min && fields.is_set("near") && fields.is_set("minRange")) {
    refuse("field 'near' of Lidar must not be greater than minRange (", min, "), got ", near);
  }
  return fields.is_set("near") ? near : std::min(near, min);
}

PROTOBEAM_CLONES void add_noise(const float* normal, float sigma, std::size_t n, float* range) {
  for (std::size_t i = 0; i < n; ++i) range[i] += sigma * normal[i];
}

PROTOBEAM_CLONES void quantise(double step, std::size_t n, float* range) {
  for (std::size_t i = 0; i < n; ++i) {
    range[i] = static_cast<float>(std::floor(range[i] / step + 0.5) * step);
  }
}

/// What is out of limits does not return. Gives back how many do.
PROTOBEAM_CLONES std::size_t limit(float min, float max, std::size_t n, float* range) {
  std::uint32_t returned = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool good = range[i] >= min && range[i] <= max;
    range[i] = good ? range[i] : kInfinity;
    returned += good ? 1u : 0u;
  }
  return returned;
}

/// Normal values by place in the sweep. They come fastest in runs, so the gaps between places are
/// drawn, too, and thrown away.
void draw(const Echoes& echoes, float* normal) {
  const std::size_t n = echoes.count;
  if (!echoes.places) return fill_gaussian(echoes.noise, echoes.first_place, {normal, n});
  constexpr std::size_t kRun = 2 * Echoes::kMost;
  float run[kRun];
  for (std::size_t i = 0; i < n;) {
    const std::size_t first = echoes.places[i];
    std::size_t end = n;
    while (echoes.places[end - 1] - first >= kRun) end = i + (end - i + 1) / 2;
    fill_gaussian(echoes.noise, first, {run, echoes.places[end - 1] - first + 1});
    for (; i < end; ++i) normal[i] = run[echoes.places[i] - first];
  }
}

}  // namespace

Receiver::Receiver(const Fields& fields) : near_(near_of(fields)), noise_(fields.number("noise")) {
  const double max = fields.number("maxRange");
  model_ = {noise_ * max, fields.number("resolution"), fields.number("minRange"), max};
  if (!(model_.max > model_.min)) {
    refuse("field 'maxRange' of Lidar must be greater than minRange (", model_.min, "), got ",
           model_.max);
  }
}

RayBatch Receiver::batch(const SensorInput& in) const {
  RayBatch batch;
  batch.X_WS = in.X_WS;
  batch.t_near = static_cast<float>(near_);
  // Noise and rounding may bring back what is a little too far.
  batch.t_far =
      static_cast<float>(model_.max + kMaxSigmas * model_.sigma + std::max(model_.resolution, 0.0));
  return batch;
}

void Receiver::report(const Echoes& echoes, Reports& out) const {
  const std::size_t n = echoes.count;
  std::copy_n(echoes.block->range + echoes.first, n, out.range);
  if (model_.sigma > 0) {
    float normal[Echoes::kMost];
    draw(echoes, normal);
    add_noise(normal, static_cast<float>(model_.sigma), n, out.range);
  }
  if (model_.resolution > 0) quantise(model_.resolution, n, out.range);
  out.returned =
      limit(static_cast<float>(model_.min), static_cast<float>(model_.max), n, out.range);
}

}  // namespace protobeam
