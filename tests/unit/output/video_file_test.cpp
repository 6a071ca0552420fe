#include "output/video_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

std::vector<std::uint8_t> plain(int width, int height, std::uint8_t red) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height * 3), 20);
  for (std::size_t i = 0; i < pixels.size(); i += 3) pixels[i] = red;
  return pixels;
}

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

class Video : public testing::TestWithParam<const char*> {};

TEST_P(Video, HasThePicturesThatWereAddedAsAPlayerReadsThem) {
  TemporaryFolder folder;
  const auto file = folder.path() / GetParam();
  {
    VideoFile video(file, 65, 32, 10);  // an odd width, which mp4 players do not take
    for (int i = 0; i < 5; ++i) video.add(plain(65, 32, static_cast<std::uint8_t>(50 * i)));
    video.finish();
  }
  EXPECT_EQ(files_in(folder.path()), 1u);
  const auto probe =
      test::execute({"ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
                     "stream=nb_read_frames,r_frame_rate,height", "-of", "default=nw=1", file.string()});
  EXPECT_THAT(probe.out, HasSubstr("nb_read_frames=5"));
  EXPECT_THAT(probe.out, HasSubstr("r_frame_rate=10/1"));
  EXPECT_THAT(probe.out, HasSubstr("height=32"));
  // The last picture, decoded by another program, has the colour that went in.
  const auto raw = folder.path() / "last.rgb";
  test::execute({"ffmpeg", "-v", "error", "-i", file.string(), "-vf", "select=eq(n\\,4)", "-vsync", "0",
                 "-f", "rawvideo", "-pix_fmt", "rgb24", raw.string()});
  std::ifstream in(raw, std::ios::binary);
  char rgb[3] = {};
  in.read(rgb, 3);
  EXPECT_NEAR(static_cast<std::uint8_t>(rgb[0]), 200, 12);
  EXPECT_NEAR(static_cast<std::uint8_t>(rgb[1]), 20, 12);
}

INSTANTIATE_TEST_SUITE_P(OfAKind, Video, testing::Values("a.mp4", "a.gif"));

TEST(VideoFile, LeavesNothingWhenItIsNotFinished) {
  TemporaryFolder folder;
  {
    VideoFile video(folder.path() / "a.mp4", 16, 16, 10);
    video.add(plain(16, 16, 9));
  }
  EXPECT_EQ(files_in(folder.path()), 0u);
}

TEST(VideoFile, SaysWhatIsWrong) {
  TemporaryFolder folder;
  const auto mistake = [](const std::filesystem::path& file) {
    try {
      VideoFile video(file, 16, 16, 10);
    } catch (const std::runtime_error& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  EXPECT_THAT(mistake(folder.path() / "a.avi"), HasSubstr(".mp4 or .gif"));
  EXPECT_THAT(mistake(folder.path() / "gone/a.mp4"), HasSubstr("No such file or directory"));
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  EXPECT_THAT(mistake(folder.path() / "a.mp4"), HasSubstr("apt-get install ffmpeg"));
  setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace protobeam
