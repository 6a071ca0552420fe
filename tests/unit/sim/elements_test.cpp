// The PROTOs of protos/elements: what rays see of them and what bodies feel, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/sim/world_text.h"
#include "tests/unit/support/paths.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kFar = 1000;             ///< m, where there is nothing
constexpr double kNoGround = 50 - kFar;  ///< height of nothing

class ElementsTest : public testing::Test {
 protected:
  Simulation& load(const std::string& text, const std::string& info = "gravity 9.81") {
    SimulationOptions options;
    options.proto_path = {std::filesystem::path(source_dir()) / "protos/elements"};
    simulation_ = &world_.load(text, info, options);
    return *simulation_;
  }
  std::string error(const std::string& text) {
    return message_of<std::runtime_error>([&] { load(text); });
  }
  /// What a lidar sees.
  double seen(const Vec3& from, const Vec3& direction) {
    const Vec3 d = direction.normalized();
    const float dx = static_cast<float>(d.x()), dy = static_cast<float>(d.y()),
                dz = static_cast<float>(d.z());
    RayBatch batch;
    batch.X_WS.p = from;
    batch.dx = &dx;
    batch.dy = &dy;
    batch.dz = &dz;
    batch.count = 1;
    double range = kFar;
    simulation_->model().visible->cast(
        batch, [&](const RayBlock& block) { range = std::min(kFar, double{block.range[0]}); });
    return range;
  }
  /// What a body would run into.
  double felt(const Vec3& from, const Vec3& direction) {
    const auto hit = simulation_->model().physics->cast_ray(from, direction.normalized(), kFar);
    return hit ? hit->distance : kFar;
  }
  double seen_height(double x, double y) { return 50 - seen({x, y, 50}, {0, 0, -1}); }
  double felt_height(double x, double y) { return 50 - felt({x, y, 50}, {0, 0, -1}); }
  Vec3 position(const std::string& name) {
    for (const auto& solid : simulation_->model().solids) {
      if (solid.name == name) return (simulation_->model().physics->pose(solid.body) * solid.X_BS).p;
    }
    throw std::runtime_error("no solid " + name);
  }
  void run(double seconds) {
    for (long i = std::lround(seconds / 0.008); i > 0; --i) simulation_->step();
  }
  static std::string ball(double x, double y, double z) {
    return "Solid { name \"ball\" translation " + std::to_string(x) + " " + std::to_string(y) + " " +
           std::to_string(z) +
           " boundingObject Sphere { radius 0.2 } physics Physics { density -1 mass 1 } }\n";
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

// Wall along y at x = 3, 6 m long, a door from y = 1 to 2 up to 2.1 m, and a window over 4 to 5.
TEST_F(ElementsTest, RaysGoThroughTheDoorAndTheWindowOfAWall) {
  load("VerticalPlane { x0 3 y0 0 x1 3 y1 6 height 3 thickness 0.2 "
       "openings [ 1 2 0 2.1, 4 5 0.9 2 ] }");
  const auto open = [](double y, double z) {
    return (y > 1 && y < 2 && z < 2.1) || (y > 4 && y < 5 && z > 0.9 && z < 2);
  };
  for (double y = 0.05; y < 6; y += 0.1) {
    for (double z = 0.05; z < 3; z += 0.1) {
      const double expected = open(y, z) ? kFar : 2.9;
      ASSERT_NEAR(seen({0, y, z}, {1, 0, 0}), expected, 1e-5) << y << " " << z;
      ASSERT_NEAR(felt({0, y, z}, {1, 0, 0}), expected, 1e-5) << y << " " << z;
    }
  }
  EXPECT_NEAR(seen({3, 1.5, 1}, {0, 1, 0}), 0.5, 1e-5);  // the door's jamb
  EXPECT_NEAR(seen({3, 4.5, 1.5}, {0, 0, -1}), 0.6, 1e-5);  // the window's sill
  EXPECT_EQ(seen({0, 6.05, 1}, {1, 0, 0}), kFar);
}

TEST_F(ElementsTest, ABallRollsThroughADoorAndNotThroughAWall) {
  const std::string wall =
      "HorizontalPlane { } VerticalPlane { x0 2 y0 -3 x1 2 y1 3 thickness 0.1 openings [ 1 2 0 2 ] }";
  for (const double y : {-1.5, 0.0}) {
    load(wall + "Solid { name \"ball\" translation 0 " + std::to_string(y) +
         " 0.2 linearVelocity 3 0 0 boundingObject Sphere { radius 0.2 } "
         "physics Physics { density -1 mass 1 } }");
    run(2);
    if (y == -1.5) {
      EXPECT_GT(position("ball").x(), 3);
    } else {
      EXPECT_LT(position("ball").x(), 1.76);  // 2 - 0.05 - 0.2
    }
  }
}

TEST_F(ElementsTest, OpeningsMustLieInTheirWall) {
  const std::string wall = "VerticalPlane { x0 0 y0 0 x1 4 y1 0 height 3 ";
  EXPECT_THAT(error(wall + "openings [ 3.5 4.5 0 2 ] }"),
              HasSubstr("opening 1 (3.5 4.5 0 2) is outside of its wall, which is 4 long and 3 high"));
  EXPECT_THAT(error(wall + "openings [ 1 2 0 2, 1 2 2 3.5 ] }"), HasSubstr("opening 2"));
  EXPECT_THAT(error(wall + "openings [ 2 1 0 2 ] }"), HasSubstr("must begin before its end"));
  EXPECT_THAT(error(wall + "openings [ 1 2 0 ] }"), HasSubstr("four numbers each"));
  EXPECT_THAT(error(wall + "openings [ 0 4 0 3 ] }"), HasSubstr("leave nothing of the wall"));
  EXPECT_THAT(error("VerticalPlane { x0 1 y0 1 x1 1 y1 1 }"), HasSubstr("the wall has no length"));
}

TEST_F(ElementsTest, AFloorCarriesUpToItsEdges) {
  load("HorizontalPlane { xMin 1 xMax 3 yMin -1 yMax 1 z 2 } " + ball(2, 0, 2.5));
  EXPECT_NEAR(seen_height(2.9, 0.9), 2, 1e-5);
  EXPECT_NEAR(felt_height(2.9, 0.9), 2, 1e-5);
  EXPECT_EQ(seen_height(3.1, 0), kNoGround);
  EXPECT_EQ(felt_height(3.1, 0), kNoGround);
  run(2);
  EXPECT_NEAR(position("ball").z(), 2.2, 2e-3);
  load("HorizontalPlane { xMin 1 xMax 3 yMin -1 yMax 1 z 2 } " + ball(3.5, 0, 2.5));
  run(1);
  EXPECT_LT(position("ball").z(), 0);
}

TEST_F(ElementsTest, AFloorsTextureComesOnceEachTextureSize) {
  load("HorizontalPlane { xMin 0 xMax 6 yMin 0 yMax 4 textureSize 2 1 }");
  const auto& mesh = std::get<Mesh>(*simulation_->model().visuals.at(0).geometries.at(0));
  float u = 0, v = 0;
  for (const auto& triangle : mesh.uvs) {
    for (const auto& corner : triangle) u = std::max(u, corner.x()), v = std::max(v, corner.y());
  }
  EXPECT_EQ(u, 3);
  EXPECT_EQ(v, 4);
}

//   rows follow along x, columns along y: 3 x 2 heights, 2 m apart, the first one at (10, 20)
TEST_F(ElementsTest, AMatrixOfHeightsIsATerrainOfTriangles) {
  load("ElevationMap { heights [ 0 1  2 4  3 -1 ] columns 2 resolution 2 corner [ 10 20 ] }");
  const double h[3][2] = {{0, 1}, {2, 4}, {3, -1}};
  for (int i = 0; i < 2; ++i) {
    for (double a = 0.05; a < 1; a += 0.1) {
      for (double b = 0.02; b < 1; b += 0.1) {
        // The diagonal goes from the corner of lowest x and y to that of highest.
        const double expected = a >= b
                                    ? h[i][0] + a * (h[i + 1][0] - h[i][0]) + b * (h[i + 1][1] - h[i + 1][0])
                                    : h[i][0] + b * (h[i][1] - h[i][0]) + a * (h[i + 1][1] - h[i][1]);
        const double x = 10 + 2 * (i + a), y = 20 + 2 * b;
        ASSERT_NEAR(seen_height(x, y), expected, 1e-4) << i << " " << a << " " << b;
        ASSERT_NEAR(felt_height(x, y), expected, 1e-4) << i << " " << a << " " << b;
      }
    }
  }
  EXPECT_EQ(seen_height(9.9, 21), kNoGround);
}

TEST_F(ElementsTest, WithoutACornerTheMiddleOfATerrainIsItsOrigin) {
  load("ElevationMap { heights [ 1 1 1, 1 1 1 ] columns 3 resolution 2 }");
  EXPECT_NEAR(seen_height(0.99, 1.99), 1, 1e-5);
  EXPECT_NEAR(seen_height(-0.99, -1.99), 1, 1e-5);
  EXPECT_EQ(seen_height(1.01, 0), kNoGround);
  EXPECT_EQ(seen_height(0, 2.01), kNoGround);
}

TEST_F(ElementsTest, ABallRollsIntoThePitOfATerrain) {
  // A pyramid upside down, height |x| + |y| about its middle.
  std::string heights;
  for (int i = -2; i <= 2; ++i) {
    for (int j = -2; j <= 2; ++j) heights += std::to_string(std::abs(i) + std::abs(j)) + " ";
  }
  load("ElevationMap { heights [ " + heights + " ] columns 5 translation 7 8 1 } " + ball(8.2, 8.7, 3.4),
       "gravity 9.81 contactProperties [ ContactProperties { bounce 0 rollingFriction 0.01 0.01 0.01 } ] "
       "defaultDamping Damping { linear 0.5 angular 0.5 }");
  run(12);
  // Its centre is a radius from each of four planes with the normals (+-1, +-1, 1) / sqrt 3.
  EXPECT_NEAR((position("ball") - Vec3(7, 8, 1 + 0.2 * std::sqrt(3))).norm(), 0, 0.02);
}

TEST_F(ElementsTest, APictureIsATerrainBetweenTwoHeights) {
  world_.folder().write("worlds/hill.pgm", "P2 3 2 65535\n1000 2000 3000\n5000 4000 1500\n");
  load("ElevationMap { image [ \"hill.pgm\" ] minHeight -1 maxHeight 3 resolution 0.5 corner [ 0 0 ] }");
  const double h[2][3] = {{-1, 0, 1}, {3, 2, -0.5}};  // rows along x
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      // A little inside of the outer points.
      const double x = 0.5 * i + (i == 0 ? 1e-4 : -1e-4), y = 0.5 * j + (j == 2 ? -1e-4 : 1e-4);
      EXPECT_NEAR(seen_height(x, y), h[i][j], 0.01) << i << " " << j;
      EXPECT_NEAR(felt_height(x, y), h[i][j], 0.01) << i << " " << j;
    }
  }
}

