// A UDP packet as the Ethernet frames that carry it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "output/packets/packets.h"

namespace protobeam {

using FrameSink = std::function<void(std::span<const std::uint8_t>)>;

/// Ethernet II, IPv4 and UDP with their checksums; fragments where the payload is longer than a
/// frame of 1500 bytes holds. `id` distinguishes the fragments of one packet from those of others.
void make_frames(const PacketAddress& address, const UdpPacket& packet, std::uint16_t id,
                 const FrameSink& sink);

}  // namespace protobeam
