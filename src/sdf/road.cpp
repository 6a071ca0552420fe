#include "sdf/road.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "sdf/looks.h"
#include "urdf/gazebo_looks.h"
#include "urdf/values.h"

namespace protobeam::sdf {
namespace {

constexpr std::size_t kMostRoadPoints = 100000;
constexpr double kWidestRoad = 1e6;  // m
/// A turn so near to half of one has no corner on its outer side.
constexpr double kSharpest = 1e-3;  // 1 + its cosine

/// Each is elsewhere in the plane than the one before. Nothing with a message.
std::vector<Vec3> points_of(Context& context, const Element& road) {
  std::vector<Vec3> out;
  for (const Element* point : road.all("point")) {
    const auto xyz = urdf::numbers_of(point->text, 3, "<point>", context.diagnostics);
    if (!xyz) return {};
    const Vec3 p((*xyz)[0], (*xyz)[1], (*xyz)[2]);
    if (!(p.cwiseAbs().maxCoeff() < kFarthest)) {
      context.diagnostics.error(point->place, "a <point> must be nearer than 1e9 m");
      return {};
    }
    if (out.empty() || out.back().head<2>() != p.head<2>()) out.push_back(p);
  }
  if (out.size() > kMostRoadPoints) {
    context.diagnostics.error(road.place, fmt::format("a <road> has at most {} points, got {}",
                                                      kMostRoadPoints, out.size()));
    return {};
  }
  if (out.size() < 2)
    context.ignored.add("a <road> without two <point>s that are apart", road.place);
  return out.size() < 2 ? std::vector<Vec3>() : out;
}

/// From each point to the left edge, so that the strip has its width before and after it.
std::vector<Vec2> to_the_left(const std::vector<Vec3>& points, double width) {
  std::vector<Vec2> out;
  const auto ahead = [&](std::size_t i) {
    return Vec2((points[i + 1] - points[i]).head<2>().normalized());
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 before = ahead(i > 0 ? i - 1 : 0);
    const Vec2 after = ahead(i + 1 < points.size() ? i : i - 1);
    const double turn = 1 + before.dot(after);
    const Vec2 along = turn > kSharpest ? Vec2((before + after) / turn) : before;
    out.push_back(width / 2 * Vec2(-along.y(), along.x()));
  }
  return out;
}

NodePtr look_of_road(Context& context, const Element& road) {
  if (road.child("material")) return appearance_of(context, road, false);
  return NodeMaker("PBRAppearance", at(road))
      .vec3("baseColor", urdf::gazebo_look("Gazebo/Road")->colour)
      .number("roughness", 1)
      .number("metalness", 0)
      .take();
}

}  // namespace

NodePtr road_node(Context& context, const Element& road) {
  const double width = number_in(context, road, "width", 1, 0, kWidestRoad);
  const std::vector<Vec3> points = points_of(context, road);
  if (points.empty()) return nullptr;
  if (!(width > 0)) {
    context.ignored.add("a <road> without a width", road.place);
    return nullptr;
  }
  const std::vector<Vec2> left = to_the_left(points, width);
  std::vector<Vec3> corners;
  std::vector<double> faces;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 side(left[i].x(), left[i].y(), 0);
    corners.push_back(points[i] + side);
    corners.push_back(points[i] - side);
    if (i == 0) continue;
    const double l = 2 * static_cast<double>(i) - 2;
    faces.insert(faces.end(), {l, l + 1, l + 3, -1, l, l + 3, l + 2, -1});
  }
  const wbt::Origin origin = at(road);
  return NodeMaker("Shape", origin)
      .node("appearance", look_of_road(context, road))
      .node("geometry",
            NodeMaker("IndexedFaceSet", origin)
                .node("coord", NodeMaker("Coordinate", origin).points("point", corners).take())
                .numbers("coordIndex", faces)
                .take())
      .take();
}

}  // namespace protobeam::sdf
