// What packets of twelve blocks have in common, Velodyne's and RoboSense's: firings fill blocks one
// after another, and a packet goes out when its blocks are full.
#pragma once

#include "output/packets/firing.h"
#include "output/packets/packets.h"

namespace protobeam {

class BlockPackets : public PacketEncoder {
 public:
  void encode(const TimedSweep& sweep, const PacketSink& sink) override;
  void finish(const PacketSink& sink) override;

 protected:
  static constexpr int kBlocks = 12;
  static constexpr std::size_t kBlockSize = 100;

  struct Distances {
    int lasers = 0;
    double unit = 0;              ///< m
    Vec3 reader_origin{0, 0, 0};  ///< m: where drivers believe that beams start
  };

  /// Throws std::invalid_argument if the device has not that many lasers.
  BlockPackets(const Distances& distances, const SweepSource& source, int index);

  int returns() const { return table_.return_mode == PacketReturnMode::kDual ? 2 : 1; }
  /// Hundredths of a degree, below 36000.
  static std::uint16_t azimuth_units(double azimuth);
  /// Its distance as a reader has to get it; 0: no return.
  std::uint16_t distance_units(const PacketEcho& echo, int laser) const;
  /// s: the device has measured all firings so far.
  double now() const { return last_.time + table_.firing_period; }

  virtual int firings_of_packet() const = 0;
  /// Into the blocks of the firing number `place` of the packet.
  virtual void write(const Firing& firing, int place) = 0;
  /// The packet is full; its first firing was at `time`.
  virtual void send(double time, const PacketSink& sink) = 0;
  /// A new packet begins at `time`.
  virtual void begin(double /*time*/, const PacketSink& /*sink*/) {}

  /// Firings that wait for a full packet are lost.
  void drop() { filled_ = 0; }

  LaserTable table_;
  FiringOrder order_;
  const int index_;

 private:
  void add(const Firing& firing, const PacketSink& sink);
  void pad(const PacketSink& sink);

  double unit_, longest_range_;
  std::vector<double> range_offsets_;  ///< m, by laser
  int filled_ = 0;                     ///< firings in the packet
  double first_time_ = 0;              ///< s, of its first one
  Firing last_;                        ///< without its lasers
};

}  // namespace protobeam
