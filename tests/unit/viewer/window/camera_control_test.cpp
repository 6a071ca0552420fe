#include "viewer/window/camera_control.h"

#include <gtest/gtest.h>

#include <cmath>
#include <osgGA/GUIActionAdapter>

#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {
namespace {

using Event = osgGA::GUIEventAdapter;

void expect_near(const Vec3& a, const Vec3& b, double tolerance = 1e-9) {
  EXPECT_LT((a - b).norm(), tolerance) << a.transpose() << " and " << b.transpose();
}

class NoActions : public osgGA::GUIActionAdapter {
  void requestRedraw() override {}
  void requestContinuousUpdate(bool) override {}
  void requestWarpPointer(float, float) override {}
};

/// A window of 800 x 400 and a mouse.
class Mouse {
 public:
  explicit Mouse(CameraControl& control) : control_(control) {}
  void send(Event::EventType type, float x, float y, int buttons, int modifiers = 0) {
    osg::ref_ptr<Event> event = new Event;
    event->setEventType(type);
    event->setInputRange(0, 0, 800, 400);
    event->setMouseYOrientation(Event::Y_INCREASING_DOWNWARDS);
    event->setX(x);
    event->setY(y);
    event->setButtonMask(static_cast<unsigned>(buttons));
    event->setModKeyMask(modifiers);
    event->setTime(time_ += 0.01);
    control_.handle(*event, actions_);
  }
  void drag(float x0, float y0, float x1, float y1, int button, int modifiers = 0) {
    send(Event::PUSH, x0, y0, button, modifiers);
    send(Event::DRAG, (x0 + x1) / 2, (y0 + y1) / 2, button, modifiers);
    send(Event::DRAG, x1, y1, button, modifiers);
    send(Event::RELEASE, x1, y1, 0, modifiers);
  }

