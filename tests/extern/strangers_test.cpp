// Whoever connects and sends rubbish, half of something or nothing disturbs nobody.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <random>

#include "base/descriptor.h"
#include "link/attach_messages.h"
#include "link/channel.h"
#include "link/messages.h"
#include "tests/extern/stage.h"

namespace protobeam::test {
namespace {

using testing::HasSubstr;

class ExternStrangers : public ExternTest {
 protected:
  Descriptor to_socket(int type = SOCK_SEQPACKET) const {
    Descriptor fd(socket(AF_UNIX, type, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = (folder_.path() / "protobeam/1234.socket").string();
    path.copy(address.sun_path, path.size());
    return connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0
               ? std::move(fd)
               : Descriptor();
  }
  static Descriptor to_port(int port) {
    Descriptor fd(socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0
               ? std::move(fd)
               : Descriptor();
  }
  static void say(const Descriptor& fd, std::span<const std::byte> bytes) {
    send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  static std::vector<std::byte> rubbish(std::mt19937& generator, std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (auto& one : bytes) one = static_cast<std::byte>(generator() & 255u);
    return bytes;
  }
};

TEST_F(ExternStrangers, DisturbNobodyAtTheSocket) {
  const auto simulator = run(one_robot());
  ASSERT_TRUE(simulator->says("waiting for controller"));
  std::mt19937 generator(5);
  std::vector<Descriptor> all;
  for (int i = 0; i < 200; ++i) all.push_back(to_socket());  // say nothing
  for (int i = 0; i < 300; ++i) {
    all.push_back(to_socket());
    ASSERT_TRUE(all.back().open());
    say(all.back(), rubbish(generator, generator() % 3000));
    if (i % 3 == 0) all.pop_back();
  }
  const auto program = launch({wanderer()});
  EXPECT_EQ(program->wait(), 0) << program->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  EXPECT_EQ(hash(*simulator), hash_inside("wanderer"));
}

TEST_F(ExternStrangers, DisturbNobodyOverTcp) {
  const auto simulator = run(one_robot(), {"--allow-remote-controllers", "--port", "0"});
  const std::string url = tcp_url(*simulator);
  const int port = std::stoi(url.substr(url.rfind(':') + 1));
  std::mt19937 generator(6);
  std::vector<Descriptor> all;
  for (int i = 0; i < 200; ++i) all.push_back(to_port(port));
  for (int i = 0; i < 300; ++i) {
    all.push_back(to_port(port));
    ASSERT_TRUE(all.back().open());
    say(all.back(), rubbish(generator, generator() % 3000));
    if (i % 3 == 0) all.pop_back();
  }
  const auto program = start({wanderer()}, {"WEBOTS_CONTROLLER_URL=" + url});
  EXPECT_EQ(program->wait(), 0) << program->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  EXPECT_EQ(hash(*simulator), hash_inside("wanderer"));
}

/// One that is let in and then breaks the rules is thrown out, and the next one drives.
TEST_F(ExternStrangers, AreThrownOutAfterHalfAHandshake) {
  using link::Channel;
  using link::MessageType;
  const auto simulator = run(one_robot());
  ASSERT_TRUE(simulator->says("waiting for controller"));
  const auto attach = [&] {
    auto channel = std::make_unique<Channel>(to_socket().release());
    channel->post(MessageType::kAttach, link::encode_attach("a"));
    const auto answer = channel->receive(true);
    EXPECT_TRUE(answer && answer->type == MessageType::kAttached);
    return channel;
  };
  attach().reset();  // leaves at once
  {
    auto channel = attach();  // rubbish instead of a greeting
    channel->post(MessageType::kStep, link::encode_hello());
    EXPECT_FALSE(channel->receive(true));
  }
  EXPECT_TRUE(simulator->says("it does not begin with a greeting"));
  {
    auto channel = attach();  // greets twice
    channel->post(MessageType::kHello, link::encode_hello());
    channel->post(MessageType::kHello, link::encode_hello());
    link::receive_descriptor(channel->fd());
    while (channel->receive(true)) {
    }
  }
  EXPECT_TRUE(simulator->says("it greets twice"));
  {
    auto channel = attach();  // a step of a negative time
    channel->post(MessageType::kHello, link::encode_hello());
    EXPECT_GE(link::receive_descriptor(channel->fd()).get(), 0);
    EXPECT_TRUE(channel->receive(true));
    channel->post(MessageType::kStep, link::encode(link::StepRequest{-5, {}}));
    EXPECT_FALSE(channel->receive(true));
  }
  EXPECT_TRUE(simulator->says("a step of -5 ms"));
  const auto silent = attach();
  EXPECT_TRUE(simulator->says("did not greet for 5 s"));
  const auto program = launch({wanderer()});
  EXPECT_EQ(program->wait(), 0) << program->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  EXPECT_EQ(hash(*simulator), hash_inside("wanderer"));
}

TEST_F(ExternStrangers, OfAnotherVersionAreToldSo) {
  const auto simulator = run(one_robot());
  ASSERT_TRUE(simulator->says("waiting for controller"));
  link::Channel channel(to_socket().release());
  link::Writer out;
  out.value(link::kHelloMagic);
  out.value(std::uint32_t{99});
  out.text("a");
  channel.post(link::MessageType::kAttach, out.take());
  const auto answer = channel.receive(true);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->type, link::MessageType::kRefused);
  EXPECT_THAT(link::decode_refused(answer->bytes), HasSubstr("version 99"));
}

TEST_F(ExternStrangers, FindNoPortUnlessItIsAskedFor) {
  const auto simulator = run(one_robot(), {"--port", "0"});
  ASSERT_TRUE(simulator->says("extern controllers connect to port "));
  const std::string text = simulator->err();
  const std::string port = text.substr(text.find("to port ") + 8);
  EXPECT_FALSE(to_port(std::stoi(port)).open());
}

}  // namespace
}  // namespace protobeam::test
