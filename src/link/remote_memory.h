// Shared memory for a program on the other side of a TCP connection: what has changed is sent.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "link/channel.h"

namespace protobeam::link {

class RemoteMemory {
 public:
  /// Both sides begin with zeros.
  explicit RemoteMemory(std::size_t size) : known_(size) {}

  /// Posts what is not yet known there.
  void send(std::span<const std::byte> memory, Channel& channel);

 private:
  std::vector<std::byte> known_;
};

}  // namespace protobeam::link
