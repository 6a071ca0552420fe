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

  /// Makes its encoder before its first sweep; throws as make_packet_encoder does.
  void add_device(const SweepSource& source) { encoders_.of(source); }
  /// Sweeps of one device come in the order of time. Throws as make_packet_encoder and PcapFile do.
  void add(const SweepSource& source, const TimedSweep& sweep);
  /// The rest, and beside the capture what its readers need: a.json for a.pcap of an Ouster
  /// (a.2.json, ... for more of them).
  void finish();
  /// Packets in the file so far.
  std::size_t written() const { return written_; }

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
  std::size_t written_ = 0;
};

/// Sends packets one after another in simulated time, later than the device by what a sweep takes:
/// all of a sweep at once would be more than the buffers of readers hold.
class PacketPublisher {
 public:
  explicit PacketPublisher(UdpTarget target) : target_(std::move(target)) {}

  /// Where the target has a port, data packets go there and others as far from it as they usually
  /// are. Throws as make_packet_encoder does, and std::invalid_argument for ports that there are
  /// not.
  void add_device(const SweepSource& source);
  /// What the device answers over HTTP; null: it has none.
  std::unique_ptr<DeviceHttp> make_http(const SweepSource& source);
  /// Goes on as a client of it has set. Packets that wait to be sent are lost.
  void apply(const SweepSource& source, const DeviceSettings& settings);
  /// At `now`, s of simulated time. Throws as add_device().
  void add(const SweepSource& source, const TimedSweep& sweep, double now);
  /// What is due at `now`. Throws as UdpTarget does.
  void send_until(double now);
  /// Sends the rest.
  void finish();
  std::size_t sent() const { return sent_; }

 private:
  struct Waiting {
    double time;
    const PacketEncoder* encoder;
    std::size_t place;  ///< of its port among those of the encoder
    std::vector<std::uint8_t> payload;
  };

  PacketSink keep(const PacketEncoder& encoder);
  int port_of(const PacketEncoder& encoder, std::uint16_t port) const;

  UdpTarget target_;
  PacketEncoders encoders_;
  std::map<const PacketEncoder*, DeviceSettings> settings_;
  std::vector<Waiting> waiting_;
  double delay_ = 0;  ///< s: from the time of a packet until it is sent
  std::size_t sent_ = 0;
};

}  // namespace protobeam
