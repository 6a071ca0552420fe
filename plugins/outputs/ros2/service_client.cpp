// service_client DOMAIN calls|burst|visits|strangers|steps COUNT [localhost]: a client of the service /step_simulation that does what
// one of ROS 2 with rmw_cyclonedds does, with Cyclone DDS and its own code for the messages
// (step_simulation.idl). It asks for 1, 2, ... steps and expects RESULT_OK and the same number as text.
// calls: one after another; burst: all at once; visits: each by a participant of its own, which asks as
// soon as it has found where to and where from; strangers: visits of clients that do not tell their identity, and
// whose readers are found after their requests; steps: one step after another of a real simulation, which says RESULT_OK
// only. localhost: with the network of ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
// instead of the loopback interface. Prints how many of the answers were right.
#include <dds/dds.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <set>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include "step_simulation.h"

namespace {

using Request = simulation_interfaces_srv_dds__StepSimulation_Request_;
using Response = simulation_interfaces_srv_dds__StepSimulation_Response_;

constexpr int kMostInBurst = 2000;
constexpr const char* kResponses = "rr/step_simulationReply";

dds_entity_t require(dds_return_t result, const char* what) {
  if (result < 0) throw std::runtime_error(std::string(what) + ": " + dds_strretcode(-result));
  return result;
}

std::string user_data(const dds_qos_t* qos) {
  void* data = nullptr;
  std::size_t size = 0;
  if (!dds_qget_userdata(qos, &data, &size) || !data) return "";
  std::string text(static_cast<char*>(data), size);
  dds_free(data);
  return text;
}

class Client {
 public:
  Client(dds_domainid_t domain, int number, bool echoes = true, bool tells_identity = true)
      : echoes_(echoes) {
    participant_ = require(dds_create_participant(domain, nullptr, nullptr), "participant");
    // The participant's identity makes the name unique.
    dds_guid_t guid;
    dds_get_guid(participant_, &guid);
    std::string id = "clientid=";
    for (const auto byte : guid.v) id += std::to_string(byte) + ".";
    id += std::to_string(number) + ";";
    dds_qos_t* qos = dds_create_qos();
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, kMostInBurst);
    if (tells_identity) dds_qset_userdata(qos, id.data(), id.size());
    const dds_entity_t requests = require(
        dds_create_topic(participant_, &simulation_interfaces_srv_dds__StepSimulation_Request__desc,
                         "rq/step_simulationRequest", nullptr, nullptr), "topic");
    responses_ = require(
        dds_create_topic(participant_, &simulation_interfaces_srv_dds__StepSimulation_Response__desc,
                         kResponses, nullptr, nullptr), "topic");
    writer_ = require(dds_create_writer(participant_, requests, qos, nullptr), "writer");
    dds_get_instance_handle(writer_, &id_);
    waitset_ = require(dds_create_waitset(participant_), "waitset");
    qos_ = qos;
    if (tells_identity) listen();
  }
  ~Client() {
    dds_delete_qos(qos_);
    dds_delete(participant_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void listen() {
    reader_ = require(dds_create_reader(participant_, responses_, qos_, nullptr), "reader");
    const dds_entity_t something = dds_create_readcondition(reader_, DDS_ANY_STATE);
    dds_waitset_attach(waitset_, something, 0);
  }

  /// rmw_service_server_is_available(): a reader and a writer with the same "serviceid".
  void find_server() {
    wait_until("server", [this] {
      const std::string reader = service_id(reader_of_requests());
      return !reader.empty() && reader == service_id(writer_of_responses());
    });
  }
  /// Less than find_server(): that the server has found our reader does not follow. Without knowing the
  /// writer of responses, Cyclone DDS would drop what it writes.
  void find_both_ends() {
    wait_until("reader of requests", [this] {
      return dds_get_matched_subscriptions(writer_, nullptr, 0) > 0;
    });
    const dds_entity_t writers = require(
        dds_create_reader(participant_, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, nullptr, nullptr), "publications");
    wait_until("writer of responses", [writers] {
      void* sample = nullptr;
      dds_sample_info_t info;
      bool found = false;
      while (!found && dds_take(writers, &sample, &info, 1, 1) > 0) {
        const auto& endpoint = *static_cast<const dds_builtintopic_endpoint_t*>(sample);
        found = info.valid_data && std::strcmp(endpoint.topic_name, kResponses) == 0;
        dds_return_loan(writers, &sample, 1);
      }
      return found;
    });
  }

  void ask(std::int64_t number, std::uint64_t steps) {
    const Request request{id_, number, steps};
    require(dds_write(writer_, &request), "request");
  }

  /// The numbers of right answers to this client that come within `time`.
  void take(std::set<std::int64_t>& answered, dds_duration_t time) {
    dds_waitset_wait(waitset_, nullptr, 0, time);
    void* sample = nullptr;
    dds_sample_info_t info;
    while (dds_take(reader_, &sample, &info, 1, 1) > 0) {
      const auto& response = *static_cast<const Response*>(sample);
      const bool right = info.valid_data && response.client == id_ && response.result == 1 &&
                         (!echoes_ || response.error_message == std::to_string(response.number));
      if (right && !answered.insert(response.number).second) throw std::runtime_error("answered twice");
      dds_return_loan(reader_, &sample, 1);
    }
  }

 private:
  using Endpoint = dds_builtintopic_endpoint_t*;
  Endpoint reader_of_requests() {
    dds_instance_handle_t handle = 0;
    if (dds_get_matched_subscriptions(writer_, &handle, 1) < 1) return nullptr;
    return dds_get_matched_subscription_data(writer_, handle);
  }
  Endpoint writer_of_responses() {
    dds_instance_handle_t handle = 0;
    if (dds_get_matched_publications(reader_, &handle, 1) < 1) return nullptr;
    return dds_get_matched_publication_data(reader_, handle);
  }
  static std::string service_id(Endpoint endpoint) {
    if (!endpoint) return "";
    const std::string text = user_data(endpoint->qos);
    dds_builtintopic_free_endpoint(endpoint);
    const auto at = text.find("serviceid=");
    return at == std::string::npos ? "" : text.substr(at, text.find(';', at) - at);
  }
  template <class Condition>
  void wait_until(const char* what, const Condition& condition) {
    for (int i = 0; i < 2000; ++i) {
      if (condition()) return;
      dds_sleepfor(DDS_MSECS(5));
    }
    throw std::runtime_error(std::string("no ") + what);
  }

  dds_entity_t participant_, responses_, writer_, reader_ = 0, waitset_;
  dds_qos_t* qos_;
  dds_instance_handle_t id_ = 0;
  bool echoes_;  ///< the server says the number of steps as text
};

constexpr dds_duration_t kPatience = DDS_SECS(5);

int call(dds_domainid_t domain, int count, bool echoes) {
  Client client(domain, 0, echoes);
  client.find_server();
  std::set<std::int64_t> answered;
  for (int i = 1; i <= count; ++i) {
    client.ask(i, echoes ? static_cast<std::uint64_t>(i) : 1);
    const dds_time_t end = dds_time() + kPatience;
    while (!answered.contains(i) && dds_time() < end) client.take(answered, DDS_MSECS(100));
  }
  return static_cast<int>(answered.size());
}

int burst(dds_domainid_t domain, int count) {
  Client client(domain, 0);
  client.find_server();
  std::set<std::int64_t> answered;
  for (int i = 1; i <= count; ++i) client.ask(i, static_cast<std::uint64_t>(i));
  const dds_time_t end = dds_time() + kPatience;
  while (static_cast<int>(answered.size()) < count && dds_time() < end) {
    client.take(answered, DDS_MSECS(100));
  }
  return static_cast<int>(answered.size());
}

int visit(dds_domainid_t domain, int count, bool tells_identity) {
  int right = 0;
  for (int i = 1; i <= count; ++i) {
    Client client(domain, i, true, tells_identity);
    client.find_both_ends();
    client.ask(i, static_cast<std::uint64_t>(i));
    if (!tells_identity) {
      dds_sleepfor(DDS_MSECS(100));
      client.listen();
    }
    std::set<std::int64_t> answered;
    const dds_time_t end = dds_time() + kPatience;
    while (answered.empty() && dds_time() < end) client.take(answered, DDS_MSECS(100));
    right += answered.contains(i) ? 1 : 0;
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 4) throw std::runtime_error("usage: service_client DOMAIN calls|burst|visits|strangers|steps COUNT");
    const auto domain = static_cast<dds_domainid_t>(std::stoul(argv[1]));
    const std::string loopback =
        argc > 4 ? "" : "<Interfaces><NetworkInterface name=\"lo\"/></Interfaces>";
    const std::string settings =
        "<CycloneDDS><Domain><General>" + loopback +
        "<AllowMulticast>false</AllowMulticast></General><Discovery>"
        "<ParticipantIndex>auto</ParticipantIndex>"
        "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>"
        "<Peers><Peer address=\"localhost\"/></Peers></Discovery></Domain></CycloneDDS>";
    const dds_entity_t made = require(dds_create_domain(domain, settings.c_str()), "domain");
    const std::string mode = argv[2];
    const int count = std::stoi(argv[3]);
    const int right = mode == "calls" ? call(domain, count, true)
                      : mode == "steps" ? call(domain, count, false)
                      : mode == "burst" ? burst(domain, count)
                                        : visit(domain, count, mode != "strangers");
    std::printf("%d of %d\n", right, count);
    dds_delete(made);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "service_client: %s\n", e.what());
    return 1;
  }
}
