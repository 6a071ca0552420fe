// Velodyne's data packets (1206 bytes, port 2368) and position packets (512 bytes, port 8308).
//
// Layout: "VLP-16 User Manual" 63-9243 chapter 9, "VLP-32C User Manual" 63-9325, "HDL-64E S3 User's
// Manual" 63-HDL64ES3 appendix E; the same as the drivers ros-drivers/velodyne (rawdata.cpp),
// PCL (hdl_grabber.cpp, vlp_grabber.cpp) and VeloView read. Twelve blocks of 100 bytes, each a
// flag, the encoder's azimuth at its first firing (0.01 deg, clockwise) and 32 times distance and
// intensity in the order of laser ids; then microseconds since the hour of the first firing and two
// bytes: return mode and product, or for the HDL-64E a status that takes turns (velodyne_status.h).
//
//                blocks of a firing            distances
//   VLP-16       1/2 (two firings a block)     2 mm
//   HDL-32E      1                             2 mm
//   VLP-32C      1                             4 mm
//   HDL-64E      2 (flags EEFF and DDFF)       2 mm
//
// Two returns: each block twice, the last return first; the second one has the strongest return, or
// the second strongest where the last is the strongest. The distance 0 is no return; a range is
// counted from the axis of the head, as the drivers' own calibrations assume.
// A position packet with a GPRMC sentence follows each 14th data packet (not the HDL-64E's, which
// reports the time in its status). The sensor stands at 0 N 0 E and is locked to PPS.
#pragma once

#include "output/packets/block_packets.h"

namespace protobeam {

struct VelodyneModel {
  int lasers = 0;
  double unit = 0;           ///< m
  std::uint8_t product = 0;  ///< factory byte; 0: HDL-64E
  int firings_of_block = 1;  ///< one after another in the same block
  int blocks_of_firing = 1;  ///< banks of 32 lasers
};

class VelodynePackets : public BlockPackets {
 public:
  static constexpr std::uint16_t kDataPort = 2368, kPositionPort = 8308;
  static constexpr std::size_t kDataSize = 1206, kPositionSize = 512;

  VelodynePackets(const VelodyneModel& model, const SweepSource& source, int index);

  std::uint16_t usual_data_port() const override { return kDataPort; }
  std::vector<std::uint16_t> ports() const override;
  PacketAddress address() const override;
  /// Not of the HDL-64E, which is set over a serial line.
  std::unique_ptr<DeviceHttp> make_http(const DeviceSettings& settings) const override;
  void apply(const DeviceSettings& settings) override;
  /// HDL-64E: the calibration as PCL, VeloView and ros-drivers' gen_calibration.py read it.
  std::vector<SideFile> side_files() const override;

 private:
  int firings_of_packet() const override;
  void write(const Firing& firing, int place) override;
  void send(double time, const PacketSink& sink) override;
  void send_position(const PacketSink& sink) const;
  PacketEcho echo(BeamReturns returns, int number) const;

  const VelodyneModel model_;
  std::array<std::uint8_t, kDataSize> packet_{};
  std::uint64_t sent_ = 0;  ///< data packets
};

}  // namespace protobeam
