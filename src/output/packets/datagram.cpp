#include "output/packets/datagram.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "output/packets/bytes.h"

namespace protobeam {
namespace {

constexpr std::size_t kEthernet = 14, kIp = 20, kUdp = 8;
constexpr std::size_t kFragment = 1480;  // a multiple of 8 that fits into 1500 with its header
constexpr std::size_t kLongestPayload = 65535 - kIp - kUdp;
constexpr std::uint8_t kUdpProtocol = 17;
constexpr std::uint16_t kMoreFragments = 0x2000;

/// RFC 1071: the sum of big-endian words, not yet folded.
std::uint32_t sum_of(std::span<const std::uint8_t> bytes, std::uint32_t sum = 0) {
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    sum += static_cast<std::uint32_t>(bytes[i] << 8 | bytes[i + 1]);
  }
  if (bytes.size() % 2 == 1) sum += static_cast<std::uint32_t>(bytes.back() << 8);
  return sum;
}

std::uint16_t checksum(std::uint32_t sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

/// Header and payload.
std::vector<std::uint8_t> udp(const PacketAddress& address, const UdpPacket& packet) {
  std::vector<std::uint8_t> bytes(kUdp + packet.payload.size());
  const auto size = static_cast<std::uint16_t>(bytes.size());
  put_big(bytes, 0, packet.port);
  put_big(bytes, 2, packet.port);
  put_big(bytes, 4, size);
  std::ranges::copy(packet.payload, bytes.begin() + kUdp);
  std::uint32_t sum = kUdpProtocol + std::uint32_t{size};
  sum = sum_of(address.device_ip, sum);
  sum = sum_of(address.host_ip, sum);
  const std::uint16_t check = checksum(sum_of(bytes, sum));
  put_big<std::uint16_t>(bytes, 6, check == 0 ? 0xffff : check);  // 0 means that there is none
  return bytes;
}

}  // namespace

void make_frames(const PacketAddress& address, const UdpPacket& packet, std::uint16_t id,
                 const FrameSink& sink) {
  if (packet.payload.size() > kLongestPayload) {
    throw std::length_error("a UDP packet of more than 65507 bytes");
  }
  const std::vector<std::uint8_t> bytes = udp(address, packet);
  std::vector<std::uint8_t> frame;
  for (std::size_t at = 0; at < bytes.size(); at += kFragment) {
    const std::size_t size = std::min(kFragment, bytes.size() - at);
    const bool last = at + size == bytes.size();
    frame.assign(kEthernet + kIp + size, 0);
    std::ranges::copy(address.host_mac, frame.begin());
    std::ranges::copy(address.device_mac, frame.begin() + 6);
    put_big<std::uint16_t>(frame, 12, 0x0800);
    const Bytes ip = Bytes(frame).subspan(kEthernet, kIp);
    ip[0] = 0x45;
    put_big(ip, 2, static_cast<std::uint16_t>(kIp + size));
    put_big(ip, 4, id);
    put_big(ip, 6, static_cast<std::uint16_t>(at / 8 | (last ? 0 : kMoreFragments)));
    ip[8] = 64;  // hops
    ip[9] = kUdpProtocol;
    std::ranges::copy(address.device_ip, ip.begin() + 12);
    std::ranges::copy(address.host_ip, ip.begin() + 16);
    put_big(ip, 10, checksum(sum_of(ip)));
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size,
                frame.begin() + static_cast<std::ptrdiff_t>(kEthernet + kIp));
    sink(frame);
  }
}

}  // namespace protobeam
