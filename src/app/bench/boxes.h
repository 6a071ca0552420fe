// Boxes that fall into a pen and tumble over each other, or lie on a floor, for measurements.
#pragma once

#include <string>
#include <vector>

#include "base/math.h"

namespace protobeam::bench {

struct BenchBox {
  Vec3 size, p_W;
  Quat R_WB = Quat::Identity();
  Vec3 v_W = Vec3::Zero(), w_W = Vec3::Zero();
  double mass = 0;  ///< kg; 0: it does not move
};

/// `count` boxes of 0.2 to 0.4 m in layers above the floor of a pen, each turning in its own way, and
/// the five boxes that the pen is made of.
std::vector<BenchBox> tumbling_boxes(int count);

/// `count` boxes of 0.3 m on a floor, 1 m from each other, and the floor.
std::vector<BenchBox> resting_boxes(int count);

/// Such boxes as a world with a step of 10 ms.
std::string boxes_world(const std::vector<BenchBox>& boxes);

}  // namespace protobeam::bench
