// The camera's rays against the viewer's triangles: the same things at the same pixels.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "geometry/files.h"
#include "tests/support/program.h"

namespace protobeam::test {
namespace {

/// Each thing shines in a colour of its own, so that a pixel says what it shows.
constexpr std::array<std::array<int, 3>, 9> kColors{{{0, 0, 0},
                                                     {1, 0, 0},
                                                     {0, 1, 0},
                                                     {0, 0, 1},
                                                     {1, 1, 0},
                                                     {0, 1, 1},
                                                     {1, 0, 1},
                                                     {1, 1, 1},
                                                     {0, 0, 0}}};

std::string shining(int object, const std::string& pose, const std::string& geometry) {
  const auto& c = kColors[static_cast<std::size_t>(object)];
  const std::string color = std::to_string(c[0]) + " " + std::to_string(c[1]) + " " + std::to_string(c[2]);
  return "Pose { " + pose + " children [ Shape { appearance PBRAppearance { baseColor 0 0 0 roughness 1 " +
         "metalness 0 emissiveColor " + color + " } geometry " + geometry + " } ] }\n";
}

const std::string kView = " -6 0 3 ";
const std::string kTurn = " 0 1 0 0.35 ";

std::string world() {
  return "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 32 }\n"
         "Viewpoint { position" + kView + "orientation" + kTurn + "fieldOfView 0.9 }\n"
         "Background { skyColor [ 0 0 0 ] luminosity 0 }\nSolid { children [\n" +
         shining(1, "translation 1 0 0 rotation 1 1 0 0.5", "Box { size 1 1 1 }") +
         shining(2, "translation 0 1.5 0.5", "Sphere { radius 0.7 subdivision 5 }") +
         shining(3, "translation 0 -1.5 0.5 rotation 0 1 0 0.7",
                 "Cylinder { radius 0.5 height 1.2 subdivision 96 }") +
         shining(4, "translation 2.5 1.5 0.5 rotation 1 0 0 0.4",
                 "Cone { bottomRadius 0.6 height 1.5 subdivision 96 }") +
         shining(5, "translation 2.5 -1.7 0.6 rotation 0 1 1 0.9",
                 "Capsule { radius 0.4 height 1 subdivision 96 }") +
         shining(6, "translation 3 0 -0.8", "Plane { size 9 9 }") +
         shining(7, "translation 4 -1 -0.8",
                 "ElevationGrid { xDimension 4 yDimension 4 xSpacing 0.8 ySpacing 0.8 height [ 0 0.5 1 0 "
                 "0.3 1.2 0.4 0 0.8 1.5 0.6 0.3 0 0 0 0 ] }") +
         "] }\nRobot { name \"r\" translation" + kView + "rotation" + kTurn +
         "children [ Camera { name \"eye\" samplingPeriod 32 width 640 height 480 fieldOfView 0.9 } ] }\n";
}

/// The object whose colour a pixel has; a channel counts from half of its brightness on.
int object_of(int red, int green, int blue) {
  const std::array<int, 3> on{red > 127, green > 127, blue > 127};
  for (std::size_t i = 0; i + 1 < kColors.size(); ++i) {
    if (on == kColors[i]) return static_cast<int>(i);
  }
  return 0;
}

/// Bytes of the first image in a .npy file of unsigned bytes.
std::vector<std::uint8_t> first_image(const std::filesystem::path& file, std::size_t size) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const std::size_t begin = bytes.find('\n');
  EXPECT_NE(begin, std::string::npos) << file;
  EXPECT_GE(bytes.size(), begin + 1 + size) << file;
  const std::string image = bytes.substr(begin + 1, size);
  return {image.begin(), image.end()};
}

TEST(Silhouettes, AreThoseOfTheViewer) {
  constexpr std::size_t kWidth = 640, kHeight = 480;
  const TemporaryFolder folder;
  const auto file = folder.write("worlds/w.wbt", world());
  const auto picture = folder.path() / "view.png", out = folder.path() / "out";
  const Outcome drawn =
      protobeam({"snapshot", file.string(), "--size", "640x480", "--out", picture.string()});
  ASSERT_EQ(drawn.exit, 0) << drawn.err;
  const Outcome run = protobeam({"run", file.string(), "--duration", "0.04", "--out", out.string(),
                                 "--channels", "r/eye:image"});
  ASSERT_EQ(run.exit, 0) << run.err;
  const Image viewer = *load_image(picture);
  const auto camera = first_image(out / "r_eye.image.npy", kWidth * kHeight * 4);
  ASSERT_EQ(viewer.pixels.size(), kWidth * kHeight * static_cast<std::size_t>(viewer.channels));
  std::size_t same = 0;
  std::array<std::size_t, 9> seen{};
  for (std::size_t i = 0; i < kWidth * kHeight; ++i) {
    const auto* v = viewer.pixels.data() + i * static_cast<std::size_t>(viewer.channels);
    const auto* c = camera.data() + 4 * i;
    const int ours = object_of(c[2], c[1], c[0]);
    same += ours == object_of(v[0], v[1], v[2]) ? 1 : 0;
    ++seen[static_cast<std::size_t>(ours)];
  }
  for (std::size_t object = 0; object < 8; ++object) EXPECT_GT(seen[object], 500u) << object;
  EXPECT_GT(static_cast<double>(same) / (kWidth * kHeight), 0.995);
  RecordProperty("same_share", std::to_string(static_cast<double>(same) / (kWidth * kHeight)));
}

}  // namespace
}  // namespace protobeam::test
