// Poses as lines of text, in the two formats that trajectories are usually compared in.
#pragma once

#include <string>

#include "base/math.h"
#include "output/numbers.h"

namespace protobeam {

/// The format of the TUM RGB-D benchmark: "time x y z qx qy qz qw", s and m, shortest numbers.
inline void append_tum(std::string& text, double time, const Pose& X) {
  append_number(text, time);
  for (const double value : {X.p.x(), X.p.y(), X.p.z(), X.R.x(), X.R.y(), X.R.z(), X.R.w()}) {
    text += ' ';
    append_number(text, value);
  }
  text += '\n';
}

/// KITTI odometry's: the upper three rows of the 4 x 4 matrix, row by row.
inline void append_kitti(std::string& text, const Pose& X) {
  const Mat3 R = X.R.toRotationMatrix();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      if (row + column > 0) text += ' ';
      append_number(text, column < 3 ? R(row, column) : X.p[row]);
    }
  }
  text += '\n';
}

}  // namespace protobeam
