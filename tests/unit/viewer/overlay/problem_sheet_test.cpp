#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "viewer/overlay/overlay.h"
#include "viewer/overlay/panels.h"

namespace protobeam::viewer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What stands above the caret of the two lines.
std::string marked(const std::string& text, const std::string& caret_line) {
  const std::size_t caret = caret_line.find('^');
  return caret == std::string::npos ? "" : characters(text).at(caret);
}

TEST(ProblemLines, CaretStaysBelowItsCharacterBehindTabsAndUmlauts) {
  // As diagnostics write it: a tab above a tab, one space a character.
  const auto lines = problem_lines("a.wbt:1:9: error: no\n    \tgröße\tX 1\n    \t     \t^", 80);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(marked(lines[1], lines[2]), "X");
}

TEST(ProblemLines, CaretIsSeenInLinesThatAreTooLong) {
  std::string text, caret;
  for (int i = 0; i < 40; ++i) text += "0123456789";
  text[333] = 'X';
  caret = std::string(333, ' ') + "^~~~";
  const auto lines = problem_lines("a.wbt:1:334: error: no\n" + text + "\n" + caret, 60);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(marked(lines[1], lines[2]), "X");
  EXPECT_LE(characters(lines[1]).size(), 60u);
}

TEST(ProblemLines, MessagesWrapBetweenWordsAndLoseNone) {
  const auto lines = problem_lines("a.wbt:1:2: error: one two three four five six", 20);
  std::string all;
  for (const std::string& line : lines) {
    EXPECT_LE(line.size(), 20u);
    all += line.substr(line.find_first_not_of(' ')) + " ";
  }
  EXPECT_EQ(all, "a.wbt:1:2: error: one two three four five six ");
}

TEST(ProblemLines, WordsThatAreTooLongBreakAnywhere) {
  const auto lines = problem_lines(std::string(95, 'x'), 40);
  std::size_t letters = 0;
  for (const std::string& line : lines) {
    EXPECT_LE(line.size(), 40u);
    letters += static_cast<std::size_t>(std::count(line.begin(), line.end(), 'x'));
  }
  EXPECT_EQ(letters, 95u);
}

TEST(ProblemLines, KeepsEmptyLinesBetweenButNotAtTheEnd) {
  EXPECT_THAT(problem_lines("a\n\nb\n\n", 40), ElementsAre("a", "", "b"));
}

TEST(ProblemSheet, SaysHowManyLinesDidNotFit) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "line " + std::to_string(i) + "\n";
  Overlay overlay(800, 400);
  overlay.set_problem(text);
  std::size_t shown = 0, missing = 0;
  for (const std::string& line : overlay.texts()) {
    if (line.starts_with("line ")) ++shown;
    std::sscanf(line.c_str(), "... %zu more lines", &missing);
  }
  EXPECT_GT(shown, 5u);
  EXPECT_EQ(shown + missing, 500u);
}

TEST(ProblemSheet, SaysThatTheOldWorldRunsOnOnlyWhenATextHasMistakes) {
  Overlay overlay(1000, 400);
  overlay.set_problem("yard.wbt:1:1: error: no such node 'Sold'");
  EXPECT_THAT(overlay.texts().front(), HasSubstr("The previous world runs on"));
  overlay.set_problem("the state of body 'rover' is no longer finite");
  EXPECT_EQ(overlay.texts().front(), "Problem");
}

}  // namespace
}  // namespace protobeam::viewer
