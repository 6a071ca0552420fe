#include "link/channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace protobeam::link {
namespace {

// Well below what a socket takes by default (about 200 kB), so a piece is never refused.
constexpr std::size_t kPiece = 65536;
// More than any controller has to say in a step; a limit for those that lie about it.
constexpr std::uint32_t kLargestMessage = 64u << 20;

struct Header {
  std::uint32_t size;  // of the whole message without headers
  MessageType type;
};

}  // namespace

Channel::Channel(int fd) : fd_(fd), piece_(kPiece + 1) {}

Channel::~Channel() { close(fd_); }

void Channel::post(MessageType type, std::span<const std::byte> bytes) {
  const Header header{static_cast<std::uint32_t>(bytes.size()), type};
  const auto* start = reinterpret_cast<const std::byte*>(&header);
  std::vector<std::byte> piece(start, start + sizeof header);
  do {
    const auto n = std::min(bytes.size(), kPiece - piece.size());
    piece.insert(piece.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    bytes = bytes.subspan(n);
    outbox_.push_back(std::move(piece));
    piece.clear();
  } while (!bytes.empty());
  flush();
}

void Channel::flush() {
  while (!outbox_.empty()) {
    const auto& piece = outbox_.front();
    if (send(fd_, piece.data(), piece.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == ENOBUFS) return;
      outbox_.clear();  // nobody is there to read it; receive() finds the end of the socket
      return;
    }
    outbox_.pop_front();
  }
}

std::optional<Message> Channel::receive(bool wait) {
  while (!closed_) {
    if (wait && pending()) {
      pollfd both{fd_, POLLIN | POLLOUT, 0};
      poll(&both, 1, -1);
      flush();
      if (!(both.revents & ~POLLOUT)) continue;
    }
    const auto n = recv(fd_, piece_.data(), piece_.size(), wait ? 0 : MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return std::nullopt;
    if (n <= 0) {
      closed_ = true;
      break;
    }
    if (auto message = take_piece(std::span(piece_).first(static_cast<std::size_t>(n)))) {
      return message;
    }
  }
  return std::nullopt;
}

std::optional<Message> Channel::take_piece(std::span<const std::byte> piece) {
  const auto whole_size = piece.size();
  if (whole_size > kPiece) throw BrokenMessage("a piece of a message is too large");
  if (expected_ == 0) {
    Header header;
    if (piece.size() < sizeof header) {
      throw BrokenMessage("a message of " + std::to_string(piece.size()) + " bytes has no header");
    }
    std::memcpy(&header, piece.data(), sizeof header);
    piece = piece.subspan(sizeof header);
    if (header.size > kLargestMessage) {
      throw BrokenMessage("a message of " + std::to_string(header.size) +
                          " bytes is larger than the limit of " + std::to_string(kLargestMessage));
    }
    if (piece.size() > header.size) throw BrokenMessage("a message is longer than it says");
    type_ = header.type;
    if (piece.size() == header.size) return Message{type_, piece};
    expected_ = header.size;
    assembly_.clear();
  }
  // Memory grows with what has come, not with what is promised; and it comes in whole pieces.
  if (piece.size() > expected_ - assembly_.size()) {
    throw BrokenMessage("a message is longer than it says");
  }
  if (whole_size < kPiece && piece.size() < expected_ - assembly_.size()) {
    throw BrokenMessage("a piece of a message is too small");
  }
  assembly_.insert(assembly_.end(), piece.begin(), piece.end());
  if (assembly_.size() < expected_) return std::nullopt;
  expected_ = 0;
  return Message{type_, assembly_};
}

}  // namespace protobeam::link
