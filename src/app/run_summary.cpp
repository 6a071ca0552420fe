#include "app/run_summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "app/standard_streams.h"
#include "base/text.h"
#include "publish/publisher.h"

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

nlohmann::json collisions_json(const CollisionLog& log) {
  nlohmann::json out = nlohmann::json::array();
  for (const Collision& collision : log.collisions()) {
    out.push_back({{"robot", collision.robot},
                   {"touched", collision.touched},
                   {"of_robot", collision.of_robot},
                   {"first_s", collision.first},
                   {"times", collision.times},
                   {"duration_s", collision.duration}});
  }
  return out;
}

/// A line of the table: a device, or several of one kind that are told apart by numbers.
struct DeviceRow {
  const Device* device;  ///< the first one
  std::string name;      ///< "car * front (12)" of 12 of them
  int count = 1;
  std::uint64_t points = 0;
  double wall_seconds = 0;
};

/// "car 12 front" is "car * front".
std::string without_numbers(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) {
      out += c;
    } else if (!out.ends_with('*')) {
      out += '*';
    }
  }
  return out;
}

std::vector<DeviceRow> device_rows(const RobotInfo& robot) {
  constexpr int kMany = 4;  // as many have one line
  const auto kind = [](const Device& device) {
    return std::tuple(without_numbers(device.name), device.type, device.proto, device.frames);
  };
  std::map<decltype(kind(robot.devices.front())), int> counts;
  const auto counted = [](const Device& device) {
    return has_samples(device) && device.frames > 0;
  };
  for (const Device& device : robot.devices) {
    if (counted(device)) ++counts[kind(device)];
  }
  std::vector<DeviceRow> rows;
  std::map<decltype(kind(robot.devices.front())), std::size_t> begun;
  for (const Device& device : robot.devices) {
    if (!counted(device)) continue;
    const auto key = kind(device);
    const int count = counts[key];
    const bool one_line = count >= kMany;
    const auto found = begun.find(key);
    if (!one_line || found == begun.end()) {
      begun[key] = rows.size();
      rows.push_back({&device,
                      one_line ? fmt::format("{} ({})", std::get<0>(key), count) : device.name,
                      one_line ? count : 1});
    }
    DeviceRow& row = rows[begun[key]];
    row.points += device.points;
    row.wall_seconds += device.wall_seconds;
  }
  return rows;
}

void print_collisions(const CollisionLog& log) {
  constexpr std::size_t kShown = 10;
  const std::vector<Collision> all = log.collisions();
  for (const Collision& collision : std::span(all).first(std::min(kShown, all.size()))) {
    print_out("{}\n", printable(describe(collision)));
  }
  if (all.size() > kShown) {
    print_out("and {} more collisions, from {:.2f} s on: --json has them all\n",
              all.size() - kShown, all[kShown].first);
  }
}

}  // namespace

nlohmann::json summary_json(Simulation& simulation, const CollisionLog& collisions, double wall) {
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
  out["metrics"] = nlohmann::json::array();
  for (const ControllerReport& report : simulation.controllers()) {
    out["controllers"].push_back({{"robot", report.robot},
                                  {"name", report.name},
                                  {"exit", report.exit},
                                  {"failed", report.failed},
                                  {"what", report.what_happened}});
    for (const auto& [name, value] : report.metrics) {
      // JSON has no numbers that are not finite.
      out["metrics"].push_back(
          {{"robot", report.robot},
           {"name", name},
           {"value", std::isfinite(value) ? nlohmann::json(value)
                                          : nlohmann::json(fmt::format("{}", value))}});
    }
  }
  out["collisions"] = collisions_json(collisions);
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

void print_summary(Simulation& simulation, const CollisionLog& collisions, double wall) {
  print_out("\n{:<28} {:<16} {:>8} {:>12} {:>11} {:>10}\n", "device", "type", "frames", "points",
            "mean range", "ms/frame");
  for (const RobotInfo& robot : simulation.model().robots) {
    for (const DeviceRow& row : device_rows(robot)) {
      const Device& device = *row.device;
      const double mean = row.count == 1 ? mean_range(device) : std::nan("");
      print_out("{:<28} {:<16} {:>8} {:>12} {:>11} {:>10.3f}\n",
                printable(fmt::format("{}/{}", robot.name, row.name)),
                device.proto.empty() ? device.type : device.proto, device.frames,
                row.points ? std::to_string(row.points) : "",
                std::isnan(mean) ? std::string{} : fmt::format("{:.2f} m", mean),
                row.wall_seconds * 1000 / static_cast<double>(device.frames) / row.count);
    }
  }
  for (const ControllerReport& report : simulation.controllers()) {
    if (!report.started) continue;  // stderr has said it
    print_out("controller '{}' of {} {}\n", printable(report.name), printable(report.robot),
              report.what_happened.empty() ? "ran" : report.what_happened);
  }
  print_collisions(collisions);
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