// A kernel that takes the height of the pixel before along x: ki = -1, kj = 0.
TEST_F(ElementsTest, AKernelWeighsTheHeightsOfNeighbours) {
  world_.folder().write("worlds/hill.pgm", "P2 3 3 255\n0 100 200\n20 40 60\n1 2 3\n");
  load(
      "ElevationMap { image [ \"hill.pgm\" ] minHeight 0 maxHeight 2 corner [ 0 0 ] "
      "kernel [ 0 1 0  0 0 0  0 0 0 ] }");
  const double h[3][3] = {{0, 0, 0}, {0, 1, 2}, {0.2, 0.4, 0.6}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double x = i + (i < 2 ? 1e-4 : -1e-4), y = j + (j < 2 ? 1e-4 : -1e-4);
      EXPECT_NEAR(seen_height(x, y), h[i][j], 1e-3) << i << " " << j;
      EXPECT_NEAR(felt_height(x, y), h[i][j], 1e-3) << i << " " << j;
    }
  }
  EXPECT_THAT(error("ElevationMap { image [ \"hill.pgm\" ] kernel [ 1 1 1 1 ] }"),
              HasSubstr("odd number of rows, 3 or more, of as many numbers, got 4 numbers"));
  EXPECT_THAT(error("ElevationMap { image [ \"hill.pgm\" ] kernel [ 0 0 0 0 1.1 0 0 0 0 ] }"),
              HasSubstr("must have the sum 1"));
}

