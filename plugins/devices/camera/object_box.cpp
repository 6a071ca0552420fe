#include "object_box.h"

#include <algorithm>
#include <array>

#include "base/libm.h"
#include "raycast/quadric.h"

namespace protobeam {
namespace {

void enclose(Bounds& all, const Vec3& p) {
  all.min = all.min.cwiseMin(p);
  all.max = all.max.cwiseMax(p);
}

std::array<Vec3, 8> corners_of(const Bounds& box) {
  std::array<Vec3, 8> corners;
  for (unsigned i = 0; i < corners.size(); ++i) {
    corners[i] = {(i & 1 ? box.max : box.min).x(), (i & 2 ? box.max : box.min).y(),
                  (i & 4 ? box.max : box.min).z()};
  }
  return corners;
}

}  // namespace

ObjectBoxes::ObjectBoxes(const render::ImageGeometry& image) {
  const double across = image.field_of_view / 2, upright = image.vertical_field_of_view() / 2;
  cuts_ = !image.model && across < kPi / 2 && upright < kPi / 2;
  cuts_round_ = cuts_ && across <= kPi / 4;
  inward_[kRight] = {libm::sin(across), libm::cos(across), 0};
  inward_[kLeft] = {libm::sin(across), -libm::cos(across), 0};
  inward_[kBottom] = {libm::sin(upright), 0, libm::cos(upright)};
  inward_[kTop] = {libm::sin(upright), 0, -libm::cos(upright)};
}

std::optional<Bounds> ObjectBoxes::box_of(const RecognizableObject& object,
                                          const Pose& X_CO) const {
  const Parts parts = object.bounding.empty() ? object.parts : object.bounding;
  Bounds box = around(parts, X_CO, cuts_);
  if (box.empty()) box = around(parts, X_CO, false);
  if (box.empty()) return std::nullopt;
  return box;
}

/// Of all parts of which something is in view.
Bounds ObjectBoxes::around(Parts parts, const Pose& X_CO, bool cut) const {
  Bounds all;
  for (const RecognizableObject::Part& part : parts) {
    const Pose X_CS = X_CO * part.X_OS;
    const Bounds box = is_quadric(*part.geometry) ? of_round(*part.geometry, X_CS, cut)
                       : part.corners_S.empty()   ? of_corners(corners_of(part.box_S), X_CS, cut)
                                                  : of_corners(part.corners_S, X_CS, cut);
    if (box.empty()) continue;
    enclose(all, box.min);
    enclose(all, box.max);
  }
  return all;
}

Bounds ObjectBoxes::of_corners(std::span<const Vec3> corners_S, const Pose& X_CS, bool cut) const {
  Bounds box;
  bool any_ahead = false, any_inside = false;
  std::array<bool, 4> beyond{}, within{};  // some corner is, by Side
  for (const Vec3& corner_S : corners_S) {
    Vec3 p = X_CS * corner_S;
    // What is behind the camera counts as it is, with something before it.
    if (cut && p.x() > 0) {
      any_ahead = true;
      bool inside = true;
      for (std::size_t side = 0; side < inward_.size(); ++side) {
        const double depth = inward_[side].dot(p);
        if (depth < 0) p -= depth * inward_[side];
        (depth < 0 ? beyond : within)[side] = true;
        inside = inside && depth >= 0;
      }
      any_inside = any_inside || inside;
    }
    enclose(box, p);
  }
  if (!cut || any_inside) return box;
  // It may still reach from one border of the image to the other.
  const bool crosses_row = beyond[kLeft] && beyond[kRight] && within[kBottom] && within[kTop];
  const bool crosses_column = beyond[kBottom] && beyond[kTop] && within[kLeft] && within[kRight];
  return any_ahead && (crosses_row || crosses_column) ? box : Bounds{};
}

Bounds ObjectBoxes::of_round(const Geometry& geometry, const Pose& X_CS, bool cut) const {
  Bounds box;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 d_S = X_CS.R.conjugate() * Vec3::Unit(axis);
    box.max[axis] = (X_CS * support(geometry, d_S))[axis];
    box.min[axis] = (X_CS * support(geometry, -d_S))[axis];
  }
  if (!cut) return box;
  const Vec3 middle = (box.min + box.max) / 2, half = (box.max - box.min) / 2;
  std::array<double, 4> outside{};  // m, by Side
  for (std::size_t side = 0; side < inward_.size(); ++side) {
    const double depth = inward_[side].dot(middle);
    const double reach = side == kLeft || side == kRight ? half.y() : half.z();
    if (depth < -reach) return {};
    outside[side] = std::max(0.0, reach - depth);
  }
  if (!cuts_round_) return box;
  const auto shorten = [&](int axis, double below, double above) {
    box.min[axis] += below;
    box.max[axis] -= above;
    // The camera is in it, and both sides take more than there is.
    if (box.min[axis] > box.max[axis]) {
      box.min[axis] = box.max[axis] = (box.min[axis] + box.max[axis]) / 2;
    }
  };
  shorten(1, outside[kRight], outside[kLeft]);
  shorten(2, outside[kBottom], outside[kTop]);
  return box;
}

}  // namespace protobeam
