#include "link/attach_messages.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "link/messages.h"

namespace protobeam::link {
namespace {

/// In the packet that carries the descriptor.
constexpr char kMark = 'M';

Writer greeting() {
  Writer out;
  out.value(kHelloMagic);
  out.value(kProtocolVersion);
  return out;
}

/// What follows the greeting.
Reader after_greeting(std::span<const std::byte> bytes) {
  constexpr std::size_t kSize = sizeof kHelloMagic + sizeof kProtocolVersion;
  if (bytes.size() < kSize) throw BrokenMessage("a greeting is too short");
  decode_hello(bytes.first(kSize));
  return Reader(bytes.subspan(kSize));
}

}  // namespace

std::vector<std::byte> encode_attach(const std::string& robot) {
  Writer out = greeting();
  out.text(robot);
  return out.take();
}

std::vector<std::byte> encode_list() { return greeting().take(); }

std::vector<std::byte> encode_refused(const std::string& why) {
  Writer out;
  out.text(why);
  return out.take();
}

std::vector<std::byte> encode(std::span<const WaitingRobot> robots) {
  Writer out;
  out.count(robots.size());
  for (const WaitingRobot& robot : robots) {
    out.text(robot.name);
    out.value(robot.driven);
  }
  return out.take();
}

std::string decode_attach(std::span<const std::byte> bytes) {
  Reader in = after_greeting(bytes);
  std::string robot = in.text();
  in.expect_end();
  return robot;
}

void decode_list(std::span<const std::byte> bytes) { after_greeting(bytes).expect_end(); }

std::string decode_refused(std::span<const std::byte> bytes) {
  Reader in(bytes);
  std::string why = in.text();
  in.expect_end();
  return why;
}

std::vector<WaitingRobot> decode_robots(std::span<const std::byte> bytes) {
  Reader in(bytes);
  std::vector<WaitingRobot> robots(in.count(5));
  for (WaitingRobot& robot : robots) {
    robot.name = in.text();
    robot.driven = in.flag();
  }
  in.expect_end();
  return robots;
}

std::vector<std::byte> encode_memory(std::size_t offset, std::span<const std::byte> bytes) {
  Writer out;
  out.reserve(sizeof(std::uint64_t) + bytes.size());
  out.value(std::uint64_t{offset});
  out.items(bytes.empty() ? std::span<const char>()
                          : std::span(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  return out.take();
}

void decode_memory(std::span<const std::byte> bytes, std::span<std::byte> memory) {
  Reader in(bytes);
  const auto offset = in.value<std::uint64_t>();
  bytes = bytes.subspan(sizeof offset);
  if (offset > memory.size() || bytes.size() > memory.size() - offset) {
    throw BrokenMessage("samples lie outside the memory");
  }
  if (!bytes.empty()) std::memcpy(memory.data() + offset, bytes.data(), bytes.size());
}

std::vector<std::byte> encode_end(int exit_code) {
  Writer out;
  out.value(std::int32_t{exit_code});
  return out.take();
}

int decode_end(std::span<const std::byte> bytes) {
  Reader in(bytes);
  const int code = in.value<std::int32_t>() & 0xff;  // what a shell sees of it
  in.expect_end();
  return code;
}

bool send_descriptor(int socket, int fd) {
  char mark = kMark;
  iovec data{&mark, sizeof mark};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof fd)] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fd);
  std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(sizeof mark);
}

Descriptor receive_descriptor(int socket) {
  char mark = 0;
  iovec data{&mark, sizeof mark};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got;
  do {
    got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) throw BrokenMessage("it has closed");
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
      header->cmsg_len != CMSG_LEN(sizeof(int))) {
    throw BrokenMessage("it sent no memory");
  }
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
  Descriptor descriptor(fd);
  if (mark != kMark || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
    throw BrokenMessage("it sent no memory");
  }
  return descriptor;
}

}  // namespace protobeam::link
