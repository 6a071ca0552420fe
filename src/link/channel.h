// Messages of any size over a SOCK_SEQPACKET socket, in pieces that the kernel takes whole.
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
  /// Owns the socket.
  explicit Channel(int fd);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  int fd() const { return fd_; }

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

  int fd_;
  bool closed_ = false;
  std::deque<std::vector<std::byte>> outbox_;
  std::vector<std::byte> piece_;     // as it came
  std::vector<std::byte> assembly_;  // of several pieces
  std::uint32_t expected_ = 0;       // size of the message under way, 0: none
  MessageType type_{};
};

}  // namespace protobeam::link
