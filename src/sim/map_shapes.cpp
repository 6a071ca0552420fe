// Shapes out of pictures: terrains and the walls of maps.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "geometry/grey_image.h"
#include "geometry/height_filter.h"
#include "geometry/occupancy_map.h"
#include "geometry/shared_geometry.h"
#include "sim/shapes.h"

namespace protobeam {
using wbt::Node;
using wbt::NodeView;

namespace {

/// Of a square matrix: heights of a field run along x first, pixels and kernels along y.
std::vector<double> transposed(std::span<const double> kernel) {
  std::size_t side = 1;
  while (side * side < kernel.size()) ++side;
  std::vector<double> out;
  for (std::size_t i = 0; i < kernel.size(); ++i) out.push_back(kernel[i % side * side + i / side]);
  return out;
}

/// Rows follow along x, columns along y. The look's picture lies on the terrain as the grey one
/// does: its rows along x, its columns along y.
HeightField terrain(const GreyImage& image, const NodeView& view) {
  HeightField field;
  field.columns = image.height;
  field.rows = image.width;
  field.spacing.setConstant(view.number("resolution"));
  const double low = view.number("minHeight"), high = view.number("maxHeight");
  const Vec2 extent = field.spacing.x() * Vec2(field.columns - 1, field.rows - 1);
  const auto given = view.numbers("corner");
  field.origin = given.size() < 2 ? Vec2(-extent / 2) : Vec2(given[0], given[1]);
  const auto [darkest, brightest] = std::minmax_element(image.levels.begin(), image.levels.end());
  // A picture of one grey is flat ground at minHeight.
  const double scale = *darkest == *brightest ? 0 : (high - low) / (*brightest - *darkest);
  field.heights.reserve(image.levels.size());
  for (int j = 0; j < field.rows; ++j) {
    for (int i = 0; i < field.columns; ++i) {
      const auto pixel = static_cast<std::size_t>(i) * static_cast<std::size_t>(image.width) +
                         static_cast<std::size_t>(j);
      field.heights.push_back(low + scale * (image.levels[pixel] - *darkest));
    }
  }
  if (const auto kernel = view.numbers("kernel"); !kernel.empty()) {
    field.heights =
        filtered(field.heights, static_cast<std::size_t>(field.columns), transposed(kernel));
  }
  Vec2 picture = view.vec2("textureSize");
  for (int i = 0; i < 2; ++i) {
    if (picture[i] == 0) picture[i] = extent[i];
  }
  field.uv << 0, 1 / picture.y(), -field.origin.y() / picture.y(),
      -1 / picture.x(), 0, 1 + field.origin.x() / picture.x();
  return field;
}

}  // namespace

std::shared_ptr<const Geometry> ShapeFactory::elevation_image(const Node& node) {
  const NodeView view(node, schemas_);
  const auto refuse = [&](const char* field, std::string why) -> std::shared_ptr<const Geometry> {
    diagnostics_->error(view.place(field), std::move(why), {}, node.expanded_from);
    return nullptr;
  };
  const auto file = resolve(node, "url");
  if (file.empty()) return refuse("url", "field 'url' of ElevationImage names no picture");
  if (view.numbers("corner").size() > 2) {
    return refuse("corner", "field 'corner' of ElevationImage takes one point");
  }
  if (view.number("minHeight") > view.number("maxHeight")) {
    return refuse("minHeight", "field 'minHeight' of ElevationImage must be at most 'maxHeight'");
  }
  try {
    const GreyImage image = load_grey_image(file);
    const std::string size = std::to_string(image.width) + " x " + std::to_string(image.height);
    if (image.width < 2 || image.height < 2) {
      return refuse("url", file.string() + ": a terrain needs 2 x 2 pixels or more, got " + size);
    }
    if (const auto kernel = view.numbers("kernel"); !kernel.empty()) {
      if (const std::string why = why_no_kernel(kernel, image.levels.size()); !why.empty()) {
        return refuse("kernel", "field 'kernel' of ElevationImage " + why);
      }
    }
    if (!affordable(node, "url", kBytesPerHeight * static_cast<double>(image.levels.size()))) {
      return nullptr;
    }
    return shared_geometry(terrain(image, view));
  } catch (const std::exception& problem) {
    return refuse("url", problem.what());
  }
}

std::shared_ptr<const Geometry> ShapeFactory::occupancy_grid(const Node& node) {
  const NodeView view(node, schemas_);
  const auto refuse = [&](std::string why) -> std::shared_ptr<const Geometry> {
    diagnostics_->error(view.place("url"), std::move(why), {}, node.expanded_from);
    return nullptr;
  };
  const auto file = resolve(node, "url");
  if (file.empty()) return refuse("field 'url' of OccupancyGrid names no map");
  MapRules rules;
  rules.resolution = view.number("resolution");
  const Vec3 origin = view.vec3("origin");
  rules.origin = origin.head<2>();
  rules.yaw = origin.z();
  rules.occupied_threshold = view.number("occupiedThreshold");
  rules.negate = view.boolean("negate");
  try {
    Mesh mesh = occupancy_walls(load_occupancy_map(file, rules), view.number("height"));
    if (mesh.triangles.empty()) {
      diagnostics_->warning(view.place("url"), file.string() + ": no cell of the map is occupied",
                           {}, node.expanded_from);
      return nullptr;
    }
    return shared_geometry(std::move(mesh));
  } catch (const std::exception& problem) {
    return refuse(problem.what());
  }
}

}  // namespace protobeam
