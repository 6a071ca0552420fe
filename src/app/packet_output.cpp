#include "app/packet_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "app/device_sweep.h"
#include "app/log.h"
#include "app/world_options.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

const RobotInfo& robot_of(const Simulation& simulation, const Device& device) {
  return simulation.model().robots[static_cast<std::size_t>(device.robot)];
}

std::string path_of(const Simulation& simulation, const Device& device) {
  return robot_of(simulation, device).name + "/" + device.name;
}

std::string with_product(const Simulation& simulation, const Device& device) {
  return fmt::format("{} ({})", path_of(simulation, device),
                     device.proto.empty() ? device.type : device.proto);
}

}  // namespace

std::string check_udp_address(const std::string& text) {
  try {
    UdpTarget target(text);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

void add_packet_devices(CLI::App& command, PacketArguments& arguments, CLI::Option* record,
                        CLI::Option* publish) {
  command
      .add_option("--device", arguments.devices,
                  "ROBOT/DEVICE: packets of this lidar only; may be given several times")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check([record, publish](const std::string&) {
        const bool used = record->count() > 0 || publish->count() > 0;
        return used ? std::string() : std::string("is only for --record and --publish");
      });
  command
      .add_option(
          "--device-http", arguments.http_port,
          "The port where the first lidar answers its drivers over HTTP, the next ones at the "
          "next ports (--publish udp://...)")
      ->check(CLI::Range(0, 65535))
      ->check([publish](const std::string&) {
        const bool used = std::ranges::any_of(
            publish->results(), [](const std::string& name) { return name.starts_with("udp:"); });
        return used ? std::string() : std::string("is only for --publish udp://...");
      });
}

PacketOutput::PacketOutput(Simulation& simulation, const PacketArguments& arguments)
    : simulation_(simulation), arguments_(arguments) {
  if (arguments.devices.empty()) choose_all();
  for (const std::string& path : arguments.devices) choose(path);
  if (!arguments.publish.empty()) {
    publisher_ = std::make_unique<PacketPublisher>(UdpTarget(arguments.publish));
    for (const Lidar& lidar : lidars_) publisher_->add_device(lidar.source);
  }
  if (!arguments.record.empty()) {
    recorder_ = std::make_unique<PacketRecorder>(arguments.record);
    to_record_ = std::make_unique<SweepQueue>();
    for (const Lidar& lidar : lidars_) recorder_->add_device(lidar.source);
  }
  if (publisher_) serve();
}

void PacketOutput::serve() {
  std::vector<DeviceHttp*> devices;
  for (Lidar& lidar : lidars_) {
    lidar.http = publisher_->make_http(lidar.source);
    if (lidar.http) devices.push_back(lidar.http.get());
  }
  const bool asked = arguments_.http_port > 0;
  if (asked && devices.empty()) {
    throw std::invalid_argument(
        "--device-http: none of these lidars has HTTP, as Ousters and Velodynes do");
  }
  if (devices.empty() || (!asked && !DeviceServer::is_built())) return;
  server_ = std::make_unique<DeviceServer>(devices, arguments_.http_port);
  auto url = server_->addresses().begin();
  for (Lidar& lidar : lidars_) {
    if (!lidar.http) continue;
    lidar.url = *url++;
    log_note(fmt::format("{} answers its drivers at {}", with_product(simulation_, *lidar.device),
                         lidar.url));
  }
}

nlohmann::json PacketOutput::json() const {
  nlohmann::json http = nlohmann::json::array();
  for (const Lidar& lidar : lidars_) {
    if (lidar.url.empty()) continue;
    http.push_back({{"device", path_of(simulation_, *lidar.device)}, {"url", lidar.url}});
  }
  return {{"recorded", recorded()}, {"sent", sent()}, {"http", std::move(http)}};
}

void PacketOutput::choose_all() {
  std::vector<std::string> others;
  for (const RobotInfo& robot : simulation_.model().robots) {
    for (const Device& device : robot.devices) {
      const auto* lidar = dynamic_cast<const BeamSensor*>(device.model.get());
      if (!lidar) continue;
      SweepSource source = source_of(simulation_, device);
      if (has_packets(source)) {
        lidars_.push_back({&device, std::move(source), 0, nullptr, {}});
      } else {
        others.push_back(with_product(simulation_, device));
      }
    }
  }
  const std::string list = fmt::format("{}", fmt::join(others, ", "));
  if (lidars_.empty()) {
    throw std::invalid_argument(
        fmt::format("{}; packets are known of {}",
                    others.empty() ? "this world has no lidar"
                                   : "no lidar of this world has packets that are known: " + list,
                    fmt::join(packet_products(), ", ")));
  }
  if (!others.empty()) log_note("without the packets of " + list + ": they are not known");
}

void PacketOutput::choose(const std::string& path) {
  const Device* device = simulation_.find_device(path);
  if (!device) throw std::invalid_argument(no_such_device(simulation_, path));
  const auto* lidar = dynamic_cast<const BeamSensor*>(device->model.get());
  if (!lidar) {
    throw std::invalid_argument(fmt::format("'{}' is a {}: it has no beams", path, device->type));
  }
  const auto same = [device](const Lidar& chosen) { return chosen.device == device; };
  if (std::ranges::any_of(lidars_, same)) return;
  lidars_.push_back({device, source_of(simulation_, *device), 0, nullptr, {}});
}

void PacketOutput::after_step() {
  const double now = simulation_.time();
  for (Lidar& lidar : lidars_) {
    if (lidar.http) {
      lidar.http->set_time(now);
      if (const auto settings = lidar.http->take_settings())
        publisher_->apply(lidar.source, *settings);
    }
    if (lidar.device->frames == lidar.frames) continue;
    lidar.frames = lidar.device->frames;
    TimedSweep sweep = sweep_of(simulation_, *lidar.device,
                                to_record_ ? to_record_->memory() : std::vector<BeamReturn>());
    if (publisher_) publisher_->add(lidar.source, sweep, now);
    if (!recorder_) continue;
    to_record_->push(std::move(sweep), [this, &lidar](const TimedSweep& finished) {
      recorder_->add(lidar.source, finished);
    });
  }
  if (publisher_) publisher_->send_until(now);
}

void PacketOutput::finish() {
  if (to_record_) to_record_->finish();
  std::vector<std::string> silent;
  for (const Lidar& lidar : lidars_) {
    if (lidar.frames == 0) silent.push_back(with_product(simulation_, *lidar.device));
  }
  const std::string why =
      fmt::format("{} completed no sweep: a controller has to enable a lidar, and for long enough",
                  fmt::join(silent, ", "));
  if (silent.size() == lidars_.size()) throw std::runtime_error("no packets: " + why);
  if (!silent.empty()) log_note(why);
  if (publisher_) publisher_->finish();
  if (recorder_) recorder_->finish();
}

std::string PacketOutput::text() const {
  std::vector<std::string> parts;
  if (recorder_) {
    parts.push_back(fmt::format("wrote {}: {} packets", arguments_.record, recorded()));
  }
  if (publisher_) {
    parts.push_back(fmt::format("sent to {}: {} packets", arguments_.publish, sent()));
  }
  return fmt::format("{}", fmt::join(parts, "\n"));
}

}  // namespace protobeam
