// write_samples packets FOLDER: captures of each Velodyne in a room of flat walls, and what a reader
// should find in them: rows of doubles "laser x y z intensity late turned", a row for each return in
// the order of the packets.
// `late` is s since the first firing of the packet, `turned` the rad that the head has turned
// since the azimuth of the block. A text "elevation azimuth" (deg) tells the lasers.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "output/packets/recorder.h"
#include "tests/interop/write_samples.h"
#include "tests/unit/output/packet_room.h"

namespace protobeam {
namespace {

void write_capture(const std::filesystem::path& folder, const RoomLidar& lidar) {
  const auto sweeps = room_sweeps(lidar, 3);
  PacketRecorder recorder(folder / (lidar.product + ".pcap"));
  for (const TimedSweep& sweep : sweeps) recorder.add(lidar.source(), sweep);
  recorder.finish();

  std::ofstream lasers(folder / (lidar.product + ".txt"));
  for (std::size_t i = 0; i < lidar.elevations.size(); ++i) {
    lasers << lidar.elevations[i] << ' ' << lidar.azimuths[i] << '\n';
  }
  std::ofstream rows(folder / (lidar.product + ".f64"), std::ios::binary);
  const int of_block = lidar.lasers() == 16 ? 2 : 1;  // firings
  const int of_packet = 384 / lidar.lasers();
  int firing = 0;
  for (const TimedSweep& sweep : sweeps) {
    for (const BeamReturn& beam : sweep.beams) {
      if (beam.column != sweep.beams[0].column && beam.beam == 0) ++firing;
      if (!std::isfinite(beam.range)) continue;
      const double own = lidar.times[static_cast<std::size_t>(beam.beam)];
      const double late = firing % of_packet * lidar.firing_period + own;
      const double since_block = firing % of_block * lidar.firing_period + own;
      const double row[] = {static_cast<double>(beam.beam),
                            beam.x,
                            beam.y,
                            beam.z,
                            std::round(255 * beam.intensity),
                            late,
                            2 * kPi * lidar.frequency * since_block};
      rows.write(reinterpret_cast<const char*>(row), sizeof(row));
    }
    ++firing;
  }
}

}  // namespace

int write_packets(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const RoomLidar& lidar : {vlp16(), hdl32e(), vlp32c(), hdl64e()}) write_capture(argv[1], lidar);
  return 0;
}

}  // namespace protobeam
