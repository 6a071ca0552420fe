// Which of many balls around shapes are in view of a cast, and where its rays point to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "raycast/beam_raster.h"
#include "raycast/trace.h"

namespace protobeam {

/// Where rays have to point to meet what a ball surrounds.
struct Sight {
  float nearest;   ///< m; no point is nearer than that to where any ray begins
  float steepest;  ///< greatest climb, upward or downward; 2: not known
  float bearing, bearing_half;
  int first_row, end_row;
};

/// The sights of N balls, and between which steps of the rows' table they lie.
template <int N>
struct BallSights {
  alignas(64) float nearest[N];
  alignas(64) float steepest[N];
  alignas(64) float bearing[N];
  alignas(64) float bearing_half[N];
  alignas(64) int low_step[N];
  alignas(64) int high_step[N];

  /// Of ball l; false: no ray points there.
  bool get(const BeamTiles& tiles, int l, Sight& to) const {
    to = {nearest[l],
          steepest[l],
          bearing[l],
          bearing_half[l],
          tiles.row_table().first()[low_step[l]],
          tiles.row_table().end()[high_step[l]]};
    return to.first_row < to.end_row;
  }
};
using GroupSights = BallSights<TriangleCluster::kGroups>;
/// Of the groups of a cluster.
void look_at_groups(const RasterPose& pose, const TriangleCluster& of, const BeamTiles& tiles,
                    const Deviation& rays, GroupSights& to);

/// The tiles of a part that what is in sight may touch; bands are counted from its first.
TileWindow window_of(const BeamTiles& tiles, const BeamTiles::Part& part, const Sight& sight);

/// The bearings that rays have, and somewhat more.
struct BearingSpan {
  float bearing, half;
};
BearingSpan span_of(const BeamTiles& tiles, const BeamTiles::Part& part);
/// A bit for each of 16 sights that may touch the span, by bearing and half of it.
std::uint32_t meets(const BearingSpan& span, const float* bearing, const float* half);
inline constexpr float kNoBearing = -9;  ///< half of a sight that touches none

/// Looks at sixteen balls at a time.
class Lookout {
 public:
  static constexpr int kBalls = BeamTiles::kTile;

  /// Rays and parts have to outlive it; of the job, t_far and least_near are used.
  Lookout(const TraceJob& job, const BeamRays& rays, std::span<const BeamTiles::Part> parts);

  /// A bit for each ball from `first` on that may be in view: in_view() tells.
  std::uint32_t look_at(const RasterPose& pose, const ClusterBalls& balls, std::size_t first);
  /// The balls are in the rays' frame.
  std::uint32_t look_at(const float* x, const float* y, const float* z, const float* radius);
  /// Whether ball l of those that were looked at last is in view, and where it is then.
  bool in_view(int l, Sight& sight) const;
  /// Of the balls with a bit, those that are.
  std::uint32_t in_view(std::uint32_t balls) const;
  /// Half of the bearings that the cast's rays have; 2: all.
  float half_bearings() const { return half_; }

  /// What all of the cast's rays point to, and somewhat more.
  struct Bounds {
    float least_near, t_far;  ///< m
    BearingSpan bearings;
    float low_climb, high_climb;  ///< times the tiles' climb_sense()
  };

 private:
  const BeamRays& rays_;
  const BeamTiles& tiles_;
  std::span<const BeamTiles::Part> parts_;
  const bool all_parts_;
  float half_ = 0;
  Bounds bounds_;
  BallSights<kBalls> sights_;
};

}  // namespace protobeam
