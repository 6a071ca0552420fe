#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/libm.h"
#include "geometry/files.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

// Collada 1.4.1, <ph>: an outline and holes in it, as SketchUp writes walls with windows.
TEST(ColladaFile, MayHavePolygonsWithHoles) {
  const TemporaryFolder folder;
  // Two outlines of 10 m by 6 m, one seen from the other side, and one with a notch, at x = 3 m;
  // and holes of 1 m by 1 m, which turn both ways.
  using Corners = std::vector<std::array<double, 2>>;
  const auto square = [](double y, double z) {
    return Corners{{y, z}, {y + 1, z}, {y + 1, z + 1}, {y, z + 1}};
  };
  const auto reversed = [](Corners corners) {
    std::ranges::reverse(corners);
    return corners;
  };
  const Corners plate{{0, 0}, {10, 0}, {10, 6}, {0, 6}};
  const Corners notched{{0, 0}, {10, 0}, {10, 6}, {7.5, 6}, {7.5, 1}, {7, 1}, {7, 6}, {0, 6}};
  const auto read = [&](const std::vector<Corners>& loops, const std::string& before = "") {
    std::string positions, polygon;
    int count = 0;
    for (const Corners& loop : loops) {
      polygon += &loop == &loops.front() ? "<p>" : "<h>";
      for (const auto& c : loop) {
        positions += fmt::format("3 {} {} ", c[0], c[1]);
        polygon += fmt::format(" 0 {}", count++);  // the first of two inputs is another
      }
      polygon += &loop == &loops.front() ? "</p>" : "</h>";
    }
    return load_mesh(
        folder.write("wall.dae", fmt::format(R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="wall"><mesh><source id="n"><float_array id="na" count="3">1 0 0
</float_array><technique_common><accessor source="#na" count="1" stride="3"><param name="X"
type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source><source id='p'><float_array id="pa" count="{0}">{1}</float_array>
<technique_common><accessor source="#pa" count="{2}" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
{4}<polygons count="1"><input semantic="NORMAL" source="#n" offset="0"/>
<input semantic="VERTEX" source="#v" offset="1"/><ph>{3}</ph></polygons></mesh></geometry>
</library_geometries><library_visual_scenes><visual_scene id="s"><node id="n">
<instance_geometry url="#wall"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)",
                                             3 * count, positions, count, polygon, before)));
  };
  /// Turned towards x, and nothing of it before the hole.
  const auto area = [](const Mesh& mesh, const Corners& hole) {
    Vec3 sum = Vec3::Zero();
    for (const auto& t : mesh.triangles) {
      const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
      const Vec3 normal = (b - a).cross(c - a) / 2;
      EXPECT_GE(normal.x(), 0);
      sum += normal;
      const Vec3 middle = (a + b + c) / 3;
      EXPECT_FALSE(middle.y() > hole[0][0] && middle.y() < hole[2][0] && middle.z() > hole[0][1] &&
                   middle.z() < hole[2][1]);
    }
    return sum.x();
  };
  const Corners hole = square(2, 2);
  EXPECT_NEAR(area(*read({plate, hole}), hole), 59, 1e-5);
  EXPECT_NEAR(area(*read({plate, reversed(hole)}), hole), 59, 1e-5);
  EXPECT_NEAR(area(*read({plate, hole}, "<polygons count=\"0\" /><polygons count=\"0\"/>"), hole),
              59, 1e-5);
  EXPECT_NEAR(
      area(*read({plate, hole, square(4, 2), reversed(square(8, 4)), square(1, 4.5)}), hole), 56,
      1e-5);
  // Behind the notch, whose corner the first hole sees, and in a column.
  EXPECT_NEAR(area(*read({notched, hole, square(2, 3.5), square(8, 2), square(5, 0.5)}), hole),
              57.5 - 4, 1e-5);
  // Arms of a spiral hide each other's corners.
  constexpr int kArm = 1500;
  Corners spiral;
  const auto add = [&](double r, int i) {
    spiral.push_back({(r + 0.05 * i) * libm::cos(0.1 * i), (r + 0.05 * i) * libm::sin(0.1 * i)});
  };
  for (int i = 0; i < kArm; ++i) add(12, i);
  for (int i = kArm - 1; i >= 0; --i) add(10, i);
  double covered = 0;
  for (std::size_t i = 0; i < spiral.size(); ++i) {
    const auto &a = spiral[i], &b = spiral[(i + 1) % spiral.size()];
    covered += (a[0] * b[1] - b[0] * a[1]) / 2;
  }
  const Corners there = square(46 * libm::cos(70.0) - 0.5, 46 * libm::sin(70.0) - 0.5);
  EXPECT_NEAR(area(*read({spiral, there}), there), covered - 1, 1e-6 * covered);
  const Mesh other = *read({reversed(plate), hole});
  double sum = 0;
  for (const auto& t : other.triangles)
    sum += (other.vertices[t[1]] - other.vertices[t[0]])
               .cross(other.vertices[t[2]] - other.vertices[t[0]])
               .x() /
           2;
  EXPECT_NEAR(sum, -59, 1e-5);
}

// Each of them was looked for up to the end of the text: minutes.
TEST(ColladaFile, MayHaveManyTagsWithoutAnEnd) {
  const TemporaryFolder folder;
  constexpr int kMany = 1'000'000;
  for (const auto& [tag, end] : {std::pair("<source id ", ""), std::pair("<source id ", ">"),
                                 std::pair("<polygons count=\"1\"></polygons>", "")}) {
    std::string text = "<COLLADA><h>";
    for (int i = 0; i < kMany; ++i) text += tag;
    const std::string file = folder.write("many.dae", text + end);
    try {
      load_mesh(file);
      ADD_FAILURE() << tag;
    } catch (const std::runtime_error& problem) {
      EXPECT_THAT(problem.what(), testing::HasSubstr("many.dae")) << tag;
      EXPECT_THAT(problem.what(), testing::Not(testing::HasSubstr("too much time"))) << tag;
    }
  }
}

}  // namespace
}  // namespace protobeam
