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

}  // namespace

void StepRays::add_piece(std::size_t first, std::size_t count) {
  if (!pieces_.empty() && pieces_.back().first + pieces_.back().count == first) {
    pieces_.back().count += count;
  } else {
    pieces_.push_back({first, count});
  }
}

void StepRays::find_pieces(const SweepPattern& sweep, const Window& window, Bands bands) {
  pieces_.clear();
  const auto due = [&](float time) { return time > window.after && time <= window.until; };
  for (const SweepPattern::Band& band : sweep.bands) {
    if (band.end <= window.after || band.begin > window.until) continue;
    const std::size_t end = band.first + band.count;
    const bool whole = due(band.begin) && due(band.end);
    if (whole != (bands == Bands::kWhole)) continue;
    if (whole) {
      add_piece(band.first, band.count);
      continue;
    }
    for (std::size_t first = band.first; first < end;) {
      std::size_t last = first;
      while (last < end && due(sweep.time[last])) ++last;
      if (last > first) add_piece(first, last - first);
      first = last + 1;
    }
  }
}

/// One value a ray, by write_piece(first of the sweep, count, where to).
template <typename T, typename Write>
void StepRays::write(std::vector<T>& to, const Write& write_piece) const {
  if (to.size() < count_) to.resize(count_);
  T* at = to.data();
  for (const Piece& piece : pieces_) {
    write_piece(piece.first, piece.count, at);
    at += piece.count;
  }
}

const float* StepRays::collect(const std::vector<float>& from, std::vector<float>& to) const {
  write(to, [&](std::size_t first, std::size_t count, float* at) {
    std::copy_n(from.data() + first, count, at);
  });
  return to.data();
}

void StepRays::gather(const SweepPattern& sweep, const Window& window, Bands bands) {
  find_pieces(sweep, window, bands);
  count_ = 0;
  for (const Piece& piece : pieces_) count_ += piece.count;
  // Of one piece nothing is copied.
  const auto take = [&](const std::vector<float>& from, std::vector<float>& to) {
    return in_one_piece() ? from.data() + first_place() : collect(from, to);
  };
  d_ = {take(sweep.dx, dx_), take(sweep.dy, dy_), take(sweep.dz, dz_)};
  origins_ = !sweep.ox.empty();
  if (origins_) o_ = {take(sweep.ox, ox_), take(sweep.oy, oy_), take(sweep.oz, oz_)};
  near_ = nullptr;
  write(time_, [&](std::size_t first, std::size_t count, float* at) {
    within_step(&sweep.time[first], window.begin, 1 / window.length, count, at);
  });
  if (in_one_piece()) return;
  write(place_, [](std::size_t first, std::size_t count, std::uint32_t* at) {
    std::iota(at, at + count, static_cast<std::uint32_t>(first));
  });
}

void StepRays::gather_near(const std::vector<float>& near, float drift) {
  write(own_near_, [&](std::size_t first, std::size_t count, float* at) {
    move_away(&near[first], drift, count, at);
  });
  near_ = own_near_.data();
}

void StepRays::fill(RayBatch& batch) const {
  batch.dx = d_[0], batch.dy = d_[1], batch.dz = d_[2];
  batch.time = time_.data();
  if (origins_) batch.ox = o_[0], batch.oy = o_[1], batch.oz = o_[2];
  batch.count = count_;
}

}  // namespace protobeam
