// Pictures without a display: what is on them, and what is said when they cannot be made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "geometry/files.h"
#include "tests/viewer/desktop.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kNoDisplay = "DISPLAY=";
const std::string kNoEgl = "__EGL_VENDOR_LIBRARY_DIRS=/nonexistent";

class Snapshot : public testing::Test {
 protected:
  test::Outcome snapshot(const std::vector<std::string>& words, const std::string& more = kNoDisplay) {
    std::vector<std::string> all = {"snapshot"};
    all.insert(all.end(), words.begin(), words.end());
    return test::protobeam(all, {.environment = {kNoDisplay, more}});
  }
  fs::path file(const std::string& name) const { return folder_.path() / name; }
  std::shared_ptr<const Image> picture(const std::vector<std::string>& words,
                                       const std::string& more = kNoDisplay) {
    const fs::path out = file("picture.png");
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--out", out.string()});
    const auto done = snapshot(all, more);
    EXPECT_EQ(done.exit, 0) << done.err;
    said_ = done.out + done.err;
    return load_image(out);
  }
  static std::array<int, 3> at(const Image& image, double x, double y) {
    const int column = std::clamp(static_cast<int>(x * image.width), 0, image.width - 1);
    const int row = std::clamp(static_cast<int>(y * image.height), 0, image.height - 1);
    const auto i = static_cast<std::size_t>((row * image.width + column) * image.channels);
    return {image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]};
  }

  TemporaryFolder folder_;
  std::string said_;
};

// A red box of 1 m at (4, 0, 0.5), 4 m before a camera that looks along +x.
constexpr const char* kBox = R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 10 }
Viewpoint { position 0 0 0.5 fieldOfView 1 }
DirectionalLight { direction 1 -0.3 -0.6 }
Solid { translation 4.5 0 0.5 children [ Shape {
  appearance PBRAppearance { baseColor 0.9 0.05 0.05 roughness 1 metalness 0 }
  geometry Box { size 1 1 1 } } ] boundingObject Box { size 1 1 1 } }
Robot { name "r" children [ Lidar { name "l" numberOfLayers 9 horizontalResolution 64
  fieldOfView 0.4 verticalFieldOfView 0.3 maxRange 30 tiltAngle 0 } ] translation 0 0 0.5 })";

TEST_F(Snapshot, ShowsABoxWhereItIs) {
  const auto world = folder_.write("box.wbt", kBox);
  const auto image = picture({world.string(), "--size", "400x200"});
  EXPECT_EQ(image->width, 400);
  EXPECT_EQ(image->height, 200);
  // Half a metre at 4 m is 0.125 / tan(0.5) of half the width.
  const double half = 0.5 * 0.125 / std::tan(0.5);
  for (const double x : {-0.9, 0.0, 0.9}) {
    const auto colour = at(*image, 0.5 + x * half, 0.5);
    EXPECT_GT(colour[0], 2 * colour[1]) << x;
  }
  for (const double x : {-1.1, 1.1}) {
    const auto colour = at(*image, 0.5 + x * half, 0.5);
    EXPECT_LT(colour[0], 2 * colour[1]) << x;
  }
  EXPECT_THAT(said_, HasSubstr("wrote"));
}

TEST_F(Snapshot, TwoOfThemAreTheSameBytes) {
  for (const char* name : {"a.png", "b.png"}) {
    const auto done = snapshot({"worlds/yard.wbt", "--time", "0.5", "--cloud", "height", "--size", "320x180",
                                "--out", file(name).string()});
    ASSERT_EQ(done.exit, 0) << done.err;
  }
  EXPECT_EQ(read_bytes(file("a.png")), read_bytes(file("b.png")));
}

TEST_F(Snapshot, CloudBeamsAndWireframeAreOnThePicture) {
  const auto world = folder_.write("box.wbt", kBox);
  const std::vector<std::string> plain = {world.string(), "--size", "400x200", "--time", "0.5", "--camera",
                                          "-2 -4 3 2 0 0.5"};
  const auto none = picture(plain);
  for (const std::vector<std::string>& what :
       {std::vector<std::string>{"--cloud", "range"}, {"--beams"}, {"--wireframe"}, {"--frames"}}) {
    auto words = plain;
    words.insert(words.end(), what.begin(), what.end());
    const auto with = picture(words);
    EXPECT_GT(test::changed_pixels(*none, *with, test::whole(*with)), 50) << what[0];
  }
}

TEST_F(Snapshot, IsRayCastWhereThereIsNoOpenGl) {
  const auto world = folder_.write("box.wbt", kBox);
  const auto image = picture({world.string(), "--size", "400x200", "--cloud", "height"}, kNoEgl);
  EXPECT_THAT(said_, HasSubstr("EGL"));
  EXPECT_THAT(said_, HasSubstr("ray-cast"));
  const auto colour = at(*image, 0.5, 0.5 - 0.02);
  EXPECT_GT(colour[0], colour[2]);
}

TEST_F(Snapshot, FilmsASecond) {
  const auto world = folder_.write("box.wbt", kBox);
  const auto done = snapshot({world.string(), "--video", file("film.mp4").string(), "--duration", "1",
                              "--fps", "10", "--size", "160x90"});
  ASSERT_EQ(done.exit, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("10 pictures"));
  const auto probe = test::execute({"ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                    "stream=nb_read_frames", "-of", "default=nw=1", file("film.mp4").string()});
  EXPECT_THAT(probe.out, HasSubstr("nb_read_frames=10"));
}

TEST_F(Snapshot, MistakesAreOneClearMessageAndLeaveNoFile) {
  const auto world = folder_.write("box.wbt", kBox).string();
  const std::string out = file("x.png").string();
  struct Case {
    std::vector<std::string> words;
    int exit;
    const char* message;
  };
  for (const Case& wrong : {Case{{world}, 2, "--out FILE.png"},
                            {{world, "--out", file("x.jpg").string()}, 2, "must end in .png"},
                            {{world, "--out", "/nonexistent/x.png"}, 1, "no folder '/nonexistent'"},
                            {{world, "--out", out, "--camera", "follow:q"}, 1, "no robot 'q'"},
                            {{world, "--out", out, "--camera", "device:r/m"}, 1, "did you mean 'r/l'?"},
                            {{world, "--out", out, "--camera", "1 2"}, 1, "no camera"},
                            {{world, "--out", out, "--size", "0x10"}, 2, "no size"},
                            {{world, "--out", out, "--size", "8193x8192"}, 2, "8192x8192"},
                            {{world, "--out", out, "--cloud", "colour"}, 2, "colour"},
                            {{world, "--out", out, "--time", "-1"}, 2, "--time"},
                            {{world, "--video", file("x.avi").string()}, 2, ".mp4 or .gif"},
                            {{"nothing.wbt", "--out", out}, 1, "nothing.wbt"}}) {
    const auto done = snapshot(wrong.words);
    EXPECT_EQ(done.exit, wrong.exit) << wrong.message << "\n" << done.err;
    EXPECT_THAT(done.err, HasSubstr(wrong.message));
  }
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(Snapshot, AMissingTextureIsAWarningAndThePictureIsMade) {
  std::string text = kBox;
  text.replace(text.find("roughness 1"), 0, "baseColorMap ImageTexture { url [ \"gone.png\" ] } ");
  const auto world = folder_.write("box.wbt", text);
  const auto image = picture({world.string(), "--size", "200x100"});
  EXPECT_THAT(said_, HasSubstr("gone.png"));
  EXPECT_GT(at(*image, 0.5, 0.5)[0], 60);
}

}  // namespace
}  // namespace protobeam
