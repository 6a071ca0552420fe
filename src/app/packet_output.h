// `run --record` and `run --publish`: finished sweeps as the packets of the makers' devices.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "output/packets/device_server.h"
#include "output/packets/recorder.h"
#include "output/sweep_queue.h"
#include "sim/simulation.h"

namespace protobeam {

struct PacketArguments {
  std::string record;                ///< a .pcap file; "": none
  std::string publish;               ///< udp://...; "": none
  std::vector<std::string> devices;  ///< none: all that have packets
  int http_port = 0;                 ///< of the first device's HTTP; 0: any that are free
  bool wanted() const { return !record.empty() || !publish.empty(); }
};

/// --device, which needs one of the two options, and --device-http, which needs the second one.
void add_packet_devices(CLI::App& command, PacketArguments& arguments, CLI::Option* record,
                        CLI::Option* publish);
/// "" or why packets cannot be sent to the address.
std::string check_udp_address(const std::string& text);

class PacketOutput {
 public:
  /// Throws std::invalid_argument for lidars without packets and std::runtime_error for files and
  /// addresses that cannot be used.
  PacketOutput(Simulation& simulation, const PacketArguments& arguments);

  /// Takes the sweeps that this step has completed. Throws std::runtime_error ("cannot write
  /// out.pcap: No space left on device").
  void after_step();
  /// The rest of the packets, and the file gets its name. Throws as after_step() does, and when
  /// there was no sweep at all.
  void finish();
  /// "wrote drive.pcap: 1508 packets"; after finish().
  std::string text() const;
  /// For --json: the numbers of packets, and where drivers find HTTP interfaces.
  nlohmann::json json() const;
  /// Of all lidars.
  std::size_t recorded() const { return recorder_ ? recorder_->written() : 0; }
  std::size_t sent() const { return publisher_ ? publisher_->sent() : 0; }

 private:
  struct Lidar {
    const Device* device;
    SweepSource source;
    std::uint64_t frames = 0;          ///< taken so far
    std::unique_ptr<DeviceHttp> http;  ///< null: none
    std::string url;                   ///< of it
  };

  void choose_all();
  void choose(const std::string& path);
  void serve();

  Simulation& simulation_;
  PacketArguments arguments_;
  std::vector<Lidar> lidars_;
  std::unique_ptr<PacketRecorder> recorder_;
  std::unique_ptr<SweepQueue> to_record_;  ///< by recorder_
  std::unique_ptr<PacketPublisher> publisher_;
  std::unique_ptr<DeviceServer> server_;  ///< after lidars_, which it asks
};

}  // namespace protobeam
