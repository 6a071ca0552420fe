// The points that makers' drivers publish, byte by byte. One table for files and messages.
//
// All are little-endian. Offsets in bytes; u8, u16, u32: unsigned integers, f32: IEEE 754 single
// precision.
//
// protobeam (22 bytes), what `scan` writes when nothing is asked for:
//    0 x f32 m    4 y f32 m    8 z f32 m    12 intensity f32 0..1    16 ring u16 row, 0 on top
//   18 time f32 s after the start of the sweep
// labelled (28), what `run --sweeps` writes when nothing is asked for:
//   as protobeam, then    22 instance u32    26 label u16 class
// xyz (12) and xyzi (16):
//    0 x f32 m    4 y f32 m    8 z f32 m    12 intensity f32 0..255
// velodyne (22): PointXYZIRT of velodyne_pointcloud (ros-drivers/velodyne, pointcloudXYZIRT.cc)
//    0 x f32 m    4 y f32 m    8 z f32 m    12 intensity f32 0..255    16 ring u16 0 at the bottom
//   18 time f32 s after the header's stamp: negative where that is the end of the sweep
// ouster (48): ouster_ros::Point since the end of 2022 (ouster-lidar/ouster-ros, os_point.h)
//    0 x f32 m    4 y f32 m    8 z f32 m    12 not listed, 1.0f (PCL's fourth coordinate)
//   16 intensity f32 photons    20 t u32 ns after the start of the sweep    24 reflectivity u16
//   0..255    26 ring u16 row, 0 on top    28 ambient u16    32 range u32 mm
// ouster-2021 (48): the same driver before that
//   as ouster, but 26 ring u8
// ouster-legacy (48): the order in which the MCD data set's manual has them
//   as ouster up to 24, then    26 ambient u16    28 range u32 mm    32 ring u8
// livox (19): a CustomPoint of livox_ros_driver and livox_ros_driver2, as it is serialised
//    0 offset_time u32 ns after the start of the sweep (CustomMsg's timebase)    4 x f32 m
//    8 y f32 m    12 z f32 m    16 reflectivity u8 0..255    17 tag u8    18 line u8 laser id
// livox-xyzrtl (18): the same drivers' PointXYZRTL in a PointCloud2
//    0 x f32 m    4 y f32 m    8 z f32 m    12 intensity f32 0..255    16 tag u8    17 line u8
//
// x, y and z of Livox points are whole millimetres, as the device sends them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam {

/// The codes of sensor_msgs/PointField.
enum class PointFieldType : std::uint8_t { kUint8 = 2, kUint16 = 4, kUint32 = 6, kFloat32 = 7 };

std::uint32_t size_of(PointFieldType type);

/// What a field holds of a return. Counts that do not fit into their field stay at its largest
/// value; numbers of rows, rings and lasers that do not fit are errors.
enum class PointValue : std::uint8_t {
  kX,
  kY,
  kZ,              ///< m, in the sensor's frame at the time of the beam
  kFraction,       ///< intensity, 0..1 of the device's full scale
  kIntensity,      ///< intensity, whole, 0..255
  kSignal,         ///< photons that came back; 0 where the device reports none
  kAmbient,        ///< near-infrared of the surroundings; 0 where the device reports none
  kRangeMm,        ///< mm, whole, along the beam and from the axis of the head; 0: no return
  kRow,            ///< layer, 0 on top
  kRing,           ///< as the driver numbers it
  kLaser,          ///< laser id
  kSinceStartNs,   ///< ns, whole, after the start of the sweep
  kSinceHeader,    ///< s after the header's stamp
  kSinceStart,     ///< s after the start of the sweep
  kInstance,       ///< which object was hit; 0: none, or nobody records labels
  kClass,          ///< what kind of object; ditto
  kLivoxTag,       ///< bits 4 and 5: number of the echo, 0 for one nearer than 1.5 m, which the
                   ///< device cannot distinguish from that of its own optics; the others are 0
};

struct PointField {
  std::string_view name;
  std::uint32_t offset;  ///< bytes
  PointFieldType datatype;
  PointValue value;
  std::uint32_t count = 1;
};

enum class Misses : std::uint8_t {
  kDropped,
  kNan,    ///< x, y, z and a float intensity are NaN
  kZeros,  ///< x, y, z are exactly 0
};

/// In which order the points of a cloud without rows lie.
enum class PointOrder : std::uint8_t {
  kByRow,   ///< row by row from the top, columns from the left
  kByTime,  ///< as fired; those fired at once column by column, by laser id
};

struct PointLayout {
  std::string_view name, about;
  std::uint32_t point_step;  ///< bytes
  std::span<const PointField> fields;
  PointOrder order = PointOrder::kByRow;
  // The defaults of the driver:
  bool organised = false;
  bool destaggered = false;  ///< where organised
  Misses misses = Misses::kDropped, organised_misses = Misses::kNan;
  bool millimetres = false;  ///< x, y and z are multiples of 1 mm
  bool pcl_point = false;    ///< bytes 12 to 15 hold 1.0f
};

std::span<const PointLayout> point_layouts();
const std::vector<std::string>& point_layout_names();

/// Throws std::invalid_argument ("there is no point format 'velodine'; did you mean 'velodyne'?").
const PointLayout& point_layout(std::string_view name);

/// How a cloud is arranged.
struct CloudShape {
  bool organised = false;  ///< width: columns, height: layers; otherwise one row
  /// Rows are shifted so that a column of pixels has one azimuth; otherwise a column holds what was
  /// fired in one sequence. Organised clouds only.
  bool destaggered = false;
  Misses misses = Misses::kDropped;  ///< not kDropped in an organised cloud
};

/// The driver's shape, but for what is asked. Throws std::invalid_argument when `destaggered` is
/// asked of a cloud that is not organised.
CloudShape shape_of(const PointLayout& layout, std::optional<bool> organised = {},
                    std::optional<bool> destaggered = {});

}  // namespace protobeam
