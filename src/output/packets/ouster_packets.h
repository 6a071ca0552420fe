// Ouster's lidar packets (port 7502) of 16 columns, profiles LEGACY and RNG19_RFL8_SIG16_NIR16, and
// the metadata that goes with them, as firmware 2.5 writes them. No IMU packets.
//
// Layout: ouster-sdk (parsing.cpp, sensor_info.cpp, metadata.cpp, xyzlut.cpp), little-endian.
//   measurement id  column, 0 at the rear, clockwise; a packet starts at a multiple of 16
//   frame id        one more each time that the measurement id starts again
//   range           mm from the lidar's axis: the beam's range and lidar_origin_to_beam_origin
//   reflectivity    intensity, 0..1 as 0..255
//   time stamps     ns of simulated time (TIME_FROM_INTERNAL_OSC: the sensor started at 0)
// Of several returns of a beam, the strongest is sent. Columns that a packet lacks are marked as
// not valid. Angles of the metadata are clockwise, the table's are not; its
// lidar_to_sensor_transform has the height of the beams' origins.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "output/packets/firing.h"
#include "output/packets/packets.h"

namespace protobeam {

class OusterPackets : public PacketEncoder {
 public:
  static constexpr std::uint16_t kLidarPort = 7502;
  static constexpr int kColumns = 16;  ///< of a packet

  /// `form` is that of the product line: OS-0, OS-1 or OS-2.
  OusterPackets(int form, const SweepSource& source, int index);

  void encode(const TimedSweep& sweep, const PacketSink& sink) override;
  void finish(const PacketSink& sink) override;
  std::uint16_t usual_data_port() const override { return kLidarPort; }
  std::vector<std::uint16_t> ports() const override;
  PacketAddress address() const override;
  std::unique_ptr<DeviceHttp> make_http(const DeviceSettings& settings) const override;
  void apply(const DeviceSettings& settings) override;
  std::vector<SideFile> side_files() const override;

 private:
  std::size_t rows() const { return static_cast<std::size_t>(table_.lasers()); }
  std::size_t header_size() const { return legacy_ ? 0 : 32; }
  std::size_t column_size() const { return legacy_ ? 20 + 12 * rows() : 12 + 12 * rows(); }
  std::uint64_t serial_number() const;
  /// For packets that go to this address.
  nlohmann::ordered_json metadata(const std::string& destination, int port) const;
  void set_layout(bool legacy);
  void begin(int first_column);
  void write(const Firing& firing, int column);
  void send(const PacketSink& sink);

  int form_;
  LaserTable table_;
  FiringOrder order_;
  int index_, columns_;
  double longest_range_;
  bool legacy_ = false;
  std::uint32_t initialization_ = 1;
  std::vector<double> range_offsets_;  ///< m, by laser
  std::vector<std::uint8_t> packet_;
  bool filling_ = false;  ///< there is something in packet_
  int first_column_ = 0, last_column_ = -1;
  std::uint16_t frame_ = 0;
  double now_ = 0;  ///< s: the last column has been measured
};

}  // namespace protobeam
