#include "publish/joint_trajectory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace protobeam {
namespace {

double seconds(std::int32_t sec, std::uint32_t nanosec) { return sec + 1e-9 * nanosec; }

void check_row(const std::vector<double>& row, std::size_t joints, bool needed, const char* what) {
  if (row.empty() && !needed) return;
  if (row.size() != joints)
    throw std::invalid_argument(
        fmt::format("a point of {} joints has {} {}", joints, row.size(), what));
  if (!std::ranges::all_of(row, [](double number) { return std::isfinite(number); }))
    throw std::invalid_argument(fmt::format("one of the {} of a point is no number", what));
}

}  // namespace

TrajectoryOfJoints::TrajectoryOfJoints(const message::JointTrajectory& wanted, double now,
                                       const std::vector<State>& from) {
  const std::size_t joints = wanted.joint_names.size();
  if (wanted.points.empty()) throw std::invalid_argument("a trajectory has no points");
  const double stamp = seconds(wanted.header.stamp.sec, wanted.header.stamp.nanosec);
  start_ = stamp > 0 ? stamp : now;
  Point& before = points_.emplace_back();
  before.time = now;
  for (const State& state : from) {
    before.positions.push_back(state.position);
    before.velocities.push_back(state.velocity);
  }
  for (const message::JointTrajectoryPoint& one : wanted.points) {
    check_row(one.positions, joints, true, "positions");
    check_row(one.velocities, joints, false, "velocities");
    check_row(one.accelerations, joints, false, "accelerations");
    if (!one.effort.empty()) throw std::invalid_argument("efforts of a trajectory are not taken");
    const double time = start_ + seconds(one.time_from_start.sec, one.time_from_start.nanosec);
    if (points_.size() > 1 && time <= points_.back().time)
      throw std::invalid_argument("the points of a trajectory are not in the order of their times");
    points_.push_back({time, one.positions, one.velocities, one.accelerations});
  }
  if (end() < now) throw std::invalid_argument("a trajectory ends in the past");
}

TrajectoryOfJoints::State TrajectoryOfJoints::at(double time, std::size_t joint) const {
  const Point& last = points_.back();
  if (time >= last.time) return {last.positions[joint], 0};
  // Where the first point is in the past already, it counts rather than where joints came from.
  std::size_t i = points_.size() - 2;
  while (i > 0 && time < points_[i].time) --i;
  const Point &a = points_[i], &b = points_[i + 1];
  const double p = a.positions[joint], d = b.positions[joint] - p;
  const double T = b.time - a.time, t = time - a.time, s = t / T;
  if (a.velocities.empty() || b.velocities.empty()) return {p + s * d, d / T};
  // In s = 0..1, with rates by s.
  const double va = T * a.velocities[joint], vb = T * b.velocities[joint];
  if (a.accelerations.empty() || b.accelerations.empty()) {
    const double c2 = 3 * d - 2 * va - vb, c3 = va + vb - 2 * d;
    return {p + s * (va + s * (c2 + s * c3)), (va + s * (2 * c2 + s * 3 * c3)) / T};
  }
  const double aa = T * T * a.accelerations[joint] / 2, ab = T * T * b.accelerations[joint] / 2;
  const double c3 = 10 * d - 6 * va - 4 * vb - 3 * aa + ab,
               c4 = -15 * d + 8 * va + 7 * vb + 3 * aa - 2 * ab,
               c5 = 6 * d - 3 * (va + vb) - aa + ab;
  return {p + s * (va + s * (aa + s * (c3 + s * (c4 + s * c5)))),
          (va + s * (2 * aa + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / T};
}

}  // namespace protobeam
