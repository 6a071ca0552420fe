#include "output/packets/ouster_packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "output/packets/bytes.h"
#include "output/packets/ouster_config.h"
#include "output/packets/ouster_http.h"

namespace protobeam {
namespace {

constexpr std::size_t kFooter = 32, kPixel = 12;
constexpr std::uint32_t kTicks = 90112;  // of the encoder, a revolution

struct Mode {
  int columns, frequency;
};
constexpr Mode kModes[] = {{512, 10}, {512, 20}, {1024, 10}, {1024, 20}, {2048, 10}, {4096, 5}};

/// CRC-64/XZ, the last eight bytes of a packet (ouster-sdk, parsing.cpp).
std::uint64_t crc64(std::span<const std::uint8_t> bytes) {
  // What a byte becomes when 0 to 7 others follow it, so that eight are taken at a time.
  static const auto kTables = [] {
    std::array<std::array<std::uint64_t, 256>, 8> tables{};
    for (std::uint64_t i = 0; i < 256; ++i) {
      std::uint64_t r = i;
      for (int bit = 0; bit < 8; ++bit) r = (r >> 1) ^ (r & 1 ? 0xc96c5795d7870f42 : 0);
      tables[0][i] = r;
    }
    for (std::size_t k = 1; k < 8; ++k) {
      for (std::size_t i = 0; i < 256; ++i) {
        const std::uint64_t r = tables[k - 1][i];
        tables[k][i] = tables[0][r & 0xff] ^ (r >> 8);
      }
    }
    return tables;
  }();
  std::uint64_t crc = ~std::uint64_t{0};
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    for (std::size_t k = 0; k < 8; ++k) crc ^= std::uint64_t{bytes[k]} << (8 * k);
    std::uint64_t next = 0;
    for (std::size_t k = 0; k < 8; ++k) next ^= kTables[7 - k][(crc >> (8 * k)) & 0xff];
    crc = next;
  }
  for (const std::uint8_t byte : bytes) crc = kTables[0][(crc ^ byte) & 0xff] ^ (crc >> 8);
  return ~crc;
}

std::uint16_t counts(float value) {
  if (!(value > 0)) return 0;
  return static_cast<std::uint16_t>(double{std::min(value, 65535.0f)} + 0.5);
}

/// As people would write it; never -0.
double rounded(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }

nlohmann::ordered_json matrix(double x_axis, double y_axis, const Vec3& offset_mm) {
  return {x_axis, 0, 0, rounded(offset_mm.x()), 0, y_axis, 0, rounded(offset_mm.y()),
          0,      0, 1, rounded(offset_mm.z()), 0, 0,      0, 1};
}

}  // namespace

OusterPackets::OusterPackets(int form, const SweepSource& source, int index)
    : form_(form),
      table_(laser_table(source)),
      order_(table_, source.columns),
      index_(index),
      columns_(source.columns),
      longest_range_(source.max_range > 0 ? source.max_range : 1e9) {
  const auto throw_invalid = [&](const std::string& why) {
    throw std::invalid_argument(description_of(source) + why);
  };
  const int lasers = table_.lasers();
  if (lasers != 32 && lasers != 64 && lasers != 128) {
    throw_invalid(
        fmt::format("beamElevations_deg has {} numbers, must have 32, 64 or 128", lasers));
  }
  const bool known = std::ranges::any_of(kModes, [&](const Mode& mode) {
    return mode.columns == columns_ && mode.frequency == table_.frequency;
  });
  if (!known) {
    throw_invalid(
        fmt::format("there is no mode of {} columns at {} Hz, only 512x10, 512x20, 1024x10, "
                    "1024x20, 2048x10 and 4096x5",
                    columns_, table_.frequency));
  }
  if (table_.return_mode != PacketReturnMode::kStrongest) {
    throw_invalid("returnMode must be strongest: these profiles have one return");
  }
  const std::string profile = text_property(source, "udpProfile", kOusterProfile);
  if (profile != kOusterLegacy && profile != kOusterProfile) {
    throw_invalid(fmt::format("udpProfile is '{}', must be {} or {}", profile, kOusterProfile,
                              kOusterLegacy));
  }
  set_layout(profile == kOusterLegacy);
  // Readers place all beams at the origin of the first one.
  const Vec3 origin(table_.origins[0].x(), 0, table_.origins[0].z());
  for (int laser = 0; laser < lasers; ++laser) {
    const Vec3 apart = table_.origins[static_cast<std::size_t>(laser)] - origin;
    range_offsets_.push_back(origin.x() + apart.dot(table_.direction(laser)));
  }
}

