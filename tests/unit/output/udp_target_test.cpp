// Where packets may be sent, and that they arrive.
#include "output/packets/udp_target.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "output/packets/recorder.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/output/packet_check.h"

namespace protobeam {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A socket of this machine that waits for packets.
class Listener {
 public:
  Listener() : fd_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // Low enough for a device's other ports, which lie up to 5940 above.
    port_ = static_cast<std::uint16_t>(20000 + ::getpid() % 10000);
    do {
      address.sin_port = htons(++port_);
    } while (::bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 &&
             port_ < 50000);
    EXPECT_LT(port_, 50000) << "no port is free";
    const int room = 4 << 20;
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
  }
  ~Listener() { ::close(fd_); }

  std::uint16_t port() const { return port_; }
  /// The next packet; empty if there is none.
  std::vector<std::uint8_t> receive() const {
    pollfd wait{fd_, POLLIN, 0};
    if (::poll(&wait, 1, 100) != 1) return {};
    std::vector<std::uint8_t> bytes(65536);
    const ssize_t size = ::recv(fd_, bytes.data(), bytes.size(), 0);
    bytes.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return bytes;
  }

 private:
  int fd_;
  std::uint16_t port_ = 0;
};

std::string refusal(const std::string& text) {
  return message_of<std::invalid_argument>([&] { UdpTarget target(text); });
}

TEST(UdpTarget, AddressesThatDoNotFitAreExplained) {
  EXPECT_EQ(refusal("127.0.0.1:2368"), "'127.0.0.1:2368': must look like udp://127.0.0.1:2368");
  EXPECT_EQ(refusal("tcp://127.0.0.1:1"),
            "'tcp://127.0.0.1:1': must look like udp://127.0.0.1:2368");
  for (const char* port : {"0", "65536", "99999999999", "-1", "12x", "", " 1", "1:2"}) {
    EXPECT_THAT(refusal("udp://127.0.0.1:" + std::string(port)),
                HasSubstr("the port must be 1 to 65535"))
        << port;
  }
  for (const char* host : {"", "lidar.local", "127.0.0", "127.0.0.1.1", "::1", "1"}) {
    EXPECT_NE(refusal("udp://" + std::string(host)), "") << host;
  }
  EXPECT_THAT(refusal("udp://lidar.local:2368"),
              AllOf(HasSubstr("'lidar.local' is no IPv4 address"), HasSubstr("not looked up")));
}

// 192.0.2.0/24 and 198.51.100.0/24 are for documents (RFC 5737): no machine has them.
TEST(UdpTarget, PacketsStayOnThisMachine) {
  for (const char* text : {"udp://192.0.2.5:2368", "udp://198.51.100.1", "udp://255.255.255.255",
                           "udp://128.0.0.1", "udp://0.0.0.0"}) {
    EXPECT_THAT(refusal(text), HasSubstr("no address of this machine")) << text;
  }
  EXPECT_EQ(UdpTarget("udp://localhost:4000").port(), 4000);
  EXPECT_EQ(UdpTarget("udp://127.1.2.3").port(), 0);
}

// The address from which packets to others would leave is our own; asking for it sends nothing.
TEST(UdpTarget, AddressesOfThisMachineAreAllowed) {
  const int fd = ::socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in other{};
  other.sin_family = AF_INET;
  other.sin_port = htons(9);
  ::inet_pton(AF_INET, "192.0.2.5", &other.sin_addr);
  sockaddr_in own{};
  socklen_t size = sizeof(own);
  const bool has_route =
      ::connect(fd, reinterpret_cast<const sockaddr*>(&other), sizeof(other)) == 0 &&
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) == 0;
  ::close(fd);
  if (!has_route) GTEST_SKIP() << "this machine has no network besides loopback";
  char text[INET_ADDRSTRLEN];
  ASSERT_NE(::inet_ntop(AF_INET, &own.sin_addr, text, sizeof(text)), nullptr);
  EXPECT_EQ(refusal("udp://" + std::string(text) + ":2368"), "");
}

TEST(UdpTarget, WhatIsSentArrives) {
  const Listener listener;
  const UdpTarget target("udp://127.0.0.1");
  const std::vector<std::uint8_t> bytes = {1, 2, 3, 0, 255};
  target.send(listener.port(), bytes);
  EXPECT_EQ(listener.receive(), bytes);
}

TEST(UdpTarget, NobodyNeedsToListen) {
  std::uint16_t port = 0;
  { port = Listener().port(); }
  const UdpTarget target("udp://127.0.0.1");
  const std::vector<std::uint8_t> bytes(10);
  for (int i = 0; i < 3; ++i) EXPECT_NO_THROW(target.send(port, bytes));
}

