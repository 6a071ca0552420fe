// Beam tables in files: comma-separated, one laser a row, in the order of the device's laser ids.
//
//   # where the numbers are from
//   elevation_deg,azimuth_deg,x,y,z,time,ring
//   -15,0,0.042,0,0,0,0
//   1,0,0.042,0,0,2.304e-6,8
//
// The first row names the columns, in any order; all but elevation_deg may be left out. Empty rows
// and rows that begin with # do not count.
#pragma once

#include <filesystem>
#include <vector>

#include "beam_table.h"

namespace protobeam {

struct CsvBeams {
  std::vector<Beam> beams;
  std::vector<int> lines;  ///< where each was written
  bool has_rings = false;
};

/// Throws std::invalid_argument: "vlp16.csv:7: ...".
CsvBeams read_beam_csv(const std::filesystem::path& file);

}  // namespace protobeam
