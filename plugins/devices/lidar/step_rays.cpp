#include "step_rays.h"

#include <algorithm>
#include <numeric>

#include "base/clones.h"

namespace protobeam {
namespace {

/// Times in the step, 0 to 1, of times in the sweep.
PROTOBEAM_CLONES void within_step(float begin, float per_length, std::size_t n, float* time) {
  for (std::size_t i = 0; i < n; ++i) {
    time[i] = std::min(std::max((time[i] - begin) * per_length, 0.0f), 1.0f);
  }
}

}  // namespace

void StepRays::reserve(const SweepPattern& sweep) {
  const std::size_t n = sweep.size();
  origins_ = !sweep.ox.empty();
  if (place_.size() >= n) return;
  for (auto* values : {&dx_, &dy_, &dz_, &time_}) values->resize(n);
  for (auto* values : {&ox_, &oy_, &oz_}) values->resize(origins_ ? n : 0);
  place_.resize(n);
}

void StepRays::append(const SweepPattern& sweep, std::size_t first, std::size_t count) {
  const auto copy = [&](const std::vector<float>& from, std::vector<float>& to) {
    std::copy_n(from.data() + first, count, to.data() + count_);
  };
  copy(sweep.dx, dx_);
  copy(sweep.dy, dy_);
  copy(sweep.dz, dz_);
  copy(sweep.time, time_);
  if (origins_) {
    copy(sweep.ox, ox_);
    copy(sweep.oy, oy_);
    copy(sweep.oz, oz_);
  }
  std::iota(place_.begin() + static_cast<std::ptrdiff_t>(count_),
            place_.begin() + static_cast<std::ptrdiff_t>(count_ + count),
            static_cast<std::uint32_t>(first));
  count_ += count;
}

void StepRays::gather(const SweepPattern& sweep, const Window& window, Bands bands) {
  reserve(sweep);
  count_ = 0;
  const auto due = [&](float time) { return time > window.after && time <= window.until; };
  for (const SweepPattern::Band& band : sweep.bands) {
    if (band.end <= window.after || band.begin > window.until) continue;
    const std::size_t end = band.first + band.count;
    const bool whole = due(band.begin) && due(band.end);
    if (whole != (bands == Bands::kWhole)) continue;
    if (whole) {
      append(sweep, band.first, band.count);
      continue;
    }
    for (std::size_t first = band.first; first < end;) {
      std::size_t last = first;
      while (last < end && due(sweep.time[last])) ++last;
      if (last > first) append(sweep, first, last - first);
      first = last + 1;
    }
  }
  within_step(window.begin, 1 / window.length, count_, time_.data());
}

void StepRays::fill(RayBatch& batch) const {
  batch.dx = dx_.data();
  batch.dy = dy_.data();
  batch.dz = dz_.data();
  batch.time = time_.data();
  if (origins_) {
    batch.ox = ox_.data();
    batch.oy = oy_.data();
    batch.oz = oz_.data();
  }
  batch.count = count_;
}

}  // namespace protobeam
