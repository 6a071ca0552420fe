// Every case of the tables beside this file: what `check` says about a file that is wrong, and
// nothing else.
//
//   === name of the case [lenient]
//   --- path of a file           the first one is checked
//   its text
//   --- messages
//   LINE:COLUMN: error: MESSAGE; HINT       PATH:LINE:COLUMN for another file than the first

#include <algorithm>
#include <sstream>

#include "tests/unit/support/paths.h"
#include "tests/unit/wbt/wbt_fixture.h"

namespace protobeam::wbt {
namespace {

struct Case {
  std::string name;
  bool lenient = false;
  int line = 0;  ///< of the table
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> messages;
};

std::vector<Case> read_cases(const std::string& table) {
  std::ifstream in(source_dir() + "/tests/language/" + table);
  std::vector<Case> cases;
  std::string line;
  bool messages = false;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.starts_with("=== ")) {
      cases.emplace_back();
      cases.back().name = line.substr(4);
      cases.back().line = number;
      cases.back().lenient = cases.back().name.ends_with(" [lenient]");
      messages = false;
    } else if (cases.empty()) {
      continue;  // the table's own heading
    } else if (line == "--- messages") {
      messages = true;
    } else if (line.starts_with("--- ")) {
      cases.back().files.emplace_back(line.substr(4), "");
    } else if (messages) {
      if (!line.empty()) cases.back().messages.push_back(line);
    } else {
      cases.back().files.back().second += line + "\n";
    }
  }
  return cases;
}

class LanguageTest : public WbtTest, public testing::WithParamInterface<const char*> {
 protected:
  std::vector<std::string> messages_of(const Case& tried) {
    std::filesystem::remove_all(folder_);
    for (const auto& [name, text] : tried.files) write(name, text);
    const auto first = (folder_ / tried.files.front().first).string();
    LoadOptions options = options_;
    options.lenient = tried.lenient;
    options.template_seconds = 1;
    options.template_bytes = 64u << 20;
    Diagnostics diagnostics;
    check_file(first, options, diagnostics);
    std::vector<std::string> out;
    for (const auto& d : diagnostics.all()) {
      std::string text = d.place.valid() ? d.place.to_string() + ": " : "";
      text += d.severity == Severity::kError ? "error: " : "warning: ";
      text += d.message + (d.hint.empty() ? "" : "; " + d.hint);
      replace_all(text, first + ":", "");
      replace_all(text, folder_.string() + "/", "");
      out.push_back(std::move(text));
    }
    return out;
  }

  static void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  }
};

TEST_P(LanguageTest, files_bring_exactly_these_messages) {
  const auto cases = read_cases(GetParam());
  ASSERT_FALSE(cases.empty());
  for (const auto& tried : cases) {
    SCOPED_TRACE(std::string(GetParam()) + ":" + std::to_string(tried.line) + ": " + tried.name);
    ASSERT_FALSE(tried.files.empty());
    EXPECT_THAT(messages_of(tried), testing::UnorderedElementsAreArray(tried.messages));
  }
}

INSTANTIATE_TEST_SUITE_P(tables, LanguageTest,
                         testing::Values("grammar.txt", "types.txt", "protos.txt", "templates.txt"),
                         [](const auto& info) {
                           const std::string file = info.param;
                           return file.substr(0, file.find('.'));
                         });

}  // namespace
}  // namespace protobeam::wbt
