#include "raycast/step_motion.h"

#include "base/libm.h"

namespace protobeam {

StepMotion motion_between(const Pose& X_WB_before, const Pose& X_WB) {
  StepMotion motion;
  motion.translation_W = X_WB.p - X_WB_before.p;
  if (X_WB_before.R.coeffs() == X_WB.R.coeffs()) return motion;
  Quat q = X_WB_before.R.conjugate() * X_WB.R;
  if (q.w() < 0) q.coeffs() = -q.coeffs();  // the shorter way round
  const double length = q.vec().norm();
  if (!(length > 0)) return motion;
  StepRotation& rotation = motion.rotation;
  rotation.axis = q.vec() / length;
  rotation.angle = 2 * libm::atan2(length, q.w());
  double left_out = 1;  // first term that is not taken, relative to the first one
  while (left_out > 1e-17 && rotation.terms < series::kMaxTerms) {
    ++rotation.terms;
    left_out *= rotation.angle * rotation.angle / (2 * rotation.terms * (2 * rotation.terms + 1));
  }
  return motion;
}

Vec3 rotated(const StepRotation& rotation, double part, const Vec3& v) {
  Vec3 w = v;
  rotate<1>(rotation, &part, &w.x(), &w.y(), &w.z());
  return w;
}

}  // namespace protobeam
