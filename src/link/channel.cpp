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
/// Before each piece of a stream.
using Length = std::uint32_t;

struct Header {
  std::uint32_t size;  // of the whole message without headers
  MessageType type;
};

}  // namespace

Channel::Channel(int fd, Kind kind) : fd_(fd), kind_(kind), piece_(kPiece + 1) {}

Channel::~Channel() { close(fd_); }

void Channel::post(MessageType type, std::span<const std::byte> bytes) {
  const Header header{static_cast<std::uint32_t>(bytes.size()), type};
  const auto* start = reinterpret_cast<const std::byte*>(&header);
  std::vector<std::byte> piece(start, start + sizeof header);
  do {
    const auto n = std::min(bytes.size(), kPiece - piece.size());
    piece.insert(piece.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    bytes = bytes.subspan(n);
    if (kind_ == Kind::kStream) {
      const auto length = static_cast<Length>(piece.size());
      const auto* at = reinterpret_cast<const std::byte*>(&length);
      piece.insert(piece.begin(), at, at + sizeof length);
    }
    outbox_.push_back(std::move(piece));
    piece.clear();
  } while (!bytes.empty());
  flush();
}

void Channel::flush() {
  while (!outbox_.empty()) {
    const auto& piece = outbox_.front();
    const auto n = send(fd_, piece.data() + sent_, piece.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == ENOBUFS) return;
      outbox_.clear();  // nobody is there to read it; receive() finds the end of the socket
      sent_ = 0;
      return;
    }
    sent_ += static_cast<std::size_t>(n);
    if (sent_ < piece.size()) continue;  // a stream takes a part
    outbox_.pop_front();
    sent_ = 0;
  }
}

std::optional<Message> Channel::receive(bool wait) {
  while (!closed_) {
    while (const auto piece = next_piece()) {
      if (auto message = take_piece(*piece)) return message;
    }
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
    const auto come = std::span(piece_).first(static_cast<std::size_t>(n));
    if (kind_ == Kind::kStream) {
      stream_.insert(stream_.end(), come.begin(), come.end());
    } else if (auto message = take_piece(come)) {
      return message;
    }
  }
  return std::nullopt;
}

std::optional<std::span<const std::byte>> Channel::next_piece() {
  // The piece before was used in place until now.
  stream_.erase(stream_.begin(), stream_.begin() + static_cast<std::ptrdiff_t>(used_));
  used_ = 0;
  Length length;
  if (stream_.size() < sizeof length) return std::nullopt;
  std::memcpy(&length, stream_.data(), sizeof length);
  if (length == 0 || length > kPiece) throw BrokenMessage("a piece of a message has a wrong length");
  if (stream_.size() - sizeof length < length) return std::nullopt;
  used_ = sizeof length + length;
  return std::span<const std::byte>(stream_).subspan(sizeof length, length);
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
    if (header.size > largest_) {
      throw BrokenMessage("a message of " + std::to_string(header.size) +
                          " bytes is larger than the limit of " + std::to_string(largest_));
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
