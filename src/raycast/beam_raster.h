// The innermost loops of the beam caster: which rays of a sector a cluster's triangles cover.
//
// A triangle seen from the sensor is three planes through it, one for each edge, and the rays
// between them hit it: no ray is followed, and what is done once for a triangle is not done for
// each ray. Depth is kept as its inverse, which is linear in the direction: the greatest wins. A
// ray that passes the sensor at a small distance has a moment, which tells on which side of an edge
// it goes by; where it points and where it hits are a little apart then, and windows are so much
// wider.
#pragma once

#include <cstdint>

#include "raycast/beam_tiles.h"
#include "raycast/triangle_clusters.h"

namespace protobeam {

/// From a group's coordinates G to the rays' frame, rounded to float.
struct RasterPose {
  float R[9];  ///< row by row
  float p[3];
};

/// The rays of a sector, tile by tile, and the nearest hit of each so far.
struct RasterRays {
  const float *dx, *dy, *dz;
  /// Of rays with origins of their own, or null; and the moments of their lines.
  const float *ox = nullptr, *oy = nullptr, *oz = nullptr;
  const float *mx = nullptr, *my = nullptr, *mz = nullptr;
  Deviation deviation;
  float* inverse;        ///< 1/m, at first that of the greatest range
  std::uint32_t* facet;  ///< number of the triangle, kNoFacet at first
  float* tile_inverse;   ///< by tile: of the farthest; room for 16 more
  /// 1/m, of the smallest range that counts: of the rays, or of 16 of which each is that of all.
  /// What is exact enough for it, small triangles, has a closer one.
  const float *most, *most_of_exact;
  bool own_most;
  float begin;  ///< m; no hit of any ray counts that is nearer

  int rows;
  const BeamTiles* tiles;
  const BeamTiles::Sector* sector;
  int first_band, end_band;  ///< of the sector; arrays begin with the first of them
  std::size_t first_tile;    ///< in the tiles
};
inline constexpr std::uint32_t kNoFacet = 0xffffffffu;

/// How the 16 triangles of a group look from S's origin.
struct GroupLook {
  float nearest;  ///< m; no point is nearer than that and the reach of the rays
  /// Sides that are no longer, m, climb above both of their ends, or sink below, by no more than
  /// `bulge` times their length's square. 0: that is not known.
  float short_side;
  float bulge;  ///< 1/m^2
};
/// Looks at the rays that may hit triangles of the group that begins with the cluster's triangle
/// `first`. The cluster's facets are numbered from `first_facet`.
void raster_group(const TriangleCluster& cluster, int first, const RasterPose& pose,
                  const GroupLook& look, std::uint32_t first_facet, const RasterRays& rays);

/// The bands and rows that something within an interval of angles may touch; ends are exclusive.
struct TileWindow {
  int first_band, end_band, first_row, end_row;
  bool empty() const { return first_band >= end_band || first_row >= end_row; }
};

}  // namespace protobeam
