// Curves against closed forms, against differences of themselves, and the B-spline against the
// recursion of Cox and de Boor with quaternions that are multiplied out here.
#include "curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace protobeam {
namespace {

double random_number(std::uint64_t index) { return 2 * uniform(NoiseKey{7, 1, 0, 0}, index) - 1; }
Vec3 random_vector(std::uint64_t i) {
  return {random_number(3 * i), random_number(3 * i + 1), random_number(3 * i + 2)};
}

/// exp of a rotation vector, by its definition.
Quat expq(const Vec3& v) {
  const double angle = v.norm();
  if (angle == 0) return Quat::Identity();
  const Vec3 xyz = std::sin(angle / 2) / angle * v;
  return {std::cos(angle / 2), xyz.x(), xyz.y(), xyz.z()};
}
Vec3 logq(Quat q) {
  if (q.w() < 0) q.coeffs() *= -1;
  const double sine = q.vec().norm();
  return sine == 0 ? Vec3(Vec3::Zero()) : Vec3(2 * std::atan2(sine, q.w()) / sine * q.vec());
}

std::vector<Pose> random_poses(std::size_t count) {
  std::vector<Pose> out;
  Quat q(0.5, -0.5, 0.5, 0.5);
  for (std::size_t i = 0; i < count; ++i) {
    q = q * expq(0.4 * random_vector(1000 + i));
    // Whoever wrote the file does not care for the sign.
    out.push_back({i % 3 == 1 ? Quat(-q.coeffs()) : q, random_vector(i)});
  }
  return out;
}

std::vector<double> uneven_times(std::size_t count) {
  std::vector<double> out{0};
  while (out.size() < count) {
    out.push_back(out.back() + 0.1 + 0.04 * random_number(5000 + out.size()));
  }
  return out;
}

/// v, a, w and dw are the derivatives of position and orientation, away from where pieces meet.
void expect_derivatives(const Curve& curve, double t, double bound) {
  const double e = 1e-5;
  const CurvePoint before = curve.at(t - e), now = curve.at(t), after = curve.at(t + e);
  EXPECT_LT((now.v_MB - (after.X_MB.p - before.X_MB.p) / (2 * e)).norm(), bound);
  EXPECT_LT((now.a_MB - (after.v_MB - before.v_MB) / (2 * e)).norm(), bound);
  const Vec3 turn = logq(after.X_MB.R * before.X_MB.R.conjugate());
  EXPECT_LT((now.w_MB - turn / (2 * e)).norm(), bound);
  EXPECT_LT((now.dw_MB - (after.w_MB - before.w_MB) / (2 * e)).norm(), bound);
}

TEST(PoseSpline, GoesThroughItsRows) {
  const auto times = uneven_times(12);
  const auto poses = random_poses(12);
  const PoseSpline curve(times, poses);
  EXPECT_DOUBLE_EQ(curve.duration(), times.back());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const CurvePoint point = curve.at(times[i]);
    EXPECT_LT((point.X_MB.p - poses[i].p).norm(), 1e-14);
    EXPECT_LT(logq(point.X_MB.R.conjugate() * poses[i].R).norm(), 1e-14);
  }
}

TEST(PoseSpline, HasTheDerivativesOfItsOwnMotionAndNoStepInThem) {
  for (const std::size_t count : {2u, 3u, 4u, 5u, 12u}) {
    const auto times = uneven_times(count);
    const PoseSpline curve(times, random_poses(count));
    for (std::size_t i = 0; i + 1 < count; ++i) {
      for (const double share : {0.1, 0.5, 0.8}) {
        expect_derivatives(curve, times[i] + share * (times[i + 1] - times[i]), 1e-4);
      }
    }
    for (std::size_t i = 1; i + 1 < count; ++i) {
      const CurvePoint before = curve.at(times[i] - 1e-9), after = curve.at(times[i] + 1e-9);
      EXPECT_LT((before.v_MB - after.v_MB).norm(), 1e-5);
      EXPECT_LT((before.a_MB - after.a_MB).norm(), 1e-4);
      EXPECT_LT((before.w_MB - after.w_MB).norm(), 1e-5);
      EXPECT_LT((before.dw_MB - after.dw_MB).norm(), 1e-4);
    }
  }
}

TEST(PoseSpline, IsExactForCubicsUpToItsEnds) {
  // x = 1 - 2 t + 3 t^2 - 4 t^3 and its derivatives.
  for (const std::size_t count : {4u, 5u, 9u}) {
    const auto times = uneven_times(count);
    std::vector<Pose> poses;
    for (const double t : times) {
      poses.push_back(Pose::translation({1 - 2 * t + 3 * t * t - 4 * t * t * t, t, 0}));
    }
    const PoseSpline curve(times, poses);
    for (double t = 0; t <= times.back(); t += 0.013) {
      const CurvePoint point = curve.at(t);
      EXPECT_NEAR(point.X_MB.p.x(), 1 - 2 * t + 3 * t * t - 4 * t * t * t, 1e-12);
      EXPECT_NEAR(point.v_MB.x(), -2 + 6 * t - 12 * t * t, 1e-11);
      EXPECT_NEAR(point.a_MB.x(), 6 - 24 * t, 1e-9);
    }
  }
}

