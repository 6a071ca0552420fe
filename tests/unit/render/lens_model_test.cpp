// Lenses against other implementations of the same models.
#include "render/lens_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#ifdef PROTOBEAM_HAS_OPENCV
#include <opencv2/calib3d.hpp>
#endif

namespace protobeam::render {
namespace {

LensModel make(LensKind kind, std::vector<double> coefficients, double f = 400) {
  LensModel lens{kind, f, 1.01 * f, 325.5, 236.25, {}};
  std::copy(coefficients.begin(), coefficients.end(), lens.coefficients.begin());
  return lens;
}

/// Points in front, up to `widest` rad from the axis.
std::vector<Vec3> points(double widest, int count = 500) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> share(0, 1);
  std::vector<Vec3> out;
  for (int i = 0; i < count; ++i) {
    const double theta = widest * share(engine), phi = 2 * kPi * share(engine);
    const double range = 0.5 + 20 * share(engine);
    out.push_back(range * Vec3(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi),
                               std::cos(theta)));
  }
  return out;
}

/// Each point is on the ray of the pixel that it is projected to.
void expect_inverse(const LensModel& lens, double widest) {
  int seen = 0;
  for (const Vec3& p : points(widest)) {
    const auto pixel = lens.project(p);
    if (!pixel) continue;
    const auto ray = lens.ray(pixel->x(), pixel->y());
    ASSERT_TRUE(ray) << p.transpose();
    EXPECT_LT(ray->cross(p.normalized()).norm(), 1e-9) << p.transpose();
    EXPECT_GT(ray->dot(p), 0);
    ++seen;
  }
  EXPECT_GT(seen, 400);
}

struct Case {
  LensKind kind;
  std::vector<double> coefficients;
  double widest;
};

const Case kCases[] = {
    {LensKind::kOpencv, {}, 0.7},
    {LensKind::kOpencv, {-0.28, 0.07, 0.0002, -0.0004}, 0.6},
    {LensKind::kOpencv, {0.0179, -0.04, -0.0015, 0.0066, 0.01}, 0.7},
    {LensKind::kOpencv, {-0.2, 0.05, 0.001, -0.002, 0.01, 0.1, -0.02, 0.003}, 0.7},
    {LensKind::kFisheye, {}, 1.5},
    {LensKind::kFisheye, {-0.02, 0.004, -0.001, 0.0002}, 1.5},
    {LensKind::kEucm, {0.6, 1.1}, 1.6},
    {LensKind::kEucm, {0.4, 0.9}, 1.2},
    {LensKind::kDoubleSphere, {-0.2, 0.59}, 1.6},
    {LensKind::kDoubleSphere, {0.1, 0.4}, 1.2},
};

TEST(LensModel, RaysAreTheInverseOfTheProjection) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(static_cast<int>(c.kind));
    expect_inverse(make(c.kind, c.coefficients), c.widest);
  }
}

#ifdef PROTOBEAM_HAS_OPENCV
// The bar is 0.05 pixels; both compute in double.
TEST(LensModel, ProjectsAsOpencvDoes) {
  int compared = 0;
  for (const Case& c : kCases) {
    if (c.kind != LensKind::kOpencv && c.kind != LensKind::kFisheye) continue;
    const LensModel lens = make(c.kind, c.coefficients);
    std::vector<cv::Point3d> in;
    const auto wanted = points(std::min(c.widest, 1.5));
    for (const Vec3& p : wanted) in.emplace_back(p.x(), p.y(), p.z());
    const cv::Matx33d K(lens.fx, 0, lens.cx, 0, lens.fy, lens.cy, 0, 0, 1);
    std::vector<cv::Point2d> out;
    const cv::Vec3d none(0, 0, 0);
    if (c.kind == LensKind::kFisheye) {
      auto k = c.coefficients;
      k.resize(4);
      cv::fisheye::projectPoints(in, out, none, none, K, k);
    } else {
      cv::projectPoints(in, none, none, K, c.coefficients, out);
    }
    for (std::size_t i = 0; i < in.size(); ++i) {
      const auto pixel = lens.project(wanted[i]);
      ASSERT_TRUE(pixel) << wanted[i].transpose();
      EXPECT_NEAR(pixel->x(), out[i].x, 1e-6);
      EXPECT_NEAR(pixel->y(), out[i].y, 1e-6);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 6 * 500);
}
#endif

// EUCM with beta 1, and a double sphere with alpha 0, are Mei's unified model: the point on the unit
// sphere is seen from xi behind its middle (C. Mei, P. Rives, "Single view point omnidirectional camera
// calibration from planar grids", ICRA 2007), up to a factor of the focal length.
TEST(LensModel, SpheresAreTheUnifiedModelInTheirSpecialCases) {
  for (const double xi : {0.3, 0.8, 1.4}) {
    const double alpha = xi / (1 + xi);
    const LensModel eucm = make(LensKind::kEucm, {alpha, 1});
    const LensModel spheres = make(LensKind::kDoubleSphere, {xi, 0});
    for (const Vec3& p : points(1.0)) {
      const Vec3 s = p.normalized();
      const Vec2 m(s.x() / (s.z() + xi), s.y() / (s.z() + xi));
      const auto a = eucm.project(p), b = spheres.project(p);
      ASSERT_TRUE(a && b);
      // alpha d + (1 - alpha) z = (xi d + z) / (1 + xi)
      EXPECT_NEAR(a->x(), eucm.fx * m.x() * (1 + xi) + eucm.cx, 1e-9);
      EXPECT_NEAR(a->y(), eucm.fy * m.y() * (1 + xi) + eucm.cy, 1e-9);
      EXPECT_NEAR(b->x(), spheres.fx * m.x() + spheres.cx, 1e-9);
      EXPECT_NEAR(b->y(), spheres.fy * m.y() + spheres.cy, 1e-9);
    }
  }
}

// A double sphere without its first sphere is an EUCM with beta 1.
TEST(LensModel, ADoubleSphereWithoutXiIsAnEucm) {
  const LensModel spheres = make(LensKind::kDoubleSphere, {0, 0.55});
  const LensModel eucm = make(LensKind::kEucm, {0.55, 1});
  for (const Vec3& p : points(1.5)) {
    const auto a = spheres.project(p), b = eucm.project(p);
    ASSERT_EQ(a.has_value(), b.has_value());
    if (a) {
      EXPECT_LT((*a - *b).norm(), 1e-9);
    }
  }
}

TEST(LensModel, SeesNothingBeyondWhereTheImageFoldsOver) {
  // Barrel distortion whose radius r - 0.5 r^3 is largest, 0.544, at r = 0.816.
  const LensModel lens = make(LensKind::kOpencv, {-0.5, 0, 0, 0});
  EXPECT_TRUE(lens.ray(lens.cx + 0.54 * lens.fx, lens.cy));
  EXPECT_FALSE(lens.ray(lens.cx + 0.55 * lens.fx, lens.cy));
  EXPECT_FALSE(lens.project({1.2, 0, 1}));
  // Of an EUCM with alpha 0.6 nothing lies beyond r2 = 1 / (beta (2 alpha - 1)).
  const LensModel eucm = make(LensKind::kEucm, {0.6, 1});
  EXPECT_TRUE(eucm.ray(eucm.cx + 2.23 * eucm.fx, eucm.cy));
  EXPECT_FALSE(eucm.ray(eucm.cx + 2.24 * eucm.fx, eucm.cy));
}

}  // namespace
}  // namespace protobeam::render
