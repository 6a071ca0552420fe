#include "sim/ground_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/named_files.h"
#include "geometry/occupancy_map.h"
#include "tests/unit/raycast/random_rays.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string solid_box(const std::string& pose, const std::string& size,
                      const std::string& more = "") {
  return "Solid { name \"" + pose + "\" " + pose + " children [ Shape { geometry Box { size " +
         size + " } } ] " + more + " }\n";
}
const std::string kMoving = "physics Physics { } boundingObject Box { size 0.1 0.1 0.1 }";

class GroundMapOf : public testing::Test {
 protected:
  GroundMap map(const std::string& text, GroundMapOptions options = {},
                const std::string& info = "gravity 0") {
    return ground_map(world_.load(text, info).model(), options);
  }
  /// Rows from the greatest y down: # occupied, . free, ? unknown.
  static std::vector<std::string> rows(const GroundMap& map) {
    std::vector<std::string> out;
    for (int y = map.height - 1; y >= 0; --y) {
      out.emplace_back();
      for (int x = 0; x < map.width; ++x)
        out.back() += ".#?"[static_cast<std::size_t>(map.at(x, y))];
    }
    return out;
  }
  static GroundMapOptions area(double resolution, std::array<double, 4> area) {
    GroundMapOptions options;
    options.resolution = resolution;
    options.area = area;
    return options;
  }

  WorldText world_;
};

TEST_F(GroundMapOf, ABoxIsTheCellsThatItFills) {
  EXPECT_THAT(
      rows(map(solid_box("translation 0.3 0.2 0.3", "0.2 0.2 0.6"), area(0.1, {0, 0, 0.6, 0.4}))),
      testing::ElementsAre("......", "..##..", "..##..", "......"));
  // By default 1 m around, on whole cells.
  const GroundMap whole = map(solid_box("translation 0.33 0.2 0.3", "0.2 0.2 0.6"));
  EXPECT_NEAR(whole.origin.x(), -0.8, 1e-9);
  EXPECT_NEAR(whole.origin.y(), -0.9, 1e-9);
  EXPECT_EQ(whole.width, 45);
  EXPECT_EQ(whole.height, 44);
}

TEST_F(GroundMapOf, OnlyWhatIsBetweenTheHeightsIsInTheWay) {
  // A slab on the ground, one above all, a bar across, and one that leans through.
  const std::string text =
      solid_box("translation 0.15 0.05 0.05", "0.1 0.1 0.1") +
      solid_box("translation 0.35 0.05 0.8", "0.1 0.1 0.2") +
      solid_box("translation 0.55 0.05 0.35", "0.1 0.1 0.02") +
      solid_box("translation 0.75 0.05 0.35 rotation 0 1 0 0.7", "0.01 0.02 5");
  GroundMapOptions options = area(0.1, {0, 0, 1, 0.1});
  // The leaning one is at 0.75 + (z - 0.35) tan(0.7), and 1.3 cm thick across.
  EXPECT_EQ(rows(map(text, options))[0], ".....####.");
  options.low = 0.05;
  EXPECT_EQ(rows(map(text, options))[0], ".#..#####.");
  options.low = 0.6, options.high = 2;
  EXPECT_EQ(rows(map(text, options))[0], "...#.....#");
}

TEST_F(GroundMapOf, AWorldWithYUpHasAMapOfXAndMinusZ) {
  const std::string text = solid_box("translation 0.3 0.3 -0.2", "0.2 0.6 0.2") +
                           solid_box("translation 0.5 0.8 0", "0.2 0.2 4");
  EXPECT_THAT(rows(map(text, area(0.1, {0, 0, 0.6, 0.4}), "coordinateSystem \"NUE\"")),
              testing::ElementsAre("......", "..##..", "..##..", "......"));
}

TEST_F(GroundMapOf, WhatCannotBeReachedIsUnknown) {
  const std::string room = solid_box("translation 0.5 0.1 0.3", "1 0.2 1") +
                           solid_box("translation 0.5 0.9 0.3", "1 0.2 1") +
                           solid_box("translation 0.1 0.5 0.3", "0.2 1 1") +
                           solid_box("translation 0.9 0.5 0.3", "0.2 1 1");
  const std::string inside = "Robot { name \"r\" translation 0.5 0.5 0 " + kMoving + " }";
  GroundMapOptions options = area(0.2, {-0.2, -0.2, 1.2, 1.2});
  const std::vector<std::string> expected = {"???????", "?#####?", "?#...#?", "?#...#?",
                                             "?#...#?", "?#####?", "???????"};
  EXPECT_EQ(rows(map(room + inside, options)), expected);
  options.inside = {{0.5, 0.5}};
  EXPECT_EQ(rows(map(room, options)), expected);
  options.inside = {{-0.1, 0}};
  EXPECT_EQ(rows(map(room, options))[0], ".......");
  EXPECT_EQ(rows(map(room, options))[3], ".#???#.");
  options.inside = {{0.1, 0.1}};
  EXPECT_THAT(
      [&] { map(room, options); },
      ThrowsMessage<std::invalid_argument>(HasSubstr("the point 0.1 0.1 is not on a free cell")));
  options.inside = {{1e300, 0.1}};
  EXPECT_THROW(map(room, options), std::invalid_argument);
  // Nobody says where: all is free that is not occupied.
  options.inside.clear();
  EXPECT_EQ(rows(map(room, options))[3], ".#...#.");
}

