#include "viewer/window/selection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/box_world.h"
#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {
namespace {

class PixelsOf : public ::testing::Test {
 protected:
  /// 90 degrees across and up; 200 x 200 pixels; the camera at the origin looks along x.
  std::optional<PixelBox> pixels(int solid, int width = 200, int height = 200) const {
    return pixels_of(*world_.description, *world_.state, solid,
                     view_matrix(Pose{}) * osg::Matrixd::perspective(90, 1, 0.1, 100), width,
                     height);
  }
  BoxWorld world_;
};

TEST_F(PixelsOf, ABoxAheadAreThoseOfItsNearSide) {
  const int solid = world_.add("box", {2, 2, 1}, {11, 0, 0});
  // The near side is 10 m away, where 200 pixels span 20 m: 2 m across and 1 m up in the middle.
  EXPECT_EQ(pixels(solid), (PixelBox{90, 95, 110, 105}));
}

TEST_F(PixelsOf, WhatIsUpAndToTheLeftHasSmallNumbers) {
  const int solid = world_.add("box", {0.2, 1, 1}, {10.1, 5, 7});
  const auto box = pixels(solid);
  ASSERT_TRUE(box);
  EXPECT_NEAR((*box)[0], 100 - 55, 1);
  EXPECT_NEAR((*box)[1], 100 - 75, 1);
}

TEST_F(PixelsOf, PartsInsideASolidBelongToIt) {
  const int robot = world_.add("robot", {0.2, 1, 1}, {10.1, 0, 0});
  world_.add("mast", {0.2, 1, 1}, {10.1, 0, 3}, robot);
  const auto box = pixels(robot);
  ASSERT_TRUE(box);
  EXPECT_EQ((*box)[1], 65);
  EXPECT_EQ((*box)[3], 105);
}

TEST_F(PixelsOf, NothingBehindTheEyeOrBesideThePicture) {
  EXPECT_EQ(pixels(world_.add("behind", {1, 1, 1}, {-5, 0, 0})), std::nullopt);
  EXPECT_EQ(pixels(world_.add("beside", {1, 1, 1}, {5, 20, 0})), std::nullopt);
}

TEST_F(PixelsOf, WhatSurroundsTheEyeFillsThePicture) {
  const int solid = world_.add("hall", {30, 30, 30}, {2, 0, 0});
  EXPECT_EQ(pixels(solid), (PixelBox{0, 0, 200, 200}));
}

TEST_F(PixelsOf, WhatReachesPastTheEyeIsCutAtTheEdges) {
  const int solid = world_.add("wall", {20, 0.1, 1}, {0, -2, 0});
  const auto box = pixels(solid);
  ASSERT_TRUE(box);
  EXPECT_GT((*box)[0], 100);
  EXPECT_EQ((*box)[2], 200);
  EXPECT_LT((*box)[1], 90);
  EXPECT_GT((*box)[3], 110);
}

}  // namespace
}  // namespace protobeam::viewer
