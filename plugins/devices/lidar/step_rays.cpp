#include "step_rays.h"

#include <algorithm>
#include <numeric>

#include "base/clones.h"

namespace protobeam {
namespace {

/// Times in the step, 0 to 1, of times in the sweep.
PROTOBEAM_CLONES void within_step(const float* time, float begin, float per_length, std::size_t n,
                                  float* __restrict to) {
  for (std::size_t i = 0; i < n; ++i) {
    to[i] = std::min(std::max((time[i] - begin) * per_length, 0.0f), 1.0f);
  }
}

PROTOBEAM_CLONES void move_away(const float* near, float drift, std::size_t n,
                                float* __restrict to) {
  for (std::size_t i = 0; i < n; ++i) to[i] = near[i] + drift;
}

/// Lists the rays [first, first + count) that are due, and gives back how many. They come and go
/// within a few rays where the beams of a column point aside by turns: a branch would be guessed.
std::size_t list_due(const float* time, std::size_t first, std::size_t count,
                     const StepRays::Window& window, std::uint32_t* to) {
  const float after = window.after, until = window.until;
  std::size_t n = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    to[n] = static_cast<std::uint32_t>(i);
    n += static_cast<std::size_t>(time[i] > after) & static_cast<std::size_t>(time[i] <= until);
  }
  return n;
}

bool is_whole(const SweepPattern::Band& band, const StepRays::Window& window) {
  return band.begin > window.after && band.end <= window.until;
}

void make_room(std::size_t size, auto& values) {
  if (values.size() < size) values.resize(size);
}

}  // namespace

/// Lists them only if there is a gap between some.
void StepRays::find_whole(const SweepPattern& sweep, const Window& window) {
  for (const SweepPattern::Band& band : sweep.bands) {
    if (!is_whole(band, window)) continue;
    if (count_ == 0) first_ = band.first;
    if (!listed_ && band.first != first_ + count_) {
      listed_ = true;
      make_room(count_, place_);
      std::iota(place_.begin(), place_.begin() + static_cast<std::ptrdiff_t>(count_),
                static_cast<std::uint32_t>(first_));
    }
    if (listed_) {
      make_room(count_ + band.count, place_);
      std::iota(&place_[count_], &place_[count_] + band.count,
                static_cast<std::uint32_t>(band.first));
    }
    count_ += band.count;
  }
}

void StepRays::list_cut(const SweepPattern& sweep, const Window& window) {
  listed_ = true;
  for (const SweepPattern::Band& band : sweep.bands) {
    if (band.end <= window.after || band.begin > window.until || is_whole(band, window)) continue;
    make_room(count_ + band.count, place_);
    count_ += list_due(sweep.time.data(), band.first, band.count, window, &place_[count_]);
  }
}

const float* StepRays::pick(const std::vector<float>& from, std::vector<float>& to) const {
  if (!listed_) return from.data() + first_;
  make_room(count_, to);
  for (std::size_t i = 0; i < count_; ++i) to[i] = from[place_[i]];
  return to.data();
}

void StepRays::gather(const SweepPattern& sweep, const Window& window, Bands bands) {
  first_ = count_ = 0;
  listed_ = false;
  bands == Bands::kWhole ? find_whole(sweep, window) : list_cut(sweep, window);
  d_ = {pick(sweep.dx, dx_), pick(sweep.dy, dy_), pick(sweep.dz, dz_)};
  origins_ = !sweep.ox.empty();
  if (origins_) o_ = {pick(sweep.ox, ox_), pick(sweep.oy, oy_), pick(sweep.oz, oz_)};
  near_ = nullptr;
  make_room(count_, time_);
  within_step(pick(sweep.time, picked_), window.begin, 1 / window.length, count_, time_.data());
}

void StepRays::gather_near(const std::vector<float>& near, float drift) {
  make_room(count_, own_near_);
  move_away(pick(near, picked_), drift, count_, own_near_.data());
  near_ = own_near_.data();
}

void StepRays::fill(RayBatch& batch) const {
  batch.dx = d_[0], batch.dy = d_[1], batch.dz = d_[2];
  batch.time = time_.data();
  if (origins_) batch.ox = o_[0], batch.oy = o_[1], batch.oz = o_[2];
  batch.count = count_;
}

}  // namespace protobeam
