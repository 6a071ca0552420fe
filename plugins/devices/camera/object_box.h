// How large a recognised object is, and where its middle is, as a camera sees it.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "device/appearance.h"
#include "render/projection.h"

namespace protobeam {

/// Boxes of objects in the camera's axes. As in Webots (WbObjectDetection::isWithinBounds), the
/// pyramid through the borders of the image cuts them: corners of a part that are outside go at a
/// right angle to the plane that they are beyond, and a round part loses what is beyond a plane at
/// its middle. Images of pi or more across and those of a lensModel have no such planes and cut
/// nothing.
class ObjectBoxes {
 public:
  explicit ObjectBoxes(const render::ImageGeometry& image);

  /// Around its boundingObjects, or around its visible shapes where it has none; whole when the
  /// planes leave nothing of it. None: it has no parts.
  std::optional<Bounds> box_of(const RecognizableObject& object, const Pose& X_CO) const;

 private:
  using Parts = std::span<const RecognizableObject::Part>;
  Bounds around(Parts parts, const Pose& X_CO, bool cut) const;
  Bounds of_corners(std::span<const Vec3> corners_S, const Pose& X_CS, bool cut) const;
  Bounds of_round(const Geometry& geometry, const Pose& X_CS, bool cut) const;

  enum Side { kRight, kBottom, kLeft, kTop };
  std::array<Vec3, 4> inward_;  ///< unit normals of the planes, by Side
  bool cuts_ = false, cuts_round_ = false;
};

}  // namespace protobeam
