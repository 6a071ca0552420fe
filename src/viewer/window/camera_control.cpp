#include "viewer/window/camera_control.h"

#include <algorithm>
#include <cmath>

#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {
namespace {

constexpr double kNearest = 0.02, kFarthest = 1e6;  ///< m, of the camera from its centre

Vec3 vector_of(const osg::Vec3d& v) { return {v.x(), v.y(), v.z()}; }

/// OpenGL's eye coordinates look along -z with y up; a camera's frame along x with z up.
Pose pose_of(const osg::Vec3d& eye, const osg::Quat& rotation) {
  Mat3 R;
  R.col(0) = vector_of(rotation * osg::Vec3d(0, 0, -1));
  R.col(1) = vector_of(rotation * osg::Vec3d(-1, 0, 0));
  R.col(2) = vector_of(rotation * osg::Vec3d(0, 1, 0));
  return {Quat(R).normalized(), vector_of(eye)};
}

}  // namespace

CameraControl::CameraControl() : OrbitManipulator(0) {
  setAllowThrow(false);
  setVerticalAxisFixed(true);
  setMinimumDistance(kNearest);
}

void CameraControl::look_from(const Pose& X_WC, double distance) {
  distance = std::clamp(distance, kNearest, kFarthest);
  // The axes of eye coordinates in the world. As given: a camera that is tilted, or looks straight
  // down, becomes upright only when the mouse rotates it.
  const osg::Matrixd world_from_eye = osg::Matrixd::inverse(view_matrix(X_WC));
  setVerticalAxisFixed(false);
  setDistance(distance);
  setRotation(world_from_eye.getRotate());
  setCenter(osg_vector(X_WC * Vec3(distance, 0, 0)));
  setVerticalAxisFixed(true);
}

void CameraControl::set_lens(double vertical_fov, double aspect) {
  vertical_fov_ = vertical_fov;
  aspect_ = aspect;
}

Pose CameraControl::pose() const {
  osg::Vec3d eye;
  osg::Quat rotation;
  getTransformation(eye, rotation);
  return pose_of(eye, rotation);
}

Vec3 CameraControl::centre() const { return vector_of(getCenter()); }

Ray CameraControl::ray(double x, double y) const {
  const Pose X_WC = pose();
  const double up = std::tan(vertical_fov_ / 2);
  const Vec3 direction_C = Vec3(1, -x * up * aspect_, y * up).normalized();
  return {X_WC.p, X_WC.R * direction_C};
}

void CameraControl::move(const Vec3& by) {
  if (by.allFinite()) setCenter(getCenter() + osg_vector(by));
}

void CameraControl::look_at(const Vec3& point) {
  if (point.allFinite()) setCenter(osg_vector(point));
}

void CameraControl::zoom(double factor, const Vec3& about) {
  if (!about.allFinite() || !(factor > 0)) return;
  const double distance = std::clamp(getDistance() * factor, kNearest, kFarthest);
  const double scale = distance / getDistance();
  setCenter(osg_vector(about + scale * (centre() - about)));
  setDistance(distance);
}

bool CameraControl::performMovementLeftMouseButton(double, double dx, double dy) {
  if (!std::isfinite(dx) || !std::isfinite(dy)) return false;
  if (_ga_t0->getModKeyMask() & osgGA::GUIEventAdapter::MODKEY_SHIFT) {
    pan(dx, dy);
  } else {
    // From one side of the window to the other: 180 degrees, up and down 90.
    rotateWithFixedVertical(static_cast<float>(dx * kPi / 2), static_cast<float>(dy * kPi / 4));
  }
  return true;
}

bool CameraControl::performMovementMiddleMouseButton(double, double dx, double dy) {
  pan(dx, dy);
  return true;
}

bool CameraControl::performMovementRightMouseButton(double, double dx, double dy) {
  pan(dx, dy);
  return true;
}

// Keys are the window's.
bool CameraControl::handleKeyDown(const osgGA::GUIEventAdapter&, osgGA::GUIActionAdapter&) {
  return false;
}

// OSG would repeat the last movement to continue it after the release.
bool CameraControl::handleMouseRelease(const osgGA::GUIEventAdapter&, osgGA::GUIActionAdapter&) {
  flushMouseEventStack();
  return true;
}

void CameraControl::pan(double dx, double dy) {
  const double up = getDistance() * std::tan(vertical_fov_ / 2);
  const Pose X_WC = pose();
  move(X_WC.R * Vec3(0, dx * up * aspect_, -dy * up));
}

void ClipPlanes::set(double distance, double near, double far) {
  near_ = std::min(std::max(1e-4, near), 0.05 * distance);
  far_ = far;
}

bool ClipPlanes::clampProjectionMatrixImplementation(osg::Matrixf&, double&, double&) const {
  return false;
}

bool ClipPlanes::clampProjectionMatrixImplementation(osg::Matrixd& projection, double& near,
                                                     double& far) const {
  const bool is_perspective = projection(3, 3) == 0;
  if (!is_perspective) return false;  // a HUD has limits of its own
  near = std::max(near * 0.98, near_);
  far = std::max(far_ > 0 ? far_ : far * 1.02, near * 1.01);
  projection(2, 2) = -(far + near) / (far - near);
  projection(3, 2) = -2 * far * near / (far - near);
  return true;
}

}  // namespace protobeam::viewer
