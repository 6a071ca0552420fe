// `run --record` and `run --publish`: captures of a run, read as the makers' drivers read them,
// have the points that `scan` writes.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/unit/output/capture_reader.h"
#include "tests/unit/output/ouster_reader.h"
#include "tests/unit/support/constants.h"
#include "tests/worlds/packet_world.h"

namespace protobeam::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

void expect_points_of_a_scan(const Velodyne& device) {
  const PacketWorld world(device.text);
  const Outcome outcome = world.run({"--duration", "0.35", "--record", world.file("a.pcap")});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto capture = read_pcap(world.file("a.pcap"));
  EXPECT_EQ(json::parse(outcome.out)["packets"]["recorded"], capture.size());
  const KeptPackets packets = payloads(capture, 2368);
  const auto beams = world.scan();
  const int lasers = static_cast<int>(device.elevations_deg.size());
  ASSERT_EQ(beams.size(), static_cast<std::size_t>(lasers * device.firings));
  const double block_us = device.firing_us * device.firings_of_block;
  int firing = 0, hits = 0, lost = 0;
  double step = 0, worst_range = 0, worst_angle = 0;
  for (const KeptPacket& packet : packets) {
    ASSERT_EQ(packet.bytes.size(), 1206u);
    for (std::size_t block = 0; block < 12; ++block) {
      const double azimuth = 0.01 * packet.little16(100 * block + 2);
      if (block < 11) {
        step = std::fmod(360 + 0.01 * packet.little16(100 * block + 102) - azimuth, 360);
      }
      for (int channel = 0; channel < 32; ++channel) {
        const int laser = channel % lasers;
        const int column = (firing + channel / lasers) % device.firings;
        if (firing + channel / lasers >= 3 * device.firings) break;  // the last packet is padded
        const std::size_t at = 100 * block + 4 + 3 * static_cast<std::size_t>(channel);
        const double range = 0.002 * packet.little16(at);
        const Beam& beam = beams[device.layer(laser) * static_cast<std::size_t>(device.firings) +
                                 static_cast<std::size_t>(column)];
        // Weak echoes are heard in one sweep and not in the next.
        lost += (range > 0) != std::isfinite(beam.range);
        if (!(range > 0) || !std::isfinite(beam.range)) continue;
        ++hits;
        const double us = channel / lasers * device.firing_us + laser * device.laser_us;
        const double turned = (azimuth + step * us / block_us) * kDegree;
        const double elevation = device.elevations_deg[static_cast<std::size_t>(laser)] * kDegree;
        const Vec3 p = range * Vec3(std::cos(elevation) * std::cos(turned),
                                    -std::cos(elevation) * std::sin(turned), std::sin(elevation));
        const double height = device.heights_mm[static_cast<std::size_t>(laser)] / 1000;
        const double off = std::abs(range - (beam.range + height * std::sin(elevation)));
        const double aside =
            std::atan2(p.x() * beam.y - p.y() * beam.x, p.x() * beam.x + p.y() * beam.y);
        // Across the beam, the driver's point lacks the height.
        const double across = height * std::cos(elevation) * std::cos(elevation);
        EXPECT_NEAR(p.z(), beam.z - across, 0.001);
        worst_range = std::max(worst_range, off);
        // A turn is no whole number of firings: the driver spreads the rest over the last block.
        if (column < device.firings - device.firings_of_block) {
          worst_angle = std::max(worst_angle, std::abs(aside) / kDegree);
        }
      }
      firing += 32 / lasers;
    }
  }
  EXPECT_GE(firing, 3 * device.firings);
  EXPECT_GT(hits, 3 * lasers * device.firings / 3);
  EXPECT_LT(lost, hits / 100);
  EXPECT_LT(worst_range, 0.001);
  EXPECT_LT(worst_angle, 0.0151);  // two azimuths of a hundredth of a degree
}

TEST(RecordedRun, HasThePointsOfAVlp16) { expect_points_of_a_scan(vlp16_manual()); }
TEST(RecordedRun, HasThePointsOfAnHdl32e) { expect_points_of_a_scan(hdl32e_manual()); }

