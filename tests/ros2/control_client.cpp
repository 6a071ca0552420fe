// control_client DOMAIN: brings an object into a simulation, takes it out again, twice, and resets
// the simulation, as a client of rmw_cyclonedds does, with Cyclone's own code for the messages
// (control.idl). Prints a line for each answer: SERVICE RESULT TEXT.
//
// control_client DOMAIN -: does what standard input's lines say, their words without blanks:
//
//   spawn NAME NAMESPACE URI [X Y Z]      - for nothing
//   text NAME NAMESPACE FILE [X Y Z]      the file's text
//   delete NAME
#include <dds/dds.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>

#include "control.h"

namespace {

dds_entity_t require(dds_return_t result, const char* what) {
  if (result < 0) throw std::runtime_error(std::string(what) + ": " + dds_strretcode(-result));
  return result;
}

template <class Request, class Response>
class Client {
 public:
  Client(dds_entity_t participant, const std::string& name, const dds_topic_descriptor_t& request,
         const dds_topic_descriptor_t& response)
      : name_(name) {
    dds_qos_t* qos = dds_create_qos();
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 10);
    const auto topic = [&](const dds_topic_descriptor_t& type, const std::string& whole) {
      return require(dds_create_topic(participant, &type, whole.c_str(), nullptr, nullptr), "topic");
    };
    writer_ = require(dds_create_writer(participant, topic(request, "rq/" + name + "Request"), qos, nullptr), "writer");
    reader_ = require(dds_create_reader(participant, topic(response, "rr/" + name + "Reply"), qos, nullptr), "reader");
    dds_delete_qos(qos);
    dds_get_instance_handle(writer_, &id_);
    for (int i = 0; dds_get_matched_subscriptions(writer_, nullptr, 0) < 1 ||
                    dds_get_matched_publications(reader_, nullptr, 0) < 1; ++i) {
      if (i > 4000) throw std::runtime_error("no server of " + name);
      dds_sleepfor(DDS_MSECS(5));
    }
  }

  void call(Request request) {
    request.client = id_;
    request.number = ++number_;
    require(dds_write(writer_, &request), "request");
    for (int i = 0; i < 4000; ++i) {
      void* sample = nullptr;
      dds_sample_info_t info;
      if (dds_take(reader_, &sample, &info, 1, 1) < 1) {
        dds_sleepfor(DDS_MSECS(5));
        continue;
      }
      const auto& response = *static_cast<const Response*>(sample);
      const bool ours = info.valid_data && response.client == id_ && response.number == number_;
      if (ours) std::printf("%s %d %s\n", name_.c_str(), response.result, response.error_message);
      std::fflush(stdout);
      dds_return_loan(reader_, &sample, 1);
      if (ours) return;
    }
    throw std::runtime_error("no answer of " + name_);
  }

 private:
  std::string name_;
  dds_entity_t writer_, reader_;
  dds_instance_handle_t id_ = 0;
  std::int64_t number_ = 0;
};

using SpawnRequest = simulation_interfaces_srv_dds__SpawnEntity_Request_;
using DeleteRequest = simulation_interfaces_srv_dds__DeleteEntity_Request_;
using ResetRequest = simulation_interfaces_srv_dds__ResetSimulation_Request_;

struct Spawner : Client<SpawnRequest, simulation_interfaces_srv_dds__SpawnEntity_Response_> {
  explicit Spawner(dds_entity_t participant)
      : Client(participant, "spawn_entity",
               simulation_interfaces_srv_dds__SpawnEntity_Request__desc,
               simulation_interfaces_srv_dds__SpawnEntity_Response__desc) {}
};
struct Deleter : Client<DeleteRequest, simulation_interfaces_srv_dds__DeleteEntity_Response_> {
  explicit Deleter(dds_entity_t participant)
      : Client(participant, "delete_entity",
               simulation_interfaces_srv_dds__DeleteEntity_Request__desc,
               simulation_interfaces_srv_dds__DeleteEntity_Response__desc) {}
};

void follow(dds_entity_t participant, std::istream& lines) {
  Spawner spawn(participant);
  Deleter remove(participant);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    const auto word = [&] {
      std::string out;
      words >> out;
      return out == "-" ? std::string() : out;
    };
    const std::string what = word();
    std::string name = word();
    if (what == "delete") {
      DeleteRequest gone{};
      gone.entity = name.data();
      remove.call(gone);
      continue;
    }
    std::string space = word(), source = word(), text, frame;
    if (what == "text") {
      std::ifstream file(source);
      text.assign(std::istreambuf_iterator<char>(file), {});
      source.clear();
    }
    SpawnRequest request{};
    words >> request.x >> request.y >> request.z;
    request.qw = 1;
    request.name = name.data();
    request.uri = source.data();
    request.resource_string = text.data();
    request.entity_namespace = space.data();
    request.frame_id = frame.data();
    spawn.call(request);
  }
}

void control(dds_entity_t participant) {
  Spawner spawn(participant);
  Deleter remove(participant);
  Client<ResetRequest, simulation_interfaces_srv_dds__ResetSimulation_Response_> reset(
      participant, "reset_simulation", simulation_interfaces_srv_dds__ResetSimulation_Request__desc,
      simulation_interfaces_srv_dds__ResetSimulation_Response__desc);
  SpawnRequest box{};
  char name[] = "box", solid[] = "Solid { physics Physics { } boundingObject Box { size 1 1 1 } }", none[] = "";
  box.name = name;
  box.uri = box.entity_namespace = box.frame_id = none;
  box.resource_string = solid;
  box.x = 5, box.z = 3, box.qw = 1;
  DeleteRequest gone{};
  gone.entity = name;
  spawn.call(box);
  spawn.call(box);  // the name is taken
  remove.call(gone);
  remove.call(gone);  // there is none
  reset.call(ResetRequest{});
  spawn.call(box);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bool follows = argc == 3 && std::string(argv[2]) == "-";
    if (argc != 2 && !follows) throw std::runtime_error("usage: control_client DOMAIN [-]");
    const auto domain = static_cast<dds_domainid_t>(std::stoul(argv[1]));
    require(dds_create_domain(domain,
                              "<CycloneDDS><Domain><General><Interfaces><NetworkInterface name=\"lo\"/>"
                              "</Interfaces><AllowMulticast>false</AllowMulticast></General><Discovery>"
                              "<ParticipantIndex>auto</ParticipantIndex><Peers>"
                              "<Peer address=\"127.0.0.1\"/></Peers></Discovery></Domain></CycloneDDS>"),
            "domain");
    const dds_entity_t participant =
        require(dds_create_participant(domain, nullptr, nullptr), "participant");
    if (follows)
      follow(participant, std::cin);
    else
      control(participant);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "control_client: %s\n", error.what());
    return 1;
  }
}
