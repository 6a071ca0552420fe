#include "geometry/occupancy_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "geometry/files.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string map_error(const std::filesystem::path& path) {
  return message_of<std::runtime_error>([&] { load_occupancy_map(path, {}); });
}

// The numbers are those of map_server's documentation: 205 is unknown, 254 free, 0 occupied.
TEST(OccupancyMap, DarkCellsAreOccupiedAndTheLowestRowComesLast) {
  const Image image{3, 2, 1, {0, 205, 254, 254, 0, 88}};
  const OccupancyMap map = occupancy_map(image, {});
  // (255 - 88) / 255 = 0.6549: just occupied.
  EXPECT_THAT(map.occupied, ElementsAre(0, 1, 1, 1, 0, 0));
  EXPECT_TRUE(map.at(0, 1));
  EXPECT_FALSE(map.at(-1, 0));
  EXPECT_FALSE(map.at(0, 2));
}

TEST(OccupancyMap, ThresholdsAndNegationAreThoseOfTheRules) {
  const Image image{4, 1, 1, {0, 89, 90, 255}};
  EXPECT_THAT(occupancy_map(image, {}).occupied, ElementsAre(1, 1, 0, 0));
  MapRules rules;
  rules.occupied_threshold = 0.9;
  EXPECT_THAT(occupancy_map(image, rules).occupied, ElementsAre(1, 0, 0, 0));
  rules.negate = true;
  EXPECT_THAT(occupancy_map(image, rules).occupied, ElementsAre(0, 0, 0, 1));
}

TEST(OccupancyMap, AlphaIsAChannelOfTrinaryMapsAndHidesCellsOfScaledOnes) {
  const Image image{2, 1, 4, {0, 0, 0, 255, 0, 0, 0, 0}};
  MapRules rules;
  rules.occupied_threshold = 0.7;  // opaque black: mean brightness a quarter
  EXPECT_THAT(occupancy_map(image, rules).occupied, ElementsAre(1, 1));
  rules.occupied_threshold = 0.8;
  EXPECT_THAT(occupancy_map(image, rules).occupied, ElementsAre(0, 1));
  rules.mode = MapMode::kScale;
  EXPECT_THAT(occupancy_map(image, rules).occupied, ElementsAre(1, 0));
}

TEST(OccupancyMap, RawMapsHoldPercents) {
  const Image image{4, 1, 1, {0, 65, 66, 101}};
  MapRules rules;
  rules.mode = MapMode::kRaw;
  EXPECT_THAT(occupancy_map(image, rules).occupied, ElementsAre(0, 0, 1, 0));
}

TEST(OccupancyMapFile, TheYamlSaysWhereAndHowLarge) {
  const TemporaryFolder folder;
  folder.write("pictures/room.pgm", "P2 2 1 255 0 254\n");
  const auto file = folder.write("room.yaml",
                                 "image: pictures/room.pgm\nresolution: 0.25\n"
                                 "origin: [-1.5, 2, 0.5]\nnegate: 1\noccupied_thresh: 0.9\n"
                                 "free_thresh: 0.196\n");
  const OccupancyMap map = load_occupancy_map(file, {});
  EXPECT_EQ(map.resolution, 0.25);
  EXPECT_EQ(map.origin, Vec2(-1.5, 2));
  EXPECT_EQ(map.yaw, 0.5);
  EXPECT_THAT(map.occupied, ElementsAre(0, 1));
}

