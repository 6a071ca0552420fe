// Shapes, their colours and their pictures.
#include <gtest/gtest.h>

#include "tests/unit/viewer/scene/stage.h"

namespace protobeam::viewer {
namespace {

enum class Hue { kRed, kGreen, kBlue, kOther };
Hue hue(const Vec3& rgb) {
  for (int c = 0; c < 3; ++c) {
    if (rgb[c] > rgb[(c + 1) % 3] + 40 && rgb[c] > rgb[(c + 2) % 3] + 40) return Hue(c);
  }
  return Hue::kOther;
}

Material glowing(float r, float g, float b) {
  Material material = colored(0, 0, 0);
  material.emissive = {r, g, b};
  return material;
}

/// Pixels that are red.
double red_area(const Image& image) {
  double area = 0;
  for (int row = 0; row < image.height; ++row) {
    for (int column = 0; column < image.width; ++column) {
      area += hue(pixel(image, column, row)) == Hue::kRed ? 1 : 0;
    }
  }
  return area;
}

TEST(Surface, SphereIsAsLargeAsItsSilhouette) {
  // Seen from distance d, a sphere covers the cone whose half angle has the sine r / d.
  for (const double radius : {0.5, 1.5, 3.0}) {
    Stage stage;
    stage.add(Sphere{radius}, glowing(3, 0, 0), Pose::translation({0, 0, 50}));
    Camera camera(400, {-10, 0, 50}, {0, 0, 50});
    const double focal = 200 / 0.5;
    const double expected = focal * radius / std::sqrt(100 - radius * radius);
    EXPECT_NEAR(std::sqrt(red_area(camera.take(stage)) / kPi), expected, 1) << radius;
  }
}

TEST(Surface, EveryPrimitiveHasItsOutline) {
  // Seen along -y from far away: nearly parallel, 20 pixels a metre.
  const double fov = 2 * std::atan(200.0 / 20 / 400);
  const auto area_of = [&](const Geometry& geometry) {
    Stage stage;
    stage.add(geometry, glowing(3, 0, 0), Pose::translation({0, 0, 50}));
    Camera camera(400, {0, -400, 50}, {0, 0, 50}, fov);
    return red_area(camera.take(stage)) / 400;  // m^2
  };
  EXPECT_NEAR(area_of(Box{{2, 3, 4}}), 8, 0.2);
  EXPECT_NEAR(area_of(Cylinder{1.5, 4}), 12, 0.2);
  EXPECT_NEAR(area_of(Cone{1.5, 4}), 6, 0.2);
  EXPECT_NEAR(area_of(Capsule{1.5, 4}), 12 + kPi * 2.25, 0.3);
  EXPECT_NEAR(area_of(Capsule{1.5, 4, false, true, true}), 12 + kPi * 2.25 / 2, 0.3);
  EXPECT_NEAR(area_of(Capsule{1.5, 4, true, true, false}), 12 + kPi * 2.25 / 2, 0.3);
  EXPECT_NEAR(area_of(Capsule{1.5, 4, true, false, true}), kPi * 2.25, 0.3);
  EXPECT_NEAR(area_of(Cylinder{1.5, 4, true, false, true}), 0, 0.3);  // two discs, edge on
  Mesh triangle;
  triangle.vertices = {{-3, 0, -2}, {3, 0, -2}, {0, 0, 2}};
  triangle.triangles = {{0, 1, 2}};
  EXPECT_NEAR(area_of(triangle), 12, 0.2);
}

TEST(Surface, OpenShapesAndPlanesShowBothSides) {
  Stage stage;
  stage.add(Plane{{4, 4}}, glowing(3, 0, 0), Pose::translation({0, 0, 50}));
  Camera above(100, {0, 0, 60}, {0, 0, 50}, 2 * std::atan(0.5), Vec3::UnitY());
  Camera below(100, {0, 0, 40}, {0, 0, 50}, 2 * std::atan(0.5), Vec3::UnitY());
  EXPECT_NEAR(red_area(above.take(stage)), 1600, 90);
  EXPECT_NEAR(red_area(below.take(stage)), 1600, 90);
}

TEST(Surface, PosesTurnShapes) {
  Stage stage;
  stage.add(Box{{4, 0.2, 0.2}}, glowing(3, 0, 0),
            {axis_angle({1, 0, 0}, 0) * axis_angle({0, 1, 0}, kPi / 2), Vec3(0, 0, 50)});
  Camera camera(100, {0, -10, 50}, {0, 0, 50});
  const Image image = camera.take(stage);
  EXPECT_EQ(hue(pixel(image, camera.where({0, 0, 51.5}))), Hue::kRed);  // upright now
  EXPECT_NE(hue(pixel(image, camera.where({1.5, 0, 50}))), Hue::kRed);
}

/// Red and green above blue and white.
std::shared_ptr<Image> four_colors() {
  auto image = std::make_shared<Image>();
  image->width = image->height = 16;
  image->channels = 3;
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 16; ++column) {
      const bool left = column < 8, upper = row < 8;
      const auto byte = [](bool on) { return static_cast<std::uint8_t>(on ? 255 : 0); };
      image->pixels.insert(image->pixels.end(), {byte(left == upper), byte(!left), byte(!upper)});
    }
  }
  return image;
}

