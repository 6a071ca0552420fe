// `run --publish udp://...`: drivers find the HTTP interface of their device, set where its packets
// go, and get the points that `scan` writes.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>

#include "output/packets/device_server.h"
#include "tests/unit/output/ouster_reader.h"
#include "tests/worlds/packet_world.h"

namespace protobeam::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A socket of a driver, at any free port.
class Receiver {
 public:
  explicit Receiver(int type = SOCK_DGRAM) : fd_(::socket(AF_INET, type, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    socklen_t size = sizeof(address);
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    const int room = 4 << 20;
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
  }
  ~Receiver() { ::close(fd_); }
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  int port() const { return port_; }
  /// Empty when none comes.
  std::vector<std::uint8_t> receive() const {
    pollfd wait{fd_, POLLIN, 0};
    if (::poll(&wait, 1, 20000) != 1) return {};
    std::vector<std::uint8_t> bytes(65536);
    const ssize_t size = ::recv(fd_, bytes.data(), bytes.size(), 0);
    bytes.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return bytes;
  }

 private:
  int fd_, port_ = 0;
};

std::string free_port() { return std::to_string(Receiver(SOCK_STREAM).port()); }

/// curl as a driver that waits for its device.
class Curl {
 public:
  explicit Curl(const std::string& port) : url_("http://127.0.0.1:" + port) {}

  std::string get(const std::string& path) const { return run({url_ + path}); }
  std::string post(const std::string& path, const std::string& data) const {
    return run({"-d", data, url_ + path});
  }

 private:
  static std::string run(std::vector<std::string> words) {
    words.insert(words.begin(), {"curl", "-sS", "--fail-with-body", "--max-time", "20", "--retry",
                                 "60", "--retry-delay", "1", "--retry-connrefused"});
    const Outcome outcome = execute(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
    return outcome.out;
  }
  std::string url_;
};

class DriverOf : public testing::Test {
 protected:
  void SetUp() override {
    if (!DeviceServer::is_built()) GTEST_SKIP() << "built without libboost-dev";
    if (execute({"curl", "--version"}).exit != 0) GTEST_SKIP() << "curl is missing";
  }

  /// Runs the world until `driver` is satisfied.
  Outcome run_with(const PacketWorld& world, const std::function<void(const Curl&)>& driver) const {
    Surroundings around;
    around.meanwhile = [&](pid_t program) {
      driver(Curl(http_port_));
      kill(program, SIGINT);
    };
    return world.run({"--duration", "600", "--realtime", "--publish", "udp://127.0.0.1",
                      "--device-http", http_port_},
                     around);
  }

