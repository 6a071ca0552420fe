// Packets kept for a look at their bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "output/packets/packets.h"
#include "tests/unit/output/packet_room.h"

namespace protobeam {

struct KeptPacket {
  double time;
  std::uint16_t port;
  std::vector<std::uint8_t> bytes;

  unsigned byte(std::size_t at) const { return bytes.at(at); }
  unsigned little16(std::size_t at) const { return byte(at) | byte(at + 1) << 8; }
  unsigned big16(std::size_t at) const { return byte(at) << 8 | byte(at + 1); }
  std::uint32_t little32(std::size_t at) const { return little16(at) | little16(at + 2) << 16; }
  std::uint32_t big32(std::size_t at) const { return big16(at) << 16 | big16(at + 2); }
  std::uint64_t little64(std::size_t at) const {
    return little32(at) | static_cast<std::uint64_t>(little32(at + 4)) << 32;
  }
};

using KeptPackets = std::vector<KeptPacket>;

inline PacketSink keep_in(KeptPackets& packets) {
  return [&packets](const UdpPacket& p) {
    packets.push_back({p.time, p.port, {p.payload.begin(), p.payload.end()}});
  };
}

inline KeptPackets of_port(const KeptPackets& packets, std::uint16_t port) {
  KeptPackets chosen;
  for (const KeptPacket& p : packets) {
    if (p.port == port) chosen.push_back(p);
  }
  return chosen;
}

inline KeptPackets encode_all(PacketEncoder& encoder, const std::vector<TimedSweep>& sweeps) {
  KeptPackets packets;
  for (const TimedSweep& sweep : sweeps) encoder.encode(sweep, keep_in(packets));
  encoder.finish(keep_in(packets));
  return packets;
}

inline KeptPackets encode_all(const RoomLidar& lidar, const std::vector<TimedSweep>& sweeps) {
  return encode_all(*make_packet_encoder(lidar.source()), sweeps);
}

/// All beams of sweeps in the order of column and laser.
inline std::vector<BeamReturn> all_beams(const std::vector<TimedSweep>& sweeps) {
  std::vector<BeamReturn> beams;
  for (const TimedSweep& s : sweeps) beams.insert(beams.end(), s.beams.begin(), s.beams.end());
  return beams;
}

/// A point as a driver makes it: x forward, y left, z up.
struct DriverPoint {
  bool returned = false;
  Vec3 p{0, 0, 0};
  double distance = 0;  ///< m, as reported
  int intensity = 0;
  double time = 0;  ///< s past the hour, or of Unix time
};

}  // namespace protobeam