Material pictured() {
  Material material = colored(1, 1, 1);
  material.texture = four_colors();
  return material;
}

/// The hues of the upper left, upper right, lower left and lower right of what fills the view.
std::vector<Hue> corners(const Image& image) {
  const int low = image.width / 8, high = image.width * 7 / 8;
  return {hue(pixel(image, low, low)), hue(pixel(image, high, low)), hue(pixel(image, low, high)),
          hue(pixel(image, high, high))};
}
const std::vector<Hue> kUpright = {Hue::kRed, Hue::kGreen, Hue::kBlue, Hue::kOther};

TEST(Surface, PicturesStandUprightOnPlanesBoxesAndMeshes) {
  Stage floor;
  floor.add(Plane{{10, 10}}, pictured(), Pose::translation({0, 0, 50}));
  Camera above(64, {0, 0, 60}, {0, 0, 50}, 2 * std::atan(0.5), Vec3::UnitY());
  EXPECT_EQ(corners(above.take(floor)), kUpright);

  // The front of a box (-y) as it is seen from there, and its back.
  Stage box;
  box.add(Box{{10, 10, 10}}, pictured(), Pose::translation({0, 0, 50}));
  for (const Vec3& from : {Vec3(0, -15, 50), Vec3(0, 15, 50), Vec3(-15, 0, 50), Vec3(15, 0, 50)}) {
    Camera camera(64, from, {0, 0, 50});
    EXPECT_EQ(corners(camera.take(box)), kUpright) << from.transpose();
  }

  Mesh mesh;  // the lower left corner of the picture at its first vertex
  mesh.vertices = {{-5, 0, -5}, {5, 0, -5}, {5, 0, 5}, {-5, 0, 5}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  mesh.uvs = {{Eigen::Vector2f(0, 0), {1, 0}, {1, 1}}, {Eigen::Vector2f(0, 0), {1, 1}, {0, 1}}};
  Stage poster;
  poster.add(mesh, pictured(), Pose::translation({0, 0, 50}));
  Camera front(64, {0, -10, 50}, {0, 0, 50});
  EXPECT_EQ(corners(front.take(poster)), kUpright);
}

TEST(Surface, PicturesAreMovedRepeatedAndClamped) {
  const auto corners_with = [](const Eigen::Matrix<float, 2, 3>& transform, bool repeat) {
    Material material = pictured();
    material.uv_transform = transform;
    material.repeat_s = material.repeat_t = repeat;
    Stage stage;
    stage.add(Plane{{10, 10}}, material, Pose::translation({0, 0, 50}));
    Camera above(64, {0, 0, 60}, {0, 0, 50}, 2 * std::atan(0.5), Vec3::UnitY());
    return corners(above.take(stage));
  };
  Eigen::Matrix<float, 2, 3> moved;
  moved << 1, 0, 0.5f, 0, 1, 0;  // half a picture to the left, so that halves are exchanged
  EXPECT_EQ(corners_with(moved, true),
            (std::vector<Hue>{Hue::kGreen, Hue::kRed, Hue::kOther, Hue::kBlue}));
  // Beyond the edge the edge goes on.
  EXPECT_EQ(corners_with(moved, false),
            (std::vector<Hue>{Hue::kGreen, Hue::kGreen, Hue::kOther, Hue::kOther}));
}

TEST(Surface, MissingAndBrokenPicturesLeaveTheColor) {
  for (const bool broken : {false, true}) {
    Material material = colored(1, 0, 0);
    if (broken) {
      auto image = std::make_shared<Image>(*four_colors());
      image->pixels.resize(5);
      material.texture = image;
    }
    Stage stage;
    stage.add(Plane{{10, 10}}, material, Pose::translation({0, 0, 50}));
    Camera above(32, {0, 0, 60}, {0, 0, 50}, 2 * std::atan(0.5), Vec3::UnitY());
    EXPECT_EQ(hue(pixel(above.take(stage), 16, 16)), Hue::kRed);
  }
}

TEST(Surface, ColoursAreSrgbAsPicturesAre) {
  const auto shade = [](const Material& material) {
    Stage stage;
    stage.add(Plane{{10, 10}}, material, Pose::translation({0, 0, 50}));
    Camera above(32, {0, 0, 60}, {0, 0, 50}, 2 * std::atan(0.5), Vec3::UnitY());
    return brightness(pixel(above.take(stage), 16, 16));
  };
  Material picture = colored(1, 1, 1);
  auto grey = std::make_shared<Image>();
  grey->width = grey->height = grey->channels = 1;
  grey->pixels = {188};
  picture.texture = grey;
  constexpr float kGrey = 188 / 255.0f;
  EXPECT_NEAR(shade(picture), shade(colored(kGrey, kGrey, kGrey)), 1);
}

TEST(Surface, GlassShowsWhatIsBehind) {
  const auto seen_through = [](float transparency) {
    Material glass = colored(1, 0, 0);
    glass.transparency = transparency;
    Stage stage;
    stage.add(Box{{0.1, 4, 4}}, glass, Pose::translation({5, 0, 50}));
    stage.add(Box{{0.1, 9, 9}}, glowing(0, 0, 3), Pose::translation({10, 0, 50}));
    Camera camera(64, {0, 0, 50}, {5, 0, 50});
    return pixel(camera.take(stage), 32, 32);
  };
  EXPECT_EQ(hue(seen_through(0)), Hue::kRed);
  EXPECT_EQ(hue(seen_through(1)), Hue::kBlue);  // not there at all
  const Vec3 little = seen_through(0.3f), much = seen_through(0.8f);
  EXPECT_LT(little.z(), much.z());
  EXPECT_GT(little.x(), much.x());
  EXPECT_GT(little.z(), seen_through(0).z());
  // In whatever order they are listed.
  Material glass = colored(0, 1, 0);
  glass.transparency = 0.5f;
  Stage stage;
  stage.add(Box{{0.1, 9, 9}}, glowing(0, 0, 3), Pose::translation({10, 0, 50}));
  stage.add(Box{{0.1, 4, 4}}, glass, Pose::translation({3, 0, 50}));
  stage.add(Box{{0.1, 4, 4}}, glass, Pose::translation({5, 0, 50}));
  Camera camera(64, {0, 0, 50}, {5, 0, 50});
  // A quarter of the blue, though each pane has two faces.
  EXPECT_NEAR(pixel(camera.take(stage), 32, 32).z(), 255 / 4.0, 25);
}

TEST(Surface, HolesInPicturesShowWhatIsBehind) {
  auto image = std::make_shared<Image>();
  image->width = 2;
  image->height = 1;
  image->channels = 4;
  image->pixels = {255, 0, 0, 255, 255, 0, 0, 0};  // the right half is a hole
  Material material = colored(1, 1, 1);
  material.texture = image;
  material.repeat_s = material.repeat_t = false;
  Stage stage;
  stage.add(Plane{{10, 10}}, material, Pose::translation({0, 0, 50}));
  stage.add(Plane{{20, 20}}, glowing(0, 0, 3), Pose::translation({0, 0, 40}));
  Camera above(64, {0, 0, 60}, {0, 0, 50}, 2 * std::atan(0.5), Vec3::UnitY());
  const Image seen = above.take(stage);
  EXPECT_EQ(hue(pixel(seen, 8, 32)), Hue::kRed);
  EXPECT_EQ(hue(pixel(seen, 56, 32)), Hue::kBlue);
}

TEST(Surface, LargeMeshesAreDrawnWhole) {
  // A floor of 200 m in 100 x 100 squares: cut into pieces, none may be missing.
  Mesh mesh;
  for (int y = 0; y <= 100; ++y) {
    for (int x = 0; x <= 100; ++x) mesh.vertices.emplace_back(2 * x - 100, 2 * y - 100, 0);
  }
  for (std::uint32_t y = 0; y < 100; ++y) {
    for (std::uint32_t x = 0; x < 100; ++x) {
      const std::uint32_t a = y * 101 + x;
      mesh.triangles.push_back({a, a + 1, a + 102});
      mesh.triangles.push_back({a, a + 102, a + 101});
    }
  }
  Stage stage;
  stage.add(mesh, glowing(3, 0, 0), Pose::translation({1000, 0, 0}));
  Camera above(100, {1000, 0, 400}, {1000, 0, 0}, 2 * std::atan(0.25), Vec3::UnitY());
  EXPECT_NEAR(red_area(above.take(stage)), 10000, 0.5);
}

TEST(Surface, SmoothNormalsMakeSmoothShading) {
  // Two walls meet at an edge towards the camera; light from the left.
  const auto step_at_edge = [](bool smooth) {
    Mesh mesh;
    mesh.vertices = {{1, 2, -2}, {0, 0, -2}, {1, -2, -2}, {1, 2, 2}, {0, 0, 2}, {1, -2, 2}};
    mesh.triangles = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
    if (smooth) {
      const Eigen::Vector3f left = Eigen::Vector3f(-2, 1, 0).normalized(),
                            right = Eigen::Vector3f(-2, -1, 0).normalized(), edge(-1, 0, 0);
      mesh.normals = {
          {left, edge, edge}, {left, edge, left}, {edge, right, right}, {edge, right, edge}};
    }
    Stage stage;
    stage.description().lights = {sun({1, -0.8, 0})};
    stage.add(mesh, colored(0.5f, 0.5f, 0.5f), Pose::translation({10, 0, 50}));
    Camera camera(200, {0, 0, 50}, {10, 0, 50});
    const Image image = camera.take(stage);
    return std::abs(brightness(pixel(image, 97, 100)) - brightness(pixel(image, 102, 100)));
  };
  EXPECT_GT(step_at_edge(false), 25);
  EXPECT_LT(step_at_edge(true), 8);
}

}  // namespace
}  // namespace protobeam::viewer
