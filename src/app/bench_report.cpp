#include "app/bench_report.h"

#include <fmt/format.h>

#include <fstream>
#include <thread>

#include "app/commands.h"
#include "app/log.h"
#include "app/standard_streams.h"
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

bool BenchReport::wants(const std::string& benchmark) const {
  return name_.empty() || benchmark.find(name_) != std::string::npos ||
         name_.find(benchmark) != std::string::npos;
}

void BenchReport::add(const std::string& benchmark, double ratio, const bench::Comparison& c,
                      const std::string& meaning) {
  results_.push_back({{"name", benchmark},
                      {"ratio", ratio},
                      {"median_ms", c.median_ms},
                      {"baseline_ms", c.baseline_ms},
                      {"rays", c.rays},
                      {"threads", c.threads},
                      {"meaning", meaning}});
  if (json_) return;
  print_out("{:<44} {:>7.2f}  {:>9.3f} ms / {:>9.3f} ms  {:>7} rays  {} thread{}  {}\n", benchmark,
             ratio, c.median_ms, c.baseline_ms, c.rays, c.threads, c.threads == 1 ? "" : "s",
             meaning);
  std::fflush(stdout);
}

void BenchReport::add(const std::string& benchmark, nlohmann::json keys, const std::string& line) {
  keys["name"] = benchmark;
  results_.push_back(std::move(keys));
  if (json_) return;
  print_out("{:<44} {}\n", benchmark, line);
  std::fflush(stdout);
}

int BenchReport::finish() const {
  if (results_.empty()) {
    log_error(fmt::format("no benchmark matches '{}'", name_));
    return kExitData;
  }
  if (json_) {
    print_out("{}\n", nlohmann::json{{"machine", machine()}, {"results", results_}}.dump());
  }
  return kExitGood;
}

}  // namespace protobeam
