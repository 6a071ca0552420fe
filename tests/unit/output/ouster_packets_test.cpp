// Ouster's packets and metadata against a second implementation of what ouster-sdk does with them.
#include "output/packets/ouster_packets.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/unit/output/packet_check.h"

namespace protobeam {
namespace {

using Json = nlohmann::json;

/// sensor_info.cpp
struct Metadata {
  explicit Metadata(const std::string& text) {
    const Json json = Json::parse(text);
    // Without one of these the reader takes the file for that of an older firmware.
    for (const char* section :
         {"sensor_info", "beam_intrinsics", "imu_intrinsics", "lidar_intrinsics", "config_params",
          "lidar_data_format", "calibration_status"}) {
      EXPECT_TRUE(json.contains(section)) << section;
    }
    const Json& format = json["lidar_data_format"];
    columns = format["columns_per_frame"];
    rows = format["pixels_per_column"];
    columns_per_packet = format["columns_per_packet"];
    legacy = format["udp_profile_lidar"] == "LEGACY";
    shifts = format["pixel_shift_by_row"].get<std::vector<int>>();
    azimuths = json["beam_intrinsics"]["beam_azimuth_angles"].get<std::vector<double>>();
    altitudes = json["beam_intrinsics"]["beam_altitude_angles"].get<std::vector<double>>();
    n = json["beam_intrinsics"]["lidar_origin_to_beam_origin_mm"];
    EXPECT_EQ(json["beam_intrinsics"]["beam_to_lidar_transform"][3], n);
    to_sensor = json["lidar_intrinsics"]["lidar_to_sensor_transform"].get<std::vector<double>>();
    serial = std::stoull(json["sensor_info"]["prod_sn"].get<std::string>());
    initialization = json["sensor_info"]["initialization_id"];
    product_line = json["sensor_info"]["prod_line"];
    mode = json["config_params"]["lidar_mode"];
    port = json["config_params"]["udp_port_lidar"];
  }
  std::size_t rows, columns, columns_per_packet;
  bool legacy;
  std::vector<int> shifts;
  std::vector<double> azimuths, altitudes, to_sensor;
  double n;
  std::uint64_t serial, initialization;
  std::string product_line, mode;
  int port;
};

/// xyzlut.cpp: a range in mm of a row and a column, in the sensor frame, in m.
Vec3 cartesian(const Metadata& m, std::size_t row, std::size_t column, double range) {
  const double encoder =
      2 * kPi * (1 - static_cast<double>(column) / static_cast<double>(m.columns));
  const double azimuth = -m.azimuths[row] * kPi / 180, altitude = m.altitudes[row] * kPi / 180;
  const Vec3 direction(std::cos(encoder + azimuth) * std::cos(altitude),
                       std::sin(encoder + azimuth) * std::cos(altitude), std::sin(altitude));
  const Vec3 lidar =
      (range - m.n) * direction + m.n * Vec3(std::cos(encoder), std::sin(encoder), 0);
  Vec3 sensor;
  for (int i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(4 * i);
    sensor[i] = m.to_sensor[at] * lidar.x() + m.to_sensor[at + 1] * lidar.y() +
                m.to_sensor[at + 2] * lidar.z() + m.to_sensor[at + 3];
  }
  return sensor / 1000;
}

/// parsing.cpp: offsets of columns and fields.
struct Column {
  std::uint64_t timestamp;
  unsigned id, frame, status;
  std::size_t at;
};

Column column_of(const Metadata& m, const KeptPacket& packet, std::size_t i) {
  const std::size_t size = m.legacy ? 16 + 12 * m.rows + 4 : 12 + 12 * m.rows;
  const std::size_t at = (m.legacy ? 0 : 32) + i * size;
  EXPECT_EQ(packet.bytes.size(), (m.legacy ? 0 : 64) + 16 * size);
  return {packet.little64(at), packet.little16(at + 8),
          m.legacy ? packet.little16(at + 10) : packet.little16(2),
          m.legacy ? packet.little32(at + size - 4) : packet.little16(at + 10), at};
}

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
