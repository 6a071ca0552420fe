// Points of any layout as PCD and PLY files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "message/sensor_msgs.h"
#include "output/cloud_file.h"
#include "output/point_cloud.h"

namespace protobeam {

/// A number of each point, or several.
struct PointColumn {
  enum class Kind : char { kFloat = 'F', kSigned = 'I', kUnsigned = 'U' };  ///< PCD's letters
  std::string name;
  std::uint32_t offset = 0;  ///< bytes
  Kind kind = Kind::kFloat;
  std::uint32_t size = 4;  ///< bytes of one number: 1, 2, 4, 8
  std::uint32_t count = 1;
};

/// Points as they lie in memory.
struct PointTable {
  std::vector<PointColumn> columns;  ///< by offset, without overlap, within a point
  std::uint32_t point_step = 0;      ///< bytes from point to point
  std::uint32_t width = 0, height = 1;
  std::size_t row_step = 0;  ///< bytes from row to row
  std::span<const std::uint8_t> data;
};

/// When and from where the points were measured: for headers of files.
struct CloudOrigin {
  std::string robot, device;
  double start_time = 0, end_time = 0;  ///< s of simulated time, of the first and the last beam
  double header_time = 0;               ///< s, of the message that the driver would send
  Pose X_WS_start, X_WS_end;            ///< of the sensor then, in the world
};
CloudOrigin origin_of(const TimedSweep& sweep, const SweepSource& source);

PointTable table_of(const PointLayout& layout, const PointCloud& cloud);
/// Throws std::invalid_argument for a message that contradicts itself ("field 'x' ends behind its
/// point") or whose numbers are big-endian. The message has to stay.
PointTable table_of(const message::PointCloud2& cloud);

/// PCD 0.7. Binary files keep every byte of a point: what no field covers is a field `_` of bytes,
/// as the Point Cloud Library writes it. Text leaves them out. An origin becomes VIEWPOINT (the pose
/// at the start) and comments, with all digits: "# sweep_start 4000.0125".
std::string pcd_file(const PointTable& points, bool ascii,
                     const std::optional<CloudOrigin>& origin = {});

/// Binary PLY: the columns without gaps, points row by row. Several numbers of one name are name_0,
/// name_1, ...; clouds with rows have `obj_info num_cols` and `num_rows`, which the Point Cloud
/// Library reads.
std::string ply_file(const PointTable& points, const std::optional<CloudOrigin>& origin = {});

/// NumPy's format 1.0: an array [height * width] of records with the names of the columns; bytes
/// between them are void fields, which numpy.load leaves out of the names.
std::string npy_file(const PointTable& points);

/// One JSON object: what the header of a file has no place for. `layout` and `source` say what the
/// fields are.
std::string cloud_json(const CloudOrigin& origin, const PointLayout& layout,
                       const SweepSource& source, std::uint64_t points);

/// Throws std::invalid_argument when the format has columns of its own (CSV, NPY), and
/// std::runtime_error when the file cannot be written.
void write_points(const std::filesystem::path& path, CloudFormat format, const PointTable& points,
                  const std::optional<CloudOrigin>& origin = {});
void write_points(const std::filesystem::path& path, CloudFormat format, const PointLayout& layout,
                  const PointCloud& cloud, const std::optional<CloudOrigin>& origin = {});

}  // namespace protobeam