void expect_points_of_an_ouster(const std::string& profile) {
  const PacketWorld world("OusterOS1-64 { udpProfile \"" + profile + "\" }");
  const Outcome outcome = world.run({"--duration", "0.35", "--record", world.file("a.pcap")});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const Metadata metadata(read_bytes(world.file("a.json")));
  EXPECT_EQ(metadata.legacy, profile == "LEGACY");
  const KeptPackets packets = payloads(read_pcap(world.file("a.pcap")), 7502);
  ASSERT_EQ(packets.size(), 3u * 64);
  const auto beams = world.scan();
  ASSERT_EQ(beams.size(), 64u * 1024);
  int hits = 0;
  for (std::size_t number = 0; number < packets.size(); ++number) {
    for (std::size_t i = 0; i < 16; ++i) {
      const Column column = column_of(metadata, packets[number], i);
      ASSERT_EQ(column.id, (16 * number + i) % 1024);
      ASSERT_EQ(column.frame, number / 64);
      ASSERT_EQ(column.status, metadata.legacy ? 0xffffffffu : 1u);
      for (std::size_t row = 0; row < 64; ++row) {
        const std::size_t pixel = column.at + (metadata.legacy ? 16 : 12) + 12 * row;
        const double range = packets[number].little32(pixel) & 0x7ffff;
        const Beam& beam = beams[row * 1024 + column.id];
        ASSERT_EQ(range > 0, std::isfinite(beam.range)) << number << " " << i << " " << row;
        if (!(range > 0)) continue;
        ++hits;
        const Vec3 off = cartesian(metadata, row, column.id, range) - Vec3(beam.x, beam.y, beam.z);
        ASSERT_LT(off.norm(), 0.00052);
      }
    }
  }
  EXPECT_GT(hits, 60000);
}

TEST(RecordedRun, HasThePointsOfAnOuster) { expect_points_of_an_ouster("RNG19_RFL8_SIG16_NIR16"); }
TEST(RecordedRun, HasThePointsOfAnOusterOfOldFirmware) { expect_points_of_an_ouster("LEGACY"); }

std::string hash_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  return json::parse(outcome.out)["state_hash"];
}

// Beams with a width meet rods of 6 mm and what is behind them.
TEST(RecordedRun, HasBothReturnsOfWideBeams) {
  std::string devices =
      "VelodyneVLP-16 { name \"top\" fastModel TRUE beamModel \"datasheet\" "
      "returnMode \"dual\" beamDivergence 0.0021 }\n";
  for (int i = 0; i < 60; ++i) {
    const double a = 0.03 * (i - 30);
    devices += "Pose { translation " + std::to_string(2 * std::cos(a)) + " " +
               std::to_string(2 * std::sin(a)) +
               " 0 children [ Shape { geometry Cylinder { radius 0.003 height 2 } } ] }\n";
  }
  const PacketWorld world(devices);
  const Outcome outcome = world.run({"--duration", "0.35", "--record", world.file("a.pcap")});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  int pairs = 0;
  for (const KeptPacket& packet : payloads(read_pcap(world.file("a.pcap")), 2368)) {
    EXPECT_EQ(packet.byte(1204), 0x39u);
    for (std::size_t block = 0; block < 12; block += 2) {
      for (std::size_t at = 100 * block + 4; at < 100 * block + 100; at += 3) {
        const unsigned last = packet.little16(at), other = packet.little16(at + 100);
        EXPECT_EQ(last == 0, other == 0);
        pairs += last != other;
      }
    }
  }
  // A scan has the second returns behind all first ones; noise decides which are heard.
  const int second = static_cast<int>(world.scan().size()) - 16 * 1808;
  EXPECT_GT(second, 50);
  EXPECT_NEAR(pairs, 3 * second, 0.3 * 3 * second);
}

TEST(RecordedRun, IsTheSameRun) {
  const PacketWorld world(kVlp16);
  const std::string alone = hash_of(world.run({"--duration", "0.5"}));
  EXPECT_EQ(hash_of(world.run({"--duration", "0.5", "--record", world.file("a.pcap"), "--publish",
                               "udp://127.0.0.1"})),
            alone);
}

TEST(RecordedRun, IsTheSameFileWithAnyNumberOfThreads) {
  const PacketWorld world("VelodyneVLP-16 { beamModel \"datasheet\" }");
  for (const char* threads : {"1", "2"}) {
    const std::string file = world.file(threads) + ".pcap";
    EXPECT_EQ(world.run({"--duration", "0.25", "--threads", threads, "--record", file}).exit, 0);
  }
  EXPECT_EQ(read_bytes(world.file("1.pcap")), read_bytes(world.file("2.pcap")));
}

TEST(RecordedRun, OneOfSeveralLidarsCanBeChosen) {
  const PacketWorld world(std::string(kVlp16) +
                          " VelodyneHDL-32E { name \"other\" } SickLms291 { }");
  const std::string file = world.file("a.pcap");
  const Outcome all = world.run({"--record", file});
  EXPECT_EQ(all.exit, 1);  // the other one is a grid
  EXPECT_THAT(all.err, AllOf(HasSubstr("lidar 'other' of robot 'car' (VelodyneHDL-32E)"),
                             HasSubstr("beamModel \"datasheet\"")));
  EXPECT_EQ(world.files(), 0u);
  const Outcome one = world.run({"--duration", "0.25", "--record", file, "--device", "car/top"});
  EXPECT_EQ(one.exit, 0) << one.err;
  EXPECT_EQ(payloads(read_pcap(file), 2368).size(), 151u);  // 2 x 1808 firings, 24 a packet
}

