// The camera of the window, and how the mouse moves it.
#pragma once

#include <osgGA/OrbitManipulator>

#include "sim/scene/camera_choice.h"

namespace protobeam::viewer {

/// The ray through a point of the window.
struct Ray {
  Vec3 from, direction;  ///< of unit length
};

/// Orbits around a centre, z stays up. The left button rotates, the right and the middle one and
/// the left one with Shift move sideways, so that what was under the pointer stays there.
class CameraControl : public osgGA::OrbitManipulator {
 public:
  CameraControl();

  /// The centre becomes the point `distance` ahead of the camera.
  void look_from(const Pose& X_WC, double distance);
  /// Of the window; aspect is width / height.
  void set_lens(double vertical_fov, double aspect);

  Pose pose() const;  ///< X_WC: looks along +x, +z is up
  Vec3 centre() const;
  double vertical_fov() const { return vertical_fov_; }
  double aspect() const { return aspect_; }
  /// x to the right, y upwards, both -1..1 over the window.
  Ray ray(double x, double y) const;

  void move(const Vec3& by);
  void look_at(const Vec3& point);  ///< puts it in the middle; direction and distance stay
  /// Scales the camera's and the centre's distances from a point, which stays where it is in the
  /// picture.
  void zoom(double factor, const Vec3& about);

 protected:
  bool performMovementLeftMouseButton(double time, double dx, double dy) override;
  bool performMovementMiddleMouseButton(double time, double dx, double dy) override;
  bool performMovementRightMouseButton(double time, double dx, double dy) override;
  bool handleKeyDown(const osgGA::GUIEventAdapter&, osgGA::GUIActionAdapter&) override;
  bool handleMouseRelease(const osgGA::GUIEventAdapter&, osgGA::GUIActionAdapter&) override;

 private:
  void pan(double dx, double dy);

  double vertical_fov_ = 0.7, aspect_ = 1;
};

/// Clip planes: the far one behind all drawn objects, the near one at most at a fraction of the
/// `distance` to the centre.
class ClipPlanes : public osg::CullSettings::ClampProjectionMatrixCallback {
 public:
  void set(double distance, double near, double far);  ///< far 0: no limit
  bool clampProjectionMatrixImplementation(osg::Matrixf&, double&, double&) const override;
  bool clampProjectionMatrixImplementation(osg::Matrixd& projection, double& near,
                                           double& far) const override;

 private:
  double near_ = 0.05, far_ = 0;
};

}  // namespace protobeam::viewer
