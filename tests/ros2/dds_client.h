// What clients of ROS 2's actions have in common that do what those with rmw_cyclonedds do: with
// Cyclone DDS and its own code for the messages.
#pragma once

#include <dds/dds.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

using Uuid = std::array<std::uint8_t, 16>;

inline constexpr int kPatience = 6000;  // times 5 ms

inline dds_entity_t require(dds_return_t result, const char* what) {
  if (result < 0) throw std::runtime_error(std::string(what) + ": " + dds_strretcode(-result));
  return result;
}

inline dds_entity_t make_topic(dds_entity_t participant, const dds_topic_descriptor_t& type,
                               const std::string& name) {
  return require(dds_create_topic(participant, &type, name.c_str(), nullptr, nullptr), "topic");
}

template <class Condition>
void wait_until(const std::string& what, const Condition& condition) {
  for (int i = 0; i < kPatience; ++i) {
    if (condition()) return;
    dds_sleepfor(DDS_MSECS(5));
  }
  throw std::runtime_error("no " + what);
}

inline dds_entity_t make_reader(dds_entity_t participant, dds_entity_t topic, bool latched) {
  dds_qos_t* qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, latched ? 1 : 1000);
  if (latched) dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
  const dds_entity_t reader =
      require(dds_create_reader(participant, topic, qos, nullptr), "reader");
  dds_delete_qos(qos);
  return reader;
}

/// use(sample) for what has come.
template <class T, class Use>
void take(dds_entity_t reader, const Use& use) {
  void* sample = nullptr;
  dds_sample_info_t info;
  while (dds_take(reader, &sample, &info, 1, 1) > 0) {
    if (info.valid_data) use(*static_cast<const T*>(sample));
    dds_return_loan(reader, &sample, 1);
    sample = nullptr;
  }
}

template <class Request, class Response>
class Service {
 public:
  /// `action` as "/simulate_steps/_action/".
  Service(dds_entity_t participant, const std::string& action, const std::string& name,
          const dds_topic_descriptor_t& request, const dds_topic_descriptor_t& response,
          const std::string& user_data = "")
      : name_(name) {
    dds_qos_t* qos = dds_create_qos();
    if (!user_data.empty()) dds_qset_userdata(qos, user_data.data(), user_data.size());
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 10);
    writer_ =
        require(dds_create_writer(
                    participant, make_topic(participant, request, "rq" + action + name + "Request"),
                    qos, nullptr),
                "writer");
    reader_ =
        require(dds_create_reader(participant,
                                  make_topic(participant, response, "rr" + action + name + "Reply"),
                                  qos, nullptr),
                "reader");
    dds_delete_qos(qos);
    dds_get_instance_handle(writer_, &id_);
    wait_until("server of " + name, [this] {
      return dds_get_matched_subscriptions(writer_, nullptr, 0) > 0 &&
             dds_get_matched_publications(reader_, nullptr, 0) > 0;
    });
  }
  void ask(Request request) {
    request.client = id_;
    request.number = ++number_;
    require(dds_write(writer_, &request), "request");
  }
  template <class Use>
  void wait_for_answer(const Use& use) {
    bool answered = false;
    wait_until("answer of " + name_, [&] {
      take<Response>(reader_, [&](const Response& response) {
        if (response.client != id_ || response.number != number_) return;
        use(response);
        answered = true;
      });
      return answered;
    });
  }

 private:
  std::string name_;
  dds_entity_t writer_, reader_;
  dds_instance_handle_t id_ = 0;
  std::int64_t number_ = 0;
};

/// On the loopback interface only.
inline void make_domain(dds_domainid_t domain) {
  require(
      dds_create_domain(domain,
                        "<CycloneDDS><Domain><General><Interfaces><NetworkInterface name=\"lo\"/>"
                        "</Interfaces><AllowMulticast>false</AllowMulticast></General><Discovery>"
                        "<ParticipantIndex>auto</ParticipantIndex><Peers>"
                        "<Peer address=\"127.0.0.1\"/></Peers></Discovery></Domain></CycloneDDS>"),
      "domain");
}
