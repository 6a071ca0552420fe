#include "viewer/overlay/canvas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace protobeam::viewer {
namespace {

using ::testing::HasSubstr;

bool has_fonts() {
  for (const auto& folder : font_folders()) {
    if (std::filesystem::exists(folder / "DejaVuSansMono.ttf")) return true;
  }
  return false;
}

TEST(Fonts, StandInsAreUsedAndToldOnceWhenThereAreNone) {
  const std::filesystem::path nowhere[] = {"/nonexistent"};
  ::testing::internal::CaptureStderr();
  const Fonts first(nowhere);
  const Fonts second(nowhere);
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(told, HasSubstr("fonts-dejavu-core"));
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1);
  EXPECT_FALSE(first.found());
  EXPECT_GT(second.width("text", {}), 0);
}

TEST(Fonts, FixedWidthFaceIsOfFixedWidth) {
  if (!has_fonts()) GTEST_SKIP() << "no DejaVu fonts";
  const Fonts fonts;
  EXPECT_TRUE(fonts.found());
  const TextStyle mono{Face::kMono, 13};
  EXPECT_EQ(fonts.width("iiii^~ ", mono), fonts.width("WWWWü@.", mono));
  EXPECT_NE(fonts.width("iiii", {}), fonts.width("WWWW", {}));
}

TEST(Fonts, FitsTextsIntoAWidth) {
  const Fonts fonts;
  const std::string text = "/home/somebody/worlds/yard.wbt:112";
  const int whole = fonts.width(text, {});
  EXPECT_EQ(fonts.fitted(text, {}, whole), text);
  for (const int width : {0, 5, 40, 100, whole - 1}) {
    for (const bool middle : {false, true}) {
      const std::string fitted = fonts.fitted(text, {}, width, middle);
      EXPECT_LE(fonts.width(fitted, {}), width);
      if (width < 40) continue;
      EXPECT_THAT(fitted, HasSubstr("…"));
      // One more character would be too much.
      EXPECT_GT(fonts.width(fitted, {}), width - 2 * fonts.width("W", {}));
    }
  }
}

TEST(Printable, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(printable("Größe 北 😀"), "Größe 北 😀");
  EXPECT_EQ(printable("a\tb\nc\x7f"), "a b c ");
  // Overlong, a surrogate, beyond Unicode, cut short: a replacement for each byte.
  EXPECT_EQ(printable("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(printable("x\xe5\x8c"), "x\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Characters, AreNotBytes) {
  EXPECT_THAT(characters("aü北😀"), ::testing::ElementsAre("a", "ü", "北", "😀"));
}

}  // namespace
}  // namespace protobeam::viewer
