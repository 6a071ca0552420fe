// RoboSense's packets against a second implementation of rs_driver's RSHELIOS decoder.
#include "output/packets/robosense_packets.h"

#include <gmock/gmock.h>

#include "tests/unit/output/packet_check.h"

namespace protobeam {
namespace {

constexpr double kUnixTime2000 = 946684800;

/// What decodeDifopPkt takes from a packet.
struct Difop {
  double rounds_per_second = 10;
  bool dual = false;
  std::vector<int> vertical, horizontal;  ///< 0.01 deg
};

Difop read_difop(const KeptPacket& packet) {
  EXPECT_EQ(packet.bytes.size(), 1248u);
  EXPECT_EQ(packet.big32(0), 0xa5ff005au);
  EXPECT_EQ(packet.big32(4), 0x11115555u);
  EXPECT_EQ(packet.big16(1246), 0x0ff0u);
  EXPECT_EQ(packet.big16(32), 0u);
  EXPECT_EQ(packet.big16(34), 36000u);
  Difop difop;
  difop.rounds_per_second = packet.big16(8) / 60.0;
  difop.dual = packet.byte(300) == 0;
  for (std::size_t laser = 0; laser < 32; ++laser) {
    const auto angle = [&](std::size_t at) {
      EXPECT_LE(packet.byte(at), 1u);
      const int value = static_cast<int>(packet.big16(at + 1));
      return packet.byte(at) != 0 ? -value : value;
    };
    difop.vertical.push_back(angle(468 + 3 * laser));
    difop.horizontal.push_back(angle(564 + 3 * laser));
  }
  return difop;
}

double unix_time(const KeptPacket& packet, std::size_t at) {
  const double high = packet.big16(at);
  return high * 4294967296.0 + packet.big32(at + 2) + 1e-6 * packet.big32(at + 6);
}

/// Single- and DualReturnBlockIterator, then internDecodeMsopPkt; azimuths in 0.01 deg.
std::vector<DriverPoint> decode(const KeptPacket& packet, const Difop& difop) {
  EXPECT_EQ(packet.bytes.size(), 1248u);
  EXPECT_EQ(packet.big32(0), 0x55aa055au);
  EXPECT_EQ(packet.big16(1246), 0x00ffu);
  const double start = unix_time(packet, 20);
  const auto azimuth = [&](int block) {
    return static_cast<int>(packet.big16(static_cast<std::size_t>(42 + 100 * block + 2)));
  };
  const int step = difop.dual ? 2 : 1;
  const double whole = std::round(36000 * difop.rounds_per_second * 55.56e-6);
  std::vector<DriverPoint> points;
  for (int block = 0; block < 12; ++block) {
    const auto at = static_cast<std::size_t>(42 + 100 * block);
    EXPECT_EQ(packet.big16(at), 0xffeeu);
    const int first = block / step * step;
    double turned = whole;
    if (first + step < 12) turned = (azimuth(first + step) - azimuth(first) + 36000) % 36000;
    EXPECT_LE(turned, 100);
    for (int channel = 0; channel < 32; ++channel) {
      const std::size_t data = at + 4 + 3 * static_cast<std::size_t>(channel);
      const double late = 1.73 * channel;
      const int horizontal = azimuth(block) + static_cast<int>(turned * late / 55.56);
      const auto i = static_cast<std::size_t>(channel);
      const double h = horizontal * kPi / 18000, v = difop.vertical[i] * kPi / 18000;
      const double last = (horizontal + difop.horizontal[i]) * kPi / 18000;
      DriverPoint point;
      point.distance = packet.big16(data) * 0.0025;
      point.returned = point.distance >= 0.1 && point.distance <= 180;
      point.p = {point.distance * std::cos(v) * std::cos(last) + 0.03498 * std::cos(h),
                 -point.distance * std::cos(v) * std::sin(last) - 0.03498 * std::sin(h),
                 point.distance * std::sin(v)};
      point.intensity = static_cast<int>(packet.byte(data + 2));
      point.time = start + (first / step) * 55.56e-6 + late * 1e-6;
      points.push_back(point);
    }
  }
  return points;
}

TEST(RobosensePackets, DriversGetTheSamePoints) {
  const RoomLidar lidar = helios();
  const auto sweeps = room_sweeps(lidar, 3);
  const auto beams = all_beams(sweeps);
  const KeptPackets packets = encode_all(lidar, sweeps);
  ASSERT_EQ(packets[0].port, 7788);  // without it a driver waits
  const Difop difop = read_difop(packets[0]);
  EXPECT_DOUBLE_EQ(difop.rounds_per_second, 10);
  EXPECT_FALSE(difop.dual);
  std::size_t i = 0;
  int hits = 0;
  for (const KeptPacket& packet : of_port(packets, 6699)) {
    for (const DriverPoint& point : decode(packet, difop)) {
      ASSERT_LT(i, beams.size());
      const BeamReturn& beam = beams[i++];
      ASSERT_EQ(point.returned, std::isfinite(beam.range)) << i;
      ASSERT_NEAR(point.time, kUnixTime2000 + beam.time, 1.5e-6);
      if (!point.returned) continue;
      ++hits;
      const double off = (point.p - Vec3(beam.x, beam.y, beam.z)).norm();
      // Half a unit; elevation and offset to 0.005 deg each, the driver's azimuth to 0.01 deg less
      // what it cuts off.
      ASSERT_LT(off, 0.00126 + beam.range * 0.031 * kPi / 180 + 1e-5) << i;
      ASSERT_EQ(point.intensity, std::lround(beam.intensity * 255));
    }
  }
  EXPECT_EQ(i, beams.size());
  EXPECT_GT(hits, 100000);
}

TEST(RobosensePackets, TheDifopTellsAnglesRateAndMode) {
  RoomLidar lidar = helios();
  lidar.return_mode = "last";
  lidar.frequency = 20;  // as a controller may set it, from the second sweep on
  auto source = lidar.source();
  source.properties["defaultFrequency"] = 10.0;
  const auto encoder = make_packet_encoder(source);
  const KeptPackets packets = of_port(encode_all(*encoder, room_sweeps(lidar, 22)), 7788);
  ASSERT_EQ(packets.size(), 3u);  // 2.2 s
  EXPECT_NEAR(packets[1].time - packets[0].time, 1, 0.001);
  EXPECT_NEAR(packets[2].time - packets[1].time, 1, 0.001);
  for (const KeptPacket& packet : packets) {
    const Difop difop = read_difop(packet);
    EXPECT_EQ(packet.byte(300), 5u);
    EXPECT_NEAR(unix_time(packet, 303), kUnixTime2000 + packet.time, 1e-4);
    EXPECT_EQ(packet.big16(24), 6699u);
    EXPECT_EQ(packet.big16(28), 7788u);
    for (std::size_t laser = 0; laser < 32; ++laser) {
      EXPECT_NEAR(difop.vertical[laser], 100 * lidar.elevations[laser], 0.51);
      EXPECT_NEAR(difop.horizontal[laser], -100 * lidar.azimuths[laser], 0.51);
    }
  }
  EXPECT_EQ(packets[0].big16(8), 1200u);
  EXPECT_EQ(packets[2].big16(8), 1200u);
  EXPECT_EQ(std::string(packets[1].bytes.begin() + 382, packets[1].bytes.begin() + 391),
            "$GPRMC,00");
}

TEST(RobosensePackets, TwoReturnsArePairsOfBlocksFirstFirst) {
  RoomLidar lidar = helios();
  lidar.return_mode = "dual";
  auto sweeps = room_sweeps(lidar, 1);
  const auto beams = sweeps[0].beams;
  for (const BeamReturn& beam : beams) {
    BeamReturn second = beam;
    second.range += 2;
    if (beam.beam % 3 != 0) sweeps[0].beams.push_back(second);
  }
  const KeptPackets packets = encode_all(lidar, sweeps);
  const Difop difop = read_difop(packets[0]);
  EXPECT_TRUE(difop.dual);
  std::size_t i = 0;
  for (const KeptPacket& packet : of_port(packets, 6699)) {
    const auto points = decode(packet, difop);
    for (std::size_t block = 0; block < 12; block += 2) {
      for (std::size_t channel = 0; channel < 32; ++channel, ++i) {
        const BeamReturn& beam = beams[i];
        const DriverPoint& first = points[32 * block + channel];
        const DriverPoint& second = points[32 * (block + 1) + channel];
        ASSERT_EQ(first.returned, std::isfinite(beam.range));
        ASSERT_NEAR(first.time, kUnixTime2000 + beam.time, 1.5e-6);
        ASSERT_EQ(first.time, second.time);
        if (!first.returned) continue;
        ASSERT_NEAR(first.distance, beam.range, 0.0013);
        ASSERT_NEAR(second.distance, beam.range + (beam.beam % 3 != 0 ? 2 : 0), 0.0013);
      }
    }
  }
  EXPECT_EQ(i, beams.size());
}

TEST(RobosensePackets, TheTemperatureIs25Degrees) {
  const KeptPacket packet = of_port(encode_all(helios(), room_sweeps(helios(), 1)), 6699)[0];
  // basic_attr.hpp, parseTempInLe, with 0.0625 deg a step
  const unsigned steps = ((packet.byte(39) & 0x7f) << 5) + (packet.byte(38) >> 3);
  EXPECT_DOUBLE_EQ(steps * 0.0625, 25);
}

}  // namespace
}  // namespace protobeam
