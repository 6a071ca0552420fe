// fast_client DOMAIN calls|visits|old|steps COUNT: a client of the service /step_simulation that
// does what one of ROS 2 with its default middleware does (ros2/rmw_fastrtps, rmw_request.cpp and
// rmw_response.cpp), on this machine only. It asks for 1, 2, ... steps and expects RESULT_OK and
// the same number as text. calls: one after another; visits: each by a participant of its own,
// which asks as soon as it has found where to; old: as before ROS 2 Galactic, when requests did not
// tell where their responses are read; steps: one step after another of a real simulation, which
// says RESULT_OK only. Prints how many of the answers were right.
#include <fastcdr/Cdr.h>
#include <fastrtps/utils/IPLocator.h>

#include <chrono>
#include <cstdio>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bytes_type.h"

namespace {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;
using protobeam::ros2::BytesType;
using Bytes = BytesType::Bytes;

template <class Condition>
void wait_until(const char* what, const Condition& condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  throw std::runtime_error(std::string("no ") + what);
}

class Client {
 public:
  Client(std::uint32_t domain, bool tells_reader) : tells_reader_(tells_reader) {
    // As with ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST (rmw_fastrtps, participant.cpp).
    dds::DomainParticipantQos qos = dds::PARTICIPANT_QOS_DEFAULT;
    auto& builtin = qos.wire_protocol().builtin;
    builtin.metatrafficUnicastLocatorList.push_back(rtps::Locator_t());
    rtps::Locator_t peer;
    rtps::IPLocator::setIPv4(peer, "127.0.0.1");
    builtin.initialPeersList.push_back(peer);
    builtin.discovery_config.leaseDuration_announcementperiod = {1, 0};
    participant_ = dds::DomainParticipantFactory::get_instance()->create_participant(domain, qos);
    if (!participant_) throw std::runtime_error("no participant");
    dds::DataWriterQos writer = dds::DATAWRITER_QOS_DEFAULT;
    writer.reliability().kind = dds::RELIABLE_RELIABILITY_QOS;
    writer.durability().kind = dds::VOLATILE_DURABILITY_QOS;
    writer.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    dds::DataReaderQos reader = dds::DATAREADER_QOS_DEFAULT;
    reader.reliability().kind = dds::RELIABLE_RELIABILITY_QOS;
    reader.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    const std::string type = "simulation_interfaces::srv::dds_::StepSimulation_";
    writer_ =
        participant_->create_publisher(dds::PUBLISHER_QOS_DEFAULT)
            ->create_datawriter(topic("rq/step_simulationRequest", type + "Request_"), writer);
    reader_ = participant_->create_subscriber(dds::SUBSCRIBER_QOS_DEFAULT)
                  ->create_datareader(topic("rr/step_simulationReply", type + "Response_"), reader);
    if (!writer_ || !reader_) throw std::runtime_error("no reader or writer");
  }
  ~Client() {
    participant_->delete_contained_entities();
    dds::DomainParticipantFactory::get_instance()->delete_participant(participant_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// rmw_service_server_is_available().
  void find_server() {
    wait_until("server", [this] {
      dds::PublicationMatchedStatus requests;
      dds::SubscriptionMatchedStatus responses;
      writer_->get_publication_matched_status(requests);
      reader_->get_subscription_matched_status(responses);
      return requests.current_count > 0 && responses.current_count > 0;
    });
  }

  /// Whether exactly one answer comes, and it is right.
  bool call(std::uint64_t steps, const std::string& text) {
    Bytes request{0, 1, 0, 0};
    for (int i = 0; i < 8; ++i) request.push_back(static_cast<std::uint8_t>(steps >> (8 * i)));
    rtps::WriteParams parameters;
    if (tells_reader_) parameters.related_sample_identity().writer_guid() = reader_->guid();
    if (!writer_->write(&request, parameters)) throw std::runtime_error("cannot ask");
    const rtps::SequenceNumber_t number = parameters.sample_identity().sequence_number();
    int answers = 0;
    bool right = false;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (answers == 0 && std::chrono::steady_clock::now() < end) {
      reader_->wait_for_unread_message({0, 100'000'000});
      Bytes bytes;
      dds::SampleInfo info;
      while (reader_->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK) {
        const auto& related = info.related_sample_identity;
        const bool mine =
            related.writer_guid() == reader_->guid() || related.writer_guid() == writer_->guid();
        if (!info.valid_data || !mine || related.sequence_number() != number) continue;
        ++answers;
        right = is_right(bytes, text);
      }
    }
    return answers == 1 && right;
  }

 private:
  static bool is_right(Bytes& bytes, const std::string& expected) {
    eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(bytes.data()), bytes.size());
    eprosima::fastcdr::Cdr cdr(buffer, eprosima::fastcdr::Cdr::DEFAULT_ENDIAN,
                               eprosima::fastcdr::Cdr::DDS_CDR);
    cdr.read_encapsulation();
    std::uint8_t result = 0;
    std::string text;
    cdr >> result >> text;
    return result == 1 && text == expected;
  }
  dds::Topic* topic(const std::string& name, const std::string& type) {
    dds::TypeSupport(new BytesType(type)).register_type(participant_);
    return participant_->create_topic(name, type, dds::TOPIC_QOS_DEFAULT);
  }

  const bool tells_reader_;
  dds::DomainParticipant* participant_ = nullptr;
  dds::DataWriter* writer_ = nullptr;
  dds::DataReader* reader_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4)
      throw std::runtime_error("usage: fast_client DOMAIN calls|visits|old|steps COUNT");
    const auto domain = static_cast<std::uint32_t>(std::stoul(argv[1]));
    const std::string mode = argv[2];
    const int count = std::stoi(argv[3]);
    int right = 0;
    std::unique_ptr<Client> client;
    for (int i = 1; i <= count; ++i) {
      if (!client || mode == "visits") {
        client.reset();
        client = std::make_unique<Client>(domain, mode != "old");
        client->find_server();
      }
      const auto steps = static_cast<std::uint64_t>(mode == "steps" ? 1 : i);
      right += client->call(steps, mode == "steps" ? "" : std::to_string(steps)) ? 1 : 0;
    }
    std::printf("%d of %d\n", right, count);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fast_client: %s\n", e.what());
    return 1;
  }
}