 private:
  CameraControl& control_;
  NoActions actions_;
  double time_ = 0;
};

/// Where the ray through this pixel meets the plane of the centre.
Vec3 on_centre_plane(const CameraControl& control, const Vec3& centre, float x, float y) {
  const Ray ray = control.ray(x / 400 - 1, 1 - y / 200);
  const Vec3 ahead = control.pose().R * Vec3::UnitX();
  return ray.from + ray.direction * ((centre - ray.from).dot(ahead) / ray.direction.dot(ahead));
}

osg::ref_ptr<CameraControl> control_at(const Vec3& from, const Vec3& target) {
  osg::ref_ptr<CameraControl> control = new CameraControl;
  control->set_lens(0.6, 2);
  control->look_from(render::look_at(from, target), (target - from).norm());
  return control;
}

TEST(CameraControl, StartsWhereItIsPut) {
  const Pose X_WC = render::look_at({3, -4, 5}, {1, 1, 1});
  const auto control = control_at({3, -4, 5}, {1, 1, 1});
  expect_near(control->pose().p, X_WC.p);
  expect_near(control->centre(), {1, 1, 1});
  EXPECT_LT(control->pose().R.angularDistance(X_WC.R), 1e-9);
}

TEST(CameraControl, StartsTiltedOrStraightDownAsWell) {
  for (const Quat& R : {axis_angle(Vec3::UnitY(), kPi / 2),
                        axis_angle(Vec3::UnitX(), 0.7) * axis_angle(Vec3::UnitZ(), 2)}) {
    CameraControl* control = new CameraControl;
    const osg::ref_ptr<CameraControl> keep = control;
    control->look_from({R, Vec3(1, 2, 30)}, 10);
    EXPECT_LT(control->pose().R.angularDistance(R), 1e-7);
    expect_near(control->centre(), Vec3(1, 2, 30) + R * Vec3(10, 0, 0));
  }
}

TEST(CameraControl, RaysSpanTheFieldOfView) {
  const auto control = control_at({0, 0, 0}, {10, 0, 0});
  expect_near(control->ray(0, 0).direction, {1, 0, 0});
  // Half of 0.6 rad upwards; twice as far in the picture to the side. y is left.
  expect_near(control->ray(0, 1).direction, Vec3(std::cos(0.3), 0, std::sin(0.3)));
  expect_near(control->ray(1, 0).direction, Vec3(1, -2 * std::tan(0.3), 0).normalized());
}

TEST(CameraControl, LeftButtonTurnsAroundTheCentreAndStaysUpright) {
  const auto control = control_at({-8, 3, 4}, {1, 1, 1});
  const double distance = (Vec3(-8, 3, 4) - Vec3(1, 1, 1)).norm();
  Mouse(*control).drag(100, 100, 500, 150, Event::LEFT_MOUSE_BUTTON);
  expect_near(control->centre(), {1, 1, 1});
  EXPECT_NEAR((control->pose().p - Vec3(1, 1, 1)).norm(), distance, 1e-9);
  const Vec3 left = control->pose().R * Vec3::UnitY();
  EXPECT_NEAR(left.z(), 0, 1e-6);
  EXPECT_GT((control->pose().p - Vec3(-8, 3, 4)).norm(), 1);
}

TEST(CameraControl, CannotBeTurnedOnItsHead) {
  const auto control = control_at({-10, 0, 2}, {0, 0, 0});
  Mouse mouse(*control);
  for (int i = 0; i < 10; ++i) mouse.drag(400, 10, 400, 390, Event::LEFT_MOUSE_BUTTON);
  EXPECT_GE((control->pose().R * Vec3::UnitZ()).z(), -1e-3);
  for (int i = 0; i < 20; ++i) mouse.drag(400, 390, 400, 10, Event::LEFT_MOUSE_BUTTON);
  EXPECT_GE((control->pose().R * Vec3::UnitZ()).z(), -1e-3);
}

TEST(CameraControl, WhatIsUnderThePointerStaysThereWhileItMoves) {
  for (const auto& [button, modifiers] : {std::pair<int, int>{Event::RIGHT_MOUSE_BUTTON, 0},
                                          {Event::MIDDLE_MOUSE_BUTTON, 0},
                                          {Event::LEFT_MOUSE_BUTTON, Event::MODKEY_LEFT_SHIFT}}) {
    const auto control = control_at({-8, 3, 4}, {1, 1, 1});
    const Vec3 before = on_centre_plane(*control, control->centre(), 100, 350);
    Mouse(*control).drag(100, 350, 620, 80, button, modifiers);
    expect_near(on_centre_plane(*control, control->centre(), 620, 80), before, 1e-6);
    EXPECT_LT(control->pose().R.angularDistance(render::look_at({-8, 3, 4}, {1, 1, 1}).R), 1e-9);
  }
}

TEST(CameraControl, ZoomKeepsAPointInItsPlaceInThePicture) {
  const auto control = control_at({-8, 3, 4}, {1, 1, 1});
  const Ray ray = control->ray(0.5, -0.4);
  const Vec3 point = ray.from + 7 * ray.direction;
  control->zoom(0.5, point);
  EXPECT_NEAR((control->pose().p - point).norm(), 3.5, 1e-9);
  expect_near(control->ray(0.5, -0.4).direction, ray.direction);
}

TEST(CameraControl, ZoomEndsBeforeItReachesTheCentreOrInfinity) {
  const auto control = control_at({-8, 3, 4}, {1, 1, 1});
  for (int i = 0; i < 500; ++i) control->zoom(0.5, control->centre());
  EXPECT_GT(control->getDistance(), 0.01);
  EXPECT_TRUE(control->pose().p.allFinite());
  for (int i = 0; i < 500; ++i) control->zoom(3, control->centre());
  EXPECT_LT(control->getDistance(), 1e7);
}

TEST(CameraControl, MovesAlongAndLooksAtPoints) {
  const auto control = control_at({-8, 3, 4}, {1, 1, 1});
  control->move({0, 0, 2});
  expect_near(control->pose().p, {-8, 3, 6});
  control->look_at({5, 5, 5});
  expect_near(control->centre(), {5, 5, 5});
  expect_near(control->pose().p, {-4, 7, 8});
  control->move(Vec3::Constant(std::nan("")));
  control->look_at(Vec3::Constant(std::nan("")));
  expect_near(control->centre(), {5, 5, 5});
}

TEST(CameraControl, DragsOverAWindowOfNoSizeAreNothing) {
  const auto control = control_at({-8, 3, 4}, {1, 1, 1});
  osg::ref_ptr<Event> event = new Event;
  NoActions actions;
  for (const auto type : {Event::PUSH, Event::DRAG, Event::DRAG, Event::RELEASE}) {
    event = new Event(*event, osg::CopyOp::SHALLOW_COPY);
    event->setEventType(type);
    event->setInputRange(0, 0, 0, 0);
    event->setX(event->getX() + 1);
    event->setButtonMask(Event::LEFT_MOUSE_BUTTON);
    control->handle(*event, actions);
  }
  EXPECT_TRUE(control->pose().p.allFinite());
}

TEST(ClipPlanes, AreTheEndsOfWhatIsDrawn) {
  ClipPlanes limits;
  limits.set(20, 0.05, 0);
  osg::Matrixd projection = osg::Matrixd::perspective(40, 2, 0.1, 100);
  double near = 3, far = 50;
  ASSERT_TRUE(limits.clampProjectionMatrixImplementation(projection, near, far));
  const auto depth = [&](double z) { return (osg::Vec3d(0, 0, -z) * projection).z(); };
  EXPECT_GT(depth(3), -1);
  EXPECT_LT(depth(50), 1);
  EXPECT_LT(depth(2.8), -1);
  EXPECT_GT(depth(53), 1);
}

TEST(ClipPlanes, KeepsTheNearLimitInFrontOfTheEye) {
  ClipPlanes limits;
  limits.set(20, 0.05, 100);
  osg::Matrixd projection = osg::Matrixd::perspective(40, 2, 0.1, 100);
  double near = -7, far = 5000;  // the camera is inside of something
  ASSERT_TRUE(limits.clampProjectionMatrixImplementation(projection, near, far));
  EXPECT_DOUBLE_EQ(near, 0.05);
  EXPECT_DOUBLE_EQ(far, 100);
  limits.set(0.1, 0.05, 0);  // looks at something that is near
  near = -7;
  ASSERT_TRUE(limits.clampProjectionMatrixImplementation(projection, near, far));
  EXPECT_LT(near, 0.01);
}

TEST(ClipPlanes, LeavesPictureLikeCamerasAlone) {
  const ClipPlanes limits;
  osg::Matrixd ortho = osg::Matrixd::ortho2D(0, 100, 0, 100);
  double near = 1, far = 2;
  EXPECT_FALSE(limits.clampProjectionMatrixImplementation(ortho, near, far));
}

}  // namespace
}  // namespace protobeam::viewer
