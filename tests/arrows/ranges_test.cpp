// Loops over what is gone. In `for (x : make()->items)` the object of make() is destroyed before
// the first round when make() returns by value (C++20, [stmt.ranged]; P2718 changes it in C++23).
// No compiler of ours warns about it, so the text of every such loop is held against the
// declarations of what it calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>
#include "tests/support/pattern.h"
#include "tests/unit/support/paths.h"

namespace {
namespace fs = std::filesystem;

/// Without comments and with the contents of literals blanked; every other character stays in
/// place.
std::string code_of(const std::string& text) {
  std::string out = text;
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, out.size()); ++i) {
      if (out[i] != '\n') out[i] = ' ';
    }
  };
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      const std::size_t end = std::min(text.find('\n', i), text.size());
      blank(i, end);
      i = end;
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = std::min(text.find("*/", i), text.size());
      blank(i, end + 2);
      i = end + 1;
    } else if (text.compare(i, 2, "R\"") == 0) {
      const std::size_t open = text.find('(', i);
      if (open == std::string::npos) break;
      const std::string close = ")" + text.substr(i + 2, open - i - 2) + "\"";
      const std::size_t end = std::min(text.find(close, open), text.size());
      blank(i + 2, end + close.size() - 1);
      i = end + close.size() - 1;
    } else if (text[i] == '"' ||
               (text[i] == '\'' &&
                (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))))) {
      const char quote = text[i];
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != quote && text[end] != '\n') {
        end += text[end] == '\\' ? 2 : 1;
      }
      blank(i + 1, end);
      i = end;
    }
  }
  return out;
}

/// Past the bracket that closes the one at `open`; npos without one.
std::size_t past(const std::string& code, std::size_t open) {
  const std::string opening = "([{", closing = ")]}";
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (opening.find(code[i]) != std::string::npos) ++depth;
    if (closing.find(code[i]) != std::string::npos && --depth == 0) return i + 1;
  }
  return std::string::npos;
}

struct Range {
  std::string text;
  long line = 0;
};

/// What the range-based loops of a text run over.
std::vector<Range> ranges_of(const std::string& code) {
  static const protobeam::test::Pattern loop(R"(\bfor\s*\()");
  std::vector<Range> out;
  for (const auto& [first, groups] : loop.find_all(code)) {
    const std::size_t open = first + groups[0].size() - 1;
    const std::size_t close = past(code, open);
    if (close == std::string::npos) continue;
    const std::string inside = code.substr(open + 1, close - open - 2);
    std::size_t colon = std::string::npos;
    for (std::size_t i = 0; i < inside.size() && colon == std::string::npos; ++i) {
      if (std::string("([{").find(inside[i]) != std::string::npos) {
        const std::size_t next = past(inside, i);
        if (next == std::string::npos) break;
        i = next - 1;
      } else if (inside.compare(i, 2, "::") == 0) {
        ++i;
      } else if (inside[i] == ':') {
        colon = i;
      }
    }
    if (colon == std::string::npos || inside.substr(0, colon).find('?') != std::string::npos)
      continue;
    out.push_back({inside.substr(colon + 1),
                   1 + std::count(code.begin(), code.begin() + static_cast<long>(first), '\n')});
  }
  return out;
}

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Names of functions that some declaration of the tree makes return a value, and none a reference
/// or a pointer.
class Declarations {
 public:
  void add(const std::string& code) {
    static const std::set<std::string> kNoTypes{"return", "new",    "throw",    "else",
                                                "case",   "delete", "typename", "goto"};
    for (std::size_t at = code.find('('); at != std::string::npos; at = code.find('(', at + 1)) {
      // TYPE NAME( or TYPE& NAME(, from the bracket back
      std::size_t begin = at;
      while (begin > 0 && in_name(code[begin - 1])) --begin;
      std::size_t type = begin;
      while (type > 0 && std::isspace(static_cast<unsigned char>(code[type - 1]))) --type;
      if (begin == at || type == begin || type == 0) continue;
      const bool reference = code[type - 1] == '&' || code[type - 1] == '*';
      if (reference) --type;
      if (type == 0 || !(in_name(code[type - 1]) || code[type - 1] == '>')) continue;
      std::size_t word = type;
      while (word > 0 && in_name(code[word - 1])) --word;
      if (kNoTypes.count(code.substr(word, type - word)) > 0) continue;
      (reference ? references_ : values_).insert(code.substr(begin, at - begin));
    }
  }
  bool gives_value(const std::string& name) const {
    return values_.count(name) > 0 && references_.count(name) == 0;
  }

