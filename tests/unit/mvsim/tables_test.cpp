// Every case of the tables beside this file: what loading a world says, and what it gives.
//
//   === name of the case
//   --- path of a file            the first one is loaded
//   its text
//   --- messages
//   LINE:COLUMN: error: MESSAGE; HINT       PATH:LINE:COLUMN for another file than the first
//   --- tree                      when it is compared: one line an element
//   --- webots                    lines that its text in Webots' language must hold
// The worlds of webots.txt are made into that language, too.
#include <fstream>

#include "mvsim/world/to_webots.h"
#include "tests/unit/mvsim/mvsim_fixture.h"
#include "tests/unit/support/paths.h"

namespace protobeam::mvsim {
namespace {

struct Case {
  std::string name, tree;
  int line = 0;  ///< of the table
  bool has_tree = false;
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> messages, webots;
};

std::vector<Case> read_cases(const std::string& table) {
  std::ifstream in(source_dir() + "/tests/unit/mvsim/" + table);
  std::vector<Case> cases;
  enum { kFile, kMessages, kTree, kWebots } part = kFile;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.starts_with("=== ")) {
      cases.emplace_back();
      cases.back().name = line.substr(4);
      cases.back().line = number;
      part = kFile;
    } else if (cases.empty()) {
      continue;  // the table's own heading
    } else if (line == "--- messages") {
      part = kMessages;
    } else if (line == "--- webots") {
      part = kWebots;
    } else if (line == "--- tree") {
      part = kTree;
      cases.back().has_tree = true;
    } else if (line.starts_with("--- ")) {
      cases.back().files.emplace_back(line.substr(4), "");
      part = kFile;
    } else if (part == kMessages) {
      if (!line.empty()) cases.back().messages.push_back(line);
    } else if (part == kWebots) {
      const auto begin = line.find_first_not_of(' ');
      if (begin != std::string::npos) cases.back().webots.push_back(line.substr(begin));
    } else if (part == kTree) {
      if (!line.empty()) cases.back().tree += line + "\n";
    } else if (!cases.back().files.empty()) {
      cases.back().files.back().second += line + "\n";
    }
  }
  return cases;
}

class TablesTest : public MvsimTest, public testing::WithParamInterface<const char*> {};

TEST_P(TablesTest, worlds_bring_exactly_these_messages_and_trees) {
  const auto cases = read_cases(GetParam());
  ASSERT_FALSE(cases.empty());
  environment_ = {{"ROBOT", "r2d2"}};
  for (const auto& tried : cases) {
    SCOPED_TRACE(std::string(GetParam()) + ":" + std::to_string(tried.line) + ": " + tried.name);
    ASSERT_FALSE(tried.files.empty());
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      std::filesystem::remove_all(entry);
    }
    for (const auto& [name, text] : tried.files) folder_.write(name, text);
    const std::string& first = tried.files.front().first;
    const LoadedFile loaded = load_file(first);
    if (std::string_view(GetParam()) == "webots.txt") {
      const auto webots = to_webots(loaded, options_, folder_.path(), diagnostics_);
      const std::string text = wbt::to_text(webots.document);
      for (const auto& line : tried.webots) EXPECT_THAT(text, testing::HasSubstr(line));
    }
    EXPECT_THAT(messages(first), testing::UnorderedElementsAreArray(tried.messages));
    if (!tried.has_tree) continue;
    std::string tree = dumped(loaded.root) + dumped(loaded.classes);
    replace_all(tree, folder_.path().string(), "FOLDER");
    EXPECT_EQ(tree, tried.tree);
  }
}

INSTANTIATE_TEST_SUITE_P(tables, TablesTest,
                         testing::Values("xml.txt", "variables.txt", "control.txt", "classes.txt", "webots.txt",
                                         "vocabulary.txt"),
                         [](const auto& info) {
                           const std::string file = info.param;
                           return file.substr(0, file.find('.'));
                         });

}  // namespace
}  // namespace protobeam::mvsim