void OusterPackets::set_layout(bool legacy) {
  legacy_ = legacy;
  packet_.assign(header_size() + kColumns * column_size() + (legacy_ ? 0 : kFooter), 0);
}

PacketAddress OusterPackets::address() const {
  const auto last = static_cast<std::uint8_t>(150 + index_);
  return {{2, 0, 0, 0, 0, last}, {2, 0, 0, 0, 0, 102}, {192, 168, 1, last}, {192, 168, 1, 102}};
}

std::vector<std::uint16_t> OusterPackets::ports() const {
  return {static_cast<std::uint16_t>(kLidarPort + 10 * index_)};
}

std::uint64_t OusterPackets::serial_number() const {
  return 992'000'000'001 + static_cast<std::uint64_t>(index_);
}

void OusterPackets::begin(int first_column) {
  std::ranges::fill(packet_, std::uint8_t{0});
  filling_ = true;
  first_column_ = first_column;
  if (!legacy_) {
    put_little<std::uint16_t>(packet_, 0, 1);  // a lidar packet
    put_little(packet_, 2, frame_);
    put_little(packet_, 4, initialization_);  // three bytes of it, ...
    put_little(packet_, 7, serial_number());  // ... and five of this; no alerts
  }
  for (int i = 0; i < kColumns; ++i) {
    const std::size_t at = header_size() + static_cast<std::size_t>(i) * column_size();
    put_little(packet_, at + 8, static_cast<std::uint16_t>(first_column + i));
    if (!legacy_) continue;
    put_little(packet_, at + 10, frame_);
    put_little(packet_, at + 12,
               static_cast<std::uint32_t>(first_column + i) *
                   (kTicks / static_cast<std::uint32_t>(columns_)));
  }
}

void OusterPackets::write(const Firing& firing, int column) {
  const std::size_t at =
      header_size() + static_cast<std::size_t>(column - first_column_) * column_size();
  const double nanoseconds = std::max(firing.time, 0.0) * 1e9;
  put_little(packet_, at, static_cast<std::uint64_t>(std::llround(nanoseconds)));
  if (legacy_) {
    put_little<std::uint32_t>(packet_, at + column_size() - 4, 0xffffffff);
  } else {
    put_little<std::uint16_t>(packet_, at + 10, 1);
  }
  const double largest = legacy_ ? 0xfffff : 0x7ffff;
  for (std::size_t row = 0; row < rows(); ++row) {
    const BeamReturns returns = firing.lasers[row];
    const std::size_t pixel = at + (legacy_ ? 16 : 12) + kPixel * row;
    if (!returns.empty()) put_little(packet_, pixel + 8, counts(returns[0]->ambient));
    const PacketEcho e = strongest_echo(returns);
    if (!(e.range <= longest_range_)) continue;
    const double range = std::round((e.range + range_offsets_[row]) * 1000);
    if (!(range >= 1 && range <= largest)) continue;
    put_little(packet_, pixel, static_cast<std::uint32_t>(range));
    packet_[pixel + 4] = intensity_byte(e.intensity);
    put_little(packet_, pixel + 6, counts(e.signal));
  }
}

void OusterPackets::send(const PacketSink& sink) {
  filling_ = false;
  if (!legacy_) {
    const std::size_t end = packet_.size() - 8;
    put_little(packet_, end, crc64(std::span(packet_).first(end)));
  }
  sink({now_, ports()[0], packet_});
}

