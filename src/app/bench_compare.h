// What has changed between two runs of `bench`.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace protobeam {

struct BenchChange {
  struct Side {
    double value, low, high;  ///< median, and the quartiles of its repetitions
  };
  enum class Mark { kNone, kBetter, kWorse };
  std::string benchmark, figure;
  Side before, now;
  Mark mark = Mark::kNone;
};

/// What `bench --json` has written. Throws std::runtime_error, with the file's name, when it is not
/// that.
nlohmann::json read_bench_results(const std::filesystem::path& file);

/// Of the figures that both have, in the order of `now`. A figure is marked when it differs by more
/// than 10 % and neither median lies between the quartiles of the other one's repetitions. Which
/// way is better, `now` says. Results of before there were quartiles have a ratio alone.
std::vector<BenchChange> changes_between(const nlohmann::json& before, const nlohmann::json& now);

/// As a table, with a line on how many are worse; ends with a line end.
std::string text_of(const std::vector<BenchChange>& changes);
nlohmann::json json_of(const std::vector<BenchChange>& changes);

}  // namespace protobeam
