#include "output/point_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "base/diagnostics.h"

namespace protobeam {
namespace {

using enum PointFieldType;
using enum PointValue;

constexpr PointField kOwnFields[] = {
    {"x", 0, kFloat32, kX},      {"y", 4, kFloat32, kY},
    {"z", 8, kFloat32, kZ},      {"intensity", 12, kFloat32, kFraction},
    {"ring", 16, kUint16, kRow}, {"time", 18, kFloat32, kSinceStart},
};

constexpr PointField kLabelledFields[] = {
    {"x", 0, kFloat32, kX},
    {"y", 4, kFloat32, kY},
    {"z", 8, kFloat32, kZ},
    {"intensity", 12, kFloat32, kFraction},
    {"ring", 16, kUint16, kRow},
    {"time", 18, kFloat32, kSinceStart},
    {"instance", 22, kUint32, kInstance},
    {"label", 26, kUint16, kClass},
};

/// Of xyz, the first three.
constexpr PointField kXyziFields[] = {
    {"x", 0, kFloat32, kX},
    {"y", 4, kFloat32, kY},
    {"z", 8, kFloat32, kZ},
    {"intensity", 12, kFloat32, kIntensity},
};

constexpr PointField kVelodyneFields[] = {
    {"x", 0, kFloat32, kX},       {"y", 4, kFloat32, kY},
    {"z", 8, kFloat32, kZ},       {"intensity", 12, kFloat32, kIntensity},
    {"ring", 16, kUint16, kRing}, {"time", 18, kFloat32, kSinceHeader},
};

constexpr PointField kOusterFields[] = {
    {"x", 0, kFloat32, kX},
    {"y", 4, kFloat32, kY},
    {"z", 8, kFloat32, kZ},
    {"intensity", 16, kFloat32, kSignal},
    {"t", 20, kUint32, kSinceStartNs},
    {"reflectivity", 24, kUint16, kIntensity},
    {"ring", 26, kUint16, kRow},
    {"ambient", 28, kUint16, kAmbient},
    {"range", 32, kUint32, kRangeMm},
};

constexpr PointField kOuster2021Fields[] = {
    {"x", 0, kFloat32, kX},
    {"y", 4, kFloat32, kY},
    {"z", 8, kFloat32, kZ},
    {"intensity", 16, kFloat32, kSignal},
    {"t", 20, kUint32, kSinceStartNs},
    {"reflectivity", 24, kUint16, kIntensity},
    {"ring", 26, kUint8, kRow},
    {"ambient", 28, kUint16, kAmbient},
    {"range", 32, kUint32, kRangeMm},
};

constexpr PointField kOusterLegacyFields[] = {
    {"x", 0, kFloat32, kX},
    {"y", 4, kFloat32, kY},
    {"z", 8, kFloat32, kZ},
    {"intensity", 16, kFloat32, kSignal},
    {"t", 20, kUint32, kSinceStartNs},
    {"reflectivity", 24, kUint16, kIntensity},
    {"ambient", 26, kUint16, kAmbient},
    {"range", 28, kUint32, kRangeMm},
    {"ring", 32, kUint8, kRow},
};

constexpr PointField kLivoxFields[] = {
    {"offset_time", 0, kUint32, kSinceStartNs},
    {"x", 4, kFloat32, kX},
    {"y", 8, kFloat32, kY},
    {"z", 12, kFloat32, kZ},
    {"reflectivity", 16, kUint8, kIntensity},
    {"tag", 17, kUint8, kLivoxTag},
    {"line", 18, kUint8, kLaser},
};

constexpr PointField kLivoxXyzrtlFields[] = {
    {"x", 0, kFloat32, kX},         {"y", 4, kFloat32, kY},
    {"z", 8, kFloat32, kZ},         {"intensity", 12, kFloat32, kIntensity},
    {"tag", 16, kUint8, kLivoxTag}, {"line", 17, kUint8, kLaser},
};

constexpr PointLayout kLayouts[] = {
    {.name = "protobeam",
     .about = "x y z, intensity 0..1, row, time in the sweep",
     .point_step = 22,
     .fields = kOwnFields},
    {.name = "labelled",
     .about = "the same, and which object was hit",
     .point_step = 28,
     .fields = kLabelledFields},
    {.name = "xyz",
     .about = "coordinates only",
     .point_step = 12,
     .fields = std::span(kXyziFields).first<3>()},
    {.name = "xyzi",
     .about = "coordinates, intensity 0..255",
     .point_step = 16,
     .fields = kXyziFields},
    {.name = "velodyne",
     .about = "velodyne_pointcloud, PointXYZIRT",
     .point_step = 22,
     .fields = kVelodyneFields,
     .order = PointOrder::kByTime},
    {.name = "ouster",
     .about = "ouster_ros since the end of 2022",
     .point_step = 48,
     .fields = kOusterFields,
     .organised = true,
     .destaggered = true,
     .pcl_point = true},
    {.name = "ouster-2021",
     .about = "ouster_ros before, ring u8",
     .point_step = 48,
     .fields = kOuster2021Fields,
     .organised = true,
     .misses = Misses::kZeros,
     .organised_misses = Misses::kZeros,
     .pcl_point = true},
    {.name = "ouster-legacy",
     .about = "the MCD data set's order, ring u8",
     .point_step = 48,
     .fields = kOusterLegacyFields,
     .organised = true,
     .misses = Misses::kZeros,
     .organised_misses = Misses::kZeros,
     .pcl_point = true},
    {.name = "livox",
     .about = "livox_ros_driver, CustomMsg",
     .point_step = 19,
     .fields = kLivoxFields,
     .order = PointOrder::kByTime,
     .misses = Misses::kZeros,
     .organised_misses = Misses::kZeros,
     .millimetres = true},
    {.name = "livox-xyzrtl",
     .about = "livox_ros_driver, PointXYZRTL",
     .point_step = 18,
     .fields = kLivoxXyzrtlFields,
     .order = PointOrder::kByTime,
     .misses = Misses::kZeros,
     .organised_misses = Misses::kZeros,
     .millimetres = true},
};

}  // namespace

std::uint32_t size_of(PointFieldType type) {
  switch (type) {
    case kUint8:
      return 1;
    case kUint16:
      return 2;
    case kUint32:
    case kFloat32:
      break;
  }
  return 4;
}

std::span<const PointLayout> point_layouts() { return kLayouts; }

const std::vector<std::string>& point_layout_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const PointLayout& layout : kLayouts) out.emplace_back(layout.name);
    return out;
  }();
  return names;
}

const PointLayout& point_layout(std::string_view name) {
  const auto it = std::ranges::find(kLayouts, name, &PointLayout::name);
  if (it != std::end(kLayouts)) return *it;
  std::string hint = did_you_mean(name, point_layout_names());
  if (hint.empty()) hint = fmt::format("there are {}", fmt::join(point_layout_names(), ", "));
  throw std::invalid_argument(fmt::format("there is no point format '{}'; {}", name, hint));
}

CloudShape shape_of(const PointLayout& layout, std::optional<bool> organised,
                    std::optional<bool> destaggered) {
  CloudShape shape;
  shape.organised = organised.value_or(layout.organised);
  if (!shape.organised && destaggered.value_or(false)) {
    throw std::invalid_argument(
        fmt::format("points of format '{}' lie in one row, which cannot be destaggered; ask for an "
                    "organised cloud too (--organised)",
                    layout.name));
  }
  shape.destaggered = shape.organised && destaggered.value_or(layout.destaggered);
  shape.misses = shape.organised ? layout.organised_misses : layout.misses;
  return shape;
}

}  // namespace protobeam
