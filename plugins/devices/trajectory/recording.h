// Files of recorded trajectories.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "curve.h"

namespace protobeam {

struct Recording {
  double start = 0;  ///< time stamp of the curve's first moment, s
  std::shared_ptr<const Curve> curve;
};

/// `format` is one of
///
///   "tum"         rows of t x y z qx qy qz qw, with spaces between; lines with # are comments
///   "mcd_pose"    a row num,t,x,y,z,qx,qy,qz,qw, then rows of that; commas or tabs
///   "mcd_spline"  a row Dt: 0.025, Order: 6, Knots: N, MinTime: t0, MaxTime: t1, then N rows of
///                 idx,t,x,y,z,qx,qy,qz,qw
///   "auto"        the one whose first row the file has
///
/// Throws std::invalid_argument: "gt.csv:17: ...".
Recording read_recording(const std::filesystem::path& file, const std::string& format);

}  // namespace protobeam
