#include "output/packets/robosense_packets.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "output/packets/bytes.h"
#include "output/packets/utc.h"

namespace protobeam {
namespace {

constexpr int kLasers = 32;
constexpr std::size_t kHeader = 42;
constexpr double kUnit = 0.0025;
const Vec3 kLens(0.03498, 0, 0);  // rs_driver, decoder_RSHELIOS.hpp: RX
constexpr double kDifopPeriod = 1;
constexpr int kTemperature = 25;  // deg C
constexpr std::uint8_t kHelios = 6;

/// "RS-Helios-1610 User Manual", byte 32 of the header.
std::uint8_t model_of(const std::vector<double>& elevations_deg) {
  const auto [low, high] = std::ranges::minmax(elevations_deg);
  return high - low > 50 ? 1 : 2;  // 5515 sees 70 deg, the others 31 deg or less
}

/// Seconds (6 bytes) and microseconds (4 bytes) of Unix time.
void put_time(Bytes bytes, std::size_t at, double time) {
  const std::int64_t us = kUnixTimeOfStart * 1'000'000 + std::llround(time * 1e6);
  const auto seconds = static_cast<std::uint64_t>(us / 1'000'000);
  put_big(bytes, at, static_cast<std::uint16_t>(seconds >> 32));
  put_big(bytes, at + 2, static_cast<std::uint32_t>(seconds));
  put_big(bytes, at + 6, static_cast<std::uint32_t>(us % 1'000'000));
}

/// A sign and hundredths of a degree.
void put_angle(Bytes bytes, std::size_t at, double angle_deg) {
  const long hundredths = std::lround(100 * angle_deg);
  bytes[at] = hundredths < 0;
  put_big(bytes, at + 1, static_cast<std::uint16_t>(std::min(std::abs(hundredths), 8999l)));
}

}  // namespace

RobosensePackets::RobosensePackets(const SweepSource& source, int index)
    : BlockPackets({kLasers, kUnit, kLens}, source, index),
      next_difop_(-std::numeric_limits<double>::infinity()),
      latest_(-std::numeric_limits<double>::infinity()) {}

PacketAddress RobosensePackets::address() const {
  const auto last = static_cast<std::uint8_t>(200 + index_);
  return {{2, 0, 0, 0, 0, last}, {2, 0, 0, 0, 0, 102}, {192, 168, 1, last}, {192, 168, 1, 102}};
}

PacketEcho RobosensePackets::echo(BeamReturns returns, int number) const {
  switch (table_.return_mode) {
    case PacketReturnMode::kLast:
      return last_echo(returns);
    case PacketReturnMode::kDual:
      return number == 0 ? first_echo(returns) : last_echo_but_first(returns);
    default:
      return strongest_echo(returns);
  }
}

void RobosensePackets::write(const Firing& firing, int place) {
  for (int number = 0; number < returns(); ++number) {
    const auto block = static_cast<std::size_t>(place * returns() + number);
    const std::size_t at = kHeader + block * kBlockSize;
    put_big<std::uint16_t>(packet_, at, 0xffee);
    put_big(packet_, at + 2, azimuth_units(firing.azimuth));
    for (int laser = 0; laser < kLasers; ++laser) {
      const auto i = static_cast<std::size_t>(laser);
      const PacketEcho e = echo(firing.lasers[i], number);
      const std::uint16_t distance = distance_units(e, laser);
      put_big(packet_, at + 4 + 3 * i, distance);
      packet_[at + 6 + 3 * i] = distance == 0 ? 0 : intensity_byte(e.intensity);
    }
  }
}

void RobosensePackets::send(double time, const PacketSink& sink) {
  put_big<std::uint32_t>(packet_, 0, 0x55aa055a);
  put_big<std::uint16_t>(packet_, 4, 1);  // version of the protocol
  put_big(packet_, 8, sent_);
  put_big(packet_, 12, sent_);
  packet_[17] = 1;  // distances are multiples of 2.5 mm
  put_time(packet_, 20, time);
  packet_[31] = kHelios;
  packet_[32] = model_of(table_.elevations_deg);
  // Sixteenths of a degree: five bits, then seven of the higher ones.
  packet_[38] = (kTemperature * 16 & 31) << 3;
  packet_[39] = kTemperature * 16 >> 5;
  put_big<std::uint16_t>(packet_, kSize - 2, 0x00ff);
  ++sent_;
  latest_ = now();
  sink({latest_, ports()[0], packet_});
}

std::vector<std::uint16_t> RobosensePackets::ports() const {
  const auto apart = static_cast<std::uint16_t>(10 * index_);
  return {static_cast<std::uint16_t>(kMsopPort + apart),
          static_cast<std::uint16_t>(kDifopPort + apart)};
}

void RobosensePackets::begin(double time, const PacketSink& sink) {
  if (time < next_difop_) return;
  next_difop_ = time + kDifopPeriod;
  std::array<std::uint8_t, kSize> packet{};
  const auto rpm = static_cast<std::uint16_t>(std::clamp(60 * order_.rate(), 0.0, 65535.0) + 0.5);
  const std::uint16_t msop = ports()[0], difop = ports()[1];
  const PacketAddress known = address();
  put_big<std::uint64_t>(packet, 0, 0xa5ff005a11115555);
  put_big(packet, 8, rpm);
  std::ranges::copy(known.device_ip, packet.begin() + 10);
  std::ranges::copy(known.host_ip, packet.begin() + 14);
  std::ranges::copy(known.device_mac, packet.begin() + 18);
  put_big(packet, 24, msop);
  put_big(packet, 26, msop);
  put_big(packet, 28, difop);
  put_big(packet, 30, difop);
  put_big<std::uint16_t>(packet, 34, 36000);                     // field of view, from 0
  put_big(packet, 296, static_cast<std::uint16_t>(index_ + 1));  // of the serial number
  constexpr std::array<std::uint8_t, 3> kModes = {4, 5, 0};
  packet[300] = kModes[static_cast<std::size_t>(table_.return_mode)];
  packet[301] = 1;  // time from GPS ...
  packet[302] = 1;  // ... and locked to it
  put_time(packet, 303, time);
  put_big(packet, 352, rpm);
  std::ranges::copy(gprmc(time), packet.begin() + 382);
  for (std::size_t laser = 0; laser < kLasers; ++laser) {
    put_angle(packet, 468 + 3 * laser, table_.elevations_deg[laser]);
    put_angle(packet, 564 + 3 * laser, -table_.azimuths_deg[laser]);  // clockwise
  }
  put_big<std::uint16_t>(packet, kSize - 2, 0x0ff0);
  sink({std::max(time, latest_), difop, packet});
}

}  // namespace protobeam
