#include "sim/scene/camera_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/scene/scene_observer.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

class CameraChoice : public testing::Test {
 protected:
  CameraChoice() {
    Simulation& simulation = world_.load(R"(
      Viewpoint { position 1 2 3 fieldOfView 1 }
      Robot { name "rover" translation 10 0 1 rotation 0 0 1 1.5707963
        children [ Camera { name "eye" translation 1 0 0 fieldOfView 0.8 width 100 height 100 } ] }
      Solid { name "far" translation -30 4 0 })");
    description_ = describe_scene(simulation);
    state_ = SceneObserver(simulation, *description_).state(simulation);
  }
  render::Camera choose(const std::string& text, double aspect = 2) const {
    return choose_camera(text, *description_, *state_, aspect);
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
  static Vec2 in_picture(const render::Camera& camera, const Vec3& p_W, double aspect = 2) {
    const Vec3 p = camera.X_WC.inverse() * p_W;
    const double half = std::tan(camera.vertical_fov / 2);
    return {-p.y() / p.x() / (half * aspect), p.z() / p.x() / half};
  }

  WorldText world_;
  std::shared_ptr<const SceneDescription> description_;
  std::shared_ptr<const SceneState> state_;
};

TEST_F(CameraChoice, ViewpointsFieldIsThatOfTheWiderSide) {
  EXPECT_NEAR(std::tan(choose("viewpoint", 2).vertical_fov / 2), std::tan(0.5) / 2, 1e-12);
  EXPECT_NEAR(choose("viewpoint", 0.5).vertical_fov, 1, 1e-12);
  EXPECT_EQ(choose("viewpoint").X_WC.p, Vec3(1, 2, 3));
}

TEST_F(CameraChoice, SixNumbersArePositionAndTarget) {
  const render::Camera camera = choose("1 2 3  4 2 3");
  EXPECT_EQ(camera.X_WC.p, Vec3(1, 2, 3));
  EXPECT_NEAR((camera.X_WC.R * Vec3::UnitX() - Vec3::UnitX()).norm(), 0, 1e-12);
  EXPECT_NEAR(in_picture(choose("-5 -5 9 1 1 1"), Vec3(1, 1, 1)).norm(), 0, 1e-9);
}

TEST_F(CameraChoice, TopSeesEverySolidWithXUp) {
  const render::Camera camera = choose("top");
  for (const SolidState& solid : state_->solids) {
    const Vec2 at = in_picture(camera, solid.X_WS.p);
    EXPECT_LT(std::abs(at.x()), 1);
    EXPECT_LT(std::abs(at.y()), 1);
  }
  EXPECT_GT(in_picture(camera, Vec3(10, 0, 0)).y(), in_picture(camera, Vec3(-30, 0, 0)).y());
  EXPECT_LT(in_picture(camera, Vec3(0, 4, 0)).x(), in_picture(camera, Vec3(0, 0, 0)).x());
}

TEST_F(CameraChoice, OfAWorldWithYUpHaveYUp) {
  Simulation& simulation = world_.load(R"(
    Robot { name "old" translation 10 1 -4 }
    Robot { name "new" translation 2 1 0 rotation -1 1 1 2.0943951 }
    Solid { name "far" translation -30 0 9 children [ Shape { geometry Box { size 1 5 1 } } ] })",
                                       "coordinateSystem \"NUE\"");
  description_ = describe_scene(simulation);
  state_ = SceneObserver(simulation, *description_).state(simulation);
  const render::Camera top = choose("top");
  EXPECT_NEAR((top.X_WC.R * Vec3::UnitX() + Vec3::UnitY()).norm(), 0, 1e-12);  // looks down
  EXPECT_GT(in_picture(top, Vec3(10, 0, 9)).y(), in_picture(top, Vec3(-30, 0, 9)).y());
  EXPECT_GT(in_picture(top, Vec3(-30, 0, 9)).x(), in_picture(top, Vec3(-30, 0, 8.6)).x());
  for (const char* chosen : {"viewpoint", "follow:old", "follow:new", "5 6 7 1 2 3"}) {
    const render::Camera camera = choose(chosen);
    EXPECT_NEAR((camera.X_WC.R * Vec3::UnitY()).y(), 0, 1e-12) << chosen;
    EXPECT_GT((camera.X_WC.R * Vec3::UnitZ()).y(), 0.3) << chosen;
  }
  // An old robot looks along its -z, one that is turned as Webots' PROTOs are along its x.
  EXPECT_GT(choose("follow:old").X_WC.p.z(), -4 + 4);
  EXPECT_GT(choose("follow:new").X_WC.p.z(), 4);
  EXPECT_NEAR((choose("5 6 7 1 2 3").X_WC.p - Vec3(5, 6, 7)).norm(), 0, 1e-12);
}

