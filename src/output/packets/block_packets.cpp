#include "output/packets/block_packets.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace protobeam {
namespace {

constexpr int kLargestDistance = 0xffff;
/// Firings farther apart than this many periods do not share a packet: readers count time and
/// azimuth from its first one.
constexpr double kLongestGap = 3;

}  // namespace

BlockPackets::BlockPackets(const Distances& distances, const SweepSource& source, int index)
    : table_(laser_table(source)),
      order_(table_, source.columns),
      index_(index),
      unit_(distances.unit),
      longest_range_(source.max_range > 0 ? source.max_range : kLargestDistance * distances.unit) {
  if (table_.lasers() != distances.lasers) {
    throw std::invalid_argument(description_of(source) +
                                fmt::format("beamElevations_deg has {} numbers, must have {}",
                                            table_.lasers(), distances.lasers));
  }
  for (int laser = 0; laser < distances.lasers; ++laser) {
    const Vec3 apart = table_.origins[static_cast<std::size_t>(laser)] - distances.reader_origin;
    range_offsets_.push_back(apart.dot(table_.direction(laser)));
  }
}

std::uint16_t BlockPackets::azimuth_units(double azimuth) {
  return static_cast<std::uint16_t>(std::lround(azimuth * 18000 / kPi) % 36000);
}

std::uint16_t BlockPackets::distance_units(const PacketEcho& echo, int laser) const {
  if (!(echo.range <= longest_range_)) return 0;
  const double distance = echo.range + range_offsets_[static_cast<std::size_t>(laser)];
  const double units = std::round(distance / unit_);
  return units >= 1 && units <= kLargestDistance ? static_cast<std::uint16_t>(units) : 0;
}

void BlockPackets::encode(const TimedSweep& sweep, const PacketSink& sink) {
  for (const Firing& firing : order_.firings(sweep)) {
    if (filled_ > 0 && firing.time - last_.time > kLongestGap * table_.firing_period) pad(sink);
    add(firing, sink);
  }
}

void BlockPackets::finish(const PacketSink& sink) {
  if (filled_ > 0) pad(sink);
}

void BlockPackets::pad(const PacketSink& sink) {
  const std::vector<BeamReturns> nothing(range_offsets_.size());
  Firing empty;
  empty.lasers = nothing;
  while (filled_ > 0) {
    empty.time = last_.time + table_.firing_period;
    empty.azimuth = std::fmod(last_.azimuth + kTurn * order_.rate() * table_.firing_period, kTurn);
    add(empty, sink);
  }
}

void BlockPackets::add(const Firing& firing, const PacketSink& sink) {
  if (filled_ == 0) {
    begin(firing.time, sink);
    first_time_ = firing.time;
  }
  write(firing, filled_);
  last_.time = firing.time;
  last_.azimuth = firing.azimuth;
  if (++filled_ < firings_of_packet()) return;
  filled_ = 0;
  send(first_time_, sink);
}

}  // namespace protobeam
