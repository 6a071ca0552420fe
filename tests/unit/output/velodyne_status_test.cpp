// What an HDL-64E tells of itself, read as VeloView and PCL do.
#include "output/packets/velodyne_status.h"

#include <gmock/gmock.h>

#include <map>

#include "tests/support/pattern.h"
#include "tests/unit/output/packet_check.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

RoomLidar tilted_hdl64e() {
  RoomLidar lidar = hdl64e();
  for (std::size_t i = 0; i < 64; ++i) {
    const double side = i % 2 == 0 ? 0.026 : -0.026;
    lidar.origins[i] = {0.06, side, i < 32 ? 0.105 : -0.08};
  }
  return lidar;
}

/// A point of the driver with offsets across the beam: ros-drivers/velodyne, rawdata.cpp.
Vec3 corrected(double distance, double azimuth_deg, double vertical_deg, double rotational_deg,
               double up, double left) {
  const double v = vertical_deg * kDegree, a = (azimuth_deg - rotational_deg) * kDegree;
  const double xy = distance * std::cos(v) - up * std::sin(v);
  const double x = xy * std::sin(a) - left * std::cos(a);
  const double y = xy * std::cos(a) + left * std::sin(a);
  return {y, -x, distance * std::sin(v) + up * std::cos(v)};
}

struct Calibration {
  double vertical, rotational, up, left;
};

void expect_calibrated(const RoomLidar& lidar, const std::vector<Calibration>& lasers,
                       double tolerance_deg, double tolerance_m) {
  const auto sweeps = room_sweeps(lidar, 1);
  const auto beams = all_beams(sweeps);
  const KeptPackets packets = encode_all(lidar, sweeps);
  int hits = 0;
  for (std::size_t i = 0; i < beams.size(); ++i) {
    if (!std::isfinite(beams[i].range)) continue;
    const KeptPacket& packet = packets[i / 384];
    const std::size_t block = i % 384 / 32, channel = 100 * block + 4 + 3 * (i % 32);
    const std::size_t laser = i % 64;
    const double azimuth =
        0.01 * packet.little16(100 * block + 2) + 360 * lidar.frequency * lidar.times[laser];
    const Calibration& c = lasers[laser];
    const Vec3 p = corrected(packet.little16(channel) * 0.002, azimuth, c.vertical, c.rotational,
                             c.up, c.left);
    const double off = (p - Vec3(beams[i].x, beams[i].y, beams[i].z)).norm();
    ASSERT_LT(off, 0.001 + tolerance_m + beams[i].range * tolerance_deg * kDegree) << i;
    ++hits;
  }
  EXPECT_GT(hits, 100000);
}

/// VeloView's HDLLaserCorrectionByte: 64 bytes a laser, seven after each nine of the clock.
TEST(Hdl64Status, TheCalibrationComesOutOf4160Packets) {
  const RoomLidar lidar = tilted_hdl64e();
  const LaserTable table = laser_table(lidar.source());
  std::vector<VelodyneStatus> all;
  for (std::uint64_t i = 0; i < 3 * 4160; ++i) {
    all.push_back(hdl64_status(table, 10, static_cast<double>(i) / 3472, i));
  }
  // Where the accumulator finds the beginning: the fifth byte of the first cycle is a '#'.
  std::vector<std::size_t> marks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].type == '5' && all[i].value == '#') marks.push_back(i);
  }
  ASSERT_EQ(marks.size(), 3u);
  EXPECT_EQ(marks[1] - marks[0], 4160u);
  std::vector<Calibration> lasers;
  for (std::size_t laser = 0; laser < 64; ++laser) {
    const std::size_t begin = marks[1] - 13 + 64 * laser;
    const auto value = [&](std::size_t cycle, std::size_t piece) {
      return all[begin + 16 * cycle + 8 + piece].value;
    };
    const auto number = [&](unsigned low, unsigned high) {
      return static_cast<double>(static_cast<std::int16_t>(low | high << 8));
    };
    ASSERT_EQ(value(1, 1), laser);
    ASSERT_EQ(all[begin + 16 + 9].type, '1');
    EXPECT_EQ(value(3, 6), 0u);    // lowest intensity
    EXPECT_EQ(value(3, 7), 255u);  // highest
    lasers.push_back(
        {number(value(1, 2), value(1, 3)) / 100, number(value(1, 4), value(1, 5)) / 100,
         number(value(2, 5), value(2, 6)) / 1000, number(value(2, 7), value(3, 1)) / 1000});
  }
  expect_calibrated(lidar, lasers, 0.02, 0.001);
}

