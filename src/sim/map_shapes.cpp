// Shapes out of pictures: terrains and the walls of maps.
#include <algorithm>
#include <string>

#include "geometry/grey_image.h"
#include "geometry/occupancy_map.h"
#include "sim/shapes.h"

namespace protobeam {
using wbt::Node;
using wbt::NodeView;

namespace {

constexpr std::size_t kMaxPoints = 25'000'000;  // two triangles each: as for mesh files

/// Rows follow along x, columns along y. The look's picture lies on the terrain as the grey one
/// does: its rows along x, its columns along y.
Mesh terrain(const GreyImage& image, const NodeView& view) {
  const int rows = image.height, columns = image.width;
  const double step = view.number("resolution");
  const double low = view.number("minHeight"), high = view.number("maxHeight");
  const Vec2 extent = step * Vec2(rows - 1, columns - 1);
  const auto given = view.numbers("corner");
  const Vec2 corner = given.size() < 2 ? Vec2(-extent / 2) : Vec2(given[0], given[1]);
  Vec2 picture = view.vec2("textureSize");
  for (int i = 0; i < 2; ++i) {
    if (picture[i] == 0) picture[i] = extent[i];
  }
  const auto [darkest, brightest] = std::minmax_element(image.levels.begin(), image.levels.end());
  // A picture of one grey is flat ground at minHeight.
  const double scale = *darkest == *brightest ? 0 : (high - low) / (*brightest - *darkest);
  Mesh mesh;
  mesh.vertices.reserve(image.levels.size());
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const int level = image.levels[mesh.vertices.size()];
      mesh.vertices.emplace_back(corner.x() + i * step, corner.y() + j * step,
                                 low + scale * (level - *darkest));
    }
  }
  const auto index = [&](int i, int j) { return static_cast<std::uint32_t>(i * columns + j); };
  const auto uv = [&](int i, int j) {
    return Eigen::Vector2f(static_cast<float>(j * step / picture.y()),
                           static_cast<float>(1 - i * step / picture.x()));
  };
  for (int i = 0; i + 1 < rows; ++i) {
    for (int j = 0; j + 1 < columns; ++j) {
      mesh.triangles.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
      mesh.triangles.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
      mesh.uvs.push_back({uv(i, j), uv(i + 1, j), uv(i + 1, j + 1)});
      mesh.uvs.push_back({uv(i, j), uv(i + 1, j + 1), uv(i, j + 1)});
    }
  }
  return mesh;
}

}  // namespace

std::shared_ptr<const Geometry> ShapeFactory::elevation_image(const Node& node) {
  const NodeView view(node, schemas_);
  const auto refuse = [&](const char* field, std::string why) -> std::shared_ptr<const Geometry> {
    diagnostics_.error(view.place(field), std::move(why), {}, node.expanded_from);
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
    if (image.levels.size() > kMaxPoints) {
      return refuse("url", file.string() + ": a terrain of " + size +
                               " pixels is too large; at most 25 million");
    }
    return std::make_shared<const Geometry>(terrain(image, view));
  } catch (const std::exception& problem) {
    return refuse("url", problem.what());
  }
}

std::shared_ptr<const Geometry> ShapeFactory::occupancy_grid(const Node& node) {
  const NodeView view(node, schemas_);
  const auto refuse = [&](std::string why) -> std::shared_ptr<const Geometry> {
    diagnostics_.error(view.place("url"), std::move(why), {}, node.expanded_from);
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
      diagnostics_.warning(view.place("url"), file.string() + ": no cell of the map is occupied",
                           {}, node.expanded_from);
      return nullptr;
    }
    return std::make_shared<const Geometry>(std::move(mesh));
  } catch (const std::exception& problem) {
    return refuse(problem.what());
  }
}

}  // namespace protobeam
