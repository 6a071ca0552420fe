// The firings of sweeps in the order of time, and what to report of a beam with several returns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "output/packets/laser_table.h"
#include "output/sweep.h"

namespace protobeam {

using BeamReturns = std::span<const BeamReturn* const>;

/// One firing sequence: all lasers once.
struct Firing {
  double time = 0;                      ///< s, of its start
  double azimuth = 0;                   ///< rad, clockwise, [0, 2 pi): of the head at that time
  std::span<const BeamReturns> lasers;  ///< by laser id; empty where the sweep has nothing
};

/// Makes firings of sweeps. Beams of one sweep may come in any order.
class FiringOrder {
 public:
  FiringOrder(const LaserTable& table, int columns);

  /// Firings that are later than all before, by time. They point into `sweep` and into this, until
  /// the next call.
  const std::vector<Firing>& firings(const TimedSweep& sweep);

  /// Turns a second: of the sweeps so far, at first the device's default.
  double rate() const { return rate_; }

 private:
  void sort_beams(const TimedSweep& sweep);
  void add_column(std::size_t column);
  void measure_rate();

  const LaserTable& table_;
  std::size_t columns_, lasers_;
  double rate_, last_time_;
  // Of (column, laser), one after the other.
  std::vector<std::uint32_t> starts_;  ///< in sorted_, and the end
  std::vector<std::uint32_t> next_;    ///< where the next one goes
  std::vector<const BeamReturn*> sorted_;
  std::vector<BeamReturns> returns_;
  std::vector<Firing> firings_;
};

/// A reported return. Without one, `range` is infinite.
struct PacketEcho {
  double range;
  float intensity, signal;
};

PacketEcho strongest_echo(BeamReturns returns);
PacketEcho last_echo(BeamReturns returns);
PacketEcho first_echo(BeamReturns returns);
/// The strongest one besides the last one; the last one if there is no other.
PacketEcho strongest_echo_but_last(BeamReturns returns);
/// The farthest one besides the first one; the first one if there is no other.
PacketEcho last_echo_but_first(BeamReturns returns);

/// As a fraction of a counter's full scale, for bytes: 0..1 to 0..255.
std::uint8_t intensity_byte(float intensity);

}  // namespace protobeam
