#include "link/remote_memory.h"

#include <algorithm>
#include <cstring>

#include "link/attach_messages.h"
#include "link/messages.h"

namespace protobeam::link {
namespace {

constexpr std::size_t kBlock = 4096;
/// Of one message.
constexpr std::size_t kMost = 1u << 20;

}  // namespace

void RemoteMemory::send(std::span<const std::byte> memory, Channel& channel) {
  const auto size_at = [&](std::size_t at) { return std::min(kBlock, memory.size() - at); };
  const auto changed = [&](std::size_t at) {
    return std::memcmp(memory.data() + at, known_.data() + at, size_at(at)) != 0;
  };
  for (std::size_t at = 0; at < memory.size();) {
    if (!changed(at)) {
      at += kBlock;
      continue;
    }
    std::size_t end = at + size_at(at);
    while (end < memory.size() && end - at < kMost && changed(end)) end += size_at(end);
    const auto piece = memory.subspan(at, end - at);
    std::memcpy(known_.data() + at, piece.data(), piece.size());
    channel.post(MessageType::kMemory, encode_memory(at, piece));
    at = end;
  }
}

}  // namespace protobeam::link
