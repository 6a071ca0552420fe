#include "output/packets/velodyne_packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/packets/bytes.h"
#include "output/packets/utc.h"
#include "output/packets/velodyne_http.h"
#include "output/packets/velodyne_status.h"

namespace protobeam {
namespace {

constexpr int kChannels = 32;  // of a block
constexpr int kDataPacketsOfPosition = 14;
constexpr std::uint8_t kPpsLocked = 2;
constexpr std::array<const char*, 3> kReturns = {"Strongest", "Last", "Dual"};  // by PacketReturnMode

const char* model_name(std::uint8_t product) {
  switch (product) {
    case 0x21:
      return "HDL-32E";
    case 0x24:
      return "Puck Hi-Res";
    case 0x28:
      return "VLP-32C";
    default:
      return "VLP-16";
  }
}

std::uint32_t microseconds_of_hour(double time) {
  constexpr std::int64_t kHour = 3'600'000'000;
  const std::int64_t us = std::llround(time * 1e6) % kHour;
  return static_cast<std::uint32_t>(us < 0 ? us + kHour : us);
}

}  // namespace

VelodynePackets::VelodynePackets(const VelodyneModel& model, const SweepSource& source, int index)
    : BlockPackets({model.lasers, model.unit}, source, index), model_(model) {}

PacketAddress VelodynePackets::address() const {
  const auto last = static_cast<std::uint8_t>(201 + index_);
  return {{2, 0, 0, 0, 0, last},
          {0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
          {192, 168, 1, last},
          {255, 255, 255, 255}};
}

std::vector<std::uint16_t> VelodynePackets::ports() const {
  const auto apart = static_cast<std::uint16_t>(10 * index_);
  std::vector<std::uint16_t> ports = {static_cast<std::uint16_t>(kDataPort + apart)};
  if (model_.product != 0) ports.push_back(static_cast<std::uint16_t>(kPositionPort + apart));
  return ports;
}

std::unique_ptr<DeviceHttp> VelodynePackets::make_http(const DeviceSettings& settings) const {
  if (model_.product == 0) return nullptr;
  DeviceSettings now = settings;
  now.returns = kReturns[static_cast<std::size_t>(table_.return_mode)];
  VelodyneHttpFacts facts;
  facts.model = model_name(model_.product);
  facts.serial = fmt::format("{:014}", 10'000'000'001 + index_);
  facts.mac = address().device_mac;
  facts.rpm = static_cast<int>(std::lround(60 * table_.frequency));
  facts.any_returns = table_.return_mode == PacketReturnMode::kDual;
  return std::make_unique<VelodyneHttp>(std::move(facts), std::move(now));
}

void VelodynePackets::apply(const DeviceSettings& settings) {
  drop();
  const auto known = std::ranges::find(kReturns, settings.returns);
  if (known != kReturns.end())
    table_.return_mode = static_cast<PacketReturnMode>(known - kReturns.begin());
}

std::vector<SideFile> VelodynePackets::side_files() const {
  if (model_.product != 0) return {};
  return {{"xml", hdl64_calibration(table_)}};
}

int VelodynePackets::firings_of_packet() const {
  return kBlocks / (model_.blocks_of_firing * returns()) * model_.firings_of_block;
}

PacketEcho VelodynePackets::echo(BeamReturns returns, int number) const {
  switch (table_.return_mode) {
    case PacketReturnMode::kLast:
      return last_echo(returns);
    case PacketReturnMode::kDual:
      return number == 0 ? last_echo(returns) : strongest_echo_but_last(returns);
    default:
      return strongest_echo(returns);
  }
}

void VelodynePackets::write(const Firing& firing, int place) {
  const int group = place / model_.firings_of_block;
  const int first_channel = place % model_.firings_of_block * model_.lasers;
  const int lasers = std::min(model_.lasers, kChannels);
  for (int number = 0; number < returns(); ++number) {
    for (int bank = 0; bank < model_.blocks_of_firing; ++bank) {
      const int block = (group * returns() + number) * model_.blocks_of_firing + bank;
      const std::size_t at = static_cast<std::size_t>(block) * kBlockSize;
      if (first_channel == 0) {
        put_little<std::uint16_t>(packet_, at, bank == 0 ? 0xeeff : 0xddff);
        put_little(packet_, at + 2, azimuth_units(firing.azimuth));
      }
      for (int i = 0; i < lasers; ++i) {
        const int laser = bank * kChannels + i;
        const PacketEcho e = echo(firing.lasers[static_cast<std::size_t>(laser)], number);
        const std::uint16_t distance = distance_units(e, laser);
        const std::size_t channel = at + 4 + 3 * static_cast<std::size_t>(first_channel + i);
        put_little(packet_, channel, distance);
        packet_[channel + 2] = distance == 0 ? 0 : intensity_byte(e.intensity);
      }
    }
  }
}

void VelodynePackets::send(double time, const PacketSink& sink) {
  constexpr std::size_t kTail = kBlocks * kBlockSize;
  put_little(packet_, kTail, microseconds_of_hour(time));
  if (model_.product == 0) {
    const VelodyneStatus status = hdl64_status(table_, order_.rate(), time, sent_);
    packet_[kTail + 4] = status.type;
    packet_[kTail + 5] = status.value;
  } else {
    constexpr std::array<std::uint8_t, 3> kModes = {0x37, 0x38, 0x39};
    packet_[kTail + 4] = kModes[static_cast<std::size_t>(table_.return_mode)];
    packet_[kTail + 5] = model_.product;
  }
  sink({now(), ports()[0], packet_});
  if (++sent_ % kDataPacketsOfPosition == 0 && model_.product != 0) send_position(sink);
}

void VelodynePackets::send_position(const PacketSink& sink) const {
  std::array<std::uint8_t, kPositionSize> packet{};
  put_little(packet, 0xc6, microseconds_of_hour(now()));
  packet[0xca] = kPpsLocked;
  std::ranges::copy(gprmc(now()), packet.begin() + 0xce);
  sink({now(), ports()[1], packet});
}

}  // namespace protobeam