TEST(OccupancyMapFile, WhatIsWrongIsNamedWithItsPlace) {
  const TemporaryFolder folder;
  folder.write("a.pgm", "P2 1 1 255 0\n");
  const auto with = [&](const std::string& text) {
    return map_error(folder.write("m.yaml", text));
  };
  const std::string rest = "\nresolution: 0.05\norigin: [0, 0, 0]\n";
  EXPECT_EQ(with("image: a.pgm" + rest), "");
  EXPECT_THAT(map_error(folder / "none.yaml"), HasSubstr("none.yaml: No such file"));
  EXPECT_THAT(with("image: a.pgm\norigin: [0, 0, 0]\n"),
              HasSubstr("m.yaml: the key 'resolution' is missing"));
  EXPECT_THAT(with("image: a.pgm\nresolution: fine\norigin: [0, 0, 0]\n"),
              HasSubstr("m.yaml:2:13: key 'resolution' must hold finite numbers, got 'fine'"));
  EXPECT_THAT(with("image: a.pgm\nresolution: .nan\norigin: [0, 0, 0]\n"),
              HasSubstr("m.yaml:2:13: key 'resolution'"));
  EXPECT_THAT(with("image: a.pgm\nresolution: -1\norigin: [0, 0, 0]\n"), HasSubstr("must be > 0"));
  EXPECT_THAT(with("image: a.pgm\nresolution: 0.05\norigin: [0, 0]\n"),
              HasSubstr("m.yaml:3:9: key 'origin' must be a list of 3 numbers"));
  EXPECT_THAT(with("image: b.pgm" + rest), HasSubstr("m.yaml:1:8: key 'image' cannot be used"));
  EXPECT_THAT(with("image: b.pgm" + rest), HasSubstr("b.pgm: No such file"));
  EXPECT_THAT(with("image: m.yaml" + rest), HasSubstr("neither PNG nor JPEG nor PGM"));
  EXPECT_THAT(with("image: a.pgm" + rest + "negate: maybe\n"), HasSubstr("must be 0 or 1"));
  EXPECT_THAT(with("image: a.pgm" + rest + "mode: grey\n"), HasSubstr("trinary, scale or raw"));
  EXPECT_THAT(with("image: a.pgm" + rest + "occupied_thresh: 2\n"), HasSubstr("in [0, 1]"));
  EXPECT_THAT(with("image: a.pgm" + rest + "free_thresh: 0.9\n"), HasSubstr("occupied_thresh]"));
  EXPECT_THAT(with("- 1\n- 2\n"), HasSubstr("it has no keys"));
  EXPECT_THAT(with(""), HasSubstr("it has no keys"));
  EXPECT_THAT(with("image: [\n"), HasSubstr("m.yaml:"));
}

double area(const Mesh& mesh, const Vec3& direction) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]];
    const Vec3 n = (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a) / 2;
    if (n.normalized().dot(direction) > 0.999) sum += n.norm();
  }
  return sum;
}

//   . # .     a cross of five cells, and one that touches it by its corner
//   # # #
//   . # .
//   . . #
TEST(OccupancyWalls, EnclosesTheCellsWithOutwardFaces) {
  OccupancyMap map{3, 4, 0.5, {10, 20}, 0, {0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0}};
  const Mesh mesh = occupancy_walls(map, 2);
  EXPECT_NEAR(area(mesh, Vec3::UnitZ()), 6 * 0.25, 1e-12);
  // Each side of the cross sees three cells, the lone cell one.
  for (const Vec3& side : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
    EXPECT_NEAR(area(mesh, side), 4 * 0.5 * 2, 1e-12) << side.transpose();
  }
  EXPECT_EQ(area(mesh, -Vec3::UnitZ()), 0);
  const Bounds box = bounds(Geometry(mesh));
  EXPECT_TRUE(box.min.isApprox(Vec3(10, 20, 0)));
  EXPECT_TRUE(box.max.isApprox(Vec3(11.5, 22, 2)));
}

TEST(OccupancyWalls, AStraightWallIsFiveRectangles) {
  OccupancyMap map{1000, 3, 0.05, {0, 0}, 0, std::vector<std::uint8_t>(3000, 1)};
  EXPECT_EQ(occupancy_walls(map, 1).triangles.size(), 10u);
}

TEST(OccupancyWalls, YawTurnsAboutTheOrigin) {
  OccupancyMap map{2, 1, 1, {5, 5}, kPi / 2, {0, 1}};
  const Bounds box = bounds(Geometry(occupancy_walls(map, 1)));
  EXPECT_TRUE(box.min.isApprox(Vec3(4, 6, 0), 1e-12)) << box.min.transpose();
  EXPECT_TRUE(box.max.isApprox(Vec3(5, 7, 1), 1e-12)) << box.max.transpose();
}

TEST(OccupancyWalls, AMapWithoutOccupiedCellsHasNone) {
  EXPECT_TRUE(occupancy_walls({4, 4, 1, {0, 0}, 0, std::vector<std::uint8_t>(16, 0)}, 1)
                  .triangles.empty());
}

