#include "app/bench_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "app/bench_compare.h"
#include "app/commands.h"
#include "app/log.h"
#include "app/standard_streams.h"
#include "base/text.h"
#include "sim/build_config.h"

namespace protobeam {
namespace {

nlohmann::json machine() {
  std::ifstream in("/proc/cpuinfo");
  std::string line, model;
  while (model.empty() && std::getline(in, line)) {
    if (line.rfind("model name", 0) == 0) model = line.substr(line.find(':') + 2);
  }
  return {{"cpu", model}, {"cores", std::thread::hardware_concurrency()}, {"version", kVersion}};
}

}  // namespace

BenchReport::BenchReport(BenchArguments arguments) : arguments_(std::move(arguments)) {
  if (!arguments_.compare.empty()) before_ = read_bench_results(arguments_.compare);
}

bool BenchReport::wants(const std::string& benchmark) const {
  const std::string& name = arguments_.name;
  return name.empty() || benchmark.find(name) != std::string::npos ||
         name.find(benchmark) != std::string::npos;
}

bool BenchReport::wants_also(const std::string& benchmark, const std::string& what) const {
  return arguments_.name.find(what) != std::string::npos && wants(benchmark);
}

void BenchReport::add(const std::string& benchmark, const bench::Comparison& c,
                      const std::string& meaning) {
  add(benchmark, {"ratio", c.ratio, BenchFigure::Better::kLess, c.ratios}, c, meaning);
}

void BenchReport::add(const std::string& benchmark, const BenchFigure& figure,
                      const bench::Comparison& c, const std::string& meaning) {
  add(benchmark, std::vector{figure},
      {{"median_ms", c.median_ms},
       {"baseline_ms", c.baseline_ms},
       {"rays", c.rays},
       {"threads", c.threads},
       {"meaning", meaning}},
      fmt::format("{:>7.2f}  {:>9.3f} ms / {:>9.3f} ms  {:>7} rays  {} thread{}  {}", figure.value,
                  c.median_ms, c.baseline_ms, c.rays, c.threads, c.threads == 1 ? "" : "s",
                  meaning));
}

void BenchReport::add_speed_up(const std::string& benchmark, const bench::Comparison& c) {
  std::vector<double> gains;
  for (const double ratio : c.ratios) gains.push_back(1 / ratio);
  add(benchmark, {"ratio", 1 / c.ratio, BenchFigure::Better::kMore, gains}, c,
      fmt::format("1 thread / {} threads", c.threads));
}

void BenchReport::add(const std::string& benchmark, const std::vector<BenchFigure>& figures,
                      nlohmann::json keys, const std::string& line) {
  keys["name"] = benchmark;
  keys["figures"] = nlohmann::json::object();
  for (const BenchFigure& figure : figures) {
    keys[figure.key] = figure.value;
    nlohmann::json& known = keys["figures"][figure.key];
    known["better"] = figure.better == BenchFigure::Better::kMore ? "more" : "less";
    if (figure.repetitions.size() < 2) continue;
    known["low"] = bench::quantile(figure.repetitions, 0.25);
    known["high"] = bench::quantile(figure.repetitions, 0.75);
  }
  results_.push_back(std::move(keys));
  if (arguments_.json || before_) return;
  print_out("{:<44} {}\n", benchmark, line);
  std::fflush(stdout);
}

int BenchReport::finish() {
  nlohmann::json now = {{"machine", machine()}, {"results", results_}};
  if (!arguments_.results.empty()) now = read_bench_results(arguments_.results);
  if (now.at("results").empty()) {
    log_error(fmt::format("no benchmark matches '{}'", arguments_.name));
    return kExitData;
  }
  std::vector<BenchChange> changes;
  if (before_) {
    changes = changes_between(*before_, now);
    const auto cpu = [](const nlohmann::json& of) {
      return of.value("machine", nlohmann::json::object()).value("cpu", "");
    };
    if (cpu(*before_) != cpu(now)) {
      log_note(fmt::format("{} was measured on another machine: {}", arguments_.compare,
                           printable(cpu(*before_))));
    }
    if (changes.empty()) {
      log_error(
          fmt::format("{} has none of the figures that were measured now", arguments_.compare));
      return kExitData;
    }
    now["changes"] = json_of(changes);
  }
  if (arguments_.json) {
    print_out("{}\n", now.dump());
  } else if (before_) {
    print_out("{}", text_of(changes));
  }
  const bool worse = std::ranges::any_of(
      changes, [](const BenchChange& one) { return one.mark == BenchChange::Mark::kWorse; });
  return worse ? kExitData : kExitGood;
}

}  // namespace protobeam
