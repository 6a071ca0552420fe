#include "mvsim/world/elevation_maps.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "geometry/grey_image.h"
#include "geometry/height_filter.h"
#include "mvsim/expression.h"
#include "mvsim/world/element_parts.h"
#include "mvsim/world/height_points.h"

namespace protobeam::mvsim {
namespace {

/// Heights row by row; rows follow along x.
struct HeightRows {
  std::size_t rows = 0, columns = 0;
  std::vector<double> heights;

  Terrain::Map map() const {
    const auto shared = std::make_shared<const std::vector<double>>(heights);
    return {rows, columns,
            [shared, width = columns](std::size_t row, std::size_t column) {
              return (*shared)[row * width + column];
            },
            Vec2::Zero(), 1};
  }
};

/// The heights of a picture, as an ElevationImage makes them: a row of pixels for each step along
/// x.
Terrain::Map map_of(GreyImage picture, double low, double high) {
  const auto image = std::make_shared<const GreyImage>(std::move(picture));
  const auto [darkest, brightest] = std::minmax_element(image->levels.begin(), image->levels.end());
  const double scale = *darkest == *brightest ? 0 : (high - low) / (*brightest - *darkest);
  const auto rows = static_cast<std::size_t>(image->height);
  const auto columns = static_cast<std::size_t>(image->width);
  return {rows, columns,
          [=, dark = *darkest](std::size_t row, std::size_t column) {
            return low + scale * (image->levels[row * columns + column] - dark);
          },
          Vec2::Zero(), 1};
}

class ElevationMap {
 public:
  ElevationMap(Import& import, const Element& element)
      : import_(import), element_(element), reader_(import.children(element)) {}

  wbt::NodePtr node() {
    warn_pose(import_, element_);
    add_name(element_, made_);
    resolution_ = reader_.positive("resolution", 1);
    if (element_.child("apply_kernel")) {
      const auto kernel = reader_.numbers("apply_kernel");
      if (!kernel) return nullptr;
      kernel_ = *kernel;
    }
    // The first one of these that is there (ElevationMap.cpp, loadConfigFrom).
    const bool good = element_.child("elevation_image")         ? take_image()
                      : element_.child("elevation_data_matrix") ? take_matrix()
                                                                : take_points();
    if (!good) return nullptr;
    made_.text("contactMaterial", kGroundMaterial);
    made_.number("resolution", resolution_, resolution_.place);
    place();
    look();
    return made_.take();
  }

 private:
  bool take_image() {
    const auto file = file_of(import_, element_, "elevation_image", Severity::kError);
    if (!file) return false;
    const auto low = reader_.number("elevation_image_min_z", 0);
    const auto high = reader_.number("elevation_image_max_z", 5);
    const Text& text = element_.child("elevation_image")->text;
    made_.texts("image", {import_.url(*file)}, text.place)
        .number("minHeight", low, low.place)
        .number("maxHeight", high, high.place);
    try {
      map_ = map_of(load_grey_image(*file), low, high);
    } catch (const std::exception& problem) {
      reader_.error(text.place, problem.what());
      return false;
    }
    if (kernel_.value.empty()) return true;
    if (!fits(map_.rows * map_.columns)) return false;
    made_.numbers("kernel", kernel_.value, kernel_.place);
    HeightRows out{map_.rows, map_.columns, {}};
    for (std::size_t row = 0; row < out.rows; ++row) {
      for (std::size_t column = 0; column < out.columns; ++column) {
        out.heights.push_back(map_.height(row, column));
      }
    }
    out.heights = filtered(out.heights, out.columns, kernel_.value);
    map_ = out.map();
    return true;
  }

  /// Of the kernel, for so many heights; an error when it does not.
  bool fits(std::size_t heights) const {
    const std::string why = why_no_kernel(kernel_.value, heights);
    if (!why.empty()) {
      reader_.error(kernel_.place, reader_.subject("apply_kernel") + " " + why);
    }
    return why.empty();
  }

  bool take_matrix() {
    const auto matrix = reader_.matrix("elevation_data_matrix");
    if (!matrix) return false;
    const double scale = reader_.number("elevation_data_matrix_scale", 1);
    HeightRows out{matrix->value.size(), matrix->value[0].size(), {}};
    for (const auto& row : matrix->value) {
      for (const double z : row) out.heights.push_back(scale * z);
    }
    return take_heights(std::move(out), matrix->place);
  }

