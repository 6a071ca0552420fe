#include "viewer/window/screenshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "geometry/files.h"
#include "tests/support/temporary_folder.h"

namespace protobeam::viewer {
namespace {

using ::testing::HasSubstr;

Image picture() { return {2, 1, 3, {255, 0, 0, 0, 0, 255}}; }

TEST(Screenshot, NumbersAreTheFirstFreeOnes) {
  const TemporaryFolder folder;
  EXPECT_EQ(next_screenshot(folder.path()), "view-001");
  folder.write("view-001.png", "");
  folder.write("view-002.json", "");
  folder.write("view-004.png", "");
  EXPECT_EQ(next_screenshot(folder.path()), "view-003");
  for (int i = 3; i <= 999; ++i) {
    std::string number = std::to_string(i);
    number.insert(0, 3 - number.size(), '0');
    folder.write("view-" + number + ".png", "");
  }
  EXPECT_EQ(next_screenshot(folder.path()), "view-1000");
}

TEST(Screenshot, WritesAPictureAndWhatItShows) {
  const TemporaryFolder folder;
  const auto inside = folder / "pictures/of/today";
  EXPECT_EQ(save_screenshot(inside, picture(), {{"time", 1.5}}), inside / "view-001.png");
  EXPECT_EQ(load_image(inside / "view-001.png")->width, 2);
  EXPECT_EQ(nlohmann::json::parse(read_bytes(inside / "view-001.json"))["time"], 1.5);
  save_screenshot(inside, picture(), {{"time", 2.5}});
  EXPECT_EQ(nlohmann::json::parse(read_bytes(inside / "view-002.json"))["time"], 2.5);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(inside), {}), 4);
}

TEST(Screenshot, NamesThatAreNoTextDoNotStopIt) {
  const TemporaryFolder folder;
  save_screenshot(folder.path(), picture(), {{"selection", "a\xff"}});
  const auto json = nlohmann::json::parse(read_bytes(folder / "view-001.json"));
  EXPECT_EQ(json["selection"], "a\xef\xbf\xbd");
}

TEST(Screenshot, SaysWhichFolderCannotBeMade) {
  const TemporaryFolder folder;
  folder.write("file", "");
  const auto message = message_of<std::runtime_error>(
      [&] { save_screenshot(folder / "file/below", picture(), {}); });
  EXPECT_THAT(message, HasSubstr("file/below"));
  EXPECT_THAT(message, HasSubstr("Not a directory"));
}

}  // namespace
}  // namespace protobeam::viewer
