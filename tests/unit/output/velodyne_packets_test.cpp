// Velodyne's packets against a second implementation of what drivers do with them.
#include "output/packets/velodyne_packets.h"

#include <gmock/gmock.h>

#include <functional>

#include "tests/support/pattern.h"
#include "tests/unit/output/packet_check.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

using testing::StartsWith;

/// One channel of a block: the driver's laser, and the azimuth that it assumes, clockwise.
DriverPoint point(const RoomLidar& lidar, const KeptPacket& packet, int block, int channel,
                  int laser, double azimuth_deg, double unit) {
  const auto at = static_cast<std::size_t>(100 * block + 4 + 3 * channel);
  const auto i = static_cast<std::size_t>(laser);
  DriverPoint point;
  point.distance = packet.little16(at) * unit;
  point.returned = packet.little16(at) != 0;
  point.intensity = static_cast<int>(packet.byte(at + 2));
  const double v = lidar.elevations[i] * kDegree;
  const double turned = azimuth_deg * kDegree - lidar.azimuths[i] * kDegree;
  const double x = point.distance * std::cos(v) * std::sin(turned);
  const double y = point.distance * std::cos(v) * std::cos(turned);
  point.p = {y, -x, point.distance * std::sin(v)};
  return point;
}

double azimuth_of(const KeptPacket& packet, int block) {
  return 0.01 * packet.little16(static_cast<std::size_t>(100 * block + 2));
}

/// ros-drivers/velodyne, rawdata.cpp, unpack_vlp16 and buildTimings: azimuth and time of each laser
/// between those of the blocks.
std::vector<DriverPoint> decode_vlp16(const RoomLidar& lidar, const KeptPacket& packet) {
  std::vector<DriverPoint> points;
  double step = 0;
  for (int block = 0; block < 12; ++block) {
    EXPECT_EQ(packet.little16(static_cast<std::size_t>(100 * block)), 0xeeffu);
    if (block < 11) {
      step = std::fmod(360 + azimuth_of(packet, block + 1) - azimuth_of(packet, block), 360);
    }
    for (int channel = 0; channel < 32; ++channel) {
      const int laser = channel % 16, firing = channel / 16;
      const double us = laser * 2.304 + firing * 55.296;
      const double azimuth = azimuth_of(packet, block) + step * us / 110.592;
      points.push_back(point(lidar, packet, block, channel, laser, azimuth, 0.002));
      points.back().time = 1e-6 * (packet.little32(1200) + block * 110.592 + us);
    }
  }
  return points;
}

/// RawData::unpack for all others: no correction within a block. `rotation` adds what the head
/// turns until a laser fires, which these drivers leave out.
std::vector<DriverPoint> decode_plain(const RoomLidar& lidar, const KeptPacket& packet, double unit,
                                      bool rotation = true) {
  std::vector<DriverPoint> points;
  const int banks = lidar.lasers() / 32;
  for (int block = 0; block < 12; ++block) {
    const unsigned flag = packet.little16(static_cast<std::size_t>(100 * block));
    EXPECT_EQ(flag, block % banks == 0 ? 0xeeffu : 0xddffu);
    for (int channel = 0; channel < 32; ++channel) {
      const int laser = channel + (flag == 0xddff ? 32 : 0);
      const double late = lidar.times[static_cast<std::size_t>(laser)];
      const double azimuth =
          azimuth_of(packet, block) + (rotation ? 360 * lidar.frequency * late : 0);
      points.push_back(point(lidar, packet, block, channel, laser, azimuth, unit));
      points.back().time =
          1e-6 * packet.little32(1200) + block / banks * lidar.firing_period + late;
    }
  }
  return points;
}

struct Device {
  std::function<RoomLidar()> lidar;
  double unit;
  unsigned product;
  std::function<std::vector<DriverPoint>(const RoomLidar&, const KeptPacket&)> decode;
};

void expect_same(const std::vector<DriverPoint>& points, const std::vector<BeamReturn>& beams,
                 double unit) {
  ASSERT_GE(points.size(), beams.size());
  int wrong = 0, hits = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool hit = i < beams.size() && std::isfinite(beams[i].range);
    ASSERT_EQ(points[i].returned, hit) << i;
    if (!hit) continue;
    ++hits;
    const BeamReturn& beam = beams[i];
    const double off = (points[i].p - Vec3(beam.x, beam.y, beam.z)).norm();
    // Half a unit, and the driver's two roundings of azimuths to 0.01 deg.
    if (off > unit / 2 + beam.range * 0.0151 * kDegree + 1e-5) ++wrong;
    ASSERT_EQ(points[i].intensity, std::lround(beam.intensity * 255)) << i;
    ASSERT_NEAR(points[i].time, beam.time, 1.1e-6) << i;
  }
  EXPECT_EQ(wrong, 0) << "of " << hits;
  EXPECT_GT(hits, 10000);
}

class VelodyneDevices : public testing::TestWithParam<Device> {};

