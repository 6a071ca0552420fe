#include "sim/watch/eye.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/watch/capture.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

class EyeOfAWorld : public testing::Test {
 protected:
  EyeOfAWorld() {
    Simulation& simulation = world_.load(R"(
      Viewpoint { position 1 2 3 fieldOfView 1 }
      Robot { name "rover" translation 10 0 1 rotation 0 0 1 1.5707963
        children [ Camera { name "eye" translation 1 0 0 fieldOfView 0.8 width 100 height 100 } ] }
      Solid { name "far" translation -30 4 0 })");
    look_ = look_at(simulation);
    frame_ = Capture(simulation, *look_).frame(simulation);
  }
  Eye choose(const std::string& text, double aspect = 2) const {
    return choose_eye(text, *look_, *frame_, aspect);
  }
  std::string mistake(const std::string& text) const {
    try {
      choose(text);
    } catch (const std::runtime_error& problem) {
      return problem.what();
    }
    return "";
  }
  /// Where the picture shows a point: 0 is the middle, +-1 the edges, x to the right, y up.
  static Vec2 in_picture(const Eye& eye, const Vec3& p_W, double aspect = 2) {
    const Vec3 p = eye.X_WC.inverse() * p_W;
    const double half = std::tan(eye.vertical_fov / 2);
    return {-p.y() / p.x() / (half * aspect), p.z() / p.x() / half};
  }

  WorldText world_;
  std::shared_ptr<const WorldLook> look_;
  std::shared_ptr<const WorldFrame> frame_;
};

TEST_F(EyeOfAWorld, ViewpointsFieldIsThatOfTheWiderSide) {
  EXPECT_NEAR(std::tan(choose("viewpoint", 2).vertical_fov / 2), std::tan(0.5) / 2, 1e-12);
  EXPECT_NEAR(choose("viewpoint", 0.5).vertical_fov, 1, 1e-12);
  EXPECT_EQ(choose("viewpoint").X_WC.p, Vec3(1, 2, 3));
}

TEST_F(EyeOfAWorld, SixNumbersAreTheEyeAndWhatItLooksAt) {
  const Eye eye = choose("1 2 3  4 2 3");
  EXPECT_EQ(eye.X_WC.p, Vec3(1, 2, 3));
  EXPECT_NEAR((eye.X_WC.R * Vec3::UnitX() - Vec3::UnitX()).norm(), 0, 1e-12);
  EXPECT_NEAR(in_picture(choose("-5 -5 9 1 1 1"), Vec3(1, 1, 1)).norm(), 0, 1e-9);
}

TEST_F(EyeOfAWorld, TopSeesEverySolidWithXUp) {
  const Eye eye = choose("top");
  for (const SolidState& solid : frame_->solids) {
    const Vec2 at = in_picture(eye, solid.X_WS.p);
    EXPECT_LT(std::abs(at.x()), 1);
    EXPECT_LT(std::abs(at.y()), 1);
  }
  EXPECT_GT(in_picture(eye, Vec3(10, 0, 0)).y(), in_picture(eye, Vec3(-30, 0, 0)).y());
  EXPECT_LT(in_picture(eye, Vec3(0, 4, 0)).x(), in_picture(eye, Vec3(0, 0, 0)).x());
}

TEST_F(EyeOfAWorld, FollowsFromBehind) {
  const Eye eye = choose("follow:rover");
  const Vec3 robot(10, 0, 1);
  EXPECT_LT(eye.X_WC.p.y(), -1);  // it looks along +y
  EXPECT_GT(eye.X_WC.p.z(), robot.z());
  EXPECT_LT(in_picture(eye, robot).norm(), 0.3);
}

TEST_F(EyeOfAWorld, ACameraDeviceLooksAlongItsX) {
  const Eye eye = choose("device:rover/eye", 1);
  EXPECT_NEAR((eye.X_WC.p - Vec3(10, 1, 1)).norm(), 0, 1e-6);
  EXPECT_NEAR((eye.X_WC.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 0, 1e-6);
  EXPECT_NEAR(eye.vertical_fov, 0.8, 1e-12);
}

TEST_F(EyeOfAWorld, MistakesNameWhatThereIs) {
  EXPECT_THAT(mistake("follow:rovr"), HasSubstr("did you mean 'rover'?"));
  EXPECT_THAT(mistake("follow:x"), HasSubstr("its robots: rover"));
  EXPECT_THAT(mistake("device:rover/eyes"), HasSubstr("did you mean 'rover/eye'?"));
  EXPECT_THAT(mistake("1 2 3"), HasSubstr("\"x y z tx ty tz\""));
  EXPECT_THAT(mistake("1 2 3 4 5 6 7"), HasSubstr("no camera"));
  EXPECT_THAT(mistake("1 2 3 4 5 nan"), HasSubstr("no camera"));
  EXPECT_THAT(mistake("1 2 3 1 2 3"), HasSubstr("is where it is to look"));
}

}  // namespace
}  // namespace protobeam
