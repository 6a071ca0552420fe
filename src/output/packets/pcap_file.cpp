#include "output/packets/pcap_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "output/packets/bytes.h"
#include "output/packets/datagram.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t kMagic = 0xa1b2c3d4, kEthernetLink = 1, kLongestFrame = 65535;

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

PcapFile::PcapFile(const fs::path& path) : file_(path), last_us_(kUnixTimeOfStart * 1'000'000) {
  std::array<std::uint8_t, 24> header{};
  put_little(header, 0, kMagic);
  put_little<std::uint16_t>(header, 4, 2);  // version 2.4
  put_little<std::uint16_t>(header, 6, 4);
  put_little(header, 16, kLongestFrame);
  put_little(header, 20, kEthernetLink);
  file_.add(text_of(header));
}

PcapFile::~PcapFile() = default;
PcapFile::PcapFile(PcapFile&&) noexcept = default;

void PcapFile::add(const PacketAddress& address, const UdpPacket& packet) {
  last_us_ = std::max<std::int64_t>(last_us_,
                                    kUnixTimeOfStart * 1'000'000 + std::llround(packet.time * 1e6));
  make_frames(address, packet, id_++, [&](std::span<const std::uint8_t> frame) {
    std::array<std::uint8_t, 16> header{};
    put_little(header, 0, static_cast<std::uint32_t>(last_us_ / 1'000'000));
    put_little(header, 4, static_cast<std::uint32_t>(last_us_ % 1'000'000));
    put_little(header, 8, static_cast<std::uint32_t>(frame.size()));
    put_little(header, 12, static_cast<std::uint32_t>(frame.size()));
    file_.add(text_of(header));
    file_.add(text_of(frame));
  });
}

void PcapFile::finish() { file_.finish(); }

}  // namespace protobeam
