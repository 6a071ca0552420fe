#include "viewer/window/selection.h"

#include <algorithm>
#include <cmath>

#include "sim/scene/solid_facts.h"

namespace protobeam::viewer {
namespace {

/// A box around corners in front of the camera; edges are clipped at the camera plane.
class PixelBounds {
 public:
  PixelBounds(const osg::Matrixd& clip_from_world, int width, int height)
      : clip_(clip_from_world), width_(width), height_(height) {}

  void add_box(const Bounds& box, const Pose& X_WB) {
    std::array<osg::Vec4d, 8> corners;
    for (std::size_t i = 0; i < 8; ++i) {
      const Vec3 p =
          X_WB * Vec3(i & 1 ? box.max.x() : box.min.x(), i & 2 ? box.max.y() : box.min.y(),
                      i & 4 ? box.max.z() : box.min.z());
      corners[i] = osg::Vec4d(p.x(), p.y(), p.z(), 1) * clip_;
    }
    for (std::size_t i = 0; i < 8; ++i) {
      for (const std::size_t bit : {1u, 2u, 4u}) {
        if (!(i & bit)) add_edge(corners[i], corners[i | bit]);
      }
    }
  }

  std::optional<PixelBox> box() const {
    const double x0 = std::max(x0_, 0.0), x1 = std::min(x1_, static_cast<double>(width_));
    const double y0 = std::max(y0_, 0.0), y1 = std::min(y1_, static_cast<double>(height_));
    if (!(x0 < x1 && y0 < y1)) return std::nullopt;
    // What ends at the edge of a pixel does not touch the next one.
    constexpr double kRounding = 1e-6;
    return PixelBox{
        static_cast<int>(std::floor(x0 + kRounding)), static_cast<int>(std::floor(y0 + kRounding)),
        static_cast<int>(std::ceil(x1 - kRounding)), static_cast<int>(std::ceil(y1 - kRounding))};
  }

 private:
  void add_edge(osg::Vec4d a, osg::Vec4d b) {
    constexpr double kNear = 1e-6;
    if (!(a.w() > kNear) && !(b.w() > kNear)) return;
    const auto cut = [](const osg::Vec4d& behind, const osg::Vec4d& before) {
      const double t = (kNear - behind.w()) / (before.w() - behind.w());
      return behind + (before - behind) * t;
    };
    if (!(a.w() > kNear)) a = cut(a, b);
    if (!(b.w() > kNear)) b = cut(b, a);
    add(a);
    add(b);
  }

  void add(const osg::Vec4d& p) {
    const double x = (p.x() / p.w() + 1) / 2 * width_, y = (1 - p.y() / p.w()) / 2 * height_;
    x0_ = std::min(x0_, x);
    x1_ = std::max(x1_, x);
    y0_ = std::min(y0_, y);
    y1_ = std::max(y1_, y);
  }

  osg::Matrixd clip_;
  int width_, height_;
  double x0_ = INFINITY, y0_ = INFINITY, x1_ = -INFINITY, y1_ = -INFINITY;
};

}  // namespace

std::optional<PixelBox> pixels_of(const SceneDescription& description, const SceneState& state,
                                  int solid, const osg::Matrixd& clip_from_world, int width,
                                  int height) {
  PixelBounds pixels(clip_from_world, width, height);
  for (std::size_t g = 0; g < description.groups.size(); ++g) {
    for (const SceneDescription::Shape& shape : description.groups[g].shapes) {
      if (!scene::is_inside(description, shape.solid, solid)) continue;
      const Bounds box = bounds(*shape.geometry);
      if (!box.empty()) pixels.add_box(box, state.groups[g] * shape.X_GS);
    }
  }
  return pixels.box();
}

}  // namespace protobeam::viewer