/// Where the place of the world is in the picture of what was built: 0..1 to the right and down.
Vec2 in_picture(const Simulation& simulation, double x, double y) {
  const VisualGroup& group = simulation.model().visuals.at(0);
  const Geometry& geometry = *group.geometries.at(0);
  const auto& field = std::get<HeightField>(geometry);
  const Vec3 p = (simulation.pose_of(group) * group.shape_poses.at(0)).inverse() * Vec3(x, y, 0);
  const auto& transform = group.materials.at(0)->uv_transform;
  const Eigen::Vector2f uv = transform.leftCols<2>() * field.uv_at(p) + transform.col(2);
  const Vec2 place(uv.x(), 1 - uv.y());
  return place - Vec2(place.array().floor());
}

// ElevationMap.cpp and MRPT's CMesh: rows of the picture along x, columns along y, from the corner.
TEST_F(ElementsTest, APictureLiesOnATerrainAsItsHeightsDo) {
  world_.folder().write("worlds/flat.pgm", "P2 3 5 255\n1 1 1\n1 1 1\n1 1 1\n1 1 1\n1 1 2\n");
  const std::string matrix = "heights [ 1 1 1  1 1 1  1 1 1  1 1 1  1 1 2 ] columns 3",
                    image = "image [ \"flat.pgm\" ]";
  // The map is 8 m along x and 4 m along y, from (10, 20).
  const auto close = [&](double x, double y, const Vec2& wanted) {
    const Vec2 place = in_picture(*simulation_, x, y);
    EXPECT_LT((place - wanted).norm(), 1e-4) << place.transpose();
  };
  for (const std::string& terrain : {matrix, image}) {
    SCOPED_TRACE(terrain);
    const std::string map =
        "ElevationMap { " + terrain + " resolution 2 corner [ 10 20 ] texture [ \"flat.png\" ] ";
    load(map + "}");
    close(10.8, 20.8, {0.2, 0.1});
    load(map + "textureSize 4 2 }");
    close(10.8, 20.8, {0.4, 0.2});
    close(14.8, 22.8, {0.4, 0.2});
    load(map + "textureSize 0 2 }");
    close(10.8, 20.8, {0.4, 0.1});
    // The upper left corner of the picture, which lay at the first height, goes counterclockwise.
    const Vec2 first(0.01, 0.01);
    load(map + "textureQuarterTurns 1 }");
    close(17.92, 20.04, first);
    load(map + "textureQuarterTurns 2 }");
    close(17.92, 23.96, first);
    load(map + "textureQuarterTurns -1 }");
    close(10.08, 23.96, first);
    load(map + "textureQuarterTurns -1 textureSize 4 2 }");
    close(10.04, 21.98, first);
    close(14.04, 23.98, first);
  }
}

