// What the HDL-64E reports in the last two bytes of its packets, in turns: date and time (UTC),
// GPS, temperature, firmware, and in pieces of seven bytes its calibration ("HDL-64E S3 User's
// Manual", appendix E). 4160 packets hold all of it; VeloView can take its calibration from them.
#pragma once

#include <cstdint>
#include <vector>

#include "output/packets/laser_table.h"

namespace protobeam {

struct VelodyneStatus {
  std::uint8_t type, value;
};

/// What drivers add for a laser, head at azimuth 0. Together they put the origin of its beam where
/// the table has it, with ranges counted from the head's axis.
struct VelodyneCorrection {
  double vertical_deg, rotational_deg;        ///< rotational: counter-clockwise
  double vertical_offset, horizontal_offset;  ///< m: upwards across the beam, and to the left
};
VelodyneCorrection velodyne_correction(const LaserTable& table, int laser);

/// Of the packet number `count`, whose first firing is at `time`.
VelodyneStatus hdl64_status(const LaserTable& table, double rate, double time, std::uint64_t count);

/// The calibration as the XML file that comes with the device.
std::string hdl64_calibration(const LaserTable& table);

}  // namespace protobeam
