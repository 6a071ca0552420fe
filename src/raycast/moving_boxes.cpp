#include "raycast/moving_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "raycast/moving_instances.h"
#include "raycast/value_range.h"

namespace protobeam {
namespace {

/// An instance whose middle is farther away is one box; in its radii.
constexpr double kFar = 2;

constexpr double kBeside = 0.1;  ///< m, from the bounds of a body

/// What vectors of some rays lie between, axis by axis.
struct VectorRange {
  float low[3], high[3];
  float longest;  ///< of a vector between them
};

void find_ranges(const std::array<const float*, 3>& of, std::size_t first, std::size_t count,
                 VectorRange& to) {
  float square = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    find_range(of[axis] + first, count, to.low[axis], to.high[axis]);
    const float most = std::max(std::abs(to.low[axis]), std::abs(to.high[axis]));
    square += most * most;
  }
  to.longest = std::sqrt(square);
}

PROTOBEAM_INLINE float greater_of(float a, float b) { return a > b ? a : b; }
PROTOBEAM_INLINE float lesser_of(float a, float b) { return a < b ? a : b; }

/// Whether a * d_b - b * d_a may be within +-`most` of 0.
PROTOBEAM_INLINE bool may_be_near(float a, float b, const VectorRange& d, int axis_a, int axis_b,
                                  float most) {
  const float first_low = a * d.low[axis_b], first_high = a * d.high[axis_b];
  const float second_low = b * d.low[axis_a], second_high = b * d.high[axis_a];
  const float least = lesser_of(first_low, first_high) - greater_of(second_low, second_high);
  const float greatest = greater_of(first_low, first_high) - lesser_of(second_low, second_high);
  return (least <= most) & (greatest >= -most);
}

/// 1 for each ball that rays with such directions, from within `aside` of the origin, may meet.
PROTOBEAM_CLONES void meet_balls(const float* x, const float* y, const float* z,
                                 const float* radius, std::size_t count, const VectorRange& d,
                                 float aside, std::uint8_t* meets) {
  for (std::size_t i = 0; i < count; ++i) {
    // How far a ray passes the centre is the length of its cross product with a unit direction.
    const float most = (radius[i] + aside) * d.longest * 1.0001f + 1e-4f;
    const float along = greater_of(x[i] * d.low[0], x[i] * d.high[0]) +
                        greater_of(y[i] * d.low[1], y[i] * d.high[1]) +
                        greater_of(z[i] * d.low[2], z[i] * d.high[2]);
    meets[i] = may_be_near(x[i], y[i], d, 0, 1, most) & may_be_near(y[i], z[i], d, 1, 2, most) &
               may_be_near(z[i], x[i], d, 2, 0, most) & (along >= -most);
  }
}

}  // namespace

bool MovingBoxes::pay(const TraceJob& job) {
  const MovingInstances& moving = *job.moving_bodies;
  const Vec3 &after = job.p_LS, before = after - job.sensor.translation_W;
  const Vec3 low = after.cwiseMin(before).array() - kBeside,
             high = after.cwiseMax(before).array() + kBeside;
  for (unsigned i = 0; i < moving.count(); ++i) {
    const RTCBounds& b = moving.bounds(i);
    if (b.lower_x <= high.x() && b.lower_y <= high.y() && b.lower_z <= high.z() &&
        b.upper_x >= low.x() && b.upper_y >= low.y() && b.upper_z >= low.z()) {
      return true;
    }
  }
  return false;
}

