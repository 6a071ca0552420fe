// The C functions of Webots R2025a (functions.txt) against what the libraries of this build export
// and its headers declare.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

const fs::path kFolder = source_dir() + "/tests/webots_api";
const fs::path kHeaders = build_dir() + "/include/controller";

std::vector<std::string> words_of(const fs::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  std::vector<std::string> words;
  for (std::string line; std::getline(in, line);) {
    std::istringstream text(line.substr(0, line.find('#')));
    for (std::string word; text >> word;) words.push_back(word);
  }
  return words;
}

/// Functions by the header that declares them.
std::map<std::string, std::set<std::string>> webots_functions() {
  const auto words = words_of(kFolder / "functions.txt");
  std::map<std::string, std::set<std::string>> functions;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) functions[words[i]].insert(words[i + 1]);
  return functions;
}

std::set<std::string> missing_functions() {
  const auto words = words_of(kFolder / "missing.txt");
  return {words.begin(), words.end()};
}

std::set<std::string> exported(const std::string& library) {
  const Outcome nm = execute(
      {"nm", "-D", "--defined-only", "--format=posix", build_dir() + "/lib/lib" + library + ".so"});
  EXPECT_EQ(nm.exit, 0) << nm.err;
  std::set<std::string> names;
  std::istringstream lines(nm.out);
  for (std::string line; std::getline(lines, line);) names.insert(line.substr(0, line.find(' ')));
  return names;
}

TEST(WebotsApi, TheLibraryExportsEachFunctionThatIsNotListedAsMissing) {
  const std::set<std::string> ours = exported("Controller");
  const std::set<std::string> missing = missing_functions();
  std::vector<std::string> absent, there_now;
  std::set<std::string> all;
  for (const auto& [header, functions] : webots_functions()) {
    for (const std::string& function : functions) {
      all.insert(function);
      if (missing.contains(function) && ours.contains(function)) there_now.push_back(function);
      if (!missing.contains(function) && !ours.contains(function)) absent.push_back(function);
    }
  }
  EXPECT_GT(all.size(), 500u);
  EXPECT_THAT(absent, IsEmpty()) << "write them, or list them in missing.txt";
  EXPECT_THAT(there_now, IsEmpty()) << "take them out of missing.txt";
  std::vector<std::string> unknown;
  std::ranges::set_difference(missing, all, std::back_inserter(unknown));
  EXPECT_THAT(unknown, IsEmpty()) << "missing.txt names what Webots does not have";
}

TEST(WebotsApi, TheLibrariesOfCarsLeadToTheirFunctions) {
  const std::set<std::string> ours = exported("Controller");
  EXPECT_TRUE(ours.contains("wbu_car_init"));
  const TemporaryFolder folder;
  const auto source = folder.write("car.c",
                                   "void wbu_car_init(void); void wbu_driver_init(void);\n"
                                   "int main(int n, char** a) {\n"
                                   "  if (n > 9) { wbu_car_init(); wbu_driver_init(); }\n"
                                   "  return 0;\n}\n");
  const std::string lib = build_dir() + "/lib", program = folder.path() / "car";
  std::vector<std::string> link{C_COMPILER, source.string(), "-o", program, "-L" + lib,
                                "-Wl,-rpath," + lib, "-lcar", "-ldriver", "-lCppCar",
                                "-lCppDriver", "-lCppController", "-lController"};
#ifdef PROTOBEAM_SANITIZED  // its library wants to be the first one
  link.insert(link.begin() + 1, "-fsanitize=address");
#endif
  const Outcome linked = execute(link);
  ASSERT_EQ(linked.exit, 0) << linked.err;
  EXPECT_EQ(execute({program}).exit, 0);
}

// --- Headers

struct Language {
  const char* compiler;
  const char* standard;
  const char* ending;
  bool cpp;
  /// False: all headers at once. What compiles alone by an older and by a newer standard does so by this.
  bool alone = true;
};
void PrintTo(const Language& language, std::ostream* out) { *out << language.standard; }

std::vector<std::string> headers(bool cpp) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(kHeaders)) {
    const std::string ending = entry.path().extension();
    if (ending != ".h" && (ending != ".hpp" || !cpp)) continue;
    found.push_back(entry.path().lexically_relative(kHeaders).string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

class Headers : public testing::TestWithParam<Language> {
 protected:
  /// Compiles the texts, each for itself, without a warning. To objects, one by one: with a compiler
  /// cache, what has compiled once is not compiled again as long as no header has changed.
  void compile(const std::map<std::string, std::string>& texts) {
    const TemporaryFolder folder;
    Surroundings run;
    run.directory = folder.path();
    for (const auto& [name, text] : texts) {
      std::string file = name + GetParam().ending;
      std::ranges::replace(file, '/', '_');
      folder.write(file, text);
      std::vector<std::string> command = {GetParam().compiler, GetParam().standard, "-Wall", "-Werror",
                                          "-I" + kHeaders.string(), "-c", file, "-o", file + ".o"};
      if (*COMPILER_LAUNCHER != 0) command.insert(command.begin(), COMPILER_LAUNCHER);
      const Outcome outcome = execute(command, run);
      EXPECT_EQ(outcome.exit, 0) << outcome.err;
    }
  }
};

TEST_P(Headers, EachCompilesAloneAndDeclaresTheFunctionsThatItDeclaresInWebots) {
  std::map<std::string, std::string> texts;
  for (const std::string& header : headers(GetParam().cpp)) {
    texts[header] = "#include <" + header + ">\n#include <" + header + ">\n";
  }
  EXPECT_GT(texts.size(), 50u);
  const std::set<std::string> missing = missing_functions();
  int declare = 0;
  for (const auto& [header, functions] : webots_functions()) {
    std::string uses;
    for (const std::string& function : functions) {
      if (!missing.contains(function)) uses += "  (void (*)(void))" + function + ",\n";
    }
    if (uses.empty()) continue;
    const auto text = texts.find(header);
    ASSERT_NE(text, texts.end()) << header;
    text->second += "void (*functions_" + std::to_string(declare++) + "[])(void) = {\n" + uses + "};\n";
  }
  EXPECT_GT(declare, 30);
  if (!GetParam().alone) {
    std::string all;
    for (const auto& [header, text] : texts) all += text;
    texts = {{"all", all}};
  }
  compile(texts);
}

INSTANTIATE_TEST_SUITE_P(Languages, Headers,
                         testing::Values(Language{C_COMPILER, "-std=gnu99", ".c", false},
                                         Language{C_COMPILER, "-std=c11", ".c", false},
                                         Language{CXX_COMPILER, "-std=c++11", ".cpp", true},
                                         Language{CXX_COMPILER, "-std=c++17", ".cpp", true, false},
                                         Language{CXX_COMPILER, "-std=c++20", ".cpp", true}),
                         [](const testing::TestParamInfo<Language>& info) {
                           std::string name;
                           const std::string standard = std::string(info.param.standard).substr(5);
                           for (const char c : standard) {
                             name += c == '+' ? 'p' : c;
                           }
                           return name;
                         });

}  // namespace
}  // namespace protobeam::test
