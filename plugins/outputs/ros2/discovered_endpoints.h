// For the tests of Ros2Publisher: what DDS knows of other programs, which comes a moment after theirs.
#pragma once

#include <dds/dds.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "test_support.h"

namespace protobeam::ros2_test {

/// The readers and writers that Cyclone has discovered in a domain, ours included; by its built-in
/// topics.
class DiscoveredEndpoints {
 public:
  explicit DiscoveredEndpoints(const OwnDomain& domain)
      : participant_(dds_create_participant(std::stoul(domain.text()), nullptr, nullptr)),
        readers_(
            dds_create_reader(participant_, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, nullptr, nullptr)),
        writers_(
            dds_create_reader(participant_, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, nullptr, nullptr)) {
    if (readers_ < 0 || writers_ < 0) throw std::runtime_error("no participant");
  }
  ~DiscoveredEndpoints() { dds_delete(participant_); }
  DiscoveredEndpoints(const DiscoveredEndpoints&) = delete;
  DiscoveredEndpoints& operator=(const DiscoveredEndpoints&) = delete;

  std::ptrdiff_t readers(const std::string& topic) const { return count(readers_, topic); }
  std::ptrdiff_t writers(const std::string& topic) const { return count(writers_, topic); }

 private:
  static std::ptrdiff_t count(dds_entity_t from, const std::string& topic) {
    std::array<void*, 256> loans{};
    std::array<dds_sample_info_t, 256> infos;
    const dds_return_t got = dds_read(from, loans.data(), infos.data(), loans.size(), loans.size());
    if (got < 0) throw std::runtime_error(dds_strretcode(-got));
    std::ptrdiff_t found = 0;
    for (int i = 0; i < got; ++i) {
      const auto* one = static_cast<const dds_builtintopic_endpoint_t*>(loans[i]);
      found += infos[i].valid_data && infos[i].instance_state == DDS_IST_ALIVE &&
               topic == one->topic_name;
    }
    dds_return_loan(from, loans.data(), got);
    return found;
  }

  dds_entity_t participant_, readers_, writers_;
};

}  // namespace protobeam::ros2_test