TEST_F(ElementsTest, TerrainsThatCannotBeSayWhy) {
  world_.folder().write("worlds/line.pgm", "P2 3 1 255\n1 2 3\n");
  EXPECT_THAT(error("ElevationMap { heights [ 1 2 3 4 5 ] columns 2 }"),
              HasSubstr("5 heights do not make two or more rows of 2 columns"));
  EXPECT_THAT(error("ElevationMap { }"), HasSubstr("heights or an image is needed"));
  EXPECT_THAT(error("ElevationMap { heights [ 1 2 3 nan ] columns 2 }"), HasSubstr("nan"));
  EXPECT_THAT(error("ElevationMap { image [ \"none.png\" ] }"),
              AllOf(HasSubstr("test.wbt:3:"), HasSubstr("none.png: No such file")));
  EXPECT_THAT(error("ElevationMap { image [ \"line.pgm\" ] }"),
              HasSubstr("needs 2 x 2 pixels or more, got 3 x 1"));
  EXPECT_THAT(error("ElevationMap { image [ \"test.wbt\" ] }"), HasSubstr("neither PNG nor JPEG"));
  EXPECT_THAT(error("ElevationMap { image [ \"line.pgm\" ] heights [ 1 2 3 4 ] }"),
              HasSubstr("exclude each other"));
}