template <class T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// As MRPT writes it: 3 x 2 cells of 0.5 m, the lowest row first.
std::string gridmap(int version, const std::string& cells, int bits = 8,
                    const std::string& name = "COccupancyGridMap2D") {
  std::string bytes(1, static_cast<char>(name.size() | 0x80));
  bytes +=
      name + static_cast<char>(version) + static_cast<char>(bits) + bytes_of(3u) + bytes_of(2u);
  for (const float v : {-10.f, -8.5f, 20.f, 21.f, 0.5f}) bytes += bytes_of(v);
  return bytes + cells + std::string(485, '\x01');
}
// 16 times the log-odds of "free": 40 is free with 92 %, -6 occupied with 59 %, -16 with 73 %.
const std::string kCells{40, -6, -16, 0, -1, -127};

TEST(Gridmap, CellsAreLogOddsOfBeingFree) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.gridmap", gridmap(3, kCells));
  MapRules rules;
  rules.occupied_threshold = 0.5;
  const OccupancyMap map = load_occupancy_map(file, rules);
  EXPECT_EQ(map.width, 3);
  EXPECT_EQ(map.height, 2);
  EXPECT_EQ(map.resolution, 0.5);
  EXPECT_EQ(map.origin, Vec2(-10, 20));
  EXPECT_THAT(map.occupied, ElementsAre(0, 1, 1, 0, 0, 1));  // -1 to 1 are unknown
  EXPECT_THAT(load_occupancy_map(file, {}).occupied, ElementsAre(0, 0, 1, 0, 0, 1));
}

TEST(Gridmap, MayBeZippedAndNamedWithItsNamespace) {
  const TemporaryFolder folder;
  const auto file = folder / "a.gridmap.gz";
  const std::string bytes = gridmap(6, kCells, 8, "mrpt::maps::COccupancyGridMap2D");
  gzFile out = gzopen(file.c_str(), "wb");
  ASSERT_EQ(gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size())),
            static_cast<int>(bytes.size()));
  gzclose(out);
  EXPECT_THAT(load_gridmap(file, 0.5).occupied, ElementsAre(0, 1, 1, 0, 0, 1));
}

TEST(Gridmap, OldCellsAreProbabilitiesAndWideOnesHaveTwoBytes) {
  const TemporaryFolder folder;
  const std::string shades{'\xff', '\x7f', '\x10', '\0', '\x80', '\x40'};
  EXPECT_THAT(load_gridmap(folder.write("a.gridmap", gridmap(2, shades)), 0.5).occupied,
              ElementsAre(0, 1, 1, 1, 0, 1));
  std::string wide;
  for (const char cell : kCells) wide += std::string{'\x55', cell};
  EXPECT_THAT(load_gridmap(folder.write("b.gridmap", gridmap(6, wide, 16)), 0.5).occupied,
              ElementsAre(0, 1, 1, 0, 0, 1));
}

TEST(Gridmap, WhatIsNoMapIsNamedWithTheReason) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& bytes) {
    return map_error(folder.write("m.gridmap", bytes));
  };
  const std::string good = gridmap(3, kCells);
  EXPECT_EQ(with(good), "");
  EXPECT_THAT(map_error(folder / "none.gridmap"), HasSubstr("none.gridmap: No such file"));
  EXPECT_THAT(with("P2 1 1 255 0\n"), HasSubstr("not a map of MRPT (class COccupancyGridMap2D)"));
  EXPECT_THAT(with(gridmap(3, kCells, 8, "CSimplePointsMap")), HasSubstr("not a map of MRPT"));
  EXPECT_THAT(with(gridmap(9, kCells)), HasSubstr("version 9 of COccupancyGridMap2D"));
  EXPECT_THAT(with(gridmap(3, kCells, 32)), HasSubstr("cells of 32 bits"));
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{10}, std::size_t{30},
                                 std::size_t{50}}) {
    EXPECT_THAT(with(good.substr(0, size)), HasSubstr("it is truncated"));
  }
  std::string huge = good;
  huge.replace(22, 8, 8, '\xff');
  EXPECT_THAT(with(huge), HasSubstr("more than 2^28 cells"));
  std::string flat = good;
  flat.replace(46, 4, 4, '\0');
  EXPECT_THAT(with(flat), HasSubstr("its size makes no sense"));
}

}  // namespace
}  // namespace protobeam