TEST(RecordedRun, LidarsWithoutPacketsAreToldWhatThereIs) {
  const PacketWorld world("SickLms291 { name \"front\" }");
  for (const auto& more : {std::vector<std::string>{}, {"--device", "front"}}) {
    std::vector<std::string> words = {"--record", world.file("a.pcap")};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = world.run(words);
    EXPECT_EQ(outcome.exit, 1);
    const json told = json::parse(outcome.out);  // before the run: no summary
    EXPECT_EQ(told.size(), 3u) << outcome.out;
    EXPECT_EQ(told.at("errors"), 1);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("front"), HasSubstr("SickLms291"),
                                   HasSubstr("VelodyneVLP-16"), HasSubstr("OusterOS1")));
  }
  EXPECT_EQ(world.files(), 0u);
}

TEST(RecordedRun, WithoutASweepThereIsNoFile) {
  const PacketWorld asleep(kVlp16, "<none>");
  const Outcome outcome = asleep.run({"--duration", "0.5", "--record", asleep.file("a.pcap")});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("car/top (VelodyneVLP-16) completed no sweep: a controller "
                                     "has to enable a lidar"));
  EXPECT_EQ(asleep.files(), 0u);
}

TEST(RecordedRun, WordsThatDoNotFitAreUsageErrors) {
  const PacketWorld world(kVlp16);
  const struct {
    std::vector<std::string> words;
    const char* message;
  } cases[] = {
      {{"--record", "a.txt"}, "'a.txt' must end in .bag, .mcap or .pcap"},
      {{"--device", "car/top"}, "only for --record and --publish"},
      {{"--publish", "tcp://127.0.0.1:1"}, "must look like udp://127.0.0.1:2368"},
      {{"--publish", "udp://127.0.0.1:x"}, "the port must be 1 to 65535"},
      {{"--publish", "udp://192.0.2.1:2368"}, "192.0.2.1 is no address of this machine"},
  };
  for (const auto& c : cases) {
    const Outcome outcome = world.run(c.words);
    EXPECT_EQ(outcome.exit, 2) << c.message;
    EXPECT_THAT(outcome.err, HasSubstr(c.message));
  }
  const Outcome high = world.run({"--publish", "udp://127.0.0.1:65000"});
  EXPECT_EQ(high.exit, 1);
  EXPECT_THAT(high.err, HasSubstr("its port 8308 would become 70940"));
}

TEST(RecordedRun, AFullDiskLeavesNothing) {
  const PacketWorld world(kHdl32e);
  const Outcome device = world.run({"--duration", "3", "--record", "/dev/full"});
  EXPECT_EQ(device.exit, 1);
  EXPECT_THAT(device.err, HasSubstr("cannot write /dev/full: No space left on device"));
  Surroundings small;
  small.file_size_limit = 5'000'000;  // more than the controller's shared memory
  const std::string file = world.file("a.pcap");
  const Outcome limited = world.run({"--duration", "3", "--record", file}, small);
  EXPECT_EQ(limited.exit, 1);
  EXPECT_THAT(limited.err, HasSubstr("cannot write " + file + ": File too large"));
  EXPECT_EQ(world.files(), 0u);
  const Outcome missing = world.run({"--record", world.file("no/a.pcap")});
  EXPECT_EQ(missing.exit, 1);
  EXPECT_THAT(missing.err, HasSubstr("No such file or directory"));
}

TEST(PublishedRun, SendsWhatIsRecorded) {
  const int listener = ::socket(AF_INET, SOCK_DGRAM, 0);
  const int room = 4 << 20;  // two turns fit into a tenth of it
  ::setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int port = 20000 + ::getpid() % 10000;  // low enough for the port of position packets
  do {
    address.sin_port = htons(static_cast<std::uint16_t>(++port));
  } while (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 &&
           port < 40000);

  const PacketWorld world(kVlp16);
  const Outcome outcome = world.run({"--duration", "0.25", "--record", world.file("a.pcap"),
                                     "--publish", "udp://127.0.0.1:" + std::to_string(port)});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto capture = read_pcap(world.file("a.pcap"));
  EXPECT_EQ(json::parse(outcome.out)["packets"]["sent"], capture.size());
  const KeptPackets wanted = payloads(capture, 2368);
  ASSERT_EQ(wanted.size(), 151u);
  for (const KeptPacket& packet : wanted) {
    pollfd wait{listener, POLLIN, 0};
    ASSERT_EQ(::poll(&wait, 1, 1000), 1);
    std::vector<std::uint8_t> bytes(2000);
    bytes.resize(static_cast<std::size_t>(::recv(listener, bytes.data(), bytes.size(), 0)));
    ASSERT_EQ(bytes, packet.bytes);
  }
  ::close(listener);
}

// Drivers may start later: see UdpTarget's tests for the port that nobody has.
TEST(PublishedRun, NeedsNoListener) {
  const PacketWorld world(kVlp16);
  const Outcome outcome = world.run({"--duration", "0.5", "--publish", "udp://127.0.0.1:9"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_GT(json::parse(outcome.out)["packets"]["sent"], 200);
}

}  // namespace
}  // namespace protobeam::test
