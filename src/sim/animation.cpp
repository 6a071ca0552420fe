#include "sim/animation.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"
#include "base/turn.h"

namespace protobeam {
namespace {

// Less than this in a step is rest: rounding must not keep what it touches awake.
constexpr double kRest = 1e-12;  // m and rad

// Steps add up to a whole number of rounds but for rounding.
constexpr double kSameTime = 1e-9;  // s

bool same(const Pose& a, const Pose& b) {
  return (a.p - b.p).norm() <= 1e-9 && axis_and_angle(a.R * b.R.conjugate()).angle() <= 1e-6;
}

}  // namespace

Pose Keyframes::pose(double time) const {
  const double end = times.back();
  if (loop && end > 0) {
    time = std::fmod(time, end);
    if (end - time < kSameTime) time = 0;
  }
  const auto next =
      static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
  const std::size_t after = std::min(next, times.size() - 1);
  const std::size_t before = next == 0 ? 0 : next - 1;
  const double span = times[after] - times[before];
  const double share = span > 0 ? (time - times[before]) / span : 0;
  Pose X;
  if (!translations.empty()) X.p = (1 - share) * translations[before] + share * translations[after];
  if (!rotations.empty()) X.R = slerp(rotations[before], rotations[after], share);
  return X;
}

bool Keyframes::jumps(double from, double to) const {
  const double end = times.back();
  const auto round = [&](double time) { return std::floor((time + kSameTime) / end); };
  if (!loop || !(end > 0) || round(from) == round(to)) return false;
  Keyframes once = *this;
  once.loop = false;
  return !same(once.pose(0), once.pose(end));
}

void move_within_step(physics::World& world, physics::BodyId body, const Pose& after,
                      double step) {
  const Pose before = world.pose(body);
  const Vec3 way = after.p - before.p;
  Quat turn = after.R * before.R.conjugate();
  if (turn.w() < 0) turn.coeffs() *= -1;
  // 2 atan2 instead of acos: exact for small angles too.
  const double angle = 2 * libm::atan2(turn.vec().norm(), turn.w());
  const Vec3 v = way.norm() > kRest ? Vec3(way / step) : Vec3(Vec3::Zero());
  const Vec3 w =
      angle > kRest ? Vec3(turn.vec().normalized() * (angle / step)) : Vec3(Vec3::Zero());
  world.set_velocity(body, v, w);
}

void put(physics::World& world, physics::BodyId body, const Pose& X_WB) {
  world.set_pose(body, X_WB);
  world.set_velocity(body, Vec3::Zero(), Vec3::Zero());
}

int Animator::add(Animation animation) {
  animations_.push_back(std::move(animation));
  jumped_.push_back(false);
  return static_cast<int>(animations_.size()) - 1;
}

Pose Animator::pose(int animation, double time) const {
  const Animation& a = animations_[static_cast<std::size_t>(animation)];
  const Pose X_WP = a.parent < 0 ? Pose{} : pose(a.parent, time);
  return X_WP * a.X_PA * a.keyframes.pose(time);
}

void Animator::prepare_step(physics::World& world, double time, double step) {
  std::vector<Pose> ends;  // by animation
  for (std::size_t i = 0; i < animations_.size(); ++i) {
    const Animation& a = animations_[i];
    const bool carried = a.parent >= 0;
    const auto parent = static_cast<std::size_t>(std::max(a.parent, 0));
    const Pose X_local = a.X_PA * a.keyframes.pose(time + step);
    const Pose after = carried ? ends[parent] * X_local : X_local;
    ends.push_back(after);
    jumped_[i] = (carried && jumped_[parent]) || a.keyframes.jumps(time, time + step);
    if (jumped_[i]) {
      put(world, a.body, after);
    } else {
      move_within_step(world, a.body, after, step);
    }
  }
}

bool Animator::jumped(physics::BodyId body) const {
  for (std::size_t i = 0; i < animations_.size(); ++i) {
    if (jumped_[i] && animations_[i].body == body) return true;
  }
  return false;
}

}  // namespace protobeam
