// Plates and boxes against textbook moments.
#include "vehicle/planar_mass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

namespace protobeam {
namespace {

//  y
//  2 +----+
//    |      .
//  0 +--------+   x
//    0    1   2
const std::vector<Vec2> kTrapezium = {{0, 0}, {2, 0}, {1, 2}, {0, 2}};

TEST(PolygonMass, OfARectangleIsThatOfABox) {
  const std::vector<Vec2> corners = {{-1, -2}, {3, -2}, {3, 1}, {-1, 1}};
  const PlanarMass plate = polygon_mass(corners, 6);
  const PlanarMass box = box_mass({4, 3}, {1, -0.5}, 6);
  EXPECT_NEAR((plate.centre - box.centre).norm(), 0, 1e-14);
  EXPECT_NEAR(plate.inertia, 6 * (16 + 9) / 12.0, 1e-12);
  EXPECT_NEAR(box.inertia, plate.inertia, 1e-12);
}

TEST(PolygonMass, OfARightTriangleHasItsCentreAtAThird) {
  // Legs a = 3 and b = 2 along the axes: I about the centre = m (a^2 + b^2) / 18.
  const PlanarMass plate = polygon_mass(std::vector<Vec2>{{0, 0}, {3, 0}, {0, 2}}, 4);
  EXPECT_NEAR((plate.centre - Vec2(1, 2.0 / 3)).norm(), 0, 1e-14);
  EXPECT_NEAR(plate.inertia, 4 * (9 + 4) / 18.0, 1e-12);
}

TEST(PolygonMass, IsThatOfItsParts) {
  // The trapezium is a 1 x 2 box (area 2) and a triangle with legs 1 and 2 (area 1).
  const PlanarMass box = box_mass({1, 2}, {0.5, 1}, 2);
  const PlanarMass triangle = polygon_mass(std::vector<Vec2>{{1, 0}, {2, 0}, {1, 2}}, 1);
  const PlanarMass sum = combined(box, triangle);
  const PlanarMass whole = polygon_mass(kTrapezium, 3);
  EXPECT_NEAR((whole.centre - sum.centre).norm(), 0, 1e-14);
  EXPECT_NEAR(whole.inertia, sum.inertia, 1e-12);
}

TEST(PolygonMass, DoesNotMindTheOrderOfCornersNorTheirDistanceFromTheOrigin) {
  const PlanarMass plate = polygon_mass(kTrapezium, 3);
  std::vector<Vec2> moved = kTrapezium;
  for (Vec2& corner : moved) corner += Vec2(1e6, -1e6);
  std::reverse(moved.begin(), moved.end());
  EXPECT_DOUBLE_EQ(signed_area(kTrapezium), 3);
  const PlanarMass far = polygon_mass(moved, 3);
  EXPECT_NEAR((far.centre - plate.centre - Vec2(1e6, -1e6)).norm(), 0, 1e-9);
  EXPECT_NEAR(far.inertia, plate.inertia, 1e-9);
}

TEST(PolygonMass, OfAHollowCornerIsTheDifference) {
  // A 2 x 2 square less its upper right quarter.
  const std::vector<Vec2> corners = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  const PlanarMass plate = polygon_mass(corners, 3);
  EXPECT_NEAR((plate.centre - Vec2(5.0 / 6, 5.0 / 6)).norm(), 0, 1e-14);
  const double square = 4 * (4.0 + 4) / 12 + 4 * 2, quarter = (1.0 + 1) / 12 + 2 * 1.5 * 1.5;
  EXPECT_NEAR(plate.inertia_about(Vec2::Zero()), square - quarter, 1e-12);
}

TEST(PolygonMass, RefusesWhatHasNoArea) {
  EXPECT_THROW(polygon_mass(std::vector<Vec2>{{0, 0}, {1, 1}, {2, 2}}, 1), std::invalid_argument);
  EXPECT_THROW(polygon_mass(std::vector<Vec2>{{0, 0}, {1, 1}}, 1), std::invalid_argument);
  EXPECT_THROW(polygon_mass(std::vector<Vec2>{}, 1), std::invalid_argument);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(polygon_mass(std::vector<Vec2>{{0, 0}, {1, nan}, {0, 2}}, 1), std::invalid_argument);
}

TEST(PlanarMass, GrowsWithTheDistanceOfTheAxis) {
  const PlanarMass box = box_mass({1, 1}, {0, 0}, 2);
  EXPECT_DOUBLE_EQ(box.inertia_about({3, 4}), 2 * 2 / 12.0 + 2 * 25);
}

}  // namespace
}  // namespace protobeam