// map_server: "The 2-D pose of the lower-left pixel in the map, as (x, y, yaw)".
TEST_F(ElementsTest, WallsOfAMapStandOnItsDarkPixels) {
  world_.folder().write("worlds/room.pgm",
                        "P2 4 3 255\n"
                        "  0 254 254 205\n"
                        "254   0   0 254\n"
                        "254 254 254   0\n");
  world_.folder().write("worlds/room.yaml",
                        "image: room.pgm\nresolution: 0.5\norigin: [-1, -2, 0]\nnegate: 0\n"
                        "occupied_thresh: 0.65\nfree_thresh: 0.196\n");
  load("OccupancyGridMap { url [ \"room.yaml\" ] height 1.5 translation 10 0 0 }");
  const bool occupied[3][4] = {{false, false, false, true},  // lowest row first
                               {false, true, true, false},
                               {true, false, false, false}};
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 4; ++i) {
      const double x = 10 - 1 + 0.5 * (i + 0.5), y = -2 + 0.5 * (j + 0.5);
      const double expected = occupied[j][i] ? 1.5 : kNoGround;
      EXPECT_NEAR(seen_height(x, y), expected, 1e-5) << i << " " << j;
      EXPECT_NEAR(felt_height(x, y), expected, 1e-5) << i << " " << j;
    }
  }
  // The two cells of the middle row, from all sides: x 9.5 to 10.5, y -1.5 to -1.
  EXPECT_NEAR(seen({5, -1.25, 1}, {1, 0, 0}), 4.5, 1e-5);
  EXPECT_NEAR(seen({15, -1.25, 1}, {-1, 0, 0}), 4.5, 1e-5);
  EXPECT_NEAR(seen({10.2, -5, 1}, {0, 1, 0}), 3.5, 1e-5);
  EXPECT_NEAR(felt({10.2, 5, 1}, {0, -1, 0}), 6, 1e-5);
}

TEST_F(ElementsTest, ABallStopsAtTheWallOfAMap) {
  world_.folder().write("worlds/wall.pgm", "P2 3 1 255\n254 0 254\n");
  load("HorizontalPlane { } OccupancyGridMap { url [ \"wall.pgm\" ] resolution 1 origin 1 -0.5 0 } "
       "Solid { name \"ball\" linearVelocity 2 0 0 translation 0 0 0.2 boundingObject Sphere { radius 0.2 } "
       "physics Physics { density -1 mass 1 } }",
       "gravity 9.81 contactProperties [ ContactProperties { bounce 0 } ]");
  double farthest = 0;
  for (int i = 0; i < 300; ++i) {
    simulation_->step();
    farthest = std::max(farthest, position("ball").x());
  }
  EXPECT_NEAR(farthest, 2 - 0.2, 0.01);
}

TEST_F(ElementsTest, MapsThatCannotBeReadSayWhy) {
  world_.folder().write("worlds/bad.yaml", "image: a.pgm\nresolutoin: 0.05\norigin: [0, 0, 0]\n");
  world_.folder().write("worlds/empty.pgm", "P2 2 2 255\n254 254 254 254\n");
  EXPECT_THAT(error("OccupancyGridMap { url [ \"bad.yaml\" ] }"),
              AllOf(HasSubstr("test.wbt:3:"), HasSubstr("the key 'resolution' is missing")));
  EXPECT_THAT(error("OccupancyGridMap { }"), HasSubstr("names no map"));
  EXPECT_THAT(error("OccupancyGridMap { url [ \"none.yaml\" ] }"), HasSubstr("No such file"));
  load("OccupancyGridMap { url [ \"empty.pgm\" ] }");
  EXPECT_THAT(world_.diagnostics().to_string(), HasSubstr("no cell of the map is occupied"));
}

