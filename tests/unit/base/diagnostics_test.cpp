#include "base/diagnostics.h"

#include <gtest/gtest.h>

#include <sstream>

namespace protobeam {
namespace {

Place place_of(const std::shared_ptr<const SourceText>& source, std::string_view word) {
  return {source, static_cast<std::uint32_t>(source->text().find(word)),
          static_cast<std::uint32_t>(word.size())};
}

TEST(SourceText, ColumnsCountCharactersNotBytes) {
  const auto source = std::make_shared<SourceText>("a.wbt", "x\r\n\"\xC3\xA9\xC3\xA9\" y\n");
  const auto at = source->locate(source->text().find('y'));
  EXPECT_EQ(at.line, 2);
  EXPECT_EQ(at.column, 6);
  EXPECT_EQ(source->line(1), "x");
  EXPECT_EQ(source->line(9), "");
}

TEST(Diagnostics, MessageShowsPlaceLineCaretAndProtoChain) {
  const auto world = std::make_shared<SourceText>("w.wbt", "Rover {\n}\n");
  const auto proto = std::make_shared<SourceText>("Rover.proto", "Lidar {\n  maxRnage 3\n}\n");
  Diagnostics diagnostics;
  const std::vector<std::string> fields = {"minRange", "maxRange", "near"};
  diagnostics.error(place_of(proto, "maxRnage"), "unknown field 'maxRnage' in Lidar",
                    did_you_mean("maxRnage", fields),
                    std::make_shared<Instantiation>(Instantiation{"Rover", place_of(world, "Rover"), nullptr}));
  EXPECT_EQ(diagnostics.to_string(),
            "Rover.proto:2:3: error: unknown field 'maxRnage' in Lidar; did you mean 'maxRange'?\n"
            "      maxRnage 3\n"
            "      ^~~~~~~~\n"
            "    expanded from Rover at w.wbt:1:1\n");
}

TEST(Diagnostics, NotesFollowTheSourceLineAndAreWrappedBetweenWords) {
  const auto world = std::make_shared<SourceText>("w.wbt", "Rover {\n}\n");
  std::string words;
  for (int i = 0; i < 30; ++i) words += (i ? ", field" : "field") + std::to_string(i);
  Diagnostic diagnostic{Severity::kError, place_of(world, "Rover"), "wrong"};
  diagnostic.notes = {"short", words};
  const std::string text = format(diagnostic);
  EXPECT_EQ(text.find("w.wbt:1:1: error: wrong\n    Rover {\n    ^~~~~\n    note: short\n    note: "
                      "field0, field1"),
            0u)
      << text;
  std::istringstream lines(text);
  std::string joined;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    if (line.starts_with("          ")) joined += " " + line.substr(10);
    if (line.starts_with("    note: field")) joined = line.substr(10);
  }
  EXPECT_EQ(joined, words);
}

TEST(Diagnostics, AMessageAboutNoTextBeginsWithTheProgramsName) {
  Diagnostic diagnostic{Severity::kError, {}, "there is no file 'a'"};
  EXPECT_EQ(format(diagnostic), "protobeam: error: there is no file 'a'");
  diagnostic.severity = Severity::kWarning;
  EXPECT_EQ(format(diagnostic), "protobeam: warning: there is no file 'a'");
}

TEST(Diagnostics, SameMessageAtSamePlaceCountsOnce) {
  const auto world = std::make_shared<SourceText>("w.wbt", "Rover {}");
  Diagnostics diagnostics;
  for (int i = 0; i < 3; ++i) diagnostics.error(place_of(world, "Rover"), "twice");
  EXPECT_EQ(diagnostics.error_count(), 1);
}

TEST(Diagnostics, AreSortedByPlaceWithinAFile) {
  const auto world = std::make_shared<SourceText>("w.wbt", "A {}\nB {}\n");
  Diagnostics diagnostics;
  diagnostics.error(place_of(world, "B"), "second");
  diagnostics.warning(place_of(world, "A"), "first");
  const std::string text = diagnostics.to_string();
  EXPECT_LT(text.find("first"), text.find("second"));
}

TEST(Diagnostics, NothingIsSuggestedForAWordThatIsFarFromAll) {
  const std::vector<std::string> names = {"Lidar", "Camera"};
  EXPECT_EQ(did_you_mean("Zebra", names), "");
  EXPECT_EQ(did_you_mean("lidra", names), "did you mean 'Lidar'?");
}

TEST(Diagnostics, AMegabyteLineIsShownInPart) {
  const std::string text = std::string(1 << 20, 'x') + " here " + std::string(1 << 20, 'y');
  const auto world = std::make_shared<SourceText>("w.wbt", text);
  Diagnostics diagnostics;
  diagnostics.error(place_of(world, "here"), "long");
  EXPECT_LT(diagnostics.to_string().size(), 600u);
  EXPECT_NE(diagnostics.to_string().find("here"), std::string::npos);
}

}  // namespace
}  // namespace protobeam
