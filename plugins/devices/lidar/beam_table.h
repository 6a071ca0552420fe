// The lasers of a device, as its maker lists them: what turns one scan engine into a product.
#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "base/math.h"

namespace protobeam {

/// One laser. Its place in the table is the device's laser id.
struct Beam {
  double elevation = 0;        ///< rad, positive: up
  double azimuth = 0;          ///< rad, added to the encoder's azimuth, counter-clockwise positive
  Vec3 origin = Vec3::Zero();  ///< m, in the turning head: x along its direction, z up
  double time = 0;             ///< s after the start of the firing sequence
  int ring = 0;                ///< as the device's driver numbers it
};

struct BeamTable {
  std::vector<Beam> beams;
  std::vector<int> layer;     ///< of each beam: 0 is the highest, equals in the order of the table
  std::vector<int> by_layer;  ///< the beam of each layer
  std::string file;           ///< where the beams are written; "" for fields
  std::vector<int> lines;     ///< of each beam in the file

  int size() const { return static_cast<int>(beams.size()); }
  bool has_origins() const;
  double highest() const { return beams[static_cast<std::size_t>(by_layer.front())].elevation; }
  double lowest() const { return beams[static_cast<std::size_t>(by_layer.back())].elevation; }
  double last_time() const;  ///< s, latest of the beams' times
  /// Names a beam in a message: "vlp16.csv:7" or "beam 3 of Lidar".
  std::string name(std::size_t beam) const;
};

/// From beamTable, or from the fields beamElevations_deg and its companions; one level beam without
/// either. Rings that are not given count from the lowest beam. Throws std::invalid_argument.
BeamTable beam_table_of(const Fields& fields);

}  // namespace protobeam
