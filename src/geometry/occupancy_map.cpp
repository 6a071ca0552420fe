#include "geometry/occupancy_map.h"

#include <cmath>
#include <map>

#include "base/libm.h"

namespace protobeam {
namespace {

/// Rectangles between corners of cells, in metres of the map's frame.
class WallMesh {
 public:
  WallMesh(const OccupancyMap& map, double height) : map_(map), height_(height) {}

  /// Seen from outside when the interior is to the left of the segment from a to b.
  void wall(int ax, int ay, int bx, int by) {
    quad(vertex(ax, ay, false), vertex(bx, by, false), vertex(bx, by, true), vertex(ax, ay, true));
  }
  void roof(int x0, int y0, int x1, int y1) {
    quad(vertex(x0, y0, true), vertex(x1, y0, true), vertex(x1, y1, true), vertex(x0, y1, true));
  }
  Mesh take() { return std::move(mesh_); }

 private:
  std::uint32_t vertex(int x, int y, bool top) {
    const std::uint64_t corner = static_cast<std::uint64_t>(y) * (std::uint64_t{1} << 32) +
                                 static_cast<std::uint64_t>(x) * 2 + (top ? 1 : 0);
    const auto [known, added] =
        vertices_.emplace(corner, static_cast<std::uint32_t>(mesh_.vertices.size()));
    if (added) {
      const Vec2 p = map_.resolution * Vec2(x, y);
      const double c = libm::cos(map_.yaw), s = libm::sin(map_.yaw);
      mesh_.vertices.emplace_back(map_.origin.x() + c * p.x() - s * p.y(),
                                  map_.origin.y() + s * p.x() + c * p.y(), top ? height_ : 0);
    }
    return known->second;
  }
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh_.triangles.push_back({a, b, c});
    mesh_.triangles.push_back({a, c, d});
  }

  const OccupancyMap& map_;
  double height_;
  Mesh mesh_;
  std::map<std::uint64_t, std::uint32_t> vertices_;
};

/// Calls `run(begin, end, side)` for each longest run of equal sides that are not 0.
template <class Side, class Run>
void runs(int count, const Side& side, const Run& run) {
  int begin = 0, current = 0;
  for (int i = 0; i <= count; ++i) {
    const int here = i < count ? side(i) : 0;
    if (here == current) continue;
    if (current != 0) run(begin, i, current);
    begin = i;
    current = here;
  }
}

}  // namespace

OccupancyMap occupancy_map(const Image& image, const MapRules& rules) {
  OccupancyMap map{image.width, image.height, rules.resolution, rules.origin, rules.yaw, {}};
  const auto width = static_cast<std::size_t>(image.width);
  const auto channels = static_cast<std::size_t>(image.channels);
  const bool alpha = channels == 4;
  const std::size_t averaged = alpha && rules.mode != MapMode::kTrinary ? 3 : channels;
  map.occupied.resize(image.pixels.size() / channels);
  for (int y = 0; y < image.height; ++y) {
    const auto row = static_cast<std::size_t>(image.height - 1 - y);
    for (std::size_t x = 0; x < width; ++x) {
      const std::uint8_t* p = &image.pixels[(row * width + x) * channels];
      int sum = 0;
      for (std::size_t c = 0; c < averaged; ++c) sum += p[c];
      const double shade = sum / (255.0 * static_cast<double>(averaged));
      bool occupied = false;
      if (rules.mode == MapMode::kRaw) {
        const double percent = std::round(shade * 255);
        occupied = percent <= 100 && percent > rules.occupied_threshold * 100;
      } else if (rules.mode == MapMode::kTrinary || !alpha || p[3] == 255) {
        occupied = (rules.negate ? shade : 1 - shade) > rules.occupied_threshold;
      }
      map.occupied[static_cast<std::size_t>(y) * width + x] = occupied ? 1 : 0;
    }
  }
  return map;
}

Mesh occupancy_walls(const OccupancyMap& map, double height) {
  WallMesh mesh(map, height);
  // Faces along x: +1 where the cell above is occupied (the face looks to -y), -1 below.
  for (int y = 0; y <= map.height; ++y) {
    runs(
        map.width, [&](int x) { return int{map.at(x, y)} - int{map.at(x, y - 1)}; },
        [&](int begin, int end, int side) {
          side > 0 ? mesh.wall(begin, y, end, y) : mesh.wall(end, y, begin, y);
        });
  }
  for (int x = 0; x <= map.width; ++x) {
    runs(
        map.height, [&](int y) { return int{map.at(x, y)} - int{map.at(x - 1, y)}; },
        [&](int begin, int end, int side) {
          side > 0 ? mesh.wall(x, end, x, begin) : mesh.wall(x, begin, x, end);
        });
  }
  // Roofs: runs of a row grow upwards as long as the next row has the same.
  std::map<std::pair<int, int>, int> growing;  // (begin, end) -> first row
  for (int y = 0; y <= map.height; ++y) {
    std::map<std::pair<int, int>, int> next;
    runs(
        map.width, [&](int x) { return int{map.at(x, y)}; },
        [&](int begin, int end, int) {
          const auto known = growing.find({begin, end});
          next[{begin, end}] = known == growing.end() ? y : known->second;
        });
    for (const auto& [run, first] : growing) {
      if (!next.count(run)) mesh.roof(run.first, first, run.second, y);
    }
    growing = std::move(next);
  }
  return mesh.take();
}

}  // namespace protobeam