TEST_F(GroundMapOf, RobotsThatMoveAreLeftOutAndLooseThingsAreNot) {
  const auto robot = [](const char* x, const std::string& more) {
    return "Robot { name \"" + std::string(x) + "\" translation " + x +
           " 0.05 0.3 children [ Shape { geometry Box { size 0.1 0.1 0.5 } } ] " + more + " }";
  };
  const GroundMapOptions options = area(0.1, {0, 0, 0.8, 0.2});
  EXPECT_THAT(rows(map(robot("0.15", kMoving) + robot("0.35", "") +
                           solid_box("translation 0.55 0.05 0.3", "0.1 0.1 0.5", kMoving),
                       options)),
              testing::ElementsAre("........", "...#.#.."));
}

TEST_F(GroundMapOf, RaysEndInOccupiedCells) {
  Simulation& simulation =
      world_.load(solid_box("translation 3 0 0.3 rotation 0 0 1 0.4", "1 2 1") +
                  solid_box("translation -2 3 0.3 rotation 1 1 0 0.7", "1 1 1") + R"(
    Solid { name "ball" translation 0 -3 0.4 children [ Shape { geometry Sphere { radius 0.7 subdivision 4 } } ] }
    Solid { name "cone" translation -3 -2 0.5 children [ Shape { geometry Cone { height 1 bottomRadius 0.6 } } ] }
    Solid { name "can" translation 2.5 -2.5 0.5 children [ Shape { geometry Cylinder { height 1 radius 0.3 } } ] }
    Solid { name "hill" translation -6 -6 -0.5 children [ Shape { geometry ElevationGrid { xDimension 3 yDimension 3
      xSpacing 6 ySpacing 6 height [ 2 2 2 2 0 2 2 2 2 ] } } ] })");
  const GroundMap map = ground_map(simulation.model(), {});
  constexpr double kHeight = 0.35, kTolerance = 0.005;  // curved shapes are polygons of 36 sides
  test::Scan scan;
  std::vector<Vec3> directions;
  for (int i = 0; i < 720; ++i) {
    const double azimuth = i * kPi / 360;
    directions.emplace_back(std::cos(azimuth), std::sin(azimuth), 0);
    scan.add(directions.back());
  }
  RayBatch batch = scan.batch(Pose{Quat::Identity(), Vec3(0, 0, kHeight)});
  scan.cast_batch(*simulation.model().visible, batch);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    ASSERT_LT(scan.range[i], 100) << i;
    const Vec3 p = scan.range[i] * directions[i];
    bool occupied = false;
    for (const double dx : {-kTolerance, kTolerance}) {
      for (const double dy : {-kTolerance, kTolerance}) {
        const auto x = static_cast<int>(std::floor((p.x() + dx - map.origin.x()) / map.resolution));
        const auto y = static_cast<int>(std::floor((p.y() + dy - map.origin.y()) / map.resolution));
        occupied = occupied || map.at(x, y) == MapCell::kOccupied;
      }
    }
    EXPECT_TRUE(occupied) << p.transpose();
  }
}

TEST_F(GroundMapOf, IsReadAsAMapOfRos) {
  const GroundMap made = map(solid_box("translation 1.05 0.35 0.3", "0.3 0.1 1") +
                                 "Robot { name \"r\" translation 2 1 0 " + kMoving + " }",
                             area(0.1, {0, 0, 3, 2}));
  const TemporaryFolder folder;
  allow_files_below(folder.path());
  folder.write("m.pgm", map_picture(made));
  const OccupancyMap read =
      load_occupancy_map(folder.write("m.yaml", map_description(made, "m.pgm")), {});
  EXPECT_EQ(read.width, made.width);
  EXPECT_EQ(read.height, made.height);
  EXPECT_EQ(read.resolution, 0.1);
  for (int y = 0; y < made.height; ++y) {
    for (int x = 0; x < made.width; ++x)
      EXPECT_EQ(read.at(x, y), made.at(x, y) == MapCell::kOccupied) << x << " " << y;
  }
}

TEST_F(GroundMapOf, NothingAndTooMuchAreErrors) {
  EXPECT_THAT([&] { map(solid_box("translation 0 0 0.05", "1 1 0.1")); },
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("nothing is seen between the heights 0.2 and 0.5 m")));
  GroundMapOptions fine;
  fine.resolution = 1e-4;
  EXPECT_THAT([&] { map(solid_box("translation 0 0 0.3", "1 1 1"), fine); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("30000 x 30000 cells are too many")));
}

}  // namespace
}  // namespace protobeam
