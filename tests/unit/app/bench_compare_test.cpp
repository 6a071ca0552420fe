#include "app/bench_compare.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Mark = BenchChange::Mark;

/// One result of one figure.
json result(const char* better, double value, double low, double high) {
  return {{"name", "scan/one"},
          {"ratio", value},
          {"figures", {{"ratio", {{"better", better}, {"low", low}, {"high", high}}}}}};
}

Mark mark_of(const json& before, const json& now) {
  const auto changes = changes_between({{"results", {before}}}, {{"results", {now}}});
  EXPECT_EQ(changes.size(), 1u);
  return changes.at(0).mark;
}

TEST(BenchCompare, MarksWhatDiffersByMoreThanItScatters) {
  const json before = result("less", 1.0, 0.95, 1.05);
  EXPECT_EQ(mark_of(before, result("less", 1.2, 1.1, 1.3)), Mark::kWorse);
  EXPECT_EQ(mark_of(before, result("less", 0.8, 0.7, 0.9)), Mark::kBetter);
  EXPECT_EQ(mark_of(before, result("more", 1.2, 1.1, 1.3)), Mark::kBetter);
  EXPECT_EQ(mark_of(before, result("more", 0.8, 0.7, 0.9)), Mark::kWorse);
  // Inside of what was measured before, or scattered over that.
  EXPECT_EQ(mark_of(result("less", 1.0, 0.5, 1.5), result("less", 1.2, 1.19, 1.21)), Mark::kNone);
  EXPECT_EQ(mark_of(before, result("less", 1.2, 0.9, 1.5)), Mark::kNone);
  // Nobody would notice.
  EXPECT_EQ(mark_of(result("less", 1, 1, 1), result("less", 1.09, 1.09, 1.09)), Mark::kNone);
  EXPECT_EQ(mark_of(result("less", 1, 1, 1), result("less", 1.11, 1.11, 1.11)), Mark::kWorse);
}

TEST(BenchCompare, ComparesWhatBothHave) {
  json other = result("less", 1, 1, 1);
  other["name"] = "scan/other";
  // Before there were quartiles.
  const json plain = {{"name", "scan/one"}, {"ratio", 2.0}, {"meaning", "scan / bare trace"}};
  const auto changes = changes_between({{"results", {plain, other}}},
                                       {{"results", {result("less", 3, 2.9, 3.1), plain}}});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].benchmark, "scan/one");
  EXPECT_EQ(changes[0].before.low, 2);
  EXPECT_EQ(changes[0].before.high, 2);
  EXPECT_EQ(changes[0].now.low, 2.9);
  EXPECT_EQ(changes[0].mark, Mark::kWorse);
  const std::string text = text_of(changes);
  EXPECT_THAT(text, HasSubstr("3 (2.9 to 3.1)"));
  EXPECT_THAT(text, HasSubstr("+50.0 % worse"));
  EXPECT_THAT(text, HasSubstr("1 of 1 figures worse"));
  EXPECT_EQ(json_of(changes)[0].at("mark"), "worse");
}

TEST(BenchCompare, SaysWhatIsWrongWithAFile) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text) -> std::string {
    try {
      read_bench_results(folder.write("old.json", text));
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "";
  };
  for (const char* text :
       {"", "{", "[]", "{}", R"({"results": 3})", R"({"machine": {"cpu": 1}, "results": []})",
        R"({"machine": 1, "results": []})", R"({"results": [{"name": 1}]})",
        R"({"results": [{"name": "a", "figures": {"ratio": {"better": "less"}}}]})",
        R"({"results": [{"name": "a", "ratio": null, "figures": {"ratio": {"better": "less"}}}]})",
        R"({"results": [{"name": "a", "ratio": 1, "figures": {"ratio": {}}}]})",
        R"({"results": [{"name": "a", "ratio": 1, "figures": 7}]})"}) {
    EXPECT_THAT(message(text), HasSubstr("old.json: not what `bench --json` writes")) << text;
  }
  EXPECT_EQ(message(json{{"results", {result("less", 1, 1, 1)}}}.dump()), "");
}

}  // namespace
}  // namespace protobeam
