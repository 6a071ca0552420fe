// RoboSense Helios: MSOP packets (points, port 6699) and DIFOP packets (the device, port 7788),
// both of 1248 bytes.
//
// Layout: rs_driver (decoder_RSHELIOS.hpp, decoder.hpp); the header's bytes that it does not read
// from "RS-Helios-1610 User Manual", section 6. Big-endian. Twelve blocks of 100 bytes: FF EE, the
// azimuth of the first laser (0.01 deg, clockwise), 32 times distance (2.5 mm; 0: no return) and
// intensity. Two returns: each block twice, the first return first. The time is UTC, of the first
// block. A DIFOP packet comes before the first MSOP packet and then once a second; drivers take
// from it the angles of the lasers. They assume the lens 34.98 mm in front of the axis: ranges of
// lasers that start elsewhere change by what that makes along the beam.
#pragma once

#include "output/packets/block_packets.h"

namespace protobeam {

class RobosensePackets : public BlockPackets {
 public:
  static constexpr std::uint16_t kMsopPort = 6699, kDifopPort = 7788;
  static constexpr std::size_t kSize = 1248;

  RobosensePackets(const SweepSource& source, int index);

  std::uint16_t usual_data_port() const override { return kMsopPort; }
  std::vector<std::uint16_t> ports() const override;
  PacketAddress address() const override;

 private:
  int firings_of_packet() const override { return kBlocks / returns(); }
  void begin(double time, const PacketSink& sink) override;
  void write(const Firing& firing, int place) override;
  void send(double time, const PacketSink& sink) override;
  PacketEcho echo(BeamReturns returns, int number) const;

  std::array<std::uint8_t, kSize> packet_{};
  double next_difop_, latest_;
  std::uint32_t sent_ = 0;
};

}  // namespace protobeam