  bool take_points() {
    const Element* tag = element_.child("dem_xyzrgb_file");
    if (!tag) {
      reader_.error(element_.place, "<element> of class elevation_map has no heights",
                    "give it an <elevation_data_matrix>, an <elevation_image> or a "
                    "<dem_xyzrgb_file>");
      return false;
    }
    const auto file = file_of(import_, element_, "dem_xyzrgb_file", Severity::kError);
    if (!file) return false;
    const Vec3 offset(reader_.number("dem_offset_x", 0), reader_.number("dem_offset_y", 0),
                      reader_.number("dem_offset_z", 0));
    try {
      HeightPoints points = load_height_points(*file);
      for (Vec3& p : points.points) p += offset;
      SampledHeights heights = sampled(points, resolution_);
      corner_ = heights.corner;
      color_ = heights.color;
      return take_heights({heights.rows, heights.columns, std::move(heights.heights)},
                          tag->text.place);
    } catch (const std::exception& problem) {
      reader_.error(tag->text.place, problem.what());
      return false;
    }
  }

  bool take_heights(HeightRows heights, const Place& at) {
    if (!kernel_.value.empty()) {
      if (!fits(heights.heights.size())) return false;
      heights.heights = filtered(heights.heights, heights.columns, kernel_.value);
    }
    map_ = heights.map();
    made_.number("columns", static_cast<double>(heights.columns), at)
        .numbers("heights", std::move(heights.heights), at);
    return true;
  }

  void place() {
    // A coordinate of the corner that is not written: the map is centred along that axis.
    const auto usual = [&](std::size_t steps) {
      return -0.5 * (static_cast<double>(steps) - 1) * resolution_;
    };
    Given<double> x, y;
    if (corner_) {
      import_.unsimulated.children(element_, {"corner_min_x", "corner_min_y"},
                                   "the points of the <dem_xyzrgb_file> count");
      x = {corner_->x(), element_.place, true};
      y = {corner_->y(), element_.place, true};
    } else {
      x = reader_.number("corner_min_x", usual(map_.rows));
      y = reader_.number("corner_min_y", usual(map_.columns));
    }
    if (x.written || y.written) made_.numbers("corner", {x, y}, x.written ? x.place : y.place);
    if (map_.rows >= 2 && map_.columns >= 2) {
      map_.corner = {x, y};
      map_.resolution = resolution_;
      import_.terrain.add(std::move(map_));
    }
  }

  void look() {
    if (color_) {
      made_.vec3("color", *color_);
      import_.unsimulated.children(element_,
                                   {"mesh_color", "texture_image", "texture_extension_x",
                                    "texture_extension_y", "texture_image_rotate"},
                                   "the colors of the <dem_xyzrgb_file> count");
      return;
    }
    add_color(reader_, "mesh_color", made_);
    if (!element_.child("texture_image")) return;
    add_file(import_, element_, "texture_image", "texture", Severity::kWarning, made_);
    const auto width = reader_.at_least("texture_extension_x", 0, 0);
    const auto height = reader_.at_least("texture_extension_y", 0, 0);
    if (width.written || height.written) {
      made_.vec2("textureSize", {width, height}, width.written ? width.place : height.place);
    }
    const auto turn = reader_.integer("texture_image_rotate", 0);
    if (turn % 90 != 0 || turn < -180 || turn > 180) {
      reader_.error(turn.place, reader_.subject("texture_image_rotate") +
                                    " must be 0, 90, -90 or 180, got " + std::to_string(turn));
    } else if (turn != 0) {
      made_.number("textureQuarterTurns", turn / 90, turn.place);
    }
  }

  Import& import_;
  const Element& element_;
  const Reader reader_;
  NodeMaker made_{"ElevationMap", element_};
  Given<double> resolution_;
  Given<std::vector<double>> kernel_;
  Terrain::Map map_;
  std::optional<Vec2> corner_;
  std::optional<Vec3> color_;
};

}  // namespace

wbt::NodePtr elevation_map(Import& import, const Element& element) {
  return ElevationMap(import, element).node();
}

}  // namespace protobeam::mvsim
