// Nearest hits without a tree: the triangles of the scene are drawn over the rays of a sensor.
//
// Clusters of triangles go through the sectors of the sensor's BeamTiles from near to far. A
// cluster behind what its tiles have hit already is left out. Tiles before which there are curved
// shapes are marked, for Embree to look at these alone.
#pragma once

#include <cstdint>
#include <vector>

#include "raycast/beam_raster.h"
#include "raycast/trace.h"

namespace protobeam {

/// Ranges nearer than this share above the nearest that counts may, exactly, be nearer than it.
inline constexpr float kNearDoubt = 1e-3f;

/// What was found for the rays of a part of the tiles; memory of one thread.
struct BeamFinds {
  std::vector<float> inverse;        ///< 1/m
  std::vector<std::uint32_t> facet;  ///< kNoFacet: nothing
  std::vector<std::uint8_t> curved;  ///< by tile: 1 where Embree has to look for curved shapes

  struct Entry {
    float nearest;
    std::uint32_t seen;
    TileWindow window;
  };
  std::vector<Entry> entries;
  std::vector<float> tile_inverse;  ///< by tile, of the farthest
};

class BeamCaster {
 public:
  /// A cluster of an instance that may be in view, or, without one, a curved shape.
  struct Seen {
    std::uint32_t instance, pose;
    const TriangleCluster* cluster;
    float nearest = 0;  ///< m
    float bearing = 0, bearing_half = 0;
    int first_row = 0, end_row = 0;
  };

  /// Looks through the instances for a cast whose rays share their origin; job.batch->tiles is not
  /// null. False: there is more to draw than to trace, and Embree is faster.
  bool prepare(const TraceJob& job, std::size_t instances,
               const std::vector<BeamTiles::Part>& parts);
  /// Finds the hits of a part of the batch's tiles. Several threads may do so.
  void find(const TraceJob& job, const BeamTiles::Part& part, BeamFinds& finds) const;

  const Seen& seen(std::uint32_t facet) const { return seen_[facet >> kClusterBits]; }
  static unsigned triangle(std::uint32_t facet) { return facet & ((1u << kClusterBits) - 1); }

 private:
  static constexpr std::uint32_t kClusterBits = 6;
  static_assert(TriangleCluster::kMost == 1 << kClusterBits);

  std::vector<Seen> seen_;
  std::vector<RasterPose> poses_;
  std::size_t triangles_ = 0;  ///< in seen_
};

}  // namespace protobeam
