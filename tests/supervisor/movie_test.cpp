// Movies that real controller processes start and stop, as players read them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>

#include "tests/support/program.h"

namespace protobeam::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A world whose supervisor runs one case of film.c.
class MovieRun : public testing::Test {
 protected:
  Outcome run(const std::string& which,
              const std::vector<std::string>& more = {"--duration", "2.5"}) {
    const std::string follow = which == "follow" ? "follow \"ball\"" : "";
    const auto file =
        folder_.write("worlds/w.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 20 }
Viewpoint { position -8 0 3 )" + follow + R"( }
Solid { name "ball" translation 0 0 3 linearVelocity 0 5 0 children [
  Shape { appearance PBRAppearance { baseColor 1 0 0 emissiveColor 1 0 0 } geometry Sphere { radius 0.5 } } ] }
Background { skyColor [ 0 0 0.5 ] }
DEF FLOOR Solid { children [ Shape { geometry Plane { size 40 40 } } ] boundingObject Plane { size 40 40 } }
Robot { supervisor TRUE controller "film" controllerArgs [ ")" +
                                          which + R"(" ")" + folder_.path().string() + R"(" ] }
)");
    std::vector<std::string> arguments{"run", file.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return protobeam(arguments);
  }

  /// Empty: there is none.
  std::filesystem::path movie(const std::string& name) const {
    const auto file = folder_.path() / name;
    return std::filesystem::exists(file) ? file : std::filesystem::path();
  }

  static std::string facts(const std::filesystem::path& file) {
    return execute({"ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0",
                    "-show_entries", "stream=nb_read_frames,r_frame_rate,width,height", "-of",
                    "default=nw=1", file.string()})
        .out;
  }

  /// Of a picture of the movie, decoded by another program.
  std::array<int, 3> pixel(const std::filesystem::path& file, int picture, int width, int x,
                           int y) {
    const auto raw = folder_.path() / "picture.rgb";
    execute({"ffmpeg", "-y", "-v", "error", "-i", file.string(), "-vf",
             "select=eq(n\\," + std::to_string(picture) + ")", "-vsync", "0", "-f", "rawvideo",
             "-pix_fmt", "rgb24", raw.string()});
    std::ifstream in(raw, std::ios::binary);
    in.seekg(3 * (y * width + x));
    std::array<int, 3> rgb{};
    for (int& channel : rgb) channel = in.get();
    return rgb;
  }

  TemporaryFolder folder_;
};

TEST_F(MovieRun, HasTwentyFivePicturesOfASecondThatLastsAsLongAsAsked) {
  const Outcome outcome = run("film");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("called while a movie is being recorded"));
  EXPECT_TRUE(movie("second.mp4").empty());
  const auto file = movie("film.mp4");
  ASSERT_FALSE(file.empty());
  const std::string read = facts(file);
  for (const char* fact : {"width=320", "height=180", "r_frame_rate=25/1", "nb_read_frames=25"})
    EXPECT_THAT(read, HasSubstr(fact));
  // Lines of 45 pixels: '#' has a dot of 3.75 by 5.6 from (6.75 + 3.75, 0) on. There is sky until
  // the label comes, in the middle of the movie.
  const int x = 12, y = 3;
  const auto before = pixel(file, 5, 320, x, y), after = pixel(file, 20, 320, x, y);
  EXPECT_LT(before[0], 100);
  EXPECT_GT(after[0], 200);
  EXPECT_LT(after[2], 60);
}

TEST_F(MovieRun, MovesWithWhatTheViewpointFollows) {
  const Outcome outcome = run("follow");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  // The ball is in the middle as at the start, before and after the world has another Solid.
  for (const int picture : {0, 5, 12}) {
    EXPECT_GT(pixel(movie("follow.mp4"), picture, 320, 160, 90)[0], 150) << picture;
    EXPECT_LT(pixel(movie("follow.mp4"), picture, 320, 60, 90)[0], 100) << picture;
  }
  EXPECT_GT(pixel(movie("seen.png"), 0, 960, 480, 270)[0], 150);
}

TEST_F(MovieRun, SaysWhatIsWrongWithAnOrder) {
  const Outcome outcome = run("mistakes");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  for (const char* text :
       {"called with a NULL 'filename' argument", "called with an empty 'filename' argument",
        "called with a 'width' or 'height' that is not positive",
        "called with a quality outside 1..100", "called with an acceleration below 1",
        "a movie has 8192 x 8192 pixels at most", "a video ends in .mp4 or .gif"})
    EXPECT_THAT(outcome.err, HasSubstr(text));
}

TEST_F(MovieRun, KeepsWhatNobodyHasStopped) {
  const Outcome outcome = run("to the end", {"--duration", "0.4"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  const auto file = movie("end.gif");
  ASSERT_FALSE(file.empty());
  // 20 steps of 20 ms, the first picture after the first of them.
  EXPECT_THAT(facts(file), HasSubstr("nb_read_frames=10"));
  EXPECT_THAT(outcome.err, HasSubstr("10 pictures"));
}

}  // namespace
}  // namespace protobeam::test
