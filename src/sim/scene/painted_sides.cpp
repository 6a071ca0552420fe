#include "sim/scene/painted_sides.h"

#include <algorithm>

#include "geometry/surface_mesh.h"
#include "render/srgb_bytes.h"

namespace protobeam {
namespace {

constexpr int kMostPictureSide = 1024;  // pixels

struct InkSum {
  Eigen::Vector3f color{0, 0, 0};  ///< times density
  float density = 0;

  void add(const Ink& ink) {
    color += ink.density * ink.color;
    density += ink.density;
  }
};

void put(const Eigen::Vector3f& color, float density, std::uint8_t* rgba) {
  for (int c = 0; c < 3; ++c) rgba[c] = render::srgb_byte(color[c]);
  rgba[3] = static_cast<std::uint8_t>(std::min(1.0f, density) * 255 + 0.5f);
}

/// Of `each` times `each` pixels one. Where there is no ink, the mean colour: filters look beside
/// lines, too.
std::shared_ptr<const Image> picture_of(const PaintLayer& layer, int side,
                                        const PaintLayer::Area& area, int each) {
  const int columns = area.end_column - area.first_column, rows = area.end_row - area.first_row;
  auto image = std::make_shared<Image>();
  image->width = (columns + each - 1) / each;
  image->height = (rows + each - 1) / each;
  image->channels = 4;
  const auto width = static_cast<std::size_t>(image->width);
  std::vector<InkSum> sums(width * static_cast<std::size_t>(image->height));
  InkSum all;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const Ink ink = layer.pixel(side, area.first_column + column, area.first_row + row);
      if (ink.density > 0)
        sums[static_cast<std::size_t>(row / each) * width + static_cast<std::size_t>(column / each)]
            .add(ink);
    }
  }
  for (const InkSum& sum : sums) {
    all.color += sum.color;
    all.density += sum.density;
  }
  const Eigen::Vector3f mean = all.color / std::max(all.density, 1e-9f);
  image->pixels.resize(4 * sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(image->height) - 1 - i / width;
    const bool there = sums[i].density > 0;
    put(there ? Eigen::Vector3f(sums[i].color / sums[i].density) : mean,
        sums[i].density / static_cast<float>(each * each),
        &image->pixels[4 * (row * width + i % width)]);
  }
  return image;
}

}  // namespace

std::array<float, 2> PaintedSide::place_of(const Vec3& p_S) const {
  const double column = p_S[PaintLayer::column_axis(side)], row = p_S[PaintLayer::row_axis(side)];
  return {static_cast<float>((column - first_column) / (end_column - first_column)),
          static_cast<float>((row - first_row) / (end_row - first_row))};
}

PaintedSheet painted_sheet(const Geometry& shape, int side) {
  const SurfaceMesh mesh = surface_mesh(shape);
  PaintedSheet sheet;
  for (const auto& triangle : mesh.triangles) {
    const Vec3 &p = mesh.positions[triangle[0]], &q = mesh.positions[triangle[1]],
               &r = mesh.positions[triangle[2]];
    if (PaintLayer::side_of((q - p).cross(r - p)) != side) continue;
    for (const std::uint32_t corner : triangle) {
      sheet.corners.push_back(mesh.positions[corner]);
      sheet.normals.push_back(mesh.normals[corner]);
    }
  }
  return sheet;
}

std::vector<PaintedSide> PaintedSides::of(const WorldModel& model) {
  std::vector<PaintedSide> out;
  auto before = std::exchange(drawn_, {});
  for (std::size_t group = 0; group < model.visuals.size(); ++group) {
    const auto& paints = model.visuals[group].paints;
    for (std::size_t shape = 0; shape < paints.size(); ++shape) {
      if (!paints[shape]) continue;
      const PaintLayer& layer = *paints[shape];
      for (int side = 0; side < PaintLayer::kSides; ++side) {
        const PaintLayer::Area area = layer.painted_area(side);
        if (area.empty()) continue;
        const auto known = before.find({&layer, side});
        Drawn drawn{paints[shape], layer.version(), {group, shape, side}};
        if (known != before.end() && known->second.version == layer.version()) {
          drawn.side = known->second.side;
          drawn.side.group = group, drawn.side.shape = shape;
        } else {
          const int most =
              std::max(area.end_column - area.first_column, area.end_row - area.first_row);
          const int each = (most + kMostPictureSide - 1) / kMostPictureSide;
          drawn.side.picture = picture_of(layer, side, area, each);
          const auto place = [&](int axis, int pixel) {
            return layer.origin_S()[axis] + pixel * layer.pixel_size();
          };
          const int b = PaintLayer::column_axis(side), c = PaintLayer::row_axis(side);
          drawn.side.first_column = place(b, area.first_column);
          drawn.side.end_column = place(b, area.first_column + each * drawn.side.picture->width);
          drawn.side.first_row = place(c, area.first_row);
          drawn.side.end_row = place(c, area.first_row + each * drawn.side.picture->height);
        }
        out.push_back(drawn.side);
        drawn_.emplace(std::pair(&layer, side), std::move(drawn));
      }
    }
  }
  return out;
}

}  // namespace protobeam
