// What a client of ROS 2 with its default middleware has of a service (ros2/rmw_fastrtps,
// rmw_request.cpp and rmw_response.cpp), on this machine only. For programs of tests.
#pragma once

#include <fastrtps/utils/IPLocator.h>

#include <cstdint>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "bytes_type.h"

namespace protobeam::fast_client {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;
using Bytes = ros2::BytesType::Bytes;

class Participant {
 public:
  explicit Participant(std::uint32_t domain) {
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
  }
  ~Participant() {
    participant_->delete_contained_entities();
    dds::DomainParticipantFactory::get_instance()->delete_participant(participant_);
  }
  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;

  dds::DomainParticipant& operator*() const { return *participant_; }

 private:
  dds::DomainParticipant* participant_ = nullptr;
};

class Service {
 public:
  /// `type` is that of simulation_interfaces, "StepSimulation". The reader tells `hash` for its
  /// type, and the writer another one; "": neither tells any. Both live as long as the participant.
  Service(const Participant& participant, const std::string& name, const std::string& type,
          const std::string& hash = "") {
    dds::DataWriterQos writer = dds::DATAWRITER_QOS_DEFAULT;
    writer.reliability().kind = dds::RELIABLE_RELIABILITY_QOS;
    writer.durability().kind = dds::VOLATILE_DURABILITY_QOS;
    writer.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    dds::DataReaderQos reader = dds::DATAREADER_QOS_DEFAULT;
    reader.reliability().kind = dds::RELIABLE_RELIABILITY_QOS;
    reader.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    if (!hash.empty()) {
      const std::string of_reader = "typehash=" + hash + ";", of_writer = "typehash=RIHS01_00;";
      reader.user_data().data_vec({of_reader.begin(), of_reader.end()});
      writer.user_data().data_vec({of_writer.begin(), of_writer.end()});
    }
    const auto topic = [&](const std::string& full_name, const std::string& half) {
      const std::string full_type = "simulation_interfaces::srv::dds_::" + type + half;
      dds::TypeSupport(new ros2::BytesType(full_type)).register_type(&*participant);
      return (*participant).create_topic(full_name, full_type, dds::TOPIC_QOS_DEFAULT);
    };
    reader_ = (*participant)
                  .create_subscriber(dds::SUBSCRIBER_QOS_DEFAULT)
                  ->create_datareader(topic("rr/" + name + "Reply", "_Response_"), reader);
    writer_ = (*participant)
                  .create_publisher(dds::PUBLISHER_QOS_DEFAULT)
                  ->create_datawriter(topic("rq/" + name + "Request", "_Request_"), writer);
    if (!writer_ || !reader_) throw std::runtime_error("no reader or writer");
  }

  /// rmw_service_server_is_available().
  bool is_available() const {
    dds::PublicationMatchedStatus requests;
    dds::SubscriptionMatchedStatus responses;
    writer_->get_publication_matched_status(requests);
    reader_->get_subscription_matched_status(responses);
    return requests.current_count > 0 && responses.current_count > 0;
  }

  /// The request's number. `tells_reader`: where the response is to be read, as since ROS 2
  /// Galactic.
  rtps::SequenceNumber_t ask(Bytes request, bool tells_reader) const {
    rtps::WriteParams parameters;
    if (tells_reader) parameters.related_sample_identity().writer_guid() = reader_->guid();
    if (!writer_->write(&request, parameters)) throw std::runtime_error("cannot ask");
    return parameters.sample_identity().sequence_number();
  }

  /// For a response to come, 0.1 s at most.
  void wait() const { reader_->wait_for_unread_message({0, 100'000'000}); }
  /// The next response to that request that has come.
  std::optional<Bytes> take(const rtps::SequenceNumber_t& number) const {
    Bytes bytes;
    dds::SampleInfo info;
    while (reader_->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK) {
      const auto& related = info.related_sample_identity;
      const bool mine =
          related.writer_guid() == reader_->guid() || related.writer_guid() == writer_->guid();
      if (info.valid_data && mine && related.sequence_number() == number) return bytes;
    }
    return std::nullopt;
  }

 private:
  dds::DataWriter* writer_ = nullptr;
  dds::DataReader* reader_ = nullptr;
};

}  // namespace protobeam::fast_client
