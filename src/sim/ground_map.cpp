#include "sim/ground_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "geometry/geometry.h"

namespace protobeam {
namespace {

constexpr double kMostCells = 1e8;
constexpr double kMargin = 1;      // m, around what is there
constexpr double kInwards = 1e-6;  // m: a face on the border of two cells is in that of its body

bool has_y_up(const WorldModel& model) { return model.up.y() > 0.5; }

/// x, y and height.
Vec3 on_map(const Vec3& p_W, bool y_up) { return y_up ? Vec3(p_W.x(), -p_W.z(), p_W.y()) : p_W; }

/// A convex polygon of at most so many corners.
struct Polygon {
  std::array<Vec3, 8> corners;
  int count = 0;
};

/// What is left of it where sign * p[axis] <= sign * limit.
Polygon clipped(const Polygon& polygon, int axis, double sign, double limit) {
  Polygon out;
  for (int i = 0; i < polygon.count; ++i) {
    const Vec3& a = polygon.corners[static_cast<std::size_t>(i)];
    const Vec3& b = polygon.corners[static_cast<std::size_t>((i + 1) % polygon.count)];
    const double beyond_a = sign * (a[axis] - limit), beyond_b = sign * (b[axis] - limit);
    if (beyond_a <= 0) out.corners[static_cast<std::size_t>(out.count++)] = a;
    if ((beyond_a < 0 && beyond_b > 0) || (beyond_a > 0 && beyond_b < 0)) {
      out.corners[static_cast<std::size_t>(out.count++)] =
          a + beyond_a / (beyond_a - beyond_b) * (b - a);
    }
  }
  return out;
}

/// Least and greatest coordinate.
std::array<double, 2> extent(const Polygon& polygon, int axis) {
  std::array<double, 2> out = {std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()};
  for (int i = 0; i < polygon.count; ++i) {
    const double value = polygon.corners[static_cast<std::size_t>(i)][axis];
    out = {std::min(out[0], value), std::max(out[1], value)};
  }
  return out;
}

/// Calls `use` with each surface between the heights, moved a hair into its body.
template <class Use>
void each_surface(const WorldModel& model, const GroundMapOptions& options, const Use& use) {
  const bool y_up = has_y_up(model);
  const auto add = [&](const Vec3& a_W, const Vec3& b_W, const Vec3& c_W) {
    const Vec3 a = on_map(a_W, y_up), b = on_map(b_W, y_up), c = on_map(c_W, y_up);
    Polygon polygon{{a, b, c}, 3};
    polygon = clipped(polygon, 2, 1, options.high);
    if (polygon.count > 0) polygon = clipped(polygon, 2, -1, options.low);
    if (polygon.count == 0) return;
    const Vec3 inwards = -kInwards * (b - a).cross(c - a).stableNormalized();
    for (int i = 0; i < polygon.count; ++i)
      polygon.corners[static_cast<std::size_t>(i)].head<2>() += inwards.head<2>();
    use(polygon);
  };
  for (const VisualGroup& group : model.visuals) {
    for (std::size_t i = 0; i < group.geometries.size(); ++i) {
      const int solid = group.solids[i];
      const bool on_robot = solid >= 0 && model.solids[static_cast<std::size_t>(solid)].robot >= 0;
      if (on_robot && group.body != physics::kWorldBody) continue;
      const Pose X_WS = group.X_WG * group.shape_poses[i];
      if (const auto* field = std::get_if<HeightField>(group.geometries[i].get())) {
        for (std::uint32_t t = 0; t < field->triangle_count(); ++t) {
          const auto [a, b, c] = field->corners(t);
          add(X_WS * a, X_WS * b, X_WS * c);
        }
        continue;
      }
      const Mesh mesh = triangulated(*group.geometries[i]);
      for (const auto& [a, b, c] : mesh.triangles)
        add(X_WS * mesh.vertices[a], X_WS * mesh.vertices[b], X_WS * mesh.vertices[c]);
    }
  }
}

std::array<double, 4> bounds_of(const WorldModel& model, const GroundMapOptions& options) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::array<double, 4> out = {kInfinity, kInfinity, -kInfinity, -kInfinity};
  each_surface(model, options, [&](const Polygon& polygon) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const auto [low, high] = extent(polygon, static_cast<int>(axis));
      out[axis] = std::min(out[axis], low);
      out[axis + 2] = std::max(out[axis + 2], high);
    }
  });
  if (!(out[0] <= out[2])) {
    throw std::invalid_argument(fmt::format("nothing is seen between the heights {:g} and {:g} m",
                                            options.low, options.high));
  }
  return {out[0] - kMargin, out[1] - kMargin, out[2] + kMargin, out[3] + kMargin};
}

class MapMaker {
 public:
  MapMaker(const WorldModel& model, const GroundMapOptions& options) : model_(model) {
    const std::array<double, 4> area = options.area ? *options.area : bounds_of(model, options);
    map_.resolution = options.resolution;
    // On whole cells, so that maps of one world lie on each other.
    map_.origin = {std::floor(area[0] / options.resolution + 1e-6) * options.resolution,
                   std::floor(area[1] / options.resolution + 1e-6) * options.resolution};
    const double columns = std::ceil((area[2] - map_.origin.x()) / options.resolution - 1e-6);
    const double rows = std::ceil((area[3] - map_.origin.y()) / options.resolution - 1e-6);
    if (!(columns * rows <= kMostCells)) {
      throw std::invalid_argument(
          fmt::format("{:g} x {:g} cells are too many; a smaller area or a coarser resolution "
                      "than {:g} m has at most 1e8",
                      columns, rows, options.resolution));
    }
    map_.width = std::max(1, static_cast<int>(columns));
    map_.height = std::max(1, static_cast<int>(rows));
    map_.cells.assign(static_cast<std::size_t>(map_.width) * static_cast<std::size_t>(map_.height),
                      MapCell::kUnknown);
  }

