#include "viewer/window/status_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace protobeam::viewer {
namespace {

/// 1234567: "1,234,567".
std::string grouped(std::size_t number) {
  const std::string digits = std::to_string(number);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string state_of(const ControllerReport& report) {
  if (report.running) return "running";
  if (!report.what_happened.empty()) return report.what_happened;
  return report.started ? "ended" : "not started";
}

std::string progress(const RunStatus& run) {
  if (run.ended) return "the run is over";
  if (run.paused) return run.settled ? "paused" : "pausing";
  if (run.speed > 0) {
    return fmt::format("running {:.2f}x of {}", run.real_time_factor, speed_name(run.speed));
  }
  return fmt::format("running {:.2f}x, {}", run.real_time_factor, speed_name(run.speed));
}

}  // namespace

std::string speed_name(double speed) {
  return speed > 0 ? fmt::format("{:g}x", speed) : "as fast as it can";
}

std::string status_line(const StatusFacts& facts) {
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> parts = {
      fmt::format("{:.3f} s", facts.time), progress(facts.run),
      grouped(facts.points) + (facts.points == 1 ? " point" : " points"),
      fmt::format("{:.0f} fps", facts.fps)};
  if (facts.keys_to_controllers) parts.push_back("keys go to controllers (Tab: back)");
  if (!facts.following.empty()) parts.push_back("following " + facts.following);
  // Failed ones first: there may be more than a line holds.
  std::vector<ControllerReport> controllers = facts.controllers;
  std::stable_sort(controllers.begin(), controllers.end(),
                   [](const auto& a, const auto& b) { return a.failed && !b.failed; });
  for (std::size_t i = 0; i < std::min(controllers.size(), kNamed); ++i) {
    parts.push_back(controllers[i].robot + ": " + state_of(controllers[i]));
  }
  if (controllers.size() > kNamed) {
    parts.push_back(fmt::format("and {} more", controllers.size() - kNamed));
  }
  return fmt::format("{}", fmt::join(parts, "   "));
}

}  // namespace protobeam::viewer
