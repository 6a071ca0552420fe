// Captures, read by a second implementation of the formats: pcap, Ethernet, IPv4, UDP.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "tests/support/temporary_folder.h"
#include "tests/unit/output/packet_check.h"

namespace protobeam {

struct Captured {
  std::uint64_t us;  ///< Unix time
  std::vector<std::uint8_t> from, to;
  unsigned from_port, to_port;
  std::vector<std::uint8_t> payload;
};

inline KeptPacket view(const std::string& bytes) { return {0, 0, {bytes.begin(), bytes.end()}}; }

/// RFC 1071: the ones' complement sum of big-endian words is all ones.
inline bool sums_up(std::vector<std::uint8_t> bytes) {
  if (bytes.size() % 2 == 1) bytes.push_back(0);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 2) sum += bytes[i] * 256u + bytes[i + 1];
  while (sum > 0xffff) sum = sum % 0x10000 + sum / 0x10000;
  return sum == 0xffff;
}

inline std::vector<Captured> read_pcap(const std::filesystem::path& path) {
  const KeptPacket file = view(read_bytes(path));
  EXPECT_EQ(file.little32(0), 0xa1b2c3d4u);
  EXPECT_EQ(file.little16(4), 2u);
  EXPECT_EQ(file.little16(6), 4u);
  EXPECT_EQ(file.little32(20), 1u);  // Ethernet
  std::vector<Captured> packets;
  std::map<unsigned, std::vector<std::uint8_t>> parts;  // by identification
  for (std::size_t at = 24; at < file.bytes.size();) {
    const std::size_t size = file.little32(at + 8);
    EXPECT_EQ(file.little32(at + 12), size);
    EXPECT_LE(size, 1514u);
    const auto begin = file.bytes.begin() + static_cast<std::ptrdiff_t>(at + 16);
    const KeptPacket frame{0, 0, {begin, begin + static_cast<std::ptrdiff_t>(size)}};
    const std::uint64_t us = file.little32(at) * 1'000'000ull + file.little32(at + 4);
    at += 16 + size;
    EXPECT_EQ(frame.big16(12), 0x0800u);
    EXPECT_EQ(frame.byte(14), 0x45u);
    EXPECT_EQ(frame.byte(23), 17u);
    EXPECT_EQ(frame.big16(16), size - 14);
    EXPECT_TRUE(sums_up({frame.bytes.begin() + 14, frame.bytes.begin() + 34}));
    const unsigned id = frame.big16(18), flags = frame.big16(20);
    auto& whole = parts[id];
    EXPECT_EQ((flags & 0x1fff) * 8, whole.size());
    whole.insert(whole.end(), frame.bytes.begin() + 34, frame.bytes.end());
    if (flags & 0x2000) continue;
    const KeptPacket udp{0, 0, whole};
    parts.erase(id);
    EXPECT_EQ(udp.big16(4), udp.bytes.size());
    std::vector<std::uint8_t> pseudo(frame.bytes.begin() + 26, frame.bytes.begin() + 34);
    pseudo.insert(pseudo.end(), {0, 17, udp.bytes[4], udp.bytes[5]});
    pseudo.insert(pseudo.end(), udp.bytes.begin(), udp.bytes.end());
    EXPECT_NE(udp.big16(6), 0u);
    EXPECT_TRUE(sums_up(pseudo));
    packets.push_back({us,
                       {frame.bytes.begin() + 26, frame.bytes.begin() + 30},
                       {frame.bytes.begin() + 30, frame.bytes.begin() + 34},
                       udp.big16(0),
                       udp.big16(2),
                       {udp.bytes.begin() + 8, udp.bytes.end()}});
  }
  EXPECT_TRUE(parts.empty());
  return packets;
}

/// Payloads that went to `port`.
inline KeptPackets payloads(const std::vector<Captured>& capture, unsigned port) {
  KeptPackets packets;
  for (const Captured& c : capture) {
    if (c.to_port == port) packets.push_back({0, static_cast<std::uint16_t>(port), c.payload});
  }
  return packets;
}

}  // namespace protobeam
