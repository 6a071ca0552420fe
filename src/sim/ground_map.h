// What stands in the way in a world, as a map of cells: the truth for who builds maps or finds a
// robot in one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/math.h"
#include "sim/model.h"

namespace protobeam {

struct GroundMapOptions {
  double resolution = 0.05;      ///< m, of a cell
  double low = 0.2, high = 0.5;  ///< m, along WorldModel::up: what is seen between is in the way
  std::optional<std::array<double, 4>> area;  ///< least x and y, greatest x and y; none: around all
  std::vector<Vec2>
      inside;  ///< from which free cells are reached; none: where robots are that move
};

enum class MapCell : std::uint8_t { kFree, kOccupied, kUnknown };

/// x and y are the world's; where y is up, y is the world's -z.
struct GroundMap {
  int width = 0, height = 0;   ///< cells along x and y
  double resolution = 0.05;    ///< m
  Vec2 origin = Vec2::Zero();  ///< m, lower left corner of the lower left cell
  std::vector<MapCell> cells;  ///< row 0 has the lowest y

  MapCell at(int x, int y) const {
    return cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                 static_cast<std::size_t>(x)];
  }
};

/// The axes of maps in the world: z is up.
Quat axes_of_maps(const WorldModel& model);

/// Of what is seen now, robots that can move aside. A cell is occupied if a surface lies in it
/// between the heights, free if it can be reached from one of the points over cells that are not
/// occupied, and otherwise unknown, as the inside of a wall. Without such points all are free that
/// are not occupied. Throws std::invalid_argument: nothing lies between the heights, more than 1e8
/// cells, a point that is not on a free cell.
GroundMap ground_map(const WorldModel& model, const GroundMapOptions& options);

/// A picture as map_server and nav2_map_server read it: PGM, 254 free, 0 occupied, 205 unknown.
std::string map_picture(const GroundMap& map);
/// The .yaml beside the picture of that name.
std::string map_description(const GroundMap& map, const std::string& picture);

}  // namespace protobeam
