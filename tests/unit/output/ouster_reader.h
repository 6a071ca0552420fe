// A second implementation of what ouster-sdk does with Ouster's packets and metadata.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/output/packet_check.h"

namespace protobeam {

/// sensor_info.cpp
struct Metadata {
  explicit Metadata(const std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text);
    // Without one of these the reader takes the file for that of an older firmware.
    for (const char* section :
         {"sensor_info", "beam_intrinsics", "imu_intrinsics", "lidar_intrinsics", "config_params",
          "lidar_data_format", "calibration_status"}) {
      EXPECT_TRUE(json.contains(section)) << section;
    }
    const nlohmann::json& format = json["lidar_data_format"];
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
inline Vec3 cartesian(const Metadata& m, std::size_t row, std::size_t column, double range) {
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

inline Column column_of(const Metadata& m, const KeptPacket& packet, std::size_t i) {
  const std::size_t size = m.legacy ? 16 + 12 * m.rows + 4 : 12 + 12 * m.rows;
  const std::size_t at = (m.legacy ? 0 : 32) + i * size;
  EXPECT_EQ(packet.bytes.size(), (m.legacy ? 0 : 64) + 16 * size);
  return {packet.little64(at), packet.little16(at + 8),
          m.legacy ? packet.little16(at + 10) : packet.little16(2),
          m.legacy ? packet.little32(at + size - 4) : packet.little16(at + 10), at};
}

}  // namespace protobeam
