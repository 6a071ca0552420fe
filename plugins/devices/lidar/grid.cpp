#include "grid.h"

#include <bit>
#include <cstdint>
#include <string>

#include "base/libm.h"
#include "base/shared_store.h"
#include "throw_invalid.h"

namespace protobeam {
namespace {

constexpr std::int64_t kMaxBeams = 1 << 24;

}  // namespace

Grid::Grid(const Fields& fields) {
  layers_ = fields.integer("numberOfLayers");
  columns_ = fields.integer("horizontalResolution");
  field_of_view_ = std::min(fields.number("fieldOfView"), 2 * kPi);
  tilt_ = fields.number("tiltAngle");
  rotating_ = fields.string("type") == "rotating";
  planar_ = !rotating_ && (fields.is_set("projection") ? fields.string("projection") == "planar"
                                                       : !fields.boolean("spherical"));
  if (std::int64_t{layers_} * columns_ > kMaxBeams) {
    throw_invalid("numberOfLayers ", layers_, " times horizontalResolution ", columns_,
                  " of Lidar is more than ", kMaxBeams, " beams");
  }
  const double span = fields.number("verticalFieldOfView");
  if (planar_ && !(field_of_view_ < kPi)) {
    throw_invalid("field 'fieldOfView' of a planar Lidar must be less than pi, got ",
                  field_of_view_);
  }
  if (planar_ && !(span < kPi)) {
    throw_invalid("field 'verticalFieldOfView' of a planar Lidar must be less than pi, got ", span);
  }
  elevations_ = fields.numbers("layerAngles");
  if (elevations_.empty()) {
    for (int i = 0; i < layers_; ++i) {
      elevations_.push_back(layers_ == 1 ? 0 : span / 2 - i * span / (layers_ - 1));
    }
  } else if (static_cast<int>(elevations_.size()) != layers_) {
    throw_invalid("field 'layerAngles' of Lidar has ", elevations_.size(), " angles for ", layers_,
                  " layers (numberOfLayers)");
  } else if (planar_) {
    throw_invalid("field 'layerAngles' of Lidar needs projection \"cylindrical\"");
  }
  tabulate();
  arrange();
}

std::shared_ptr<const Grid> Grid::shared(const Fields& fields) {
  // All that the constructor reads; bits, since NaN is not equal to itself.
  std::vector<std::uint64_t> key;
  const auto add = [&key](double value) { key.push_back(std::bit_cast<std::uint64_t>(value)); };
  add(fields.integer("numberOfLayers"));
  add(fields.integer("horizontalResolution"));
  for (const char* field : {"fieldOfView", "verticalFieldOfView", "tiltAngle"})
    add(fields.number(field));
  add(fields.string("type") == "rotating");
  add(fields.is_set("projection") ? fields.string("projection") == "planar"
                                  : !fields.boolean("spherical"));
  for (const double angle : fields.numbers("layerAngles")) add(angle);
  static auto* const grids = new SharedStore<std::vector<std::uint64_t>, const Grid>;
  return grids->get(key, [&] { return std::shared_ptr<const Grid>(new Grid(fields)); });
}

std::shared_ptr<const BeamTiles> Grid::tiles(RayScene& scene) const {
  const std::lock_guard lock(tiles_mutex_);
  if (!tiles_) tiles_ = pattern_.arrange(scene);
  return tiles_;
}

void Grid::tabulate() {
  for (int column = 0; column < columns_; ++column) {
    if (planar_) {
      const double left = 1 - 2 * (column + 0.5) / columns_;  // 1 at the left edge, -1 at the right
      across_.push_back({1, libm::tan(field_of_view_ / 2) * left});
    } else {
      const double azimuth = rotating_
                                 ? kPi - 2 * kPi * column / columns_
                                 : field_of_view_ / 2 - (column + 0.5) * field_of_view_ / columns_;
      across_.push_back({libm::cos(azimuth), libm::sin(azimuth)});
    }
  }
  for (const double elevation : elevations_) {
    if (planar_) {
      up_.push_back({1, libm::tan(elevation)});
    } else {
      up_.push_back({libm::cos(elevation + tilt_), libm::sin(elevation + tilt_)});
    }
  }
  R_tilt_ = axis_angle(Vec3::UnitY(), -tilt_);
}

Vec3 Grid::direction(int layer, int column) const {
  const Turn& up = up_[static_cast<std::size_t>(layer)];
  const Turn& across = across_[static_cast<std::size_t>(column)];
  if (planar_) return (R_tilt_ * Vec3(1, across.s, up.s)).normalized();
  return {across.c * up.c, across.s * up.c, up.s};
}

void Grid::arrange() {
  const double across = (rotating_ ? 2 * kPi : field_of_view_) / columns_;
  tile_ = tile_shape(layers_, across, mean_step(elevations_));
  pattern_.columns = columns_;
  pattern_.set_tiles(layers_, tile_);
  pattern_.resize(static_cast<std::size_t>(layers_) * static_cast<std::size_t>(columns_), false,
                  true);
  pattern_.time.clear();
  // Angles are those of a beam's direction, which are the same along a column and a layer unless
  // the grid is planar, or looks up beyond the zenith.
  std::vector<float> azimuths, elevations;
  for (const Turn& turn : across_)
    azimuths.push_back(static_cast<float>(libm::atan2(turn.s, turn.c)));
  for (const Turn& turn : up_) elevations.push_back(static_cast<float>(libm::asin(turn.s)));
  std::size_t place = 0;
  visit_in_tiles(layers_, columns_, tile_, [&](int layer, int column) {
    const Vec3 d = direction(layer, column);
    pattern_.dx[place] = static_cast<float>(d.x());
    pattern_.dy[place] = static_cast<float>(d.y());
    pattern_.dz[place] = static_cast<float>(d.z());
    const bool tabulated = !planar_ && up_[static_cast<std::size_t>(layer)].c > 0;
    pattern_.azimuth[place] = tabulated ? azimuths[static_cast<std::size_t>(column)]
                                        : static_cast<float>(libm::atan2(d.y(), d.x()));
    pattern_.elevation[place] = tabulated ? elevations[static_cast<std::size_t>(layer)]
                                          : static_cast<float>(libm::asin(d.z()));
    pattern_.cell[place] = static_cast<std::uint32_t>(layer * columns_ + column);
    pattern_.layer[place] = layer;
    ++place;
  });
}

Grid::Run Grid::bands(int first, int last) const {
  const int begin = first / tile_.columns * tile_.columns;
  const int end = std::min((last + tile_.columns - 1) / tile_.columns * tile_.columns, columns_);
  const auto layers = static_cast<std::size_t>(layers_);
  return {static_cast<std::size_t>(begin) * layers, static_cast<std::size_t>(end - begin) * layers};
}

}  // namespace protobeam