TEST_F(ElementsTest, BlocksHaveTheHeightsOfTheirShapes) {
  const auto height = [&](double x, double y) {
    EXPECT_NEAR(seen_height(x, y), felt_height(x, y), 2e-3) << x << " " << y;
    return seen_height(x, y);
  };
  load("Block { shape \"ramp\" size 4 2 0 zMin 0.5 zMax 2.5 }");
  EXPECT_NEAR(height(1, 0.9), 0.5 + 2 * 1.0 / 4, 1e-5);
  EXPECT_NEAR(height(3.9, -0.9), 0.5 + 2 * 3.9 / 4, 1e-5);
  EXPECT_EQ(height(-0.1, 0), kNoGround);
  load("Block { shape \"bump\" size 3 2 0 zMax 0.4 }");
  for (const double y : {-0.8, -0.3, 0.0, 0.6}) {
    EXPECT_NEAR(height(1.4, y), 0.4 * std::sqrt(1 - y * y), 4e-3);
  }
  EXPECT_EQ(height(1.6, 0), kNoGround);
  load("Block { shape \"polygon\" points [ 0 0, 0 4, 1 4, 1 1, 3 1, 3 0 ] zMin 1 zMax 2 }");  // an L
  EXPECT_NEAR(height(0.5, 3.5), 2, 1e-5);
  EXPECT_NEAR(height(2.5, 0.5), 2, 1e-5);
  EXPECT_EQ(height(2, 2), kNoGround);
  EXPECT_NEAR(seen({-1, 2, 1.5}, {1, 0, 0}), 1, 1e-5);
  EXPECT_NEAR(seen({5, 2, 1.5}, {-1, 0, 0}), 4, 1e-5);
  load("Block { shape \"sphere\" radius 1 zMin 1 zMax 2 }");  // flattened: half as high as wide
  EXPECT_NEAR(height(0, 0), 2, 1e-5);
  EXPECT_NEAR(height(0.6, 0), 1.5 + 0.5 * 0.8, 0.01);
  load("Block { shape \"cone\" radius 1 zMax 3 }");
  EXPECT_NEAR(height(0.5, 0), 1.5, 1e-4);
  load("Block { shape \"cylinder\" radius 1 zMin 0.5 zMax 3 }");
  EXPECT_NEAR(height(0.7, 0.7), 3, 1e-4);
  load("Block { size 2 4 9 zMin -1 zMax 1 }");
  EXPECT_NEAR(height(0.99, 1.99), 1, 1e-5);
  EXPECT_EQ(height(1.01, 0), kNoGround);
}

TEST_F(ElementsTest, ABlockWithMassFallsAndOneWithoutStands) {
  load("HorizontalPlane { } Block { name \"p\" shape \"polygon\" points [ -1 -1, 1 -1, 0 1 ] mass 12 "
       "translation 0 0 3 } Block { name \"s\" translation 5 0 3 } Block { name \"v\" translation 0 20 0 solid FALSE }");
  const auto& model = simulation_->model();
  EXPECT_EQ(model.physics->mass(model.solids.at(1).body), 12);
  run(3);
  EXPECT_NEAR(position("p").z(), 0, 5e-3);
  EXPECT_NEAR(felt_height(5, 0), 4, 1e-5);
  EXPECT_NEAR(seen({0.4, 29, 0.9}, {0, -1, 0}), 8.5, 1e-5);  // "v", that nothing touches
  EXPECT_GT(felt({0.4, 29, 0.9}, {0, -1, 0}), 25);
}

TEST_F(ElementsTest, BlocksThatCannotBeSayWhy) {
  EXPECT_THAT(error("Block { shape \"polygon\" points [ 0 0, 1 0 ] }"),
              HasSubstr("a polygon needs 3 or more points, got 2"));
  EXPECT_THAT(error("Block { shape \"polygon\" points [ 0 0, 1 0, 2 0 ] }"), HasSubstr("no area"));
  EXPECT_THAT(error("Block { zMin 1 zMax 1 }"), HasSubstr("zMax must be above zMin, got 1 to 1"));
  EXPECT_THAT(error("Block { shape \"cone\" radius 0 }"), HasSubstr("radius must be > 0, got 0"));
}

TEST_F(ElementsTest, WallsFollowTheirSegmentsAndCloseTheirCorners) {
  load("Walls { polyline [ 0 0, 4 0, 4 3 ] closed TRUE thickness 0.2 height 2.5 }");
  EXPECT_NEAR(seen({2, 1, 1}, {0, -1, 0}), 0.9, 1e-5);
  EXPECT_NEAR(felt({2, 1, 1}, {1, 0, 0}), 1.9, 1e-5);
  // The third wall is the line from (4, 3) back to the origin.
  const double distance = std::abs(3 * 2 - 4 * 1) / 5.0 - 0.1;
  EXPECT_NEAR(seen({2, 1, 1}, {-3, 4, 0}), distance, 1e-5);
  EXPECT_NEAR(seen_height(4.05, -0.05), 2.5, 1e-5);  // the corner
  EXPECT_THAT(error("Walls { segments [ 0 0, 1 1, 2 2 ] }"), HasSubstr("two points each, got 3"));
  EXPECT_THAT(error("Walls { segments [ 1 1, 1 1 ] }"), HasSubstr("segment 1 has no length"));
  EXPECT_THAT(error("Walls { }"), HasSubstr("is needed"));
}

