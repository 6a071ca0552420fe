// A domain of ROS 2 and our participant in it.
#pragma once

#include <dds/dds.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "cdr_sample.h"
#include "message/message_type.h"

namespace protobeam::ros2 {

class Domain {
 public:
  /// Throws std::invalid_argument for what cannot be the name or address of an interface, and
  /// std::runtime_error with Cyclone's own words for what it cannot use.
  Domain(int id, const std::string& network_interface);
  ~Domain();
  Domain(const Domain&) = delete;
  Domain& operator=(const Domain&) = delete;

  dds_entity_t participant() const { return participant_; }

 private:
  dds_entity_t domain_ = 0, participant_ = 0;
};

/// `wanted`, or what the environment's ROS_DOMAIN_ID says when it is -1.
int choose_domain(int wanted);

/// What a reader or a writer promises. ROS 2 gives its own from rmw/qos_profiles.h.
struct Quality {
  bool reliable = true;
  bool latched = false;  ///< "transient local"
  int depth = 10;
};

struct Writer {
  dds_entity_t entity = 0;
  const ddsi_sertype* type = nullptr;  ///< as long as the writer
};

/// `user_data` is what others read in the endpoint's description: "typehash=...;".
Writer make_writer(dds_entity_t participant, const std::string& topic, const std::string& dds_type,
                   const Quality& quality, const std::string& user_data);
dds_entity_t make_reader(dds_entity_t participant, const std::string& topic,
                         const std::string& dds_type, const Quality& quality,
                         const std::string& user_data);
/// "typehash=RIHS01_...;" (ros2/rmw_dds_common, src/qos.cpp).
std::string type_hash(const message::MessageType& type);

/// Takes what has come to `reader`: use(bytes, info) for each message, the oldest first.
template <class Use>
void take_all(dds_entity_t reader, const Use& use) {
  std::array<ddsi_serdata*, 64> samples{};
  std::array<dds_sample_info_t, samples.size()> infos{};
  dds_return_t count = 0;
  do {
    count = dds_takecdr(reader, samples.data(), samples.size(), infos.data(), DDS_ANY_STATE);
    for (int i = 0; i < count; ++i) {
      message::Bytes bytes = take_bytes(samples[i]);
      if (infos[i].valid_data) use(std::move(bytes), infos[i]);
    }
  } while (count == static_cast<dds_return_t>(samples.size()));
}

/// Throws std::runtime_error("cannot ACTION: Out of resources") for an error of Cyclone's.
dds_entity_t checked(dds_return_t result, const std::string& action);

}  // namespace protobeam::ros2
