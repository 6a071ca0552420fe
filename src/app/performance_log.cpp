#include "app/performance_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace protobeam {
namespace {

[[noreturn]] void cannot_append(const std::string& file) {
  throw std::runtime_error(
      fmt::format("cannot write {}: {}", file, std::generic_category().message(errno)));
}

std::ofstream log_at_its_end(const std::string& file) {
  errno = 0;
  std::ofstream out(file, std::ios::app | std::ios::ate | std::ios::binary);
  if (!out) cannot_append(file);
  return out;
}

}  // namespace

PerformanceLog::PerformanceLog(const Simulation& simulation, PerformanceArguments arguments)
    : simulation_(simulation), arguments_(std::move(arguments)) {
  log_at_its_end(arguments_.file);  // an end without it would come late
}

void PerformanceLog::after_step() {
  if (arguments_.steps > 0 && steps_ == arguments_.steps) return;
  ++steps_;
  wall_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  if (steps_ == arguments_.steps) measured_ = columns();
}

/// Webots has more: times of its physics, its window and of each controller, which are not measured
/// apart here.
std::vector<PerformanceLog::Column> PerformanceLog::columns() const {
  const auto& [read, build, begin] = simulation_.load_times();
  const double loading = 1000 * (read + build + begin);
  std::vector<Column> out = {
      {"<loading(ms)>", loading, loading},
      {"<step(ms)>", 1000 * wall_ / static_cast<double>(steps_), 1000 * wall_}};
  for (const RobotInfo& robot : simulation_.model().robots) {
    for (const Device& device : robot.devices) {
      if (device.frames == 0) continue;
      const double total = 1000 * device.wall_seconds;
      out.push_back({fmt::format("<device:{}/{}(ms)>", robot.name, device.name),
                     total / static_cast<double>(device.frames), total});
    }
  }
  return out;
}

void PerformanceLog::finish() {
  if (steps_ == 0) return;
  if (measured_.empty()) measured_ = columns();
  const WorldModel& model = simulation_.model();
  const auto there = [](const auto& all) {
    return std::ranges::count_if(all, [](const auto& one) { return !one.removed; });
  };
  std::ofstream out = log_at_its_end(arguments_.file);
  std::string text;
  if (out.tellp() == 0 && !arguments_.system.empty()) text += arguments_.system + "\n";
  text += fmt::format("World: {}\n", simulation_.world().file.string());
  text += fmt::format("World metrics: {} solids, {} robots\n", there(model.solids),
                      there(model.robots));
  text += fmt::format("Average speed factor: {:.6g}x\n",
                      wall_ > 0 ? static_cast<double>(steps_) * model.basic_time_step / wall_ : 0);
  text += "<mode> <stepsCount>";
  for (const Column& one : measured_) text += " " + one.name;
  for (const bool total : {false, true}) {
    text += fmt::format("\n{:<6} {:>12}", total ? "TOT" : "AVG", steps_);
    for (const Column& one : measured_)
      text += fmt::format(" {:>{}.3f}", total ? one.total : one.average, one.name.size());
  }
  text += "\n\n";
  errno = 0;
  out << text;
  out.close();
  if (!out) cannot_append(arguments_.file);
}

}  // namespace protobeam
