// URLs of controllers, messages over streams, memory over streams.
#include "link/attach.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <random>
#include <thread>

#include "link/attach_messages.h"
#include "link/channel.h"
#include "link/controller_url.h"
#include "link/extern_server.h"
#include "link/messages.h"
#include "link/remote_memory.h"
#include "tests/support/temporary_folder.h"

namespace protobeam::link {
namespace {

using Protocol = ControllerUrl::Protocol;

struct Streams {
  Streams() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    ours = std::make_unique<Channel>(ends[0], Channel::Kind::kStream);
    theirs = std::make_unique<Channel>(ends[1], Channel::Kind::kStream);
  }
  std::unique_ptr<Channel> ours, theirs;
};

std::vector<std::byte> noise(std::mt19937& generator, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (auto& one : bytes) one = static_cast<std::byte>(generator() & 255u);
  return bytes;
}

TEST(ControllerUrl, HasTheFormsOfWebots) {
  auto url = parse_controller_url("ipc://1234/my%20robot%2F1");
  EXPECT_EQ(url.protocol, Protocol::kIpc);
  EXPECT_EQ(url.port, 1234);
  EXPECT_EQ(url.robot, "my robot/1");
  EXPECT_EQ(to_string(url), "ipc://1234/my%20robot%2F1");
  url = parse_controller_url("tcp://[::1]:5/r");
  EXPECT_EQ(url.protocol, Protocol::kTcp);
  EXPECT_EQ(url.host, "::1");
  EXPECT_EQ(url.port, 5);
  EXPECT_EQ(to_string(url), "tcp://[::1]:5/r");
  EXPECT_EQ(parse_controller_url("tcp://host:65535").robot, "");
  EXPECT_EQ(parse_controller_url("50% robot").robot, "50% robot");
  EXPECT_EQ(parse_controller_url("").port, 0);
}

TEST(ControllerUrl, RefusesWhatIsNone) {
  for (const char* text :
       {"ipc://", "ipc://0", "ipc://65536", "ipc://1x", "ipc://-1/a", "tcp://a",
        "tcp://a:", "tcp://:1", "http://a:1", "ipc://1/%", "ipc://1/%0", "ipc://1/%gg"}) {
    EXPECT_THROW(parse_controller_url(text), std::invalid_argument) << text;
  }
}

TEST(ExternServer, AnswersProgramsOnceAllRobotsOfTheStartAreAnnounced) {
  const TemporaryFolder folder;
  setenv("PROTOBEAM_RUNTIME_DIR", folder.path().c_str(), 1);
  ExternServer server(
      {}, [](const std::string&) {}, [] { return false; });
  const auto first = server.announce("a");
  // For a robot that is not there yet.
  auto early = std::async(std::launch::async, [url = parse_controller_url(server.url_for("b"))] {
    return attach(url, std::chrono::seconds(20), [](const std::string&) {});
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto second = server.announce("b");
  server.hear();
  const auto program = early.get();  // throws where it was refused
  EXPECT_TRUE(second->take());
  EXPECT_FALSE(first->take());
  unsetenv("PROTOBEAM_RUNTIME_DIR");
}

TEST(ChannelOverAStream, CarriesMessagesOfAnySize) {
  std::mt19937 generator(1);
  for (const std::size_t size : {0u, 1u, 65527u, 65528u, 65529u, 65536u, 200'000u, 5'000'000u}) {
    Streams streams;
    const auto sent = noise(generator, size);
    std::thread writer([&] {
      streams.ours->post(MessageType::kMemory, sent);
      streams.ours->post(MessageType::kBye, {});
      while (streams.ours->pending()) streams.ours->flush();
    });
    const auto message = streams.theirs->receive(true);
    ASSERT_TRUE(message);
    EXPECT_EQ(message->type, MessageType::kMemory);
    EXPECT_EQ(std::vector(message->bytes.begin(), message->bytes.end()), sent) << size;
    const auto next = streams.theirs->receive(true);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->type, MessageType::kBye);
    writer.join();
  }
}

TEST(ChannelOverAStream, SurvivesRubbish) {
  std::mt19937 generator(2);
  int broken = 0;
  for (int i = 0; i < 2000; ++i) {
    Streams streams;
    auto bytes = noise(generator, generator() % 400);
    if (i % 2 && bytes.size() > 4) bytes[2] = bytes[3] = std::byte{0};  // a length that may be
    ASSERT_EQ(send(streams.ours->fd(), bytes.data(), bytes.size(), 0),
              static_cast<ssize_t>(bytes.size()));
    streams.ours.reset();
    try {
      while (streams.theirs->receive(true)) {
      }
    } catch (const BrokenMessage&) {
      ++broken;
    }
  }
  EXPECT_GT(broken, 500);
}

TEST(ChannelOverAStream, TakesNoMoreThanItIsTold) {
  Streams streams;
  streams.theirs->limit_messages(100);
  streams.ours->post(MessageType::kAttach, std::vector<std::byte>(101));
  EXPECT_THROW(streams.theirs->receive(true), BrokenMessage);
}

TEST(RemoteMemory, SendsWhatHasChanged) {
  std::mt19937 generator(3);
  std::vector<std::byte> here(300'001), there(here.size());
  RemoteMemory memory(here.size());
  for (int round = 0; round < 20; ++round) {
    for (auto changes = generator() % 5; changes > 0; --changes) {
      here[generator() % here.size()] = static_cast<std::byte>(generator() & 255u);
    }
    if (round == 10) here.back() = std::byte{7};
    Streams streams;
    std::size_t bytes = 0;
    std::thread writer([&] {
      memory.send(here, *streams.ours);
      streams.ours->post(MessageType::kReply, {});
      while (streams.ours->pending()) streams.ours->flush();
    });
    for (;;) {
      const auto message = streams.theirs->receive(true);
      ASSERT_TRUE(message);
      if (message->type == MessageType::kReply) break;
      decode_memory(message->bytes, there);
      bytes += message->bytes.size();
    }
    writer.join();
    EXPECT_EQ(there, here);
    EXPECT_LT(bytes, 6u * 5000u);  // a page for each change
  }
}

TEST(RemoteMemory, StaysInside) {
  std::vector<std::byte> memory(100), piece(50);
  EXPECT_NO_THROW(decode_memory(encode_memory(50, piece), memory));
  EXPECT_THROW(decode_memory(encode_memory(51, piece), memory), BrokenMessage);
  EXPECT_THROW(decode_memory(encode_memory(~std::size_t{0}, piece), memory), BrokenMessage);
}

}  // namespace
}  // namespace protobeam::link
