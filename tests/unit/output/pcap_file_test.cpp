// Captures, read by a second implementation of the formats: pcap, Ethernet, IPv4, UDP.
#include "output/packets/pcap_file.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output/packets/recorder.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/output/capture_reader.h"

namespace protobeam {
namespace {

using testing::EndsWith;

std::string write_error(const std::filesystem::path& path, int packets) {
  return message_of<std::runtime_error>([&] {
    PcapFile file(path);
    const std::vector<std::uint8_t> payload(1206, 7);
    for (int i = 0; i < packets; ++i) file.add({}, {0.001 * i, 2368, payload});
    file.finish();
  });
}

TEST(PcapFile, PacketsComeBackWithAddressesAndTimes) {
  const TemporaryFolder folder;
  const auto path = folder / "a.pcap";
  const PacketAddress address{
      {2, 0, 0, 0, 0, 1}, {255, 255, 255, 255, 255, 255}, {192, 168, 1, 201}, {255, 255, 255, 255}};
  std::vector<std::vector<std::uint8_t>> payloads;
  // Even, odd, empty, one that sums up to 0, one frame's worth, one more, and the longest.
  for (const std::size_t size : {1206u, 7u, 0u, 2u, 1472u, 1473u, 24832u, 65507u}) {
    payloads.emplace_back(size, static_cast<std::uint8_t>(size * 31));
  }
  {
    PcapFile file(path);
    for (std::size_t i = 0; i < payloads.size(); ++i) {
      file.add(address, {3600.25 + static_cast<double>(i) / 1000, 2368, payloads[i]});
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    file.finish();
  }
  const auto packets = read_pcap(path);
  ASSERT_EQ(packets.size(), payloads.size());
  for (std::size_t i = 0; i < payloads.size(); ++i) {
    EXPECT_EQ(packets[i].payload, payloads[i]);
    EXPECT_EQ(packets[i].us, 946'684'800'000'000 + 3'600'250'000 + 1000 * i);
    EXPECT_EQ(packets[i].from_port, 2368u);
    EXPECT_EQ(packets[i].to_port, 2368u);
    EXPECT_THAT(packets[i].from, testing::ElementsAre(192, 168, 1, 201));
    EXPECT_THAT(packets[i].to, testing::ElementsAre(255, 255, 255, 255));
  }
}

TEST(PcapFile, ChecksumsOfManyPayloadsAreRight) {
  const TemporaryFolder folder;
  PcapFile file(folder / "a.pcap");
  std::vector<std::uint8_t> payload(2);
  for (unsigned i = 0; i < 65536; i += 5) {  // one of them needs the sum 0, which stands for none
    payload = {static_cast<std::uint8_t>(i >> 8), static_cast<std::uint8_t>(i)};
    file.add({{}, {}, {10, 0, 0, 1}, {10, 0, 0, 2}}, {0, 2368, payload});
  }
  file.finish();
  EXPECT_EQ(read_pcap(folder / "a.pcap").size(), 13108u);
}

TEST(PcapFile, TimesNeverGoBack) {
  const TemporaryFolder folder;
  PcapFile file(folder / "a.pcap");
  for (const double time : {1.0, 0.5, 1.0000004, -3.0, 2.0}) file.add({}, {time, 1, {}});
  file.finish();
  std::vector<std::uint64_t> times;
  for (const Captured& p : read_pcap(folder / "a.pcap"))
    times.push_back(p.us - 946'684'800'000'000);
  EXPECT_THAT(times, testing::ElementsAre(1000000, 1000000, 1000000, 1000000, 2000000));
}

TEST(PcapFile, ProblemsAreNamedAndNothingIsLeft) {
  const TemporaryFolder folder;
  EXPECT_EQ(write_error("/dev/full", 1), "cannot write /dev/full: No space left on device");
  EXPECT_THAT(write_error(folder / "missing/a.pcap", 0),
              EndsWith("missing/a.pcap: No such file or directory"));
  EXPECT_THAT(write_error(folder.path(), 0), EndsWith(": Is a directory"));
  {
    PcapFile file(folder / "b.pcap");
    file.add({}, {0, 1, {}});
  }
  EXPECT_TRUE(folder.empty());
}

TEST(PcapFile, AFileThatDoesNotFitLeavesTheOldOne) {
  const TemporaryFolder folder;
  const auto old = folder.write("a.pcap", "old");
  // The limit would stay with the process, so a child takes it; it answers by its exit status.
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{2 << 20, 2 << 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string message = write_error(old, 4000);
    ::_exit(message == "cannot write " + old.string() + ": File too large" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(read_bytes(old), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(PacketRecorder, DevicesShareACaptureInTheOrderOfTime) {
  const TemporaryFolder folder;
  const auto path = folder / "drive.pcap";
  const RoomLidar puck = vlp16(), os = ouster(1, 32, 512);
  SweepSource front = puck.source(), rear = puck.source(), top = os.source();
  front.device = "front";
  rear.device = "rear";
  PacketRecorder recorder(path);
  const auto pucks = room_sweeps(puck, 3), ouster_sweeps = room_sweeps(os, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    recorder.add(front, pucks[i]);
    recorder.add(top, ouster_sweeps[i]);
    recorder.add(rear, pucks[i]);
  }
  recorder.finish();
  const KeptPackets one = encode_all(puck, pucks);
  std::map<unsigned, std::vector<std::vector<std::uint8_t>>> by_port;
  std::uint64_t last = 0;
  for (const Captured& packet : read_pcap(path)) {
    EXPECT_GE(packet.us, last);
    last = packet.us;
    by_port[packet.to_port].push_back(packet.payload);
    const std::map<unsigned, int> hosts = {
        {7502, 150}, {2368, 201}, {8308, 201}, {2378, 202}, {8318, 202}};
    EXPECT_EQ(packet.from[3], hosts.at(packet.to_port));
  }
  ASSERT_EQ(by_port.size(), 5u);
  ASSERT_EQ(by_port[7502].size(), 96u);
  const KeptPackets data = of_port(one, 2368), position = of_port(one, 8308);
  ASSERT_EQ(by_port[2368].size(), data.size());
  ASSERT_EQ(by_port[8308].size(), position.size());
  for (std::size_t i = 0; i < data.size(); ++i) EXPECT_EQ(by_port[2368][i], data[i].bytes);
  EXPECT_EQ(by_port[2378], by_port[2368]);
  EXPECT_EQ(by_port[8318], by_port[8308]);
  EXPECT_EQ(read_bytes(folder / "drive.json"), make_packet_encoder(top)->side_files()[0].text);
}

TEST(PacketRecorder, ASilentDeviceDoesNotHoldUpTheOthers) {
  const TemporaryFolder folder;
  PacketRecorder recorder(folder / "a.pcap");
  RoomLidar lidar = hdl32e();
  SweepSource left = lidar.source(), right = lidar.source();
  left.device = "left";
  right.device = "right";
  recorder.add(left, room_sweep(lidar, 0));  // 180.8 packets: the pause ends the last one
  for (int i = 0; i < 25; ++i) recorder.add(right, room_sweep(lidar, 0.1 * i));
  recorder.add(left, room_sweep(lidar, 2.5));
  recorder.finish();
  std::uint64_t last = 0;
  std::size_t packets = 0;
  for (const Captured& packet : read_pcap(folder / "a.pcap")) {
    EXPECT_GE(packet.us, last);
    last = packet.us;
    packets += packet.payload.size() == 1206;
  }
  EXPECT_EQ(packets, 2 * 181 + 4521u);
}

TEST(PacketRecorder, SeveralOustersHaveTheirOwnMetadata) {
  const TemporaryFolder folder;
  PacketRecorder recorder(folder / "a.pcap");
  SweepSource source = ouster(1, 32, 512).source();
  for (const char* name : {"left", "right"}) {
    source.device = name;
    recorder.add(source, room_sweep(ouster(1, 32, 512), 0));
  }
  recorder.finish();
  EXPECT_THAT(read_bytes(folder / "a.json"), testing::HasSubstr("\"udp_port_lidar\": 7502"));
  EXPECT_THAT(read_bytes(folder / "a.2.json"), testing::HasSubstr("\"udp_port_lidar\": 7512"));
}

TEST(PacketRecorder, WithoutItsEndNothingIsLeft) {
  const TemporaryFolder folder;
  {
    PacketRecorder recorder(folder / "a.pcap");
    recorder.add(vlp16().source(), room_sweep(vlp16(), 0));
    SweepSource unknown;
    unknown.robot = "car";
    EXPECT_THROW(recorder.add(unknown, {}), std::invalid_argument);
  }
  EXPECT_TRUE(folder.empty());
}

}  // namespace
}  // namespace protobeam
