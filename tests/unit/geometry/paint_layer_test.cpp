#include "geometry/paint_layer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/state_archive.h"

namespace protobeam {
namespace {

constexpr double kPixel = 1.0 / 1024;
const Bounds kCube{Vec3::Constant(-0.5), Vec3::Constant(0.5)};
const Ink kRed{{1, 0, 0}, 1};

/// Area (m^2) of a plane through the origin that shows ink, seen along its normal.
double area_on(const PaintLayer& paint, const Vec3& normal) {
  const Vec3 along = normal.unitOrthogonal(), across = normal.cross(along);
  constexpr double kStep = 0.0005;
  int count = 0;
  for (int i = -300; i <= 300; ++i) {
    for (int k = -300; k <= 300; ++k) {
      const Vec3 p = kStep * (i * along + k * across);
      count += paint.at(p, normal).density > 0 ? 1 : 0;
    }
  }
  return count * kStep * kStep;
}

TEST(PaintLayer, ADiscHasItsSizeOnLevelGroundAndOnSlopes) {
  const double pi_r2 = kPi * 0.1 * 0.1;
  for (const Vec3& normal :
       {Vec3(0, 0, 1), Vec3(0.3, 0.2, 1), Vec3(1, 0.1, 0.9), Vec3(-1, 1, 1), Vec3(0, -1, 0.2)}) {
    PaintLayer paint(kCube, kPixel);
    paint.add({Vec3::Zero(), normal.normalized(), 0.1, kRed});
    // Half a pixel of the rim.
    EXPECT_NEAR(area_on(paint, normal.normalized()), pi_r2, 0.02 * pi_r2) << normal.transpose();
  }
}

TEST(PaintLayer, EachFaceOfABoxHasItsOwn) {
  PaintLayer paint(kCube, kPixel);
  paint.add({Vec3(0.5, 0.1, 0.2), Vec3::UnitX(), 0.05, kRed});
  EXPECT_EQ(paint.at(Vec3(0.5, 0.1, 0.2), Vec3::UnitX()).density, 1);
  EXPECT_EQ(paint.at(Vec3(-0.5, 0.1, 0.2), -Vec3::UnitX()).density, 0);
  EXPECT_EQ(paint.at(Vec3(0.1, 0.5, 0.2), Vec3::UnitY()).density, 0);
  EXPECT_EQ(paint.at(Vec3(0.5, 0.2, 0.2), Vec3::UnitX()).density, 0) << "outside of the disc";
}

TEST(PaintLayer, ARoundShapeShowsADiscOverTheSeamOfTwoSides) {
  PaintLayer paint(kCube, kPixel);
  const Vec3 middle = Vec3(1, 0, 1).normalized();
  paint.add({0.5 * middle, middle, 0.1, kRed});
  for (const double angle : {-0.15, -0.05, 0.05, 0.15}) {
    const Vec3 n(std::cos(kPi / 4 + angle), 0, std::sin(kPi / 4 + angle));
    EXPECT_EQ(paint.at(0.5 * n, n).density, 1) << angle;
  }
  const Vec3 beside(std::cos(kPi / 4 + 0.25), 0, std::sin(kPi / 4 + 0.25));
  EXPECT_EQ(paint.at(0.5 * beside, beside).density, 0);
}

TEST(PaintLayer, APointLeavesOnePixel) {
  PaintLayer paint(kCube, kPixel);
  paint.add({Vec3(0.2, 0.3, 0.5), Vec3::UnitZ(), 0, kRed});
  EXPECT_EQ(paint.at(Vec3(0.2, 0.3, 0.5), Vec3::UnitZ()).density, 1);
  EXPECT_EQ(paint.at(Vec3(0.2 + kPixel, 0.3, 0.5), Vec3::UnitZ()).density, 0);
}

TEST(PaintLayer, ColoursMixByTheirDensitiesWhichAddUpToOne) {
  PaintLayer paint(kCube, kPixel);
  const Vec3 p(0, 0, 0.5), n = Vec3::UnitZ();
  paint.add({p, n, 0.1, {{1, 0, 0}, 0.25f}});
  EXPECT_EQ(paint.at(p, n).color, Eigen::Vector3f(1, 0, 0));
  EXPECT_FLOAT_EQ(paint.at(p, n).density, 0.25f);
  paint.add({p, n, 0.1, {{0, 0, 1}, 0.5f}});
  EXPECT_TRUE(paint.at(p, n).color.isApprox(Eigen::Vector3f(1, 0, 2) / 3));
  EXPECT_FLOAT_EQ(paint.at(p, n).density, 0.75f);
  paint.add({p, n, 0.1, {{0, 0, 1}, 0.5f}});
  EXPECT_EQ(paint.at(p, n).density, 1);
}

TEST(PaintLayer, FadesByTheProductOfAllFactors) {
  PaintLayer paint(kCube, kPixel);
  const Vec3 p(0, 0, 0.5), q(0.3, 0, 0.5), n = Vec3::UnitZ();
  paint.add({p, n, 0.1, kRed});
  for (int i = 0; i < 10; ++i) paint.fade(0.5);  // 1/1024
  EXPECT_FLOAT_EQ(paint.at(p, n).density, 1.0f / 1024);
  paint.add({q, n, 0.1, kRed});
  EXPECT_FLOAT_EQ(paint.at(q, n).density, 1) << "younger ink has not faded";
  for (int i = 0; i < 6; ++i) paint.fade(0.5);  // over where densities are made right
  EXPECT_FLOAT_EQ(paint.at(q, n).density, 1.0f / 64);
  EXPECT_LT(paint.at(p, n).density, 1.0f / 32768);
}

TEST(PaintLayer, HasTheSameBitsAfterItWasSavedAndRestored) {
  PaintLayer paint(kCube, kPixel), restored(kCube, kPixel);
  paint.add({Vec3(0, 0, 0.5), Vec3::UnitZ(), 0.1, {{1, 0.5f, 0.25f}, 0.3f}});
  paint.fade(0.7);
  paint.add({Vec3(0.05, 0, 0.5), Vec3(0.6, 0, 0.8), 0.1, {{0, 1, 0}, 0.3f}});
  restored.add({Vec3(0, 0, -0.5), -Vec3::UnitZ(), 0.1, kRed});  // goes
  StateArchive saves;
  paint.visit_state(saves);
  const auto state = saves.take();
  StateArchive restores(state);
  restored.visit_state(restores);
  EXPECT_TRUE(restores.at_end());
  StateArchive again;
  restored.visit_state(again);
  EXPECT_EQ(again.take(), state);
  EXPECT_EQ(restored.at(Vec3(0, 0, -0.5), -Vec3::UnitZ()).density, 0);
}

TEST(PaintLayer, PixelsAreAnEighthOfALineWithinWhatAShapeMayHave) {
  const Bounds floor{Vec3(-5, -1, 0), Vec3(5, 1, 0)};
  EXPECT_DOUBLE_EQ(PaintLayer::pixel_for(floor, 0.04), 0.005);
  EXPECT_DOUBLE_EQ(PaintLayer::pixel_for(floor, 0), 10.0 / 4096);
  EXPECT_DOUBLE_EQ(PaintLayer::pixel_for(floor, 3), 10.0 / 1024);
}

}  // namespace
}  // namespace protobeam