TEST(UdpTarget, WhatTheSystemRefusesIsToldWithTheAddress) {
  const UdpTarget target("udp://127.0.0.1:2368");
  const std::vector<std::uint8_t> bytes(70000);
  EXPECT_EQ(message_of<std::runtime_error>([&] { target.send(2368, bytes); }),
            "cannot send to udp://127.0.0.1:2368, port 2368: Message too long");
}

TEST(PacketPublisher, DataPacketsGoToTheGivenPort) {
  const Listener listener;
  PacketPublisher publisher(UdpTarget("udp://127.0.0.1:" + std::to_string(listener.port())));
  RoomLidar lidar = helios();
  lidar.columns = 30;
  const auto sweep = room_sweep(lidar, 0);
  KeptPackets wanted = of_port(encode_all(lidar, {sweep}), 6699);
  ASSERT_EQ(wanted.size(), 3u);
  publisher.add_device(lidar.source());
  publisher.add(lidar.source(), sweep, sweep.end_time);
  publisher.finish();
  EXPECT_EQ(publisher.sent(), 4u);  // one told about the device, on another port
  for (const KeptPacket& packet : wanted) EXPECT_EQ(listener.receive(), packet.bytes);
  EXPECT_TRUE(listener.receive().empty());
}

// A sweep is known when it is over; its packets go out as far apart as the device would send them.
TEST(PacketPublisher, PacketsKeepTheirPace) {
  const Listener listener;
  PacketPublisher publisher(UdpTarget("udp://127.0.0.1:" + std::to_string(listener.port())));
  const RoomLidar lidar = vlp16();
  const auto sweeps = room_sweeps(lidar, 2);
  const KeptPackets wanted = encode_all(lidar, sweeps);
  std::size_t next = 0;
  for (const TimedSweep& sweep : sweeps) {
    publisher.add(lidar.source(), sweep, sweep.end_time);
    for (int step = 0; step < 10; ++step) {
      const double now = sweep.end_time + 0.01 * step;
      publisher.send_until(now);
      const double device_time = now - (sweep.end_time - sweep.start_time);
      while (next < wanted.size() && wanted[next].time <= device_time + 1e-9) ++next;
      ASSERT_EQ(publisher.sent(), next) << now;
    }
  }
  EXPECT_LT(next, wanted.size());
  publisher.finish();
  EXPECT_EQ(publisher.sent(), wanted.size());
  for (const KeptPacket& packet : of_port(wanted, 2368)) {
    ASSERT_EQ(listener.receive(), packet.bytes);
  }
}

TEST(PacketPublisher, PacketsGoWhereADriverSetsThem) {
  const Listener first, second;
  PacketPublisher publisher(UdpTarget("udp://127.0.0.1:" + std::to_string(first.port())));
  const RoomLidar lidar = ouster(1, 64, 1024);
  const auto http = publisher.make_http(lidar.source());
  const auto set = [&](const std::string& config) {
    EXPECT_EQ(http->answer({"POST", "/api/v1/sensor/config", config, {}}).status, 204);
    publisher.apply(lidar.source(), http->take_settings().value());
  };
  const auto sweeps = room_sweeps(lidar, 3);
  publisher.add(lidar.source(), sweeps[0], sweeps[0].end_time);
  set("{\"udp_port_lidar\": " + std::to_string(second.port()) + "}");
  publisher.send_until(sweeps[1].end_time);
  EXPECT_EQ(publisher.sent(), 0u);  // what waited was of the configuration before
  publisher.add(lidar.source(), sweeps[1], sweeps[1].end_time);
  publisher.send_until(sweeps[2].end_time + 1);
  EXPECT_GE(publisher.sent(), 63u);
  EXPECT_TRUE(first.receive().empty());
  const KeptPacket packet{0, 0, second.receive()};
  ASSERT_EQ(packet.bytes.size(), 12544u);
  EXPECT_EQ(packet.little64(4) & 0xffffff, 2u);  // the sensor has started again

  const std::size_t sent = publisher.sent();
  set(R"({"operating_mode": "STANDBY"})");
  publisher.add(lidar.source(), sweeps[2], sweeps[2].end_time);
  publisher.finish();
  EXPECT_EQ(publisher.sent(), sent);
}

TEST(PacketPublisher, PortsThatThereAreNotAreTold) {
  PacketPublisher publisher(UdpTarget("udp://127.0.0.1:65000"));
  // Its second port would be 65000 + 1089.
  EXPECT_EQ(
      message_of<std::invalid_argument>([&] { publisher.add_device(helios().source()); }),
      "lidar 'top' of robot 'car' (RobosenseHelios5515): its port 7788 would become 66089; take "
      "another port than 65000");
}

}  // namespace
}  // namespace protobeam