void MovingBoxes::look(const TraceJob& job) {
  const MovingInstances& moving = *job.moving_bodies;
  const StepMotion& sensor = job.sensor;
  groups_.clear();
  boxes_.clear();
  for (auto* floats : {&x_, &y_, &z_, &radius_}) floats->clear();
  // All as it is in the middle of the step, which nothing is farther from than half of it.
  constexpr double kMiddle = -0.5;
  Mat3 R_WS;
  for (int k = 0; k < 3; ++k) {
    R_WS.col(k) = job.R_WS * rotated(sensor.rotation, kMiddle, Vec3::Unit(k));
  }
  const Vec3 p_WS = job.p_WS + kMiddle * sensor.translation_W;
  for (std::size_t i = 0; i < moving.count(); ++i) {
    const InstanceRecord& record = job.instances[moving.instance(static_cast<unsigned>(i))];
    const ShapeGroup& group = *record.group;
    const GroupMotion& motion = record.motion;
    const Vec3 translation_W = record.R_WB * motion.translation_B;
    Mat3 R_WB;
    for (int k = 0; k < 3; ++k) {
      R_WB.col(k) = record.R_WB * rotated(motion.rotation, kMiddle, Vec3::Unit(k));
    }
    const Vec3 p_WB = record.X_WB.p + kMiddle * translation_W;
    const Vec3 p_SG = R_WS.transpose() * (p_WB + R_WB * group.center() - p_WS);
    const Mat3 R_GS = R_WB.transpose() * R_WS;
    // How far its points move in half of the step: from the sensor's place, and as that turns.
    const double farthest = p_SG.norm() + group.half().norm();
    const double drift = 0.5 * ((translation_W - sensor.translation_W).norm() +
                                motion.rotation.angle * group.reach());
    const double turn = 0.5 * sensor.rotation.angle * (farthest + drift);
    // Floats are rounded, and so are the bounds of bodies.
    const double margin = drift + turn + 1e-3 + 1e-5 * farthest;
    SensorInGroup seen{{}, {}, boxes_.size(), 0};
    const Vec3 p_GS = -(R_GS * p_SG);
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) seen.R_GS[3 * k + j] = static_cast<float>(R_GS(k, j));
      seen.p_GS[k] = static_cast<float>(p_GS[k]);
    }
    const auto add = [&](const Vec3& center, const Vec3& shape_half) {
      const Vec3 half = shape_half + Vec3::Constant(margin);
      MovingBox& box = boxes_.emplace_back();
      for (int k = 0; k < 3; ++k) {
        box.low[k] = static_cast<float>(center[k] - half[k]);
        box.high[k] = static_cast<float>(center[k] + half[k]);
      }
      const Vec3 p_S = p_SG + R_GS.transpose() * center;
      x_.push_back(static_cast<float>(p_S.x()));
      y_.push_back(static_cast<float>(p_S.y()));
      z_.push_back(static_cast<float>(p_S.z()));
      radius_.push_back(static_cast<float>(half.norm()));
    };
    // Of what is far it matters little where in its box it is.
    if (p_SG.norm() > kFar * group.half().norm()) {
      add(Vec3::Zero(), group.half());
    } else {
      for (const ShapeGroup::Box& box : group.boxes()) add(box.center, box.half);
    }
    seen.end = boxes_.size();
    groups_.push_back(seen);
  }
}

void MovingBoxes::find_near(const RayBatch& batch, std::size_t first, std::size_t count,
                            NearBoxes& near) const {
  near.groups.clear();
  near.boxes.clear();
  VectorRange d, origins{};
  find_ranges({batch.dx, batch.dy, batch.dz}, first, count, d);
  if (batch.ox) find_ranges({batch.ox, batch.oy, batch.oz}, first, count, origins);
  near.aside = origins.longest;
  near.meets.resize(boxes_.size());
  meet_balls(x_.data(), y_.data(), z_.data(), radius_.data(), boxes_.size(), d, near.aside,
             near.meets.data());
  for (const SensorInGroup& group : groups_) {
    SensorInGroup some = group;
    some.first = near.boxes.size();
    for (std::size_t i = group.first; i < group.end; ++i) {
      if (near.meets[i] != 0) near.boxes.push_back(boxes_[i]);
    }
    some.end = near.boxes.size();
    if (some.end > some.first) near.groups.push_back(some);
  }
}

}  // namespace protobeam
