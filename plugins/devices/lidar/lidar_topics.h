// What a lidar publishes: a LaserScan of one layer, otherwise points in the layout of its maker's driver.
#pragma once

#include <functional>
#include <vector>

#include "device/device_model.h"

namespace protobeam {

/// Streams "scan" (LaserScan) or "points" (PointCloud2, or livox_ros_driver/CustomMsg for the point
/// format "livox"). Formats: those of output/point_layout.h. Throws std::invalid_argument for a
/// wish that cannot be. `scan_period`: s from one scan to the next, asked for with each.
std::vector<DeviceTopic> lidar_topics(const BeamSensor& lidar, const TopicRequest& request,
                                      std::function<double()> scan_period);

}  // namespace protobeam