TEST(PoseSpline, FollowsAScrew) {
  // Radius 5 m, 0.7 rad/s about z, rising by 0.3 m/s; the body is tilted and turns along.
  const double r = 5, w = 0.7, rise = 0.3;
  const Quat tilt = expq({0.2, -0.3, 0.1});
  const auto times = uneven_times(60);  // 0.06 ... 0.14 s apart
  std::vector<Pose> poses;
  for (const double t : times) {
    poses.push_back(
        {expq({0, 0, w * t}) * tilt, {r * std::cos(w * t), r * std::sin(w * t), rise * t}});
  }
  const PoseSpline curve(times, poses);
  for (double t = 0; t < times.back(); t += 0.017) {
    const CurvePoint point = curve.at(t);
    const Vec3 out(std::cos(w * t), std::sin(w * t), 0);
    // The bounds of cubic splines, h^4, h^3 and h^2 times the fourth derivative r w^4, with h =
    // 0.14 s and the factors for their ends.
    EXPECT_LT((point.X_MB.p - (r * out + Vec3(0, 0, rise * t))).norm(), 5e-5);
    EXPECT_LT((point.v_MB - Vec3(-r * w * out.y(), r * w * out.x(), rise)).norm(), 1e-3);
    EXPECT_LT((point.a_MB + r * w * w * out).norm(), 0.025);
    EXPECT_LT(logq((expq({0, 0, w * t}) * tilt).conjugate() * point.X_MB.R).norm(), 2e-6);
    EXPECT_LT((point.w_MB - Vec3(0, 0, w)).norm(), 5e-5);
    EXPECT_LT(point.dw_MB.norm(), 1e-3);
  }
}

TEST(PoseSpline, DoesNotDependOnTheFrames) {
  const auto times = uneven_times(8);
  const auto poses = random_poses(8);
  const Quat left = expq({1, 2, 0.3}), right = expq({-0.4, 0.1, 2});
  std::vector<Pose> turned;
  for (const Pose& X : poses) turned.push_back({left * X.R * right, X.p});
  const PoseSpline one(times, poses), other(times, turned);
  for (double t = 0; t < times.back(); t += 0.03) {
    EXPECT_LT(logq((left * one.at(t).X_MB.R * right).conjugate() * other.at(t).X_MB.R).norm(),
              1e-13);
    EXPECT_LT((left * one.at(t).w_MB - other.at(t).w_MB).norm(), 1e-12);
  }
}

/// Basis function i of order k on the knots 0, 1, 2, ... (C. de Boor, "A Practical Guide to
/// Splines", 2001, chapter IX).
double basis(int i, int k, double x) {
  if (k == 1) return x >= i && x < i + 1 ? 1 : 0;
  return (x - i) / (k - 1) * basis(i, k - 1, x) + (i + k - x) / (k - 1) * basis(i + 1, k - 1, x);
}

class ControlSplineTest : public testing::TestWithParam<int> {};

TEST_P(ControlSplineTest, AgreesWithTheRecursionOfCoxAndDeBoor) {
  const int k = GetParam();
  const double dt = 0.025;
  const auto poses = random_poses(14);
  const ControlSpline curve(dt, k, poses);
  EXPECT_DOUBLE_EQ(curve.duration(), dt * (14 - k + 1));
  for (double t = 0.0007; t < curve.duration(); t += 0.0031) {
    // Segment s of the curve looks at control poses s ... s+k-1: x counts from the knots' start.
    const double x = t / dt + k - 1;
    Vec3 p = Vec3::Zero();
    for (int i = 0; i < 14; ++i) p += basis(i, k, x) * poses[static_cast<std::size_t>(i)].p;
    Quat q = poses[0].R;
    for (int i = 1; i < 14; ++i) {
      double cumulative = 0;
      for (int j = i; j < 14; ++j) cumulative += basis(j, k, x);
      const auto n = static_cast<std::size_t>(i);
      const Vec3 d = logq(poses[n - 1].R.conjugate() * poses[n].R);
      const Quat e = expq(cumulative * d);
      // q * e, written out.
      q = Quat(q.w() * e.w() - q.x() * e.x() - q.y() * e.y() - q.z() * e.z(),
               q.w() * e.x() + q.x() * e.w() + q.y() * e.z() - q.z() * e.y(),
               q.w() * e.y() - q.x() * e.z() + q.y() * e.w() + q.z() * e.x(),
               q.w() * e.z() + q.x() * e.y() - q.y() * e.x() + q.z() * e.w());
    }
    const CurvePoint point = curve.at(t);
    EXPECT_LT((point.X_MB.p - p).norm(), 1e-12);
    EXPECT_LT(logq(point.X_MB.R.conjugate() * q).norm(), 1e-12);
  }
}

TEST_P(ControlSplineTest, HasTheDerivativesOfItsOwnMotion) {
  const ControlSpline curve(0.1, GetParam(), random_poses(14));
  for (double t = 0.013; t < curve.duration(); t += 0.037) expect_derivatives(curve, t, 1e-4);
}

TEST_P(ControlSplineTest, TurnsEvenlyBetweenControlsThatDo) {
  std::vector<Pose> poses;
  const Quat tilt = expq({0.2, -0.3, 0.1});
  for (int i = 0; i < 14; ++i) poses.push_back({expq({0, 0, 0.07 * i}) * tilt, {0.2 * i, 0, 0}});
  const ControlSpline curve(0.1, GetParam(), poses);
  for (double t = 0; t <= curve.duration(); t += 0.017) {
    EXPECT_LT((curve.at(t).w_MB - Vec3(0, 0, 0.7)).norm(), 1e-12);
    EXPECT_LT((curve.at(t).v_MB - Vec3(2, 0, 0)).norm(), 1e-12);
    EXPECT_LT(curve.at(t).a_MB.norm() + curve.at(t).dw_MB.norm(), 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, ControlSplineTest, testing::Values(2, 3, 4, 5, 6, 8));

}  // namespace
}  // namespace protobeam
