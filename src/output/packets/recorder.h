// Sweeps of all devices of a run as packets: into one capture file, or sent by UDP.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "output/packets/packets.h"
#include "output/packets/pcap_file.h"
#include "output/packets/udp_target.h"

namespace protobeam {

/// The encoders of devices, made when each is seen for the first time. The second device of a
/// family (the same usual data port) gets the next addresses and ports.
class PacketEncoders {
 public:
  /// Throws as make_packet_encoder does.
  PacketEncoder& of(const SweepSource& source);
  /// In the order in which they were seen.
  const std::vector<std::unique_ptr<PacketEncoder>>& all() const { return encoders_; }

 private:
  std::map<std::pair<std::string, std::string>, PacketEncoder*> by_device_;  ///< robot, device
  std::map<std::uint16_t, int> seen_;  ///< devices, by their usual data port
  std::vector<std::unique_ptr<PacketEncoder>> encoders_;
};

/// A capture of all devices, in the order of time.
class PacketRecorder {
 public:
  /// Throws as PcapFile does.
  explicit PacketRecorder(const std::filesystem::path& path);
  /// Without finish(): nothing is left.
  ~PacketRecorder();

  /// Sweeps of one device come in the order of time. Throws as make_packet_encoder and PcapFile do.
  void add(const SweepSource& source, const TimedSweep& sweep);
  /// The rest, and beside the capture what its readers need: a.json for a.pcap of an Ouster
  /// (a.2.json, ... for more of them).
  void finish();

 private:
  struct Waiting {
    double time;
    const PacketEncoder* encoder;
    std::uint16_t port;
    std::vector<std::uint8_t> payload;
  };

  PacketSink keep(const PacketEncoder& encoder);
  void write_until(double time);

  std::filesystem::path path_;
  PcapFile file_;
  PacketEncoders encoders_;
  std::map<const PacketEncoder*, double> ends_;  ///< s: of each device's last sweep
  std::vector<Waiting> waiting_;
};

/// Sends packets when their sweep is there; who calls sets the pace.
class PacketPublisher {
 public:
  explicit PacketPublisher(UdpTarget target) : target_(std::move(target)) {}

  /// Where the target has a port, data packets go there and others as far from it as they usually
  /// are. Throws as make_packet_encoder and UdpTarget do.
  void add(const SweepSource& source, const TimedSweep& sweep);
  /// The packets that are not full.
  void finish();

  /// Of devices seen so far.
  const PacketEncoders& encoders() const { return encoders_; }

 private:
  PacketSink send(const PacketEncoder& encoder) const;

  UdpTarget target_;
  PacketEncoders encoders_;
};

}  // namespace protobeam
