#include "viewer/overlay/overlay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <osg/ComputeBoundsVisitor>

#include "viewer/overlay/keys.h"

namespace protobeam::viewer {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::vector<std::pair<std::string, std::string>> kRows = {
    {"position", "1.000  2.000  3.000 m"},
    {"place", "/home/somebody/simulations/protobeam/worlds/of/last/year/yard.wbt:112"}};

void fill(Overlay& overlay) {
  overlay.set_status("12.352 s   running   rover: was killed by signal 9 (SIGKILL)");
  overlay.set_panel("rover", kRows);
  overlay.set_legend({"height", "m", -0.31, 4.72, false});
  overlay.set_problem(
      "yard.wbt:12:7: error: no such node; did you mean 'Solid'?\n    Sold {}\n    ^~~~");
  overlay.set_note("colour: range");
  overlay.set_help(true);
}

TEST(Overlay, ShowsNothingUntilItIsTold) {
  const Overlay overlay(800, 600);
  EXPECT_THAT(overlay.texts(), IsEmpty());
}

TEST(Overlay, ReadsBackWhatEachPartShowsAndForgetsWhatWasHidden) {
  Overlay overlay(1280, 720);
  overlay.set_status("12.352 s");
  EXPECT_THAT(overlay.texts(), ElementsAre("12.352 s"));
  overlay.set_status("");
  overlay.set_panel("rover", {{"mass", "12.5 kg"}});
  EXPECT_THAT(overlay.texts(), ElementsAre("rover", "mass", "12.5 kg"));
  overlay.set_panel("", {});
  overlay.set_legend({"range", "m", 0, 2, false});
  EXPECT_THAT(overlay.texts(), ElementsAre("range [m]", "0.0", "0.5", "1.0", "1.5", "2.0"));
  overlay.set_legend({});
  overlay.set_note("speed 2x");
  EXPECT_THAT(overlay.texts(), ElementsAre("speed 2x"));
  overlay.set_note("");
  EXPECT_THAT(overlay.texts(), IsEmpty());
}

TEST(Overlay, ShowsTheLabelsOfPrograms) {
  Overlay overlay(1280, 720);
  overlay.set_labels({{"red 2\nblue 1"}, {"time 0:12", 0.5, 0.9, 0.05}});
  EXPECT_THAT(overlay.texts(), ElementsAre("red 2", "blue 1", "time 0:12"));
  overlay.set_labels({{"red 3", 0, 0, 0.1, {1, 0, 0}}});
  EXPECT_THAT(overlay.texts(), ElementsAre("red 3"));
  overlay.set_labels({});
  EXPECT_THAT(overlay.texts(), IsEmpty());
}

TEST(Overlay, TellsAPanelOfANewSelectionFromTheOldOne) {
  Overlay overlay(1280, 720);
  overlay.set_panel("rover", kRows);
  overlay.set_panel("wall", {{"mass", "none"}});
  EXPECT_THAT(overlay.texts(), ElementsAre("wall", "mass", "none"));
}

TEST(Overlay, HelpHoldsEveryKeyOnAnOrdinaryWindow) {
  Overlay overlay(1280, 720);
  overlay.set_help(true);
  const auto texts = overlay.texts();
  for (const HelpRow& row : help_rows()) {
    EXPECT_THAT(texts, Contains(row.keys));
    EXPECT_THAT(texts, Contains(row.help));
  }
  overlay.set_help(false);
  EXPECT_THAT(overlay.texts(), IsEmpty());
}

TEST(Overlay, HelpSaysHowManyKeysDoNotFit) {
  Overlay overlay(400, 300);
  overlay.set_help(true);
  std::size_t shown = 0, missing = 0;
  const auto texts = overlay.texts();
  for (const HelpRow& row : help_rows()) {
    shown += static_cast<std::size_t>(std::count(texts.begin(), texts.end(), row.keys));
  }
  for (const std::string& text : texts) std::sscanf(text.c_str(), "... %zu more", &missing);
  EXPECT_GT(shown, 0u);
  EXPECT_GT(missing, 0u);
  EXPECT_EQ(shown + missing, help_rows().size());
}

TEST(Overlay, ShowsNamesOfEveryScript) {
  Overlay overlay(1280, 720);
  overlay.set_panel("Größe 北京 Δ", {{"robot", "робот"}});
  EXPECT_THAT(overlay.texts(), ElementsAre("Größe 北京 Δ", "robot", "робот"));
}

TEST(Overlay, SurvivesNamesThatAreNoText) {
  Overlay overlay(1280, 720);
  overlay.set_panel("a\xff\x1b[31mb\n", {{"\xe2\x82", ""}});
  EXPECT_THAT(overlay.texts(), ElementsAre("a\xef\xbf\xbd [31mb ", "\xef\xbf\xbd\xef\xbf\xbd"));
}

TEST(Overlay, LongStatusEndsWithDotsInsideTheScreen) {
  Overlay overlay(200, 100);
  overlay.set_status(std::string(500, 'x'));
  const auto texts = overlay.texts();
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_THAT(texts[0], ::testing::EndsWith("x…"));
  EXPECT_LT(texts[0].size(), 60u);
}

TEST(Overlay, KeepsTheEndOfALongPathInThePanel) {
  Overlay overlay(400, 300);
  overlay.set_panel("rover", kRows);
  const auto texts = overlay.texts();
  EXPECT_THAT(texts.back(), ::testing::EndsWith("yard.wbt:112"));
  EXPECT_THAT(texts.back(), HasSubstr("…"));
}

struct Size {
  int width, height;
};

class OverlayOfSize : public ::testing::TestWithParam<Size> {};

TEST_P(OverlayOfSize, StaysInsideTheScreen) {
  const Size size = GetParam();
  Overlay overlay(1280, 720);
  fill(overlay);
  overlay.resize(size.width, size.height);
  osg::ComputeBoundsVisitor bounds;
  overlay.root()->accept(bounds);
  const osg::BoundingBox box = bounds.getBoundingBox();
  if (!box.valid()) {
    EXPECT_THAT(overlay.texts(), IsEmpty());
    return;
  }
  EXPECT_GE(box.xMin(), 0);
  EXPECT_GE(box.yMin(), 0);
  EXPECT_LE(box.xMax(), size.width);
  EXPECT_LE(box.yMax(), size.height);
}

INSTANTIATE_TEST_SUITE_P(Sizes, OverlayOfSize,
                         ::testing::Values(Size{0, 0}, Size{1, 1}, Size{-5, 3}, Size{30, 20},
                                           Size{64, 48}, Size{121, 90}, Size{160, 120},
                                           Size{333, 111}, Size{111, 999}, Size{320, 240},
                                           Size{641, 359}, Size{1280, 720}, Size{4000, 100},
                                           Size{200, 4000}, Size{3840, 2160}));

TEST(Overlay, ShowsEverythingAgainAfterTheWindowWasNothing) {
  Overlay overlay(1280, 720);
  fill(overlay);
  const auto before = overlay.texts();
  overlay.resize(0, 0);
  EXPECT_THAT(overlay.texts(), IsEmpty());
  overlay.resize(1280, 720);
  EXPECT_EQ(overlay.texts(), before);
  EXPECT_THAT(before, Not(IsEmpty()));
}

}  // namespace
}  // namespace protobeam::viewer
