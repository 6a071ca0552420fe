#include "raycast/beam_tiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.h"

namespace protobeam {
namespace {

constexpr int kBandSteps = 512, kRowSteps = 1024;
/// A sector spans little more than a quarter turn at most, so that a triangle meets it once.
constexpr float kMostSpan = 1.2f;
constexpr float kWidestSpan = 1.9f;  ///< of a single band

using Interval = AngleTable::Interval;

constexpr Interval kNone{std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};

void extend(Interval& of, float angle) {
  of.low = std::min(of.low, angle);
  of.high = std::max(of.high, angle);
}

struct Angles {
  alignas(64) float bearing[BeamTiles::kTile];
  alignas(64) float climb[BeamTiles::kTile];
  float x, y, z, radius;  ///< of the middle
};

PROTOBEAM_CLONES void find_angles(const float* dx, const float* dy, const float* dz, Angles& to) {
  for (int l = 0; l < BeamTiles::kTile; ++l) to.bearing[l] = bearing_of(dx[l], dy[l]);
  for (int l = 0; l < BeamTiles::kTile; ++l) {
    to.climb[l] = climb_of(std::sqrt(dx[l] * dx[l] + dy[l] * dy[l]), dz[l]);
  }
  float x = 0, y = 0, z = 0;
  for (int l = 0; l < BeamTiles::kTile; ++l) x += dx[l], y += dy[l], z += dz[l];
  const float length = std::sqrt(x * x + y * y + z * z);
  const float scale = length > 0 ? 1 / length : 0;
  x *= scale, y *= scale, z *= scale;
  alignas(64) float square[BeamTiles::kTile];
  for (int l = 0; l < BeamTiles::kTile; ++l) {
    const float ex = dx[l] - x, ey = dy[l] - y, ez = dz[l] - z;
    square[l] = ex * ex + ey * ey + ez * ez;
  }
  float greatest = 0;
  for (int l = 0; l < BeamTiles::kTile; ++l) greatest = square[l] > greatest ? square[l] : greatest;
  to.x = x, to.y = y, to.z = z, to.radius = std::sqrt(greatest) * 1.0001f + 1e-6f;
}

Interval mirrored(const Interval& of) { return {-of.high, -of.low}; }

/// How many bands a sector has, so that all have about as many and two threads have as much to do.
std::size_t even_part(const std::vector<Interval>& band, std::size_t rays) {
  float turn = 0;
  for (std::size_t b = 1; b < band.size(); ++b) {
    turn += std::abs(shorter_turn(band[b].low - band[b - 1].low));
  }
  const std::size_t wanted = std::max((rays - 1) / BeamTiles::kSectorRays,
                                      static_cast<std::size_t>(turn / kMostSpan)) + 1;
  const std::size_t sectors = wanted == 1 ? 1 : (wanted + 1) / 2 * 2;
  return (band.size() + sectors - 1) / sectors;
}

}  // namespace

AngleTable::AngleTable(const Interval* of, std::size_t count, int steps) {
  Interval all = kNone;
  for (std::size_t i = 0; i < count; ++i) {
    extend(all, of[i].low);
    extend(all, of[i].high);
  }
  const float span = std::max(all.high - all.low, 1e-6f);
  // One step below all intervals, one above.
  scale_ = {all.low, (static_cast<float>(steps) - 0.5f) / span, static_cast<float>(steps + 1)};
  const auto size = static_cast<std::size_t>(steps) + 2;
  first_.assign(size, static_cast<std::uint16_t>(count));
  end_.assign(size, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto low = static_cast<std::size_t>(step(of[i].low));
    const auto high = static_cast<std::size_t>(step(of[i].high));
    first_[high] = std::min(first_[high], static_cast<std::uint16_t>(i));
    end_[low] = std::max(end_[low], static_cast<std::uint16_t>(i + 1));
  }
  for (std::size_t k = size - 1; k-- > 0;) first_[k] = std::min(first_[k], first_[k + 1]);
  for (std::size_t k = 1; k < size; ++k) end_[k] = std::max(end_[k], end_[k - 1]);
}

BeamTiles::BeamTiles(const float* dx, const float* dy, const float* dz, std::size_t count, int rows)
    : rows_(rows) {
  const auto band_rays = static_cast<std::size_t>(rows) * kTile;
  if (rows < 1 || band_rays > kSectorRays) return;
  const std::size_t bands = count / band_rays;
  if (bands == 0) return;
  covered_ = bands * band_rays;

  std::vector<Interval> row(static_cast<std::size_t>(rows), kNone);
  std::vector<Interval> band(bands);
  Angles angles;
  for (std::size_t b = 0; b < bands; ++b) {
    const std::size_t first = b * band_rays;
    const float from = bearing_of(dx[first], dy[first]);
    Interval turn{0, 0};
    for (std::size_t r = 0; r < row.size(); ++r) {
      const std::size_t tile = first + r * kTile;
      find_angles(dx + tile, dy + tile, dz + tile, angles);
      for (const float climb : angles.climb) extend(row[r], climb);
      middles_.x.push_back(angles.x), middles_.y.push_back(angles.y);
      middles_.z.push_back(angles.z), middles_.radius.push_back(angles.radius);
      for (const float bearing : angles.bearing) extend(turn, shorter_turn(bearing - from));
    }
    band[b] = {from + turn.low, from + turn.high};
  }
  float steepest = 0;
  for (const Interval& of : row) steepest = std::max({steepest, -of.low, of.high});
  const float tangent = steepest / std::max(1 - steepest, 1e-6f);
  bearings_per_angle_ = std::sqrt(1 + tangent * tangent);
  for (int i = 0; i < kTile; ++i) {  // room for a vector
    for (auto* of : {&middles_.x, &middles_.y, &middles_.z, &middles_.radius}) of->push_back(0);
  }
  climb_sense_ = row.back().low < row.front().low ? -1.0f : 1.0f;
  if (climb_sense_ < 0) std::transform(row.begin(), row.end(), row.begin(), mirrored);
  row_table_ = AngleTable(row.data(), row.size(), kRowSteps);
  Interval all = kNone;
  for (const Interval& of : row) extend(all, of.low), extend(all, of.high);
  row_step_ = (all.high - all.low) / static_cast<float>(rows);

  const std::size_t middle = bands / 2;
  if (middle > 0 && shorter_turn(band[middle].low - band[middle - 1].low) < 0) bearing_sense_ = -1;
  const std::size_t most = std::min(kSectorRays / band_rays, even_part(band, covered_));
  std::vector<Interval> part;
  for (std::size_t b = 0; b < bands;) {
    const float from = band[b].low;
    part.clear();
    Interval all{0, 0};
    for (; b < bands && part.size() < most; ++b) {
      const float low = shorter_turn(band[b].low - from);
      const Interval here{low, low + (band[b].high - band[b].low)};
      Interval with = all;
      extend(with, here.low);
      extend(with, here.high);
      if (!part.empty() && with.high - with.low > kMostSpan) break;
      all = with;
      part.push_back(bearing_sense_ < 0 ? mirrored(here) : here);
    }
    if (all.high - all.low > kWidestSpan) {  // a strange pattern
      covered_ = 0;
      sectors_.clear();
      return;
    }
    Sector sector;
    sector.first_ray = (b - part.size()) * band_rays;
    sector.bands = static_cast<int>(part.size());
    // Counted from the side where they begin.
    const float begin = bearing_sense_ < 0 ? -all.high : all.low;
    sector.bearing = from + bearing_sense_ * begin;
    for (Interval& of : part) of = {of.low - begin, of.high - begin};
    sector.table = AngleTable(part.data(), part.size(), kBandSteps);
    sectors_.push_back(std::move(sector));
  }
}

void BeamTiles::set_origins(const float* const origin[3], const float* const direction[3]) {
  Lines& to = lines_;
  double parallax = 0, reach = 0;
  for (auto* values : {&to.mx, &to.my, &to.mz}) values->reserve(covered_);
  for (std::size_t i = 0; i < covered_; ++i) {
    const Vec3 o(origin[0][i], origin[1][i], origin[2][i]);
    const Vec3 d(direction[0][i], direction[1][i], direction[2][i]);
    const Vec3 m = o.cross(d);
    to.mx.push_back(static_cast<float>(m.x()));
    to.my.push_back(static_cast<float>(m.y()));
    to.mz.push_back(static_cast<float>(m.z()));
    parallax = std::max(parallax, m.norm() / d.norm());
    reach = std::max(reach, o.norm());
  }
  to.deviation.parallax = static_cast<float>(parallax * 1.0001 + 1e-6);
  to.deviation.reach = static_cast<float>(reach * 1.0001 + 1e-6);
}

std::vector<BeamTiles::Part> BeamTiles::parts(std::size_t first, std::size_t end,
                                              std::size_t least) const {
  std::vector<Part> all;
  for (std::size_t i = 0; i < sectors_.size(); ++i) {
    const std::size_t begins = sectors_[i].first_ray;
    const std::size_t bands = static_cast<std::size_t>(sectors_[i].bands);
    const std::size_t low = first > begins ? (first - begins) / band_rays() : 0;
    const std::size_t high = end > begins ? std::min((end - begins) / band_rays(), bands) : 0;
    if (low < high) all.push_back({i, static_cast<int>(low), static_cast<int>(high)});
  }
  if (all.empty() || all.size() >= least) return all;
  std::vector<Part> cut;
  const auto pieces = static_cast<int>((least + all.size() - 1) / all.size());
  for (const Part& part : all) {
    const int bands = part.end_band - part.first_band, count = std::min(pieces, bands);
    for (int piece = 0; piece < count; ++piece) {
      cut.push_back({part.sector, part.first_band + bands * piece / count,
                     part.first_band + bands * (piece + 1) / count});
    }
  }
  return cut;
}

}  // namespace protobeam
