// Devices that have no packets, sweeps that are no sweeps, and what is sent twice.
#include <gmock/gmock.h>

#include "output/packets/packets.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/output/packet_check.h"

namespace protobeam {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::string refusal(const SweepSource& source, int index = 0) {
  return message_of<std::invalid_argument>([&] { make_packet_encoder(source, index); });
}

std::vector<RoomLidar> all_devices() {
  return {vlp16(), hdl32e(), vlp32c(), hdl64e(), helios(), ouster(1, 64, 1024)};
}

TEST(PacketEncoder, AnUnknownProductIsToldWhatThereIs) {
  SweepSource source = vlp16().source();
  source.product = "IbeoLux";
  EXPECT_FALSE(has_packets(source));
  EXPECT_THAT(refusal(source),
              AllOf(HasSubstr("lidar 'top' of robot 'car' (IbeoLux)"), HasSubstr("VelodyneVLP-16"),
                    HasSubstr("RobosenseHelios"), HasSubstr("OusterOS1")));
  source.product = "";
  EXPECT_THAT(refusal(source), HasSubstr("(no product)"));
  EXPECT_EQ(packet_products().size(), 10u);
}

TEST(PacketEncoder, NamesMayBeWrittenInSeveralWays) {
  for (const char* name : {"VelodyneVLP-16", "VelodyneVLP16", "velodyne_vlp_16", "VelodynePuck"}) {
    SweepSource source = vlp16().source();
    source.product = name;
    EXPECT_TRUE(has_packets(source)) << name;
    EXPECT_NO_THROW(make_packet_encoder(source)) << name;
  }
  SweepSource source = helios().source();
  source.product = "Helios32Fov70";
  EXPECT_TRUE(has_packets(source));
  source.product = "VelodyneVLP-160";
  EXPECT_FALSE(has_packets(source));
}

TEST(PacketEncoder, PropertiesThatAreMissingOrWrongAreNamed) {
  const auto without = [](const std::string& name) {
    SweepSource source = vlp16().source();
    source.properties.erase(name);
    return refusal(source);
  };
  const auto with = [](const std::string& name, const Property& value) {
    SweepSource source = vlp16().source();
    source.properties[name] = value;
    return refusal(source);
  };
  for (const char* name : {"beamElevations_deg", "beamAzimuths_deg", "beamTimes", "firingPeriod",
                           "defaultFrequency"}) {
    EXPECT_THAT(without(name), HasSubstr("packets need the property " + std::string(name)));
  }
  EXPECT_EQ(without("beamOrigins"), "");
  EXPECT_EQ(without("returnMode"), "");
  EXPECT_THAT(with("beamTimes", std::vector<double>(15, 0)), HasSubstr("15 numbers, must have 16"));
  EXPECT_THAT(with("beamOrigins", std::vector<double>(16, 0)), HasSubstr("must have 48"));
  EXPECT_THAT(with("beamTimes", std::vector<double>(16, 1)), HasSubstr("outside of the firing"));
  EXPECT_THAT(with("beamAzimuths_deg", std::vector<double>(16, kNan)), HasSubstr("no number"));
  EXPECT_THAT(with("firingPeriod", 0.0), HasSubstr("firingPeriod is 0, must be positive"));
  EXPECT_THAT(with("firingPeriod", std::string("fast")), HasSubstr("has another type"));
  EXPECT_THAT(with("returnMode", std::string("best")),
              HasSubstr("returnMode is 'best', must be strongest, last or dual"));
  EXPECT_THAT(refusal(vlp16().source(), 50), HasSubstr("at most 50 devices"));
  EXPECT_THAT(with("scanLaw", std::string("grid")),
              AllOf(HasSubstr("lidar 'top' of robot 'car' (VelodyneVLP-16)"),
                    HasSubstr("lasers on a spinning head"), HasSubstr("beamModel \"datasheet\"")));
  EXPECT_EQ(with("scanLaw", std::string("spinning")), "");
  SweepSource empty = vlp16().source();
  empty.columns = 0;
  EXPECT_THAT(refusal(empty), HasSubstr("it has no columns"));
}

TEST(PacketEncoder, DevicesMustHaveTheirLasers) {
  SweepSource source = vlp16().source();
  for (const char* name : {"VelodyneHDL-32E", "VelodyneHDL-64E", "RobosenseHelios5515"}) {
    source.product = name;
    EXPECT_THAT(refusal(source), HasSubstr("beamElevations_deg has 16 numbers, must have")) << name;
  }
  source.product = "OusterOS1-16";
  EXPECT_THAT(refusal(source), HasSubstr("must have 32, 64 or 128"));
  source = ouster(1, 64, 1000).source();
  EXPECT_THAT(refusal(source), HasSubstr("no mode of 1000 columns at 10 Hz"));
  source = ouster(1, 64, 1024).source();
  source.properties["udpProfile"] = std::string("RNG15");
  EXPECT_THAT(refusal(source), HasSubstr("udpProfile is 'RNG15'"));
  source.properties["returnMode"] = std::string("dual");
  EXPECT_THAT(refusal(source), HasSubstr("returnMode must be strongest"));
}

TEST(PacketEncoder, EmptySweepsMakeNoPackets) {
  for (const RoomLidar& lidar : all_devices()) {
    EXPECT_TRUE(encode_all(lidar, {TimedSweep{}, TimedSweep{}}).empty()) << lidar.product;
  }
}

TEST(PacketEncoder, ValuesThatAreNoRangesAreMisses) {
  for (const RoomLidar& lidar : all_devices()) {
    auto sweep = room_sweep(lidar, 0);
    auto expected = sweep;
    const float bad[] = {kNan, kInf, -kInf, -1, 0, 1e30f, 300, 1e-30f};  // 300: beyond maxRange
    for (std::size_t i = 0; i < sweep.beams.size(); ++i) {
      expected.beams[i].range = i % 2 == 0 ? kInf : sweep.beams[i].range;
      if (i % 2 == 0) sweep.beams[i].range = bad[i / 2 % std::size(bad)];
    }
    const KeptPackets packets = encode_all(lidar, {sweep});
    const KeptPackets wanted = encode_all(lidar, {expected});
    ASSERT_EQ(packets.size(), wanted.size());
    for (std::size_t i = 0; i < packets.size(); ++i) {
      ASSERT_EQ(packets[i].bytes, wanted[i].bytes) << lidar.product << " " << i;
    }
  }
}

TEST(PacketEncoder, NoBeamMakesItCrash) {
  for (const RoomLidar& lidar : all_devices()) {
    const auto encoder = make_packet_encoder(lidar.source());
    auto sweep = room_sweep(lidar, 0);
    const double times[] = {kNan, kInf, -kInf, 1e300, -1e300, 0};
    for (std::size_t i = 0; i < sweep.beams.size(); ++i) {
      BeamReturn& beam = sweep.beams[i];
      switch (i * 2654435761u % 97) {
        case 0:
          beam.time = times[i % std::size(times)];
          break;
        case 1:
          beam.azimuth = kNan;
          break;
        case 2:
          beam.azimuth = 1e30f;
          break;
        case 3:
          beam.beam = i % 2 == 0 ? -1 : 1 << 30;
          break;
        case 4:
          beam.column = i % 2 == 0 ? -1 : 1 << 30;
          break;
        case 5:
          beam.intensity = i % 2 == 0 ? kNan : 1e30f;
          break;
        case 6:
          beam.signal = i % 2 == 0 ? kNan : -1e30f;
          break;
        case 7:
          beam.ambient = i % 2 == 0 ? kNan : kInf;
          break;
        case 8:
          beam.range = kNan;
          break;
        default:
          break;
      }
    }
    for (const KeptPacket& packet : encode_all(*encoder, {sweep, sweep, room_sweep(lidar, 0.1)})) {
      ASSERT_TRUE(std::isfinite(packet.time)) << lidar.product;
    }
  }
}

TEST(PacketEncoder, IntensityGoesFrom0To255) {
  const RoomLidar lidar = hdl32e();
  auto sweep = room_sweep(lidar, 0);
  const float intensities[] = {-1, 0, 0.5f, 1, 7, kNan};
  for (std::size_t i = 0; i < 32; ++i) sweep.beams[i].range = 5;
  for (std::size_t i = 0; i < 6; ++i) sweep.beams[i].intensity = intensities[i];
  const KeptPacket packet = encode_all(lidar, {sweep})[0];
  const unsigned expected[] = {0, 0, 128, 255, 255, 0};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(packet.byte(4 + 3 * i + 2), expected[i]) << i;
}

TEST(PacketEncoder, BeamsMayComeInAnyOrder) {
  for (const RoomLidar& lidar : all_devices()) {
    auto sweep = room_sweep(lidar, 0);
    const KeptPackets wanted = encode_all(lidar, {sweep});
    std::ranges::reverse(sweep.beams);
    const KeptPackets packets = encode_all(lidar, {sweep});
    ASSERT_EQ(packets.size(), wanted.size());
    for (std::size_t i = 0; i < packets.size(); ++i) ASSERT_EQ(packets[i].bytes, wanted[i].bytes);
  }
}

// A turning head renews its columns one after another: the others still have their old times.
TEST(PacketEncoder, ColumnsAreSentOnce) {
  for (const RoomLidar& lidar : all_devices()) {
    const TimedSweep first = room_sweep(lidar, 0);
    const TimedSweep second = room_sweep(lidar, first.end_time);
    TimedSweep half = second;
    for (std::size_t i = half.beams.size() / 2; i < half.beams.size(); ++i) {
      half.beams[i] = first.beams[i];
    }
    const KeptPackets wanted = encode_all(lidar, {first, second});
    const KeptPackets packets = encode_all(lidar, {first, half, half, second, first});
    ASSERT_EQ(packets.size(), wanted.size()) << lidar.product;
    for (std::size_t i = 0; i < packets.size(); ++i) {
      ASSERT_EQ(packets[i].bytes, wanted[i].bytes) << lidar.product << " " << i;
    }
  }
}

// Readers count time and azimuth of a packet from its first firing.
TEST(PacketEncoder, APauseEndsThePacket) {
  const RoomLidar lidar = vlp16();
  const KeptPackets packets =
      of_port(encode_all(lidar, {room_sweep(lidar, 0), room_sweep(lidar, 0.7)}), 2368);
  ASSERT_EQ(packets.size(), 2u * 76);
  EXPECT_EQ(packets[76].little32(1200), 700'000u);
  EXPECT_LT(packets[75].time, 0.102);
}

TEST(PacketEncoder, OtherDevicesOfARecordingHaveOtherAddresses) {
  for (const RoomLidar& lidar : all_devices()) {
    const auto first = make_packet_encoder(lidar.source());
    const auto second = make_packet_encoder(lidar.source(), 1);
    EXPECT_NE(first->address().device_ip, second->address().device_ip);
    EXPECT_NE(first->address().device_mac, second->address().device_mac);
    const auto sweeps = room_sweeps(lidar, 1);
    const KeptPackets packets = encode_all(*first, sweeps), others = encode_all(*second, sweeps);
    ASSERT_EQ(packets.size(), others.size());
    for (std::size_t i = 0; i < packets.size(); ++i)
      EXPECT_EQ(others[i].port, packets[i].port + 10);
  }
}

}  // namespace
}  // namespace protobeam
