#include "geometry/paint_layer.h"

#include <algorithm>
#include <cmath>

#include "base/state_archive.h"

namespace protobeam {
namespace {

constexpr int kFewestPixels = 1024, kMostPixels = 4096;  // along the longest edge
constexpr double kPixelsAcross = 8;                      // a line
/// A disc is drawn on all sides that the surface faces by more than this cosine: a round shape that
/// is next to another side shows it there.
constexpr double kLeastFacing = 0.5;
constexpr double kLeastFading = 1e-4;  // before the densities are made right
constexpr float kInvisible = 1e-4f;    // density
constexpr float kAll = 1.001f;          // of a colour or density: 1, but for rounding

}  // namespace

double PaintLayer::pixel_for(const Bounds& box_S, double width) {
  const double extent = (box_S.max - box_S.min).maxCoeff();
  return std::clamp(width / kPixelsAcross, extent / kMostPixels, extent / kFewestPixels);
}

PaintLayer::PaintLayer(const Bounds& box_S, double pixel) : min_(box_S.min), pixel_(pixel) {
  const Vec3 extent = box_S.max - box_S.min;
  const auto count = [&](int axis) {
    return std::max(1, static_cast<int>(std::ceil(extent[axis] / pixel)));
  };
  const auto tiles = [](int pixels) { return (pixels + kTileSide - 1) / kTileSide; };
  for (int number = 0; number < kSides; ++number) {
    Side& side = sides_[static_cast<std::size_t>(number)];
    side.columns = count(column_axis(number));
    side.rows = count(row_axis(number));
    side.tile_columns = tiles(side.columns);
    side.tile_rows = tiles(side.rows);
  }
}

int PaintLayer::side_of(const Vec3& normal_S) {
  int axis = 0;
  normal_S.cwiseAbs().maxCoeff(&axis);
  return 2 * axis + (normal_S[axis] < 0 ? 1 : 0);
}

/// The nearest one, of a point beside the box.
int PaintLayer::pixel_along(int axis, double at, int count) const {
  const double number = std::floor((at - min_[axis]) / pixel_);
  return number > 0 ? static_cast<int>(std::min(number, count - 1.0)) : 0;
}

Ink& PaintLayer::pixel_for_ink(Side& side, int column, int row) {
  if (side.tiles.empty()) {
    side.tiles.resize(static_cast<std::size_t>(side.tile_columns) *
                      static_cast<std::size_t>(side.tile_rows));
  }
  auto& tile = side.tiles[static_cast<std::size_t>(row / kTileSide) *
                              static_cast<std::size_t>(side.tile_columns) +
                          static_cast<std::size_t>(column / kTileSide)];
  if (!tile) tile = std::make_unique<Tile>();
  return (*tile)[static_cast<std::size_t>(row % kTileSide) * kTileSide +
                 static_cast<std::size_t>(column % kTileSide)];
}

void PaintLayer::add(const PaintMark& mark) {
  const Vec3 &p = mark.p_S, &n = mark.normal_S;
  const double r = mark.radius;
  for (int number = 0; number < kSides; ++number) {
    const int a = axis_of(number), b = column_axis(number), c = row_axis(number);
    if ((number % 2 == 0 ? n[a] : -n[a]) < kLeastFacing) continue;
    Side& side = sides_[static_cast<std::size_t>(number)];
    const int column = pixel_along(b, p[b], side.columns), row = pixel_along(c, p[c], side.rows);
    const int first_column = pixel_along(b, p[b] - r, side.columns);
    const int last_column = pixel_along(b, p[b] + r, side.columns);
    const int first_row = pixel_along(c, p[c] - r, side.rows);
    const int last_row = pixel_along(c, p[c] + r, side.rows);
    for (int j = first_row; j <= last_row; ++j) {
      for (int i = first_column; i <= last_column; ++i) {
        const double db = min_[b] + (i + 0.5) * pixel_ - p[b];
        const double dc = min_[c] + (j + 0.5) * pixel_ - p[c];
        const double da = (n[b] * db + n[c] * dc) / n[a];  // in the plane of the disc
        const bool centre = i == column && j == row;
        if (!centre && db * db + dc * dc + da * da > r * r) continue;
        Ink& ink = pixel_for_ink(side, i, j);
        const auto before = static_cast<float>(ink.density * fading_);
        const float sum = before + mark.ink.density;
        if (!(sum > 0)) continue;
        ink.color += (mark.ink.density / sum) * (mark.ink.color - ink.color);
        ink.density = static_cast<float>(std::min(sum, 1.0f) / fading_);
      }
    }
  }
  ++version_;
}

Ink PaintLayer::pixel(int number, int column, int row) const {
  const Side& side = sides_[static_cast<std::size_t>(number)];
  if (side.tiles.empty()) return {};
  const auto& tile = side.tiles[static_cast<std::size_t>(row / kTileSide) *
                                    static_cast<std::size_t>(side.tile_columns) +
                                static_cast<std::size_t>(column / kTileSide)];
  if (!tile) return {};
  Ink ink = (*tile)[static_cast<std::size_t>(row % kTileSide) * kTileSide +
                    static_cast<std::size_t>(column % kTileSide)];
  ink.density = static_cast<float>(ink.density * fading_);
  return ink;
}

Ink PaintLayer::at(const Vec3& p_S, const Vec3& normal_S) const {
  const int number = side_of(normal_S);
  const Side& side = sides_[static_cast<std::size_t>(number)];
  if (side.tiles.empty()) return {};
  const int b = column_axis(number), c = row_axis(number);
  return pixel(number, pixel_along(b, p_S[b], side.columns), pixel_along(c, p_S[c], side.rows));
}

void PaintLayer::fade(double factor) {
  fading_ *= factor;
  if (fading_ < kLeastFading) settle();
  ++version_;
}

/// The densities in the tiles are right again; tiles in which nothing is seen any more go.
void PaintLayer::settle() {
  for (Side& side : sides_) {
    for (auto& tile : side.tiles) {
      if (!tile) continue;
      bool seen = false;
      for (Ink& ink : *tile) {
        ink.density = static_cast<float>(ink.density * fading_);
        seen |= ink.density > kInvisible;
      }
      if (!seen) tile.reset();
    }
  }
  fading_ = 1;
}

PaintLayer::Area PaintLayer::painted_area(int number) const {
  const Side& side = sides_[static_cast<std::size_t>(number)];
  Area area{side.columns, side.rows, 0, 0};
  for (std::size_t i = 0; i < side.tiles.size(); ++i) {
    if (!side.tiles[i]) continue;
    const int column = static_cast<int>(i) % side.tile_columns * kTileSide;
    const int row = static_cast<int>(i) / side.tile_columns * kTileSide;
    area.first_column = std::min(area.first_column, column);
    area.first_row = std::min(area.first_row, row);
    area.end_column = std::max(area.end_column, std::min(column + kTileSide, side.columns));
    area.end_row = std::max(area.end_row, std::min(row + kTileSide, side.rows));
  }
  return area;
}

void PaintLayer::visit_state(StateArchive& archive) {
  archive(fading_);
  archive.expect(fading_ >= kLeastFading && fading_ <= 1, "paint that is not there");
  for (Side& side : sides_) {
    std::vector<std::uint32_t> used;
    for (std::size_t i = 0; i < side.tiles.size(); ++i) {
      if (side.tiles[i]) used.push_back(static_cast<std::uint32_t>(i));
    }
    archive(used);
    const auto all =
        static_cast<std::size_t>(side.tile_columns) * static_cast<std::size_t>(side.tile_rows);
    if (archive.restores()) {
      side.tiles.clear();
      if (!used.empty()) side.tiles.resize(all);
    }
    for (const std::uint32_t i : used) {
      archive.expect(i < all, "paint beside a shape");
      auto& tile = side.tiles[i];
      if (!tile) tile = std::make_unique<Tile>();
      for (Ink& ink : *tile) {
        archive(ink.color, ink.density);
        const bool colored = (ink.color.array() >= 0).all() && (ink.color.array() <= kAll).all();
        archive.expect(colored && ink.density >= 0 && ink.density * fading_ <= kAll,
                       "ink that no pen has");
      }
    }
  }
}

}  // namespace protobeam