TEST_P(VelodyneDevices, DriversGetTheSamePoints) {
  const RoomLidar lidar = GetParam().lidar();
  // Sweeps that do not end with a packet: what is left goes into the next one's first packet.
  auto sweeps = room_sweeps(lidar, 3);
  const KeptPackets packets = of_port(encode_all(lidar, sweeps), 2368);
  std::vector<DriverPoint> points;
  for (const KeptPacket& packet : packets) {
    ASSERT_EQ(packet.bytes.size(), 1206u);
    if (GetParam().product != 0) {
      EXPECT_EQ(packet.byte(1204), 0x37u);
      EXPECT_EQ(packet.byte(1205), GetParam().product);
    }
    const auto more = GetParam().decode(lidar, packet);
    points.insert(points.end(), more.begin(), more.end());
  }
  EXPECT_LT(points.size() - all_beams(sweeps).size(), 384u);
  // Lasers of a block fire one after another: the order of a packet is that of lasers.
  expect_same(points, all_beams(sweeps), GetParam().unit);
}

std::vector<DriverPoint> two_millimetres(const RoomLidar& lidar, const KeptPacket& packet) {
  return decode_plain(lidar, packet, 0.002);
}
std::vector<DriverPoint> four_millimetres(const RoomLidar& lidar, const KeptPacket& packet) {
  return decode_plain(lidar, packet, 0.004);
}

INSTANTIATE_TEST_SUITE_P(All, VelodyneDevices,
                         testing::Values(Device{vlp16, 0.002, 0x22, decode_vlp16},
                                         Device{hdl32e, 0.002, 0x21, two_millimetres},
                                         Device{vlp32c, 0.004, 0x28, four_millimetres},
                                         Device{hdl64e, 0.002, 0, two_millimetres}));

TEST(VelodynePackets, APuckHiResTellsItsOwnProduct) {
  RoomLidar lidar = vlp16();
  lidar.product = "VelodynePuck";
  for (double& elevation : lidar.elevations) elevation *= 2.0 / 3;
  const KeptPackets packets = encode_all(lidar, room_sweeps(lidar, 1));
  EXPECT_EQ(packets[0].byte(1205), 0x24u);
}

TEST(VelodynePackets, PacketsWaitForTheirLastFiring) {
  const RoomLidar lidar = vlp16();
  const auto encoder = make_packet_encoder(lidar.source());
  KeptPackets packets;
  encoder->encode(room_sweep(lidar, 0), keep_in(packets));
  packets = of_port(packets, 2368);
  ASSERT_EQ(packets.size(), 1808u / 24);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    EXPECT_NEAR(packets[i].time, static_cast<double>(24 * (i + 1)) * 55.296e-6, 1e-9);
  }
  KeptPackets last;
  encoder->finish(keep_in(last));
  last = of_port(last, 2368);
  ASSERT_EQ(last.size(), 1u);  // 8 firings of 24
  EXPECT_NE(last[0].little16(4 + 100 * 3), 0u);
  EXPECT_EQ(last[0].little16(4 + 100 * 4), 0u);
  const double step = azimuth_of(last[0], 11) - azimuth_of(last[0], 10);
  EXPECT_NEAR(step, 360 * 10 * 110.592e-6, 0.011);
}

