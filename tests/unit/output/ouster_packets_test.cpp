// Ouster's packets and metadata against a second implementation of what ouster-sdk does with them.
#include "output/packets/ouster_packets.h"

#include <gmock/gmock.h>

#include "tests/unit/output/ouster_reader.h"

namespace protobeam {
namespace {

struct Case {
  int form, lasers, columns;
  const char* profile;
  const char* mode;
};

class OusterProfiles : public testing::TestWithParam<Case> {};

TEST_P(OusterProfiles, ReadersGetTheSamePoints) {
  const Case& c = GetParam();
  const RoomLidar lidar = ouster(c.form, c.lasers, c.columns);
  SweepSource source = lidar.source();
  source.properties["udpProfile"] = std::string(c.profile);
  const auto encoder = make_packet_encoder(source);
  const auto sweeps = room_sweeps(lidar, 2);
  const KeptPackets packets = encode_all(*encoder, sweeps);
  const Metadata m(encoder->side_files().at(0).text);
  EXPECT_EQ(encoder->side_files()[0].extension, "json");
  EXPECT_EQ(m.mode, c.mode);
  EXPECT_EQ(m.rows, static_cast<std::size_t>(c.lasers));
  EXPECT_EQ(m.columns_per_packet, 16u);
  EXPECT_EQ(m.port, 7502);
  EXPECT_EQ(m.product_line, "OS-" + std::to_string(c.form) + "-" + std::to_string(c.lasers));
  ASSERT_EQ(packets.size(), static_cast<std::size_t>(2 * c.columns / 16));
  const auto beams = all_beams(sweeps);
  std::size_t beam_number = 0;
  int hits = 0;
  for (std::size_t number = 0; number < packets.size(); ++number) {
    const KeptPacket& packet = packets[number];
    EXPECT_EQ(packet.port, 7502);
    if (!m.legacy) {
      EXPECT_EQ(packet.little16(0), 1u);
      EXPECT_EQ(packet.little64(4) & 0xffffff, m.initialization);
      EXPECT_EQ(packet.little64(7) & 0xffffffffff, m.serial);
    }
    for (std::size_t i = 0; i < 16; ++i) {
      const Column column = column_of(m, packet, i);
      ASSERT_EQ(column.id, (16 * number + i) % m.columns);
      ASSERT_EQ(column.frame, 16 * number / m.columns);
      ASSERT_EQ(column.status, m.legacy ? 0xffffffffu : 1u);
      if (m.legacy) {
        ASSERT_EQ(packet.little32(column.at + 12), column.id * 90112 / m.columns);
      }
      for (std::size_t row = 0; row < m.rows; ++row) {
        const BeamReturn& beam = beams[beam_number++];
        const std::size_t pixel = column.at + (m.legacy ? 16 : 12) + 12 * row;
        const double range = packet.little32(pixel) & (m.legacy ? 0xfffffu : 0x7ffffu);
        ASSERT_NEAR(static_cast<double>(column.timestamp), beam.time * 1e9, 1);
        ASSERT_EQ(packet.little16(pixel + 8), static_cast<unsigned>(beam.ambient));
        if (!std::isfinite(beam.range)) {
          ASSERT_EQ(range, 0);
          continue;
        }
        const Vec3 p = cartesian(m, row, column.id, range);
        ASSERT_LT((p - Vec3(beam.x, beam.y, beam.z)).norm(), 0.00052) << beam_number;
        ASSERT_EQ(packet.byte(pixel + 4), std::lround(beam.intensity * 255));
        ASSERT_EQ(packet.little16(pixel + 6), static_cast<unsigned>(beam.signal));
        ++hits;
      }
    }
  }
  EXPECT_EQ(beam_number, beams.size());
  EXPECT_GT(hits, 10000);
}

INSTANTIATE_TEST_SUITE_P(All, OusterProfiles,
                         testing::Values(Case{1, 64, 1024, "LEGACY", "1024x10"},
                                         Case{0, 32, 512, "LEGACY", "512x10"},
                                         Case{1, 128, 1024, "RNG19_RFL8_SIG16_NIR16", "1024x10"},
                                         Case{0, 64, 2048, "RNG19_RFL8_SIG16_NIR16", "2048x10"},
                                         Case{0, 32, 512, "RNG19_RFL8_SIG16_NIR16", "512x10"}));

// ouster-sdk, tests/metadata/3_0_1_os-122246000293.json: rows at 4.2, 1.42, -1.37 and -4.14 deg are
// shifted by 12, 4, -4 and -12 of 1024 columns.
TEST(OusterPackets, PixelShiftsAreThoseOfTheDevice) {
  RoomLidar lidar = ouster(1, 128, 1024);
  lidar.azimuths = {-4.2, -1.42, 1.37, 4.14};
  lidar.azimuths.resize(128, 0);
  const Metadata m(make_packet_encoder(lidar.source())->side_files().at(0).text);
  EXPECT_THAT(std::vector<double>(m.azimuths.begin(), m.azimuths.begin() + 4),
              testing::ElementsAre(4.2, 1.42, -1.37, -4.14));
  EXPECT_THAT(std::vector<int>(m.shifts.begin(), m.shifts.begin() + 4),
              testing::ElementsAre(12, 4, -4, -12));
}

TEST(OusterPackets, PartsOfAFrameComeWithColumnsMarkedInvalid) {
  const RoomLidar lidar = ouster(1, 32, 512);
  const auto encoder = make_packet_encoder(lidar.source());
  auto sweep = room_sweep(lidar, 0);
  std::erase_if(sweep.beams, [](const BeamReturn& b) { return b.column < 5 || b.column > 40; });
  const KeptPackets packets = encode_all(*encoder, {sweep});
  const Metadata m(encoder->side_files().at(0).text);
  ASSERT_EQ(packets.size(), 3u);
  for (std::size_t number = 0; number < 3; ++number) {
    for (std::size_t i = 0; i < 16; ++i) {
      const Column column = column_of(m, packets[number], i);
      EXPECT_EQ(column.id, 16 * number + i);
      EXPECT_EQ(column.status, column.id >= 5 && column.id <= 40 ? 1u : 0u);
    }
  }
}

TEST(OusterPackets, SweepsNeedNotBeginAtColumn0) {
  const RoomLidar lidar = ouster(1, 32, 512);
  const auto encoder = make_packet_encoder(lidar.source());
  const KeptPackets packets =
      encode_all(*encoder, room_sweeps(lidar, 2, 100.4 * lidar.firing_period));
  const Metadata m(encoder->side_files().at(0).text);
  unsigned id = 100;
  int valid = 0;
  for (const KeptPacket& packet : packets) {
    for (std::size_t i = 0; i < 16; ++i) {
      const Column column = column_of(m, packet, i);
      if (column.status == 0) continue;
      EXPECT_EQ(column.id, id % 512);
      EXPECT_EQ(column.frame, id / 512);
      ++id;
      ++valid;
    }
  }
  EXPECT_EQ(valid, 1024);
}

// The numbers are those of ouster-sdk, parsing.cpp: packet_format::Impl (header 32, columns of 12
// or 16 + 4 bytes, footer 32), single_field_info and legacy_field_info (pixels of 12 bytes).
TEST(OusterPackets, BytesLieWhereTheSdkReadsThem) {
  const auto packets_of = [](const RoomLidar& lidar, const char* profile, const TimedSweep& sweep) {
    SweepSource source = lidar.source();
    source.properties["udpProfile"] = std::string(profile);
    return encode_all(*make_packet_encoder(source), {sweep});
  };
  const struct {
    int lasers;
    const char* profile;
    std::size_t size;
  } sizes[] = {{32, "LEGACY", 6464},
               {64, "LEGACY", 12608},
               {128, "LEGACY", 24896},
               {32, "RNG19_RFL8_SIG16_NIR16", 6400},
               {64, "RNG19_RFL8_SIG16_NIR16", 12544},
               {128, "RNG19_RFL8_SIG16_NIR16", 24832}};
  for (const auto& expected : sizes) {
    const RoomLidar lidar = ouster(1, expected.lasers, 1024);
    const KeptPackets packets = packets_of(lidar, expected.profile, room_sweep(lidar, 0));
    EXPECT_EQ(packets.at(0).bytes.size(), expected.size) << expected.profile;
  }

  const RoomLidar lidar = ouster(1, 64, 1024);
  auto sweep = room_sweep(lidar, 0);
  for (BeamReturn& beam : sweep.beams) beam.range = std::numeric_limits<float>::infinity();
  BeamReturn& beam = sweep.beams[21 * 64 + 7];  // column 5 of packet 1
  beam.range = 4.984194f;                       // and 15.806 mm from the axis to its start
  beam.intensity = 200 / 255.0f;
  beam.signal = 0x1234;
  beam.ambient = 0x0567;

  const KeptPacket now = packets_of(lidar, "RNG19_RFL8_SIG16_NIR16", sweep).at(1);
  EXPECT_EQ(now.little64(3932), 2050781u);  // ns: 21 of 1024 columns of 0.1 s
  EXPECT_EQ(now.little16(3940), 21u);
  EXPECT_EQ(now.little16(3942), 1u);
  EXPECT_EQ(now.little32(4028), 5000u);
  EXPECT_EQ(now.byte(4032), 200u);
  EXPECT_EQ(now.little16(4034), 0x1234u);
  EXPECT_EQ(now.little16(4036), 0x0567u);

  const KeptPacket old = packets_of(lidar, "LEGACY", sweep).at(1);
  EXPECT_EQ(old.little64(3940), 2050781u);
  EXPECT_EQ(old.little16(3948), 21u);
  EXPECT_EQ(old.little16(3950), 0u);
  EXPECT_EQ(old.little32(3952), 21u * 88);  // 90112 ticks a turn
  EXPECT_EQ(old.little32(4040), 5000u);
  EXPECT_EQ(old.little16(4044), 200u);
  EXPECT_EQ(old.little16(4046), 0x1234u);
  EXPECT_EQ(old.little16(4048), 0x0567u);
  EXPECT_EQ(old.little32(4724), 0xffffffffu);
}

/// CRC-64/XZ bit by bit, without a table.
std::uint64_t slow_crc(const std::vector<std::uint8_t>& bytes, std::size_t size) {
  std::uint64_t crc = ~std::uint64_t{0};
  for (std::size_t i = 0; i < size; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >> 1) ^ 0xc96c5795d7870f42 : crc >> 1;
  }
  return ~crc;
}

TEST(OusterPackets, PacketsEndWithTheirChecksum) {
  const std::string nine = "123456789";
  ASSERT_EQ(slow_crc({nine.begin(), nine.end()}, 9), 0x995dc9bbdf1939fau);  // the known check value
  const RoomLidar lidar = ouster(1, 32, 512);
  for (const KeptPacket& packet : encode_all(lidar, room_sweeps(lidar, 1))) {
    ASSERT_EQ(packet.little64(packet.bytes.size() - 8),
              slow_crc(packet.bytes, packet.bytes.size() - 8));
  }
}

TEST(OusterPackets, TheStrongestReturnIsTold) {
  const RoomLidar lidar = ouster(1, 32, 512);
  auto sweep = room_sweep(lidar, 0);
  BeamReturn second = sweep.beams[0];
  second.range += 4;
  second.signal = 60000;
  sweep.beams.push_back(second);
  const KeptPackets packets = encode_all(lidar, {sweep});
  EXPECT_NEAR(packets[0].little32(44) & 0x7ffff, 1000 * second.range + 15.806, 0.51);
  EXPECT_EQ(packets[0].little16(50), 60000u);
}

}  // namespace
}  // namespace protobeam