TEST_F(CameraChoice, TopSeesAWholeWallWhoseOriginIsAtItsEnd) {
  // 30 m of wall along y, of which the origin is one end, and ground as far as the horizon.
  Simulation& simulation = world_.load(R"(
    Solid { name "wall" translation 2 1 0 children [ Pose { translation 0 15 1 children [
      Shape { geometry Box { size 0.2 30 2 } } ] } ] }
    Shape { geometry Box { size 4000 4000 0.1 } }
    Robot { name "rover" translation -3 0 0 children [ Shape { geometry Sphere { radius 0.5 } } ] })");
  description_ = describe_scene(simulation);
  state_ = SceneObserver(simulation, *description_).state(simulation);
  for (const double aspect : {16.0 / 9, 0.5}) {
    const render::Camera camera = choose("top", aspect);
    // What is to be seen: x from -3.5 to 2.1, y from -0.5 to 31, up to z = 2.
    double widest = 0, highest = 0;
    for (const Vec3& corner : {Vec3(-3.5, 31, 0), Vec3(2.1, 31, 2), Vec3(2.1, -0.5, 2)}) {
      const Vec2 at = in_picture(camera, corner, aspect).cwiseAbs();
      widest = std::max(widest, at.x());
      highest = std::max(highest, at.y());
    }
    EXPECT_LT(widest, 1) << aspect;
    EXPECT_LT(highest, 1) << aspect;
    EXPECT_GT(std::max(widest, highest), 0.9) << "there is no room to spare, " << aspect;
  }
}

TEST_F(CameraChoice, FollowsFromBehind) {
  const render::Camera camera = choose("follow:rover");
  const Vec3 robot(10, 0, 1);
  EXPECT_LT(camera.X_WC.p.y(), -1);  // it looks along +y
  EXPECT_GT(camera.X_WC.p.z(), robot.z());
  EXPECT_LT(in_picture(camera, robot).norm(), 0.3);
}

TEST_F(CameraChoice, ACameraDeviceLooksAlongItsX) {
  const render::Camera camera = choose("device:rover/eye", 1);
  EXPECT_NEAR((camera.X_WC.p - Vec3(10, 1, 1)).norm(), 0, 1e-6);
  EXPECT_NEAR((camera.X_WC.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 0, 1e-6);
  EXPECT_NEAR(camera.vertical_fov, 0.8, 1e-12);
}

TEST_F(CameraChoice, MistakesNameWhatThereIs) {
  EXPECT_THAT(mistake("follow:rovr"), HasSubstr("did you mean 'rover'?"));
  EXPECT_THAT(mistake("follow:x"), HasSubstr("its robots: rover"));
  EXPECT_THAT(mistake("device:rover/eyes"), HasSubstr("did you mean 'rover/eye'?"));
  EXPECT_THAT(mistake("1 2 3"), HasSubstr("\"x y z tx ty tz\""));
  EXPECT_THAT(mistake("1 2 3 4 5 6 7"), HasSubstr("no camera"));
  EXPECT_THAT(mistake("1 2 3 4 5 nan"), HasSubstr("no camera"));
  EXPECT_THAT(mistake("1 2 3 1 2 3"), HasSubstr("its position is that of its target"));
}

}  // namespace
}  // namespace protobeam
