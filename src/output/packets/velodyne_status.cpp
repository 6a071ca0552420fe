#include "output/packets/velodyne_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/libm.h"
#include "output/packets/utc.h"

namespace protobeam {
namespace {

constexpr int kLasers = 64;
/// Packets that report the time once and seven bytes of the calibration.
constexpr int kCycle = 16, kPieces = 7;
constexpr int kCyclesOfLaser = 4, kCycles = kLasers * kCyclesOfLaser + 4;
constexpr std::uint8_t kTemperature = 30;  // deg C
constexpr std::uint8_t kFirmware = 0x47;   // 4.07

using Pieces = std::array<VelodyneStatus, kPieces>;

/// Two bytes, the low one first, of a number in hundredths or tenths.
struct Scaled {
  Scaled(double value, double scale) {
    const double units = std::clamp(std::round(value * scale), -32768.0, 65535.0);
    const auto bits = static_cast<std::uint16_t>(static_cast<std::int32_t>(units));
    low = static_cast<std::uint8_t>(bits & 0xff);
    high = static_cast<std::uint8_t>(bits >> 8);
  }
  std::uint8_t low, high;
};

Pieces numbered(const std::array<std::uint8_t, kPieces>& values) {
  Pieces pieces;
  for (std::size_t i = 0; i < kPieces; ++i) {
    pieces[i] = {static_cast<std::uint8_t>('1' + i), values[i]};
  }
  return pieces;
}

Pieces laser_pieces(const LaserTable& table, int laser, int cycle) {
  const VelodyneCorrection c = velodyne_correction(table, laser);
  const Scaled vertical(c.vertical_deg, 100), rotational(c.rotational_deg, 100);
  const Scaled up(c.vertical_offset, 1000), left(c.horizontal_offset, 1000);  // 0.1 cm
  switch (cycle) {
    case 0: {
      // The beginning of the whole is marked.
      if (laser == 0) return numbered({'U', 'N', 'I', 'T', '#', 0, 0});
      Pieces pieces = numbered({0, 0, 0, 0, 0, 0, 0});
      pieces[0].type = 'W';
      return pieces;
    }
    case 1:
      return numbered({static_cast<std::uint8_t>(laser), vertical.low, vertical.high,
                       rotational.low, rotational.high, 0, 0});
    case 2:
      return numbered({0, 0, 0, 0, up.low, up.high, left.low});
    default:
      return numbered({left.high, 0, 0, 0, 0, 0, 255});
  }
}

Pieces device_pieces(const LaserTable& table, double rate, int cycle) {
  const Scaled rpm(rate, 60), end(360, 100);
  switch (cycle) {
    case 0: {
      const Utc t = utc(0);
      return numbered({static_cast<std::uint8_t>(t.year % 100), static_cast<std::uint8_t>(t.month),
                       static_cast<std::uint8_t>(t.day), 0, 0, 0, 0});
    }
    case 1:
      return {{{0xfe, rpm.low},
               {0xff, rpm.high},
               {0xfc, 0},
               {0xfd, 0},
               {0xfa, end.low},
               {0xfb, end.high},
               {'7', 0}}};
    case 2:
      return numbered({0, 192, 168, 1, 201, 255, 255});
    default: {
      const auto mode = static_cast<std::uint8_t>(table.return_mode);
      return {{{'1', 255}, {'2', 255}, {0xf9, mode}, {'4', 0}, {0xf8, 0xa8}, {'6', 0}, {'7', 0}}};
    }
  }
}

}  // namespace

VelodyneCorrection velodyne_correction(const LaserTable& table, int laser) {
  const auto i = static_cast<std::size_t>(laser);
  const double elevation = table.elevations_deg[i] * kPi / 180;
  const double azimuth = table.azimuths_deg[i] * kPi / 180;
  const Vec3 outwards(libm::cos(azimuth), libm::sin(azimuth), 0);
  const Vec3 left(-libm::sin(azimuth), libm::cos(azimuth), 0);
  const Vec3 up = libm::cos(elevation) * Vec3::UnitZ() - libm::sin(elevation) * outwards;
  return {table.elevations_deg[i], table.azimuths_deg[i], table.origins[i].dot(up),
          table.origins[i].dot(left)};
}

VelodyneStatus hdl64_status(const LaserTable& table, double rate, double time, std::uint64_t count) {
  const int place = static_cast<int>(count % kCycle);
  const int cycle = static_cast<int>(count / kCycle % kCycles);
  const Utc t = utc(time);
  const std::array<VelodyneStatus, kCycle - kPieces> first = {{
      {'H', static_cast<std::uint8_t>(t.hour)},
      {'M', static_cast<std::uint8_t>(t.minute)},
      {'S', static_cast<std::uint8_t>(t.second)},
      {'D', static_cast<std::uint8_t>(t.day)},
      {'N', static_cast<std::uint8_t>(t.month)},
      {'Y', static_cast<std::uint8_t>(t.year % 100)},
      {'G', 'A'},  // synchronised, and the time is known
      {'T', kTemperature},
      {'V', kFirmware},
  }};
  if (place < static_cast<int>(first.size())) return first[static_cast<std::size_t>(place)];
  const int laser = cycle / kCyclesOfLaser;
  const Pieces pieces = laser < kLasers ? laser_pieces(table, laser, cycle % kCyclesOfLaser)
                                        : device_pieces(table, rate, cycle % kCyclesOfLaser);
  return pieces[static_cast<std::size_t>(place) - first.size()];
}

std::string hdl64_calibration(const LaserTable& table) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\" ?>\n"
      "<!DOCTYPE boost_serialization>\n"
      "<boost_serialization signature=\"serialization::archive\" version=\"4\">\n"
      "<DB class_id=\"0\" tracking_level=\"1\" version=\"0\" object_id=\"_0\">\n"
      "<distLSB_>0.2</distLSB_>\n";
  const auto list = [&](const char* name, int value) {
    text += fmt::format("<{}>\n<count>{}</count>\n<item_version>0</item_version>\n", name, kLasers);
    for (int laser = 0; laser < kLasers; ++laser) text += fmt::format("<item>{}</item>\n", value);
    text += fmt::format("</{}>\n", name);
  };
  list("enabled_", 1);
  list("minIntensity_", 0);
  list("maxIntensity_", 255);
  text += fmt::format("<points_>\n<count>{}</count>\n<item_version>1</item_version>\n", kLasers);
  for (int laser = 0; laser < kLasers; ++laser) {
    const VelodyneCorrection c = velodyne_correction(table, laser);
    // Lengths in centimetres.
    text += fmt::format(
        "<item><px>\n<id_>{}</id_>\n<rotCorrection_>{}</rotCorrection_>\n"
        "<vertCorrection_>{}</vertCorrection_>\n<distCorrection_>0</distCorrection_>\n"
        "<distCorrectionX_>0</distCorrectionX_>\n<distCorrectionY_>0</distCorrectionY_>\n"
        "<vertOffsetCorrection_>{}</vertOffsetCorrection_>\n"
        "<horizOffsetCorrection_>{}</horizOffsetCorrection_>\n"
        "<focalDistance_>0</focalDistance_>\n<focalSlope_>0</focalSlope_>\n</px></item>\n",
        laser, c.rotational_deg, c.vertical_deg, 100 * c.vertical_offset,
        100 * c.horizontal_offset);
  }
  return text + "</points_>\n</DB>\n</boost_serialization>\n";
}

}  // namespace protobeam