TEST_F(ElementsTest, AGridIsForTheEyeOnly) {
  load("GroundGrid { xMin -2 xMax 2 yMin -1 yMax 1 interval 0.5 z 0.25 translation 0 0 1 }");
  EXPECT_EQ(seen_height(0, 0), kNoGround);
  EXPECT_EQ(felt_height(0, 0), kNoGround);
  ASSERT_EQ(simulation_->model().lines.size(), 1u);
  const auto& ends = simulation_->model().lines[0].ends_B;
  ASSERT_EQ(ends.size(), 2u * (9 + 5));
  for (std::size_t i = 0; i < ends.size(); i += 2) {
    EXPECT_EQ(ends[i].z(), 1.25);
    EXPECT_NEAR((ends[i + 1] - ends[i]).norm(), i < 18 ? 2 : 4, 1e-12);
  }
  EXPECT_THAT(error("GroundGrid { interval 0 }"), HasSubstr("interval must be > 0"));
  EXPECT_THAT(error("GroundGrid { xMin 5 xMax 5 }"), HasSubstr("xMin must be below xMax"));
}

TEST_F(ElementsTest, APedestrianKeepsItsSpeedAndItsPauses) {
  load("Pedestrian { waypoints [ 1 0 0, 5 0 0, 5 3 0 ] speed 2 speeds [ 2 1.5 2.5 ] pauses [ 0 1 0 ] "
       "translation 0 0 2 }");
  run(1);
  EXPECT_NEAR((position("pedestrian") - Vec3(3, 0, 2)).norm(), 0, 1e-6);
  run(1.504);  // 2 s there, half a second of rest
  EXPECT_NEAR((position("pedestrian") - Vec3(5, 0, 2)).norm(), 0, 1e-6);
  run(1.504);  // 1.008 s of the second way
  EXPECT_NEAR((position("pedestrian") - Vec3(5, 1.5 * 1.008, 2)).norm(), 0, 1e-6);
  run(1.992);  // 2 s at 2.5 m/s lead back over 5 m
  EXPECT_NEAR((position("pedestrian") - Vec3(3, 1.5, 2)).norm(), 0, 1e-6);
  run(2);  // the next round
  EXPECT_NEAR((position("pedestrian") - Vec3(3, 0, 2)).norm(), 0, 1e-6);
}

TEST_F(ElementsTest, AFootOfAWalkingPedestrianIsAlwaysOnTheGround) {
  load("Pedestrian { waypoints [ 0 0 0, 8 0 0 ] loop FALSE }");
  const auto& groups = simulation_->model().visuals;
  std::vector<std::vector<Vec3>> corners;  // of each group, in its frame
  for (const auto& group : groups) {
    auto& its = corners.emplace_back();
    for (std::size_t s = 0; s < group.geometries.size(); ++s) {
      for (const Vec3& v : triangulated(*group.geometries[s]).vertices) its.push_back(group.shape_poses[s] * v);
    }
  }
  for (int i = 0; i < 800; ++i) {
    simulation_->step();
    double lowest = kInf;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const Pose X_WG = simulation_->pose_of(groups[g]);
      const Vec3 up = X_WG.R.conjugate() * Vec3::UnitZ();
      for (const Vec3& v : corners[g]) lowest = std::min(lowest, X_WG.p.z() + up.dot(v));
    }
    // The sole is flat: it dips by its length times the leg's slope.
    ASSERT_GT(lowest, -0.1) << i;
    ASSERT_LT(lowest, 0.02) << i;
  }
}

TEST_F(ElementsTest, APedestrianIsSeenAndFelt) {
  load("Pedestrian { waypoints [ 2 0 0 ] }");
  EXPECT_NEAR(felt({0, 0, 0.9}, {1, 0, 0}), 1.7, 0.01);  // a capsule of 0.3 m
  EXPECT_NEAR(seen_height(1.99, 0), 1.772, 0.01);
  EXPECT_THAT(error("Pedestrian { waypoints [ ] }"), HasSubstr("must have a point or more"));
  EXPECT_THAT(error("Pedestrian { speed 0 }"), HasSubstr("a speed must be > 0, got 0"));
  EXPECT_THAT(error("Pedestrian { pauses [ 1 ] }"), HasSubstr("one number for each of the 2 waypoints"));
}

}  // namespace
}  // namespace protobeam