TEST(VelodynePackets, TimeStampsStartAgainEachHour) {
  const RoomLidar lidar = hdl32e();
  const KeptPackets packets =
      of_port(encode_all(lidar, {room_sweep(lidar, 2 * 3600 - 0.05)}), 2368);
  EXPECT_EQ(packets.front().little32(1200), 3'599'950'000u);
  EXPECT_LT(packets.back().little32(1200), 60'000u);
}

TEST(VelodynePackets, AzimuthsGoRoundAt360Degrees) {
  const RoomLidar lidar = vlp32c();
  unsigned highest = 0, lowest = 36000;
  for (const KeptPacket& packet : of_port(encode_all(lidar, room_sweeps(lidar, 20)), 2368)) {
    for (std::size_t block = 0; block < 12; ++block) {
      highest = std::max(highest, packet.little16(100 * block + 2));
      lowest = std::min(lowest, packet.little16(100 * block + 2));
    }
  }
  EXPECT_LT(highest, 36000u);
  EXPECT_GT(highest, 35995u);
  EXPECT_LT(lowest, 5u);
}

/// Two returns for each beam: the nearer one is that of the room.
std::vector<TimedSweep> with_second_returns(const RoomLidar& lidar, float behind,
                                            float second_signal) {
  auto sweeps = room_sweeps(lidar, 1);
  std::vector<BeamReturn> beams;
  for (const BeamReturn& beam : sweeps[0].beams) {
    BeamReturn first = beam, second = beam;
    first.signal = 100;
    second.range += behind;
    second.signal = second_signal;
    second.intensity = 200.0f / 255;
    // As a device delivers them: the order does not matter.
    beams.push_back(beam.beam % 2 == 0 ? first : second);
    beams.push_back(beam.beam % 2 == 0 ? second : first);
  }
  sweeps[0].beams = beams;
  return sweeps;
}

TEST(VelodynePackets, DualReturnsArePairsOfBlocksLastFirst) {
  for (const float signal : {1.0f, 500.0f}) {  // the last is the weaker, the stronger one
    for (RoomLidar lidar : {vlp16(), hdl32e(), hdl64e()}) {
      lidar.return_mode = "dual";
      const std::size_t banks = lidar.lasers() == 64 ? 2 : 1;
      const auto single = room_sweep(lidar, 0).beams;
      const auto packets = of_port(encode_all(lidar, with_second_returns(lidar, 3, signal)), 2368);
      const std::size_t channels = 12 * 32 / 2;
      ASSERT_EQ(packets.size(), (single.size() + channels - 1) / channels);
      std::size_t beam = 0;
      for (const KeptPacket& packet : packets) {
        EXPECT_TRUE(banks == 2 || packet.byte(1204) == 0x39u);
        for (std::size_t block = 0; block < 12; block += 2 * banks) {
          for (std::size_t bank = 0; bank < banks; ++bank) {
            const std::size_t last = 100 * (block + bank), strongest = last + 100 * banks;
            ASSERT_EQ(packet.little32(last), packet.little32(strongest));  // flag and azimuth
            for (std::size_t i = 0; i < 32 && beam < single.size(); ++i, ++beam) {
              const float range = single[beam].range;
              const std::size_t channel = 4 + 3 * i;
              if (!std::isfinite(range)) {
                ASSERT_EQ(packet.little16(last + channel), 0u);
                ASSERT_EQ(packet.little16(strongest + channel), 0u);
                continue;
              }
              ASSERT_NEAR(packet.little16(last + channel) * 0.002, range + 3, 0.00101);
              ASSERT_NEAR(packet.little16(strongest + channel) * 0.002, range, 0.00101);
              ASSERT_EQ(packet.byte(last + channel + 2), 200u);
            }
          }
        }
      }
      EXPECT_EQ(beam, single.size());
    }
  }
}

TEST(VelodynePackets, OneReturnIsToldTwiceInDualMode) {
  RoomLidar lidar = hdl32e();
  lidar.return_mode = "dual";
  for (const KeptPacket& packet : of_port(encode_all(lidar, room_sweeps(lidar, 1)), 2368)) {
    for (std::size_t block = 0; block < 12; block += 2) {
      const auto at = packet.bytes.begin() + static_cast<std::ptrdiff_t>(100 * block);
      ASSERT_TRUE(std::equal(at, at + 100, at + 100));
    }
  }
}

TEST(VelodynePackets, SingleReturnIsTheStrongestOrTheLast) {
  RoomLidar lidar = vlp32c();
  const float range = room_sweep(lidar, 0).beams[0].range;
  const auto first_distance = [&](const std::string& mode, float signal, unsigned code) {
    lidar.return_mode = mode;
    const KeptPackets packets = encode_all(lidar, with_second_returns(lidar, 3, signal));
    EXPECT_EQ(packets[0].byte(1204), code);
    return packets[0].little16(4) * 0.004;
  };
  EXPECT_NEAR(first_distance("strongest", 1, 0x37), range, 0.0021);
  EXPECT_NEAR(first_distance("strongest", 500, 0x37), range + 3, 0.0021);
  EXPECT_NEAR(first_distance("last", 1, 0x38), range + 3, 0.0021);
}

TEST(VelodynePackets, APositionPacketFollowsEach14thDataPacket) {
  const RoomLidar lidar = vlp16();
  const double start = 86400 * 60 + 3 * 3600 + 4 * 60 + 5.2;  // 2000-03-01, a leap year
  const auto encoder = make_packet_encoder(lidar.source());
  const KeptPackets packets = encode_all(*encoder, room_sweeps(lidar, 2, start));
  ASSERT_EQ(packets.size(), 151u + 10);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const KeptPacket& packet = packets[i];
    if (i % 15 != 14) {
      EXPECT_EQ(packet.port, 2368);
      continue;
    }
    EXPECT_EQ(packet.port, 8308);
    ASSERT_EQ(packet.bytes.size(), 512u);
    EXPECT_NEAR(packet.little32(198) * 1e-6, packet.time - 86400 * 60 - 3 * 3600, 1e-6);
    EXPECT_EQ(packet.byte(202), 2u);  // locked to PPS
    const std::string text(packet.bytes.begin() + 206, packet.bytes.end());
    const auto match = test::Pattern(R"(^\$(GPRMC,[^*]*)\*(..)\r\n)").find(text);
    ASSERT_EQ(match.size(), 3u);
    EXPECT_THAT(match[1], StartsWith("GPRMC,030405,A,"));
    EXPECT_THAT(match[1], testing::HasSubstr(",010300,"));
    unsigned sum = 0;
    for (const char c : match[1]) sum ^= static_cast<unsigned>(c);
    EXPECT_EQ(std::stoul(match[2], nullptr, 16), sum);
    for (std::size_t rest = 206 + match[0].size(); rest < 512; ++rest) {
      ASSERT_EQ(packet.byte(rest), 0u);
    }
  }
}

}  // namespace
}  // namespace protobeam
