// Messages of any size over a socket: a SOCK_SEQPACKET one, in pieces that the kernel takes whole, or
// a stream (TCP), where the length of each piece comes before it.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "link/messages.h"

namespace protobeam::link {

struct Message {
  MessageType type;
  std::span<const std::byte> bytes;  ///< valid until the next receive()
};

class Channel {
 public:
  enum class Kind { kPackets, kStream };
  /// More than any controller has to say in a step; a limit for those that lie about it.
  static constexpr std::uint32_t kLargestMessage = 64u << 20;

  /// Owns the socket.
  explicit Channel(int fd, Kind kind = Kind::kPackets);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  int fd() const { return fd_; }
  Kind kind() const { return kind_; }
  /// What is larger is refused: of strangers little is taken.
  void limit_messages(std::uint32_t bytes) { largest_ = bytes; }

  /// Queues a message and sends what the socket takes at once. Errors show at receive().
  void post(MessageType type, std::span<const std::byte> bytes);
  /// True while something is queued; flush() when the socket can be written again.
  bool pending() const { return !outbox_.empty(); }
  void flush();

  /// The next whole message; nothing while it has not arrived (never with `wait`) or at the end.
  /// Throws BrokenMessage on pieces that make no message.
  std::optional<Message> receive(bool wait);
  /// The other side has closed, or the socket has failed.
  bool closed() const { return closed_; }

 private:
  std::optional<Message> take_piece(std::span<const std::byte> piece);
  /// What has come of a stream: the next whole piece, or nothing.
  std::optional<std::span<const std::byte>> next_piece();

  int fd_;
  Kind kind_;
  std::uint32_t largest_ = kLargestMessage;
  bool closed_ = false;
  std::deque<std::vector<std::byte>> outbox_;
  std::size_t sent_ = 0;             // of the first of them
  std::vector<std::byte> stream_;    // what has come
  std::size_t used_ = 0;             // of it
  std::vector<std::byte> piece_;     // as it came
  std::vector<std::byte> assembly_;  // of several pieces
  std::uint32_t expected_ = 0;       // size of the message under way, 0: none
  MessageType type_{};
};

}  // namespace protobeam::link
