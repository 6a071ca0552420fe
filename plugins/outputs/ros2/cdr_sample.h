// Messages for Cyclone DDS that are CDR already: a type without a description, whose samples are
// bytes. Cyclone asks for both through tables of functions (dds/ddsi/ddsi_sertype.h and
// ddsi_serdata.h of eclipse-cyclonedds/cyclonedds 0.10), as ros2/rmw_cyclonedds does.
#pragma once

#include <string>

#include "message/any_message.h"

struct ddsi_sertype;
struct ddsi_serdata;

namespace protobeam::ros2 {

/// "sensor_msgs::msg::dds_::Imu_"; dds_create_topic_sertype() takes it over.
ddsi_sertype* new_cdr_type(const std::string& dds_name);

/// The bytes of `message` themselves: shared, not copied. dds_writecdr() takes it over.
ddsi_serdata* new_cdr_sample(const ddsi_sertype& type, message::AnyMessage message);
ddsi_serdata* new_cdr_sample(const ddsi_sertype& type, message::Bytes bytes);

/// With the encapsulation; of a sample that dds_takecdr() gave, which ends here.
message::Bytes take_bytes(ddsi_serdata* sample);

}  // namespace protobeam::ros2
