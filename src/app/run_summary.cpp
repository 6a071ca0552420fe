#include "app/run_summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "app/standard_streams.h"
#include "base/text.h"

namespace protobeam {
namespace {

/// Mean of the finite ranges in a lidar's last sweep; NaN when it has none.
double mean_range(const Device& device) {
  const auto* lidar = dynamic_cast<const BeamSensor*>(device.model.get());
  if (!lidar || device.frames == 0) return std::nan("");
  const auto* range = reinterpret_cast<const float*>(device.data.data());
  const std::size_t count =
      static_cast<std::size_t>(lidar->layers()) * static_cast<std::size_t>(lidar->columns());
  double sum = 0;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(range[i])) continue;
    sum += range[i];
    ++hits;
  }
  return hits ? sum / static_cast<double>(hits) : std::nan("");
}

/// What acts is listed when somebody looks at its samples; what measures, always.
bool has_samples(const Device& device) {
  const DeviceType& type = device.model->type();
  const bool acts = type.forces || type.coupled_by_name;
  return !type.channels.empty() && (!acts || device.frames > 0);
}

}  // namespace

nlohmann::json summary_json(const Simulation& simulation, double wall) {
  nlohmann::json out;
  out["sim_time_s"] = simulation.time();
  out["wall_time_s"] = wall;
  out["real_time_factor"] = wall > 0 ? simulation.time() / wall : 0.0;
  out["devices"] = nlohmann::json::array();
  for (const RobotInfo& robot : simulation.model().robots) {
    for (const Device& device : robot.devices) {
      if (!has_samples(device)) continue;
      const double mean = mean_range(device);
      out["devices"].push_back(
          {{"robot", robot.name},
           {"device", device.name},
           {"type", device.type},
           {"proto", device.proto},
           {"frames", device.frames},
           {"points", device.points},
           {"mean_range_m", std::isnan(mean) ? nlohmann::json(nullptr) : nlohmann::json(mean)},
           {"ms_per_frame", device.frames
                                ? device.wall_seconds * 1000 / static_cast<double>(device.frames)
                                : 0.0}});
    }
  }
  out["controllers"] = nlohmann::json::array();
  for (const ControllerReport& report : simulation.controllers()) {
    out["controllers"].push_back({{"robot", report.robot},
                                  {"name", report.name},
                                  {"exit", report.exit},
                                  {"failed", report.failed},
                                  {"what", report.what_happened}});
  }
  out["missing_files"] = simulation.missing_files();
  out["state_hash"] = fmt::format("{:016x}", simulation.state_hash());
  return out;
}

nlohmann::json outputs_json(const Publisher& publisher) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& queue : publisher.table().queues()) {
    out.push_back({{"text", queue->sink().text()},
                   {"messages", queue->written()},
                   {"lost", queue->lost()},
                   {"most_waiting_bytes", queue->most_waiting()}});
  }
  return out;
}

void print_summary(const Simulation& simulation, double wall) {
  print_out("\n{:<28} {:<16} {:>8} {:>12} {:>11} {:>10}\n", "device", "type", "frames", "points",
            "mean range", "ms/frame");
  for (const RobotInfo& robot : simulation.model().robots) {
    for (const Device& device : robot.devices) {
      if (!has_samples(device) || device.frames == 0) continue;
      const double mean = mean_range(device);
      print_out("{:<28} {:<16} {:>8} {:>12} {:>11} {:>10.3f}\n",
                printable(robot.name + "/" + device.name),
                device.proto.empty() ? device.type : device.proto, device.frames,
                device.points ? std::to_string(device.points) : "",
                std::isnan(mean) ? std::string{} : fmt::format("{:.2f} m", mean),
                device.wall_seconds * 1000 / static_cast<double>(device.frames));
    }
  }
  for (const ControllerReport& report : simulation.controllers()) {
    print_out("controller '{}' of {} {}\n", printable(report.name), printable(report.robot),
              !report.started                ? "did not start"  // stderr says why
              : report.what_happened.empty() ? "ran"
                                             : report.what_happened);
  }
  if (const auto& missing = simulation.missing_files(); !missing.empty()) {
    constexpr std::size_t kShown = 3;
    const auto shown = std::span(missing).first(std::min(kShown, missing.size()));
    print_out("without {} missing file{}: {}{}\n", missing.size(), missing.size() == 1 ? "" : "s",
              printable(fmt::format("{}", fmt::join(shown, ", "))),
              missing.size() > kShown ? ", ..." : "");
  }
  print_out("{:.3f} s simulated in {:.3f} s: {:.2f}x real time; state hash {:016x}\n",
            simulation.time(), wall, wall > 0 ? simulation.time() / wall : 0.0,
            simulation.state_hash());
}

}  // namespace protobeam