 private:
  std::set<std::string> values_, references_;
};

/// The first call in the range whose result, an object of its own, is gone before the loop begins.
std::string dying_call(const std::string& range, const Declarations& declarations) {
  // Views and handles, and containers' members: what these return does not live in an object of
  // its own.
  static const std::set<std::string> kHandles{"view", "span", "string_view", "front", "back", "at"};
  for (std::size_t at = range.find('('); at != std::string::npos; at = range.find('(', at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && in_name(range[begin - 1])) --begin;
    const std::string name = range.substr(begin, at - begin);
    const std::size_t close = past(range, at);
    // What is made for an argument or an item of a list is used while it is there.
    const auto brackets = [&](const char* any) {
      return std::count_if(range.begin(), range.begin() + static_cast<std::ptrdiff_t>(begin),
                           [&](char c) { return std::string(any).find(c) != std::string::npos; });
    };
    if (brackets("([{") > brackets(")]}")) continue;
    if (close == std::string::npos || !declarations.gives_value(name) || kHandles.count(name) > 0) {
      continue;
    }
    // A member of the object itself (`.a.b`) makes it live as long as the loop; what a call or an
    // operator returns does not.
    std::size_t i = close;
    while (i < range.size() && (in_name(range[i]) || range[i] == '.' ||
                                std::isspace(static_cast<unsigned char>(range[i])))) {
      ++i;
    }
    const bool called = i < range.size() && (range[i] == '(' || range[i] == '[') && i > close;
    if (called || range.compare(i, 2, "->") == 0) return name;
  }
  return {};
}

std::vector<fs::path> sources() {
  std::vector<fs::path> files;
  for (const char* top : {"src", "plugins", "controllers", "tests"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(protobeam::source_dir()) / top)) {
      const auto extension = entry.path().extension();
      if (extension == ".h" || extension == ".cpp" || extension == ".hpp")
        files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(RangesOfLoops, AreNotMembersOfObjectsThatAreGone) {
  std::map<fs::path, std::string> codes;
  Declarations declarations;
  for (const fs::path& file : sources()) {
    std::ifstream in(file, std::ios::binary);
    codes[file] = code_of({std::istreambuf_iterator<char>(in), {}});
    declarations.add(codes[file]);
  }
  std::size_t seen = 0;
  for (const auto& [file, code] : codes) {
    for (const Range& range : ranges_of(code)) {
      ++seen;
      const std::string name = dying_call(range.text, declarations);
      if (name.empty()) continue;
      ADD_FAILURE() << fs::relative(file, protobeam::source_dir()).string() << ":" << range.line
                    << ": the object that " << name
                    << "() returns is destroyed before the loop begins; give it a name";
    }
  }
  EXPECT_GT(seen, 500u);
}

TEST(RangesOfLoops, AreSeenThroughInText) {
  Declarations declarations;
  declarations.add(
      "std::shared_ptr<const Mesh> load_mesh(const fs::path& path);\nconst Model& model() const;\n"
      "std::vector<Part> parts();");
  const auto bad = [&](const std::string& text) {
    const auto ranges = ranges_of(code_of(text));
    return ranges.size() == 1 ? dying_call(ranges[0].text, declarations) : "no loop";
  };
  EXPECT_EQ(bad("for (const Vec3& p : load_mesh(visual.file)->vertices) {"), "load_mesh");
  EXPECT_EQ(
      bad("for (const Vec3& p :\n     load_mesh(file(\":)\"), [] { return 1; })\n->vertices) {"),
      "load_mesh");
  EXPECT_EQ(bad("for (int i = 0; const auto& p : parts().front().points) {"), "parts");
  EXPECT_EQ(bad("for (const Part& p : parts()) {"), "");
  EXPECT_EQ(bad("for (const Part& p : parts().list) {"), "");
  EXPECT_EQ(bad("for (const Part& p : sorted(parts())) {"), "");
  EXPECT_EQ(bad("for (const auto& robot : simulation.model().robots) {"), "");
  EXPECT_EQ(bad("for (std::size_t i = a ? b : load_mesh(x)->size(); i < n; ++i) {"), "no loop");
  EXPECT_EQ(bad("// for (const Vec3& p : load_mesh(visual.file)->vertices) {"), "no loop");
}

}  // namespace
