// Maps of occupied cells, as ROS' map_server and nav2_map_server read them, and walls made of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "geometry/geometry.h"
#include "geometry/material.h"

namespace protobeam {

enum class MapMode { kTrinary, kScale, kRaw };

/// How a picture is read as a map: the keys of map_server's .yaml.
struct MapRules {
  double resolution = 0.05;            ///< m, size of a pixel
  Vec2 origin = Vec2::Zero();          ///< m, lower left corner of the lower left pixel
  double yaw = 0;                      ///< rad, about that corner
  double occupied_threshold = 0.65;    ///< cells with more than this are occupied
  bool negate = false;                 ///< bright is occupied
  MapMode mode = MapMode::kTrinary;
};

struct OccupancyMap {
  int width = 0, height = 0;
  double resolution = 1;
  Vec2 origin = Vec2::Zero();
  double yaw = 0;
  std::vector<std::uint8_t> occupied;  ///< 0 or 1; row 0 has the lowest y

  bool at(int x, int y) const {
    return x >= 0 && y >= 0 && x < width && y < height &&
           occupied[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                    static_cast<std::size_t>(x)] != 0;
  }
};

/// With s the mean brightness of a pixel, 0 to 1, a cell is occupied to the degree 1 - s (s when
/// negated); alpha counts as a channel in trinary maps, and hides the cell in scaled ones. Raw
/// maps hold percents. (wiki.ros.org/map_server, section "Value interpretation";
/// nav2_map_server/src/map_io.cpp.) What is not occupied is free or unknown: no wall.
OccupancyMap occupancy_map(const Image& image, const MapRules& rules);

/// A .yaml with its picture, for which `rules` do not count, a map of MRPT, for which only their
/// threshold does, or a picture. Throws std::runtime_error that names the file, the key and the cure.
OccupancyMap load_occupancy_map(const std::filesystem::path& path, const MapRules& rules);

/// A map of MRPT (.gridmap, .gridmap.gz): occupied is what is so with more than that probability;
/// what MRPT's simulated rays take for unknown is not. Throws std::runtime_error that names the file.
OccupancyMap load_gridmap(const std::filesystem::path& path, double occupied_threshold);
bool is_gridmap(const std::filesystem::path& path);  ///< by its name

/// Upright walls around all occupied cells and roofs over them; straight runs of cells are one
/// rectangle. Nothing lies in z = 0. Empty for a map without occupied cells.
Mesh occupancy_walls(const OccupancyMap& map, double height);

}  // namespace protobeam
