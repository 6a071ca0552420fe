// The UDP packets that makers' devices send, from finished sweeps: what their drivers read.
//
// Facts come from SweepSource::properties, by laser id (BeamReturn::beam):
//   beamElevations_deg  deg  above the horizontal; one for each laser
//   beamAzimuths_deg    deg  counter-clockwise from above, added to the azimuth of the head
//   beamTimes           s    after the start of the firing sequence
//   beamOrigins         m    x, y, z for each laser: where its beam starts, in the sensor frame,
//                            with the head at azimuth 0; all zero if left out
//   firingPeriod        s    from the start of one firing sequence to that of the next
//   defaultFrequency    Hz   revolutions per second, until sweeps give the rate
//   returnMode               "strongest" (if left out), "last" or "dual"
//   udpProfile               Ouster: "RNG19_RFL8_SIG16_NIR16" (if left out) or "LEGACY"
// A column of the sweep is one firing sequence. A beam's azimuth is that of the head at the time of
// the beam plus that of beamAzimuths_deg; heads rotate clockwise. BeamReturn::range is measured
// from the beam's origin.
//
// Time: second 0 of the simulation is 2000-01-01T00:00:00 UTC, the start of an hour.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "output/packets/device_http.h"
#include "output/sweep.h"

namespace protobeam {

/// 2000-01-01T00:00:00 UTC as Unix time.
inline constexpr std::int64_t kUnixTimeOfStart = 946684800;

struct UdpPacket {
  double time = 0;         ///< s of simulated time at which the device has all of it; never falls
  std::uint16_t port = 0;  ///< of sender and receiver
  std::span<const std::uint8_t> payload;
};
using PacketSink = std::function<void(const UdpPacket&)>;

/// Addresses that the device has when it leaves its factory.
struct PacketAddress {
  std::array<std::uint8_t, 6> device_mac{}, host_mac{};
  std::array<std::uint8_t, 4> device_ip{}, host_ip{};
};

/// What a reader needs besides the packets: Ouster's metadata, a calibration.
struct SideFile {
  std::string extension;  ///< "json"
  std::string text;
};

class PacketEncoder {
 public:
  virtual ~PacketEncoder() = default;

  /// The packets that this sweep completes. Firings that do not fill a packet wait for the next
  /// sweep; those that were sent before (columns that a turning head has not yet passed again) and
  /// those whose time is no number are left out.
  virtual void encode(const TimedSweep& sweep, const PacketSink& sink) = 0;
  /// The last packet, filled up with firings that have no return.
  virtual void finish(const PacketSink& sink) = 0;

  /// The port of the data packets of a single device.
  virtual std::uint16_t usual_data_port() const = 0;
  /// Those of this device, that of the data packets first.
  virtual std::vector<std::uint16_t> ports() const = 0;
  virtual PacketAddress address() const = 0;
  /// What the device answers over HTTP while it sends with these settings; null: it has no HTTP.
  virtual std::unique_ptr<DeviceHttp> make_http(const DeviceSettings& /*settings*/) const {
    return nullptr;
  }
  /// Goes on with what has been set by HTTP. Firings that wait for a full packet are lost, as in a
  /// device that starts again.
  virtual void apply(const DeviceSettings& /*settings*/) {}
  /// With what has been seen of the device so far.
  virtual std::vector<SideFile> side_files() const { return {}; }
};

/// The products that have packets, as people write them: "VelodyneVLP-16", ...
const std::vector<std::string>& packet_products();
bool has_packets(const SweepSource& source);

/// `index` counts devices in one recording: each has its own addresses and ports (10 apart).
/// Throws std::invalid_argument: an unknown product (with those that there are), or properties that
/// are missing or do not fit ("lidar 'top' of robot 'car' (VelodyneVLP-16): ...").
std::unique_ptr<PacketEncoder> make_packet_encoder(const SweepSource& source, int index = 0);

}  // namespace protobeam
