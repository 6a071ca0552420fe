#pragma once

#include <cstddef>
#include <cstdint>

namespace protobeam::link {

/// Decodes the bytes as a message of the link: the first byte picks which (hello, configuration,
/// request, reply), the rest is the message. What was decoded is encoded and decoded again; aborts
/// when that gives other bytes. A request's commands are checked for a robot with every device.
void decode_bytes(const std::uint8_t* data, std::size_t size);

}  // namespace protobeam::link
