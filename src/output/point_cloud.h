// A sweep as the bytes of a point layout: the body of a sensor_msgs/PointCloud2, or of a file.
#pragma once

#include <cstdint>
#include <vector>

#include "output/point_layout.h"
#include "output/sweep.h"

namespace protobeam {

struct PointCloud {
  std::uint32_t width = 0, height = 1;
  bool is_dense = true;            ///< no coordinate is NaN
  std::int64_t header_ns = 0;      ///< simulated time of the message (header_time())
  std::int64_t start_ns = 0;       ///< simulated time that times in ns count from: Livox' timebase
  std::vector<std::uint8_t> data;  ///< height * width points of point_step bytes, row by row
};

/// An organised cloud has one point a beam, the first of its returns (return_number); other clouds
/// have all returns. What no field of the layout covers is 0.
/// Throws std::invalid_argument that names the device: a number does not fit into its field, a
/// column cannot be destaggered, or beams do not fill the grid.
PointCloud fill_points(const PointLayout& layout, const CloudShape& shape, const TimedSweep& sweep,
                       const SweepSource& source);

/// Columns by which each laser's pixels move to the right in a destaggered image (Ouster's
/// pixel_shift_by_row): destaggered(row, v) = staggered(row, (v + W - shift) mod W). From the
/// lasers' azimuths (property beamAzimuths_deg, counter-clockwise); empty for a device without
/// them, whose columns need no shift. Throws std::invalid_argument where the image is no full
/// revolution.
std::vector<int> pixel_shifts(const SweepSource& source);

}  // namespace protobeam
