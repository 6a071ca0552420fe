#include "app/bench_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/text.h"
#include "base/whole_file.h"

namespace protobeam {
namespace {

using nlohmann::json;

/// Medians of one and the same program differ by that on a machine with other work.
constexpr double kNoticed = 0.1;

const char* word_of(BenchChange::Mark mark) {
  if (mark == BenchChange::Mark::kNone) return "";
  return mark == BenchChange::Mark::kWorse ? "worse" : "better";
}

/// With its quartiles, where they are known.
BenchChange::Side side_of(const json& result, const std::string& key) {
  const double value = result.at(key).get<double>();
  const json none = json::object();
  const json figure = result.value("figures", none).value(key, none);
  return {value, figure.value("low", value), figure.value("high", value)};
}

BenchChange::Mark mark_of(const BenchChange& change, bool more_is_better) {
  const double ratio = change.now.value / change.before.value;
  const auto inside = [](double value, const BenchChange::Side& of) {
    return of.low <= value && value <= of.high;
  };
  if (!std::isfinite(ratio) || std::abs(ratio - 1) <= kNoticed ||
      inside(change.now.value, change.before) || inside(change.before.value, change.now)) {
    return BenchChange::Mark::kNone;
  }
  return (ratio > 1) == more_is_better ? BenchChange::Mark::kBetter : BenchChange::Mark::kWorse;
}

std::string text_of(const BenchChange::Side& side) {
  return fmt::format("{:.4g} ({:.4g} to {:.4g})", side.value, side.low, side.high);
}

}  // namespace

json read_bench_results(const std::filesystem::path& file) {
  try {
    json read = json::parse(read_whole_file(file, 64u << 20));
    // What is looked at below and by who compares, once for all.
    (void)read.value("machine", json::object()).value("cpu", "");
    for (const json& result : read.at("results")) {
      (void)result.at("name").get_ref<const std::string&>();
      if (!result.contains("figures")) continue;
      for (const auto& [key, figure] : result.at("figures").items()) {
        (void)side_of(result, key);
        (void)figure.at("better").get_ref<const std::string&>();
      }
    }
    return read;
  } catch (const json::exception& e) {
    throw std::runtime_error(fmt::format("{}: not what `bench --json` writes: {}",
                                         printable(file.string()), printable(e.what())));
  }
}

std::vector<BenchChange> changes_between(const json& before, const json& now) {
  std::map<std::string, const json*> earlier;
  for (const json& result : before.at("results")) {
    earlier[result.at("name").get<std::string>()] = &result;
  }
  std::vector<BenchChange> changes;
  for (const json& result : now.at("results")) {
    const auto found = earlier.find(result.at("name").get<std::string>());
    if (found == earlier.end()) continue;
    const json figures = result.value("figures", json::object());
    for (const auto& [key, figure] : figures.items()) {
      const json& old = *found->second;
      if (!old.contains(key) || !old.at(key).is_number()) continue;
      BenchChange change{found->first, key, side_of(old, key), side_of(result, key)};
      change.mark = mark_of(change, figure.at("better") == "more");
      changes.push_back(std::move(change));
    }
  }
  return changes;
}

std::string text_of(const std::vector<BenchChange>& changes) {
  std::string out = fmt::format("{:<44} {:<22} {:<26} {:<26} {:>8}\n", "benchmark", "figure",
                                "before", "now", "change");
  std::size_t worse = 0;
  for (const BenchChange& one : changes) {
    out += fmt::format("{:<44} {:<22} {:<26} {:<26} {:>+6.1f} %{}{}\n", printable(one.benchmark),
                       printable(one.figure), text_of(one.before), text_of(one.now),
                       100 * (one.now.value / one.before.value - 1),
                       one.mark == BenchChange::Mark::kNone ? "" : " ", word_of(one.mark));
    worse += one.mark == BenchChange::Mark::kWorse;
  }
  return out + fmt::format("{} of {} figures worse\n", worse, changes.size());
}

json json_of(const std::vector<BenchChange>& changes) {
  json out = json::array();
  const auto side = [](const BenchChange::Side& of) {
    return json{{"value", of.value}, {"low", of.low}, {"high", of.high}};
  };
  for (const BenchChange& one : changes) {
    out.push_back({{"name", one.benchmark},
                   {"figure", one.figure},
                   {"before", side(one.before)},
                   {"now", side(one.now)},
                   {"mark", word_of(one.mark)}});
  }
  return out;
}

}  // namespace protobeam