void OusterPackets::encode(const TimedSweep& sweep, const PacketSink& sink) {
  for (const Firing& firing : order_.firings(sweep)) {
    // The head looks to the rear at column 0.
    const double turned = (firing.azimuth + kPi) / (2 * kPi);
    const int column = static_cast<int>(std::lround(turned * columns_) % columns_);
    const bool next_frame = column < last_column_;
    const int first = column - column % kColumns;
    if (filling_ && (next_frame || first != first_column_)) send(sink);
    if (next_frame) ++frame_;
    if (!filling_) begin(first);
    write(firing, column);
    last_column_ = column;
    now_ = firing.time + table_.firing_period;
    if (column - first == kColumns - 1) send(sink);
  }
}

void OusterPackets::finish(const PacketSink& sink) {
  if (filling_) send(sink);
}

nlohmann::ordered_json OusterPackets::metadata(const std::string& destination, int port) const {
  using Json = nlohmann::ordered_json;
  const std::string profile = legacy_ ? kOusterLegacy : kOusterProfile;
  const double n_mm = 1000 * table_.origins[0].x(), height_mm = 1000 * table_.origins[0].z();
  Json azimuths = Json::array(), altitudes = Json::array(), shifts = Json::array();
  for (std::size_t row = 0; row < rows(); ++row) {
    azimuths.push_back(rounded(-table_.azimuths_deg[row]));
    altitudes.push_back(rounded(table_.elevations_deg[row]));
    shifts.push_back(std::lround(-table_.azimuths_deg[row] / 360 * columns_));
  }
  Json json;
  json["sensor_info"] = {{"build_date", "2000-01-01T00:00:00Z"},
                         {"build_rev", "v2.5.3"},
                         {"image_rev", "ousteros-image-prod-aries-v2.5.3+protobeam"},
                         {"initialization_id", initialization_},
                         {"prod_line", fmt::format("OS-{}-{}", form_, rows())},
                         {"prod_pn", "840-000000-00"},
                         {"prod_sn", std::to_string(serial_number())},
                         {"status", "RUNNING"}};
  json["beam_intrinsics"] = {{"beam_altitude_angles", altitudes},
                             {"beam_azimuth_angles", azimuths},
                             {"beam_to_lidar_transform", matrix(1, 1, {n_mm, 0, 0})},
                             {"lidar_origin_to_beam_origin_mm", rounded(n_mm)}};
  json["lidar_intrinsics"] = {{"lidar_to_sensor_transform", matrix(-1, -1, {0, 0, height_mm})}};
  json["imu_intrinsics"] = {{"imu_to_sensor_transform", matrix(1, 1, {6.253, -11.775, 7.645})}};
  json["lidar_data_format"] = {
      {"column_window", {0, columns_ - 1}}, {"columns_per_frame", columns_},
      {"columns_per_packet", kColumns},     {"pixel_shift_by_row", shifts},
      {"pixels_per_column", rows()},        {"fps", std::lround(table_.frequency)},
      {"udp_profile_imu", kOusterLegacy},   {"udp_profile_lidar", profile}};
  json["calibration_status"] = {{"reflectivity", {{"valid", false}}}};
  json["config_params"] =
      ouster_config({columns_, table_.frequency, profile, destination, port, port + 1});
  return json;
}

std::unique_ptr<DeviceHttp> OusterPackets::make_http(const DeviceSettings& settings) const {
  return std::make_unique<OusterHttp>(metadata(to_text(settings.address), settings.ports.at(0)),
                                      settings);
}

void OusterPackets::apply(const DeviceSettings& settings) {
  filling_ = false;
  initialization_ = settings.initialization;
  if (!settings.profile.empty()) set_layout(settings.profile == kOusterLegacy);
}

std::vector<SideFile> OusterPackets::side_files() const {
  return {{"json", metadata("192.168.1.102", ports()[0]).dump(2) + "\n"}};
}

}  // namespace protobeam