  const std::string http_port_ = free_port();
  const Receiver receiver_;
};

/// The packets of one whole frame, by their first column.
std::vector<KeptPacket> frame_of(const Receiver& receiver, const Metadata& metadata) {
  std::vector<KeptPacket> packets;
  while (packets.size() < metadata.columns / 16) {
    KeptPacket packet{0, 0, receiver.receive()};
    if (packet.bytes.empty()) {
      ADD_FAILURE() << "no packet comes";
      return {};
    }
    const Column first = column_of(metadata, packet, 0);
    if (first.id != 16 * packets.size()) packets.clear();  // the middle of a frame
    if (first.id == 16 * packets.size()) packets.push_back(std::move(packet));
  }
  return packets;
}

// The requests are those of ouster-sdk's init_client() and get_metadata(), in their order.
TEST_F(DriverOf, AnOusterGetsItsPointsAndItsMetadata) {
  const PacketWorld world("OusterOS1-64 { }");
  const auto beams = world.scan();
  int hits = 0;
  const Outcome outcome = run_with(world, [&](const Curl& curl) {
    EXPECT_THAT(json::parse(curl.get("/api/v1/system/firmware"))["fw"].get<std::string>(),
                HasSubstr("v2.5"));
    json config = json::parse(curl.get("/api/v1/sensor/cmd/get_config_param?args=active"));
    EXPECT_EQ(config["udp_port_lidar"], 7502);
    EXPECT_EQ(curl.get("/api/v1/sensor/cmd/set_udp_dest_auto"), "{}");
    config["udp_dest"] =
        json::parse(curl.get("/api/v1/sensor/cmd/get_config_param?args=staged"))["udp_dest"];
    config["udp_port_lidar"] = receiver_.port();
    std::string encoded;
    for (const char c : config.dump()) {
      constexpr const char* kHex = "0123456789ABCDEF";
      if (std::isalnum(static_cast<unsigned char>(c))) {
        encoded += c;
      } else {
        encoded += {'%', kHex[(c >> 4) & 15], kHex[c & 15]};
      }
    }
    EXPECT_EQ(curl.get("/api/v1/sensor/cmd/set_config_param?args=.+" + encoded),
              "\"set_config_param\"");
    EXPECT_EQ(curl.get("/api/v1/sensor/cmd/reinitialize"), "{}");
    std::string status;
    for (int i = 0; i < 100 && status != "RUNNING"; ++i) {
      ::usleep(50000);
      status = json::parse(curl.get("/api/v1/sensor/metadata/sensor_info"))["status"];
    }
    EXPECT_EQ(status, "RUNNING");
    const Metadata metadata(curl.get("/api/v1/sensor/metadata"));
    EXPECT_EQ(metadata.port, receiver_.port());
    for (const KeptPacket& packet : frame_of(receiver_, metadata)) {
      EXPECT_EQ(packet.little64(4) & 0xffffff, metadata.initialization);
      EXPECT_EQ(packet.little64(7) & 0xffffffffff, metadata.serial);
      for (std::size_t i = 0; i < 16; ++i) {
        const Column column = column_of(metadata, packet, i);
        for (std::size_t row = 0; row < 64; ++row) {
          const double range = packet.little32(column.at + 12 + 12 * row) & 0x7ffff;
          const Beam& beam = beams[row * 1024 + column.id];
          EXPECT_EQ(range > 0, std::isfinite(beam.range));
          if (!(range > 0)) continue;
          ++hits;
          const Vec3 off =
              cartesian(metadata, row, column.id, range) - Vec3(beam.x, beam.y, beam.z);
          EXPECT_LT(off.norm(), 0.00052);
        }
      }
    }
  });
  EXPECT_GT(hits, 20000);
  EXPECT_THAT(
      outcome.err,
      HasSubstr("car/top (OusterOS1-64) answers its drivers at http://127.0.0.1:" + http_port_));
  const json packets = json::parse(outcome.out)["packets"];
  EXPECT_GT(packets["sent"], 63);
  ASSERT_EQ(packets["http"].size(), 1u);
  EXPECT_EQ(packets["http"][0]["device"], "car/top");
  EXPECT_EQ(packets["http"][0]["url"], "http://127.0.0.1:" + http_port_);
}

TEST_F(DriverOf, AVelodyneSetsItsHost) {
  const PacketWorld world(kVlp16);
  const Outcome outcome = run_with(world, [&](const Curl& curl) {
    EXPECT_EQ(json::parse(curl.get("/cgi/info.json"))["model"], "VLP-16");
    EXPECT_EQ(json::parse(curl.get("/cgi/status.json"))["motor"]["rpm"], 600);
    EXPECT_TRUE(json::parse(curl.get("/cgi/diag.json")).contains("volt_temp"));
    const std::string port = std::to_string(receiver_.port());
    EXPECT_EQ(curl.post("/cgi/setting/host", "addr=127.0.0.1&dport=" + port), "");
    EXPECT_EQ(json::parse(curl.get("/cgi/settings.json"))["host"]["dport"], receiver_.port());
    for (int i = 0; i < 80; ++i) {
      const KeptPacket packet{0, 0, receiver_.receive()};
      ASSERT_EQ(packet.bytes.size(), 1206u);
      ASSERT_EQ(packet.little16(0), 0xeeffu);
    }
  });
  EXPECT_THAT(outcome.err, HasSubstr("car/top (VelodyneVLP-16) answers its drivers at"));
}

TEST_F(DriverOf, SeveralLidarsHavePortsOneAfterAnother) {
  std::string lidars = kVlp16;
  lidars += " VelodyneHDL-32E { name \"other\" fastModel TRUE beamModel \"datasheet\" }";
  const PacketWorld world(lidars);
  const std::string next = std::to_string(std::stoi(http_port_) + 1);
  run_with(world, [&](const Curl& curl) {
    EXPECT_EQ(json::parse(curl.get("/cgi/info.json"))["model"], "VLP-16");
    EXPECT_EQ(json::parse(Curl(next).get("/cgi/info.json"))["model"], "HDL-32E");
    EXPECT_EQ(json::parse(Curl(next).get("/cgi/settings.json"))["host"]["dport"], 2378);
  });
}

TEST(DeviceHttpOption, IsForPublishedPackets) {
  const PacketWorld world(kVlp16);
  const Outcome alone = world.run({"--device-http", "8080"});
  EXPECT_EQ(alone.exit, 2);
  EXPECT_THAT(alone.err, HasSubstr("is only for --publish udp://"));
  const Outcome high = world.run({"--publish", "udp://127.0.0.1", "--device-http", "80000"});
  EXPECT_EQ(high.exit, 2);
}

TEST_F(DriverOf, APortThatIsTakenIsTold) {
  const Receiver taken(SOCK_STREAM);
  const PacketWorld world(kVlp16);
  const Outcome outcome =
      world.run({"--publish", "udp://127.0.0.1", "--device-http", std::to_string(taken.port())});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_THAT(outcome.err, HasSubstr("cannot listen on 127.0.0.1:" + std::to_string(taken.port())));
}

}  // namespace
}  // namespace protobeam::test