  GroundMap make(const GroundMapOptions& options) {
    each_surface(model_, options, [this](const Polygon& polygon) { occupy(polygon); });
    std::vector<std::size_t> reached;
    for (const Vec2& point : options.inside) {
      const std::optional<std::size_t> cell = cell_at(point);
      if (!cell || map_.cells[*cell] == MapCell::kOccupied) {
        throw std::invalid_argument(
            fmt::format("the point {:g} {:g} is not on a free cell", point.x(), point.y()));
      }
      reached.push_back(*cell);
    }
    if (options.inside.empty()) reached = cells_of_robots();
    if (reached.empty()) {
      std::ranges::replace(map_.cells, MapCell::kUnknown, MapCell::kFree);
    } else {
      flood(std::move(reached));
    }
    return std::move(map_);
  }

 private:
  /// The first and the last cell of a row or column that lie between; what only touches the border
  /// of a cell is not in it.
  std::array<int, 2> cells_between(const std::array<double, 2>& extent, int axis) const {
    const double middle = (extent[0] + extent[1]) / 2;
    return {std::max(index(std::min(extent[0] + kInwards, middle), axis), 0),
            std::min(index(std::max(extent[1] - kInwards, middle), axis), cells(axis) - 1)};
  }

  /// -1 and the number of cells stand for all outside.
  int index(double coordinate, int axis) const {
    const double cell = std::floor((coordinate - map_.origin[axis]) / map_.resolution);
    if (!(cell >= 0)) return -1;  // also where something is at no place
    return static_cast<int>(std::min(cell, static_cast<double>(cells(axis))));
  }
  int cells(int axis) const { return axis == 0 ? map_.width : map_.height; }

  std::optional<std::size_t> cell_at(const Vec2& point) const {
    const int x = index(point.x(), 0), y = index(point.y(), 1);
    if (x < 0 || y < 0 || x >= map_.width || y >= map_.height) return std::nullopt;
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(map_.width) +
           static_cast<std::size_t>(x);
  }

  void occupy(const Polygon& polygon) {
    const auto [first, last] = cells_between(extent(polygon, 1), 1);
    for (int row = first; row <= last; ++row) {
      Polygon strip = polygon;
      if (first != last) {
        const double bottom = map_.origin.y() + row * map_.resolution;
        strip = clipped(strip, 1, -1, bottom);
        if (strip.count > 0) strip = clipped(strip, 1, 1, bottom + map_.resolution);
        if (strip.count == 0) continue;
      }
      const auto [begin, end] = cells_between(extent(strip, 0), 0);
      if (begin > end) continue;
      std::fill_n(map_.cells.begin() + static_cast<std::ptrdiff_t>(row) * map_.width + begin,
                  end - begin + 1, MapCell::kOccupied);
    }
  }

  std::vector<std::size_t> cells_of_robots() const {
    std::vector<std::size_t> out;
    for (const RobotInfo& robot : model_.robots) {
      if (robot.solid < 0) continue;
      const SolidInfo& solid = model_.solids[static_cast<std::size_t>(robot.solid)];
      if (solid.body == physics::kWorldBody) continue;
      const Vec3 p = on_map((model_.physics->pose(solid.body) * solid.X_BS).p, has_y_up(model_));
      const std::optional<std::size_t> cell = cell_at(p.head<2>());
      if (cell && map_.cells[*cell] != MapCell::kOccupied) out.push_back(*cell);
    }
    return out;
  }

  void flood(std::vector<std::size_t> reached) {
    const auto width = static_cast<std::size_t>(map_.width);
    for (const std::size_t cell : reached) map_.cells[cell] = MapCell::kFree;
    while (!reached.empty()) {
      const std::size_t cell = reached.back(), x = cell % width;
      reached.pop_back();
      const auto visit = [&](bool inside, std::size_t next) {
        if (!inside || map_.cells[next] != MapCell::kUnknown) return;
        map_.cells[next] = MapCell::kFree;
        reached.push_back(next);
      };
      visit(x > 0, cell - 1);
      visit(x + 1 < width, cell + 1);
      visit(cell >= width, cell - width);
      visit(cell + width < map_.cells.size(), cell + width);
    }
  }

  const WorldModel& model_;
  GroundMap map_;
};

}  // namespace

Quat axes_of_maps(const WorldModel& model) {
  return has_y_up(model) ? axis_angle(Vec3::UnitX(), -kPi / 2) : Quat::Identity();
}

GroundMap ground_map(const WorldModel& model, const GroundMapOptions& options) {
  return MapMaker(model, options).make(options);
}

std::string map_picture(const GroundMap& map) {
  std::string out =
      fmt::format("P5\n# {:g} m a pixel\n{} {}\n255\n", map.resolution, map.width, map.height);
  for (int y = map.height - 1; y >= 0; --y) {
    for (int x = 0; x < map.width; ++x) {
      const MapCell cell = map.at(x, y);
      out += static_cast<char>(cell == MapCell::kFree ? 254 : cell == MapCell::kOccupied ? 0 : 205);
    }
  }
  return out;
}

std::string map_description(const GroundMap& map, const std::string& picture) {
  // 205 is 0.196 occupied: neither below the one threshold nor above the other.
  return fmt::format(
      "image: {}\nmode: trinary\nresolution: {:.10g}\norigin: [{:.10g}, {:.10g}, 0]\nnegate: 0\n"
      "occupied_thresh: 0.65\nfree_thresh: 0.196\n",
      picture, map.resolution, map.origin.x(), map.origin.y());
}

}  // namespace protobeam
