// The absolute trajectory error: how far an estimated trajectory is from the true one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/math.h"
#include "sweep/description.h"

namespace protobeam::sweep {

struct Sighting {
  double time;  ///< s
  Vec3 position;
};

/// Lines of a file in the format of the TUM RGB-D benchmark: time x y z qx qy qz qw; # begins a
/// comment. Throws std::runtime_error with file and line.
std::vector<Sighting> read_tum(const std::filesystem::path& file);

/// Root of the mean squared distance (m) between poses of the same time, after the estimate was put
/// onto the truth as well as it can be. Each pose of the estimate belongs to the nearest true one
/// in time, unless they are further apart than `time_difference`. Throws std::runtime_error when
/// there are fewer than three pairs.
///
/// S. Umeyama, "Least-squares estimation of transformation parameters between two point patterns",
/// PAMI 1991; J. Sturm et al., "A benchmark for the evaluation of RGB-D SLAM systems", IROS 2012.
double absolute_trajectory_error(const std::vector<Sighting>& estimate,
                                 const std::vector<Sighting>& truth, Metric::Alignment alignment,
                                 double time_difference);

}  // namespace protobeam::sweep
