#include "fast_participant.h"

#include <arpa/inet.h>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastdds/rtps/transport/shared_mem/SharedMemTransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>
#include <ifaddrs.h>

#include <memory>
#include <stdexcept>

namespace protobeam::ros2 {
namespace {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

constexpr std::uint32_t kMostParticipants = 60;  // on this machine, as kOnThisMachine of Domain

/// The IPv4 address of an interface, given by name or as what it is; "" when it has none.
std::string address_of(const std::string& network_interface) {
  in_addr parsed{};
  if (inet_pton(AF_INET, network_interface.c_str(), &parsed) == 1) return network_interface;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return "";
  std::string found;
  for (const ifaddrs* one = all; one && found.empty(); one = one->ifa_next) {
    if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET || network_interface != one->ifa_name)
      continue;
    char text[INET_ADDRSTRLEN] = "";
    const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
    if (inet_ntop(AF_INET, &address->sin_addr, text, sizeof text)) found = text;
  }
  freeifaddrs(all);
  return found;
}

}  // namespace

dds::DomainParticipantQos fast_participant_qos(const std::string& network_interface) {
  dds::DomainParticipantQos qos = dds::PARTICIPANT_QOS_DEFAULT;
  auto& builtin = qos.wire_protocol().builtin;
  builtin.readerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  builtin.writerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  // New clients are mostly found by this: their own first words may come before they listen.
  builtin.discovery_config.leaseDuration_announcementperiod = {1, 0};
  // By it the tools of ROS 2 tell its participants from others (rmw_fastrtps, participant.cpp).
  const std::string enclave = "enclave=/;";
  qos.user_data().data_vec({enclave.begin(), enclave.end()});
  qos.name("/");
  if (network_interface.empty()) return qos;
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  // Many requests may come at once; as much of it as the kernel allows.
  udp->receiveBufferSize = 64'000'000;
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports = {
      udp, std::make_shared<eprosima::fastdds::rtps::SharedMemTransportDescriptor>()};
  const bool here = network_interface == "lo" || network_interface == "localhost" ||
                    network_interface.starts_with("127.");
  if (!here) {
    const std::string address = address_of(network_interface);
    if (address.empty())
      throw std::runtime_error("interface " + network_interface +
                               " has no IPv4 address for Fast DDS");
    udp->interfaceWhiteList.push_back(address);
    return qos;
  }
  udp->maxInitialPeersRange = kMostParticipants;
  rtps::Locator_t loopback;  // any port
  rtps::IPLocator::setIPv4(loopback, "127.0.0.1");
  // Where there are unicast addresses, no multicast is listened to.
  builtin.metatrafficUnicastLocatorList.push_back(loopback);
  qos.wire_protocol().default_unicast_locator_list.push_back(loopback);
  builtin.initialPeersList.push_back(loopback);
  return qos;
}

}  // namespace protobeam::ros2