TEST(Hdl64Status, TheClockTakesTurnsWithIt) {
  const LaserTable table = laser_table(hdl64e().source());
  const double time = 86400.0 * 366 + 23 * 3600 + 58 * 60 + 59.5;  // 2001-01-01 23:58:59
  std::map<char, int> told;
  std::string types;
  for (std::uint64_t i = 0; i < 16; ++i) {
    const VelodyneStatus status = hdl64_status(table, 10, time, 160 + i);
    types += static_cast<char>(status.type);
    told[static_cast<char>(status.type)] = status.value;
  }
  EXPECT_EQ(types, "HMSDNYGTV1234567");
  EXPECT_EQ(told['H'], 23);
  EXPECT_EQ(told['M'], 58);
  EXPECT_EQ(told['S'], 59);
  EXPECT_EQ(told['D'], 1);
  EXPECT_EQ(told['N'], 1);
  EXPECT_EQ(told['Y'], 1);
  EXPECT_EQ(told['G'], 'A');
}

TEST(Hdl64Status, RateAndReturnModeAreTold) {
  RoomLidar lidar = hdl64e();
  lidar.return_mode = "dual";
  const LaserTable table = laser_table(lidar.source());
  std::map<int, int> told;
  for (std::uint64_t i = 256 * 16; i < 4160; ++i) {
    const VelodyneStatus status = hdl64_status(table, 10, 0, i);
    told[status.type] = status.value;
  }
  EXPECT_EQ(told[0xfe] + 256 * told[0xff], 600);
  EXPECT_EQ(told[0xfa] + 256 * told[0xfb], 36000);
  EXPECT_EQ(told[0xf9], 2);
}

TEST(Hdl64Status, ItIsInThePackets) {
  const RoomLidar lidar = hdl64e();
  const KeptPackets packets = encode_all(lidar, room_sweeps(lidar, 1));
  std::string types;
  for (std::size_t i = 0; i < 16; ++i) types += static_cast<char>(packets[i].byte(1204));
  EXPECT_EQ(types, "HMSDNYGTV1234567");
  EXPECT_EQ(packets[13].byte(1205), unsigned{'#'});
}

/// The file that PCL's HDLGrabber::loadCorrectionsFile reads (lengths in cm).
TEST(Hdl64Calibration, TheFilePutsBeamsWhereTheyStart) {
  const RoomLidar lidar = tilted_hdl64e();
  const auto files = make_packet_encoder(lidar.source())->side_files();
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].extension, "xml");
  std::vector<Calibration> lasers;
  const auto number = [](const std::string& item, const std::string& name) {
    const auto match = test::Pattern("<" + name + ">([^<]*)</" + name + ">").find(item);
    EXPECT_EQ(match.size(), 2u) << name;
    return std::stod(match.at(1));
  };
  const std::string& text = files[0].text;
  for (std::size_t at = text.find("<px>"); at != std::string::npos;
       at = text.find("<px>", at + 1)) {
    const std::string item = text.substr(at, text.find("</px>", at) - at);
    EXPECT_EQ(number(item, "id_"), static_cast<double>(lasers.size()));
    EXPECT_EQ(number(item, "distCorrection_"), 0);
    lasers.push_back({number(item, "vertCorrection_"), number(item, "rotCorrection_"),
                      number(item, "vertOffsetCorrection_") / 100,
                      number(item, "horizOffsetCorrection_") / 100});
  }
  ASSERT_EQ(lasers.size(), 64u);
  expect_calibrated(lidar, lasers, 0.0151, 1e-5);
}

}  // namespace
}  // namespace protobeam
