// How Fast DDS joins a ROS domain, as Domain does by Cyclone DDS.
#pragma once

#include <fastdds/dds/domain/qos/DomainParticipantQos.hpp>
#include <string>

namespace protobeam::ros2 {

/// On this machine alone, in the network of an interface, or wherever Fast DDS goes, by
/// `network_interface` as of Domain. Throws std::runtime_error for one without an address.
eprosima::fastdds::dds::DomainParticipantQos fast_participant_qos(
    const std::string& network_interface);

}  // namespace protobeam::ros2
