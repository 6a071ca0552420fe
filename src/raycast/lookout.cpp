#include "raycast/lookout.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/clones.h"

namespace protobeam {
namespace {

constexpr float kAllRound = 4;
constexpr RasterPose kSame{{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

/// Upper bound of the angle asin(x).
PROTOBEAM_INLINE float angle_of_sine(float x) {
  const float cosine = std::sqrt(x < 0.99f ? 1 - x * x : 1);
  return x < 0.99f ? x / cosine : kAllRound;
}

/// Upper bound of the angle between where a ray points and what it hits, whose distance is 1 /
/// `share` of the parallax or more.
PROTOBEAM_INLINE float wide_angle(float share) {
  return share < 0.25f ? 1.1f * share : share < 1 ? 1.6f * share : kAllRound;
}
/// Where such angles are no smaller, times bearings_per_angle(), rays may have any bearing.
constexpr float kAnyBearing = 0.25f;

/// Directions to the points of N balls.
template <int N>
struct BallViews {
  alignas(64) float nearest[N];
  alignas(64) float farthest[N];
  alignas(64) float bearing[N];
  alignas(64) float bearing_half[N];
  alignas(64) float climb[N];
  alignas(64) float climb_half[N];
};

template <int N>
PROTOBEAM_INLINE void look(const RasterPose& from, const float* x, const float* y, const float* z,
                           const float* radius, BallViews<N>& __restrict to) {
  const RasterPose pose = from;
  const float *R = pose.R, *p = pose.p;
  PROTOBEAM_LANES
  for (int l = 0; l < N; ++l) {
    const float sx = R[0] * x[l] + R[1] * y[l] + R[2] * z[l] + p[0];
    const float sy = R[3] * x[l] + R[4] * y[l] + R[5] * z[l] + p[1];
    const float sz = R[6] * x[l] + R[7] * y[l] + R[8] * z[l] + p[2];
    const float square = sx * sx + sy * sy, across = std::sqrt(square);
    const float distance = std::sqrt(square + sz * sz);
    const float wide = radius[l] + 1e-5f * distance;
    to.nearest[l] = distance - wide;
    to.farthest[l] = distance + wide;
    to.bearing[l] = bearing_of(sx, sy);
    to.bearing_half[l] = angle_of_sine(wide < across ? wide / across : 1);
    to.climb[l] = climb_of(across, sz);
    to.climb_half[l] = angle_of_sine(wide < distance ? wide / distance : 1);
  }
}

/// What of the tiles and their rays it takes to find sights.
struct Rows {
  AngleTable::Scale scale;
  float climb_sense, bearings_per_angle;
  Deviation deviation;
};
Rows rows_of(const BeamTiles& tiles, const Deviation& rays) {
  return {tiles.row_table().scale(), tiles.climb_sense(), tiles.bearings_per_angle(), rays};
}

template <int N>
PROTOBEAM_INLINE void find_sights(const Rows& of, const BallViews<N>& views,
                                  BallSights<N>& __restrict to) {
  const Rows rows = of;
  PROTOBEAM_LANES
  for (int l = 0; l < N; ++l) {
    const float nearest = views.nearest[l] - rows.deviation.reach;
    const float parallax = rows.deviation.parallax;
    const float away = nearest > 0 ? nearest : 1;
    const float share = parallax == 0 ? 0 : nearest > 0 ? parallax / away : 1;
    const float wide = wide_angle(share) + rows.deviation.turn;
    const bool aside = (share + rows.deviation.turn) * rows.bearings_per_angle >= kAnyBearing;
    const float climb = views.climb[l], climb_half = views.climb_half[l];
    to.nearest[l] = nearest;
    to.steepest[l] = aside ? 2 : (climb < 0 ? -climb : climb) + climb_half;
    to.bearing[l] = views.bearing[l];
    to.bearing_half[l] =
        aside ? kAllRound : (views.bearing_half[l] + 2 * wide) * rows.bearings_per_angle;
    const float along = rows.climb_sense * climb, half = climb_half + wide;
    to.low_step[l] = AngleTable::step(rows.scale, along - half);
    to.high_step[l] = AngleTable::step(rows.scale, along + half);
  }
}

/// How far from the span a sight is.
PROTOBEAM_INLINE float beside(const BearingSpan& span, float bearing, float half) {
  const float turn = shorter_turn(bearing - span.bearing);
  return (turn < 0 ? -turn : turn) - span.half - half;
}

/// A bit for each ball that the bounds do not exclude, by the same bounds of angles as
/// find_sights().
PROTOBEAM_CLONES std::uint32_t look_at_many(const RasterPose& pose, const float* x, const float* y,
                                            const float* z, const float* radius, const Rows& rows,
                                            const Lookout::Bounds& bounds,
                                            BallSights<Lookout::kBalls>& to) {
  BallViews<Lookout::kBalls> views;
  look(pose, x, y, z, radius, views);
  const Lookout::Bounds b = bounds;
  const Deviation deviation = rows.deviation;
  const float climb_sense = rows.climb_sense, bearings_per_angle = rows.bearings_per_angle;
  std::uint32_t balls = 0;
  PROTOBEAM_LANES
  for (int l = 0; l < Lookout::kBalls; ++l) {
    const float nearest = views.nearest[l] - deviation.reach;
    const float share = deviation.parallax / std::max(nearest, 1e-6f);
    // Nearer ones may be anywhere.
    const float turned = share + deviation.turn;
    const float wide = turned * bearings_per_angle < kAnyBearing ? 1.1f * turned : kAllRound;
    const float aside = beside(b.bearings, views.bearing[l],
                               (views.bearing_half[l] + 2 * wide) * bearings_per_angle);
    const float climb = climb_sense * views.climb[l], half = views.climb_half[l] + wide;
    const float outside = std::max(b.low_climb - half - climb, climb - half - b.high_climb);
    const float away =
        std::max(nearest - b.t_far, b.least_near - views.farthest[l] - deviation.reach);
    const float excluded = std::max(std::max(aside, outside), away);
    const std::uint32_t is = radius[l] < 0 ? 0 : kLaneBit[l];  // else numbers may be none
    balls |= excluded > 0 ? 0 : is;
  }
  if (balls != 0) find_sights(rows, views, to);
  return balls;
}

/// The same bearing, 0 to 4.
float within_turn(float bearing) { return bearing - 4 * std::floor(bearing / 4); }

/// From a step of the table back to where it begins.
float angle_of(const AngleTable::Scale& scale, float step) {
  return scale.base + (step - 1) / scale.per_angle;
}

}  // namespace

PROTOBEAM_CLONES void look_at_groups(const RasterPose& pose, const TriangleCluster& of,
                                     const BeamTiles& tiles, const Deviation& rays,
                                     GroupSights& to) {
  BallViews<TriangleCluster::kGroups> views;
  look(pose, of.ball_x, of.ball_y, of.ball_z, of.ball_radius, views);
  find_sights(rows_of(tiles, rays), views, to);
}

/// The tiles of a part that what is in sight may touch; bands are counted from its first.
TileWindow window_of(const BeamTiles& tiles, const BeamTiles::Part& part, const Sight& sight) {
  TileWindow window{0, part.end_band - part.first_band, sight.first_row, sight.end_row};
  const float bearing = sight.bearing, half = sight.bearing_half;
  if (half >= 2) return window;
  const BeamTiles::Sector& sector = tiles.sectors()[part.sector];
  const float at = shorter_turn(tiles.bearing_sense() * (bearing - sector.bearing));
  float low = at - half, high = at + half;
  if (low < -2) low += 4, high += 4;
  // Half a turn and more may come round from the other side.
  if (high >= 4) return window;
  const AngleTable& table = sector.table;
  const int first_band = table.first()[table.step(low)], end_band = table.end()[table.step(high)];
  window.first_band = std::max(first_band - part.first_band, 0);
  window.end_band = std::min(end_band, part.end_band) - part.first_band;
  return window;
}

BearingSpan span_of(const BeamTiles& tiles, const BeamTiles::Part& part) {
  const BeamTiles::Sector& sector = tiles.sectors()[part.sector];
  const AngleTable& table = sector.table;
  // What ends before step `first` or begins at step `end` touches no band of the part. Both tables
  // ascend.
  const int last = static_cast<int>(table.scale().last);
  const auto first =
      std::partition_point(table.end(), table.end() + last,
                           [&](int end_band) { return end_band <= part.first_band; }) -
      table.end();
  const auto end =
      std::partition_point(table.first() + first + 1, table.first() + last + 1,
                           [&](int first_band) { return first_band < part.end_band; }) -
      table.first();
  const float low = angle_of(table.scale(), static_cast<float>(first - 1));
  const float high = angle_of(table.scale(), static_cast<float>(end + 1));
  return {within_turn(sector.bearing + tiles.bearing_sense() * (low + high) / 2), (high - low) / 2};
}

PROTOBEAM_CLONES std::uint32_t meets(const BearingSpan& span, const float* bearing,
                                     const float* half) {
  const BearingSpan s = span;
  std::uint32_t sights = 0;
  PROTOBEAM_LANES
  for (int l = 0; l < Lookout::kBalls; ++l) {
    sights |= beside(s, bearing[l], half[l]) > 0 ? 0 : kLaneBit[l];
  }
  return sights;
}

Lookout::Lookout(const TraceJob& job, const BeamRays& rays, std::span<const BeamTiles::Part> parts)
    : rays_(rays), tiles_(*rays.tiles), parts_(parts), all_parts_(rays.count >= tiles_.covered()) {
  const AngleTable::Scale& rows = tiles_.row_table().scale();
  bounds_.least_near = job.least_near;
  bounds_.t_far = job.batch->t_far;
  bounds_.low_climb = angle_of(rows, -1);
  bounds_.high_climb = angle_of(rows, rows.last + 1);
  bounds_.bearings = {0, kAllRound};
  if (parts.empty()) return;
  const float from = tiles_.sectors()[parts.front().sector].bearing;
  float low = 0, high = 0;
  for (const BeamTiles::Part& part : parts) {
    const BearingSpan span = span_of(tiles_, part);
    const float turn = shorter_turn(span.bearing - from);
    low = std::min(low, turn - span.half);
    high = std::max(high, turn + span.half);
    half_ += span.half;
  }
  half_ = std::min(half_, 2.0f);
  if (high - low >= 4) return;
  bounds_.bearings = {within_turn(from + (low + high) / 2), (high - low) / 2};
}

std::uint32_t Lookout::look_at(const RasterPose& pose, const ClusterBalls& balls,
                               std::size_t first) {
  return look_at_many(pose, &balls.x[first], &balls.y[first], &balls.z[first], &balls.radius[first],
                      rows_of(tiles_, rays_.deviation), bounds_, sights_);
}

std::uint32_t Lookout::look_at(const float* x, const float* y, const float* z,
                               const float* radius) {
  return look_at_many(kSame, x, y, z, radius, rows_of(tiles_, rays_.deviation), bounds_, sights_);
}

bool Lookout::in_view(int l, Sight& sight) const {
  if (!sights_.get(tiles_, l, sight)) return false;
  const auto touches = [&](const BeamTiles::Part& part) {
    return !window_of(tiles_, part, sight).empty();
  };
  return all_parts_ || std::any_of(parts_.begin(), parts_.end(), touches);
}

std::uint32_t Lookout::in_view(std::uint32_t balls) const {
  Sight ignored;
  std::uint32_t seen = 0;
  for (; balls != 0; balls &= balls - 1) {
    const int l = std::countr_zero(balls);
    seen |= in_view(l, ignored) ? kLaneBit[l] : 0;
  }
  return seen;
}

}  // namespace protobeam
