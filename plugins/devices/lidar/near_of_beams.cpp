#include "near_of_beams.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace protobeam {
namespace {

/// Places that differ by rounding are the same: a robot at rest may be set down anew at each step.
bool same(const Pose& a, const Pose& b) {
  constexpr double kRounding = 1e-9;
  return (a.p - b.p).cwiseAbs().maxCoeff() < kRounding &&
         (a.R.coeffs() - b.R.coeffs()).cwiseAbs().maxCoeff() < kRounding;
}

bool same(const std::vector<FixedShape>* a, const std::vector<FixedShape>* b) {
  if (!a || !b) return a == b;
  return std::ranges::equal(*a, *b, [](const FixedShape& one, const FixedShape& other) {
    return one.geometry == other.geometry && one.turns == other.turns && same(one.X_SG, other.X_SG);
  });
}

/// Within a step S is on the chord between its places, what is around it on the arc of the body
/// that carries both (pose_at): at an arm r apart by up to r (1 - cos(angle / 2)). Bodies of which
/// S is farther away turn slowly.
float drift_of(const SampleInput& in) {
  constexpr double kArm = 4;  // m
  if (!in.X_WS_before) return 0;
  const double cosine = std::abs(in.X_WS_before->R.dot(in.X_WS.R));
  return static_cast<float>(kArm * std::max(1 - cosine, 0.0));
}

}  // namespace

void NearOfBeams::look(const SampleInput& in) {
  if (!housing_.empty()) drift_ = drift_of(in);
  if (in.fixed_shapes == shapes_) return;
  const auto before = std::exchange(shapes_, in.fixed_shapes);
  if (same(before.get(), shapes_.get())) return;
  housing_ = render::Housing(shapes_.get());
  drift_ = housing_.empty() ? 0 : drift_of(in);
  forget();
}

void NearOfBeams::fill(const SweepPattern& sweep, float near) {
  if (housing_.empty() || known_ || sweep.size() == 0) return;
  known_ = true;
  near_.assign(sweep.size(), near);
  RayBatch all;
  all.dx = sweep.dx.data(), all.dy = sweep.dy.data(), all.dz = sweep.dz.data();
  if (!sweep.ox.empty()) {
    all.ox = sweep.ox.data(), all.oy = sweep.oy.data(), all.oz = sweep.oz.data();
  }
  all.packet = sweep.packet;
  housing_.leave(all, near_);
  // A casing that is nearer than all that the device sees is no housing.
  if (*std::max_element(near_.begin(), near_.end()) <= near) near_.clear();
}

void NearOfBeams::give(RayBatch& batch, const float* near) const {
  if (!near) return;
  batch.near = near;
}

}  // namespace protobeam
