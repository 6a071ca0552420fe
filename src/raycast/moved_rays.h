// Rays of a sensor that moves within the step, seen from where it is at a moment of theirs.
//
// Neighbouring bands of tiles are cast within a short time, in which a sensor moves by centimetres
// and turns by fractions of a degree. From the middle of that time their rays are lines that pass
// the sensor closely and point nearly where its tiles say, so that triangles can be drawn over
// them.
#pragma once

#include <cstddef>
#include <vector>

#include "raycast/beam_tiles.h"
#include "raycast/trace.h"

namespace protobeam {

/// Bands that are cast within a short time: the work of one thread.
struct BandsInMotion {
  BeamTiles::Part bands;
  double middle;  ///< of their times, fraction of the step from its end, -1..0
  double half;    ///< no time is farther from it
};

/// Cuts parts of the batch's tiles, whose rays have times. Where to depends on the batch alone.
std::vector<BandsInMotion> bands_in_motion(const TraceJob& job,
                                           const std::vector<BeamTiles::Part>& parts);

/// BeamRays::blur, in the mean; a cluster before several pieces counts in each.
float blur_of(const TraceJob& job, const std::vector<BandsInMotion>& pieces);

/// Memory of one thread.
struct MovedRays {
  std::vector<float> values;
};
/// The rays of bands in the frame that S has in the middle of their times; their arrays are not
/// filled yet.
BeamRays rays_at_middle(const TraceJob& job, const BandsInMotion& of, MovedRays& memory);
/// Fills them.
void fill(const TraceJob& job, const BeamRays& rays, MovedRays& memory);

}  // namespace protobeam
