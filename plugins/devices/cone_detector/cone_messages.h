// Cones as the messages of racing teams: eufs_msgs, feb_msgs, and points for a viewer.
#pragma once

#include <span>

#include "cone_sensor.h"
#include "message/sensor_msgs.h"
#include "message/vendor_msgs.h"

namespace protobeam {

message::ConeArrayWithCovariance cone_array(const message::Header& header,
                                            std::span<const ConeRecord> cones);
message::ConesCartesian cones_cartesian(const message::Header& header,
                                        std::span<const ConeRecord> cones);
message::PointCloud cone_points(const message::Header& header, std::span<const ConeRecord> cones);

}  // namespace protobeam
