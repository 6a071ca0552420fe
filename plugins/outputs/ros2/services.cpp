#include "services.h"

#include <algorithm>
#include <deque>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/log/Log.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "bytes_type.h"
#include "fast_participant.h"
#include "user_data.h"

namespace protobeam::ros2 {
namespace {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;
using Clock = std::chrono::steady_clock;
using message::Bytes;
using rtps::GUID_t;

constexpr std::size_t kEncapsulation = message::kCdrHeader.size();
// Of rmw_cyclonedds: uint64 client, int64 number. What is aligned to 8 stays so.
constexpr std::size_t kHeader = 16;

/// A program may ask faster than the simulation looks: so many requests wait, the oldest go first.
/// ROS 2's own services keep ten (rmw_qos_profile_services_default).
constexpr int kWaitingRequests = 1000;
constexpr std::size_t kUnansweredRequests = 10'000;

/// For the reader of a client. What DDS tells of it may be lost on the way, and comes again after 3 s.
constexpr std::chrono::seconds kLongestSearch(10);

constexpr std::uint32_t kLastAcknowledgments = 50'000'000;  // ns, of a service that ends

constexpr int kFirstHeartbeats = 3;
constexpr std::chrono::milliseconds kBetweenHeartbeats(5);

Services::Guid bytes_of(const GUID_t& guid) {
  Services::Guid out{};
  std::copy_n(guid.guidPrefix.value, 12, out.begin());
  std::copy_n(guid.entityId.value, 4, out.begin() + 12);
  return out;
}

/// Two halves of a service know each other by it: rmw_cyclonedds asks for it in both.
std::string service_id(const GUID_t& participant, std::size_t number) {
  std::string text = "serviceid=";
  for (const std::uint8_t byte : bytes_of(participant)) text += std::to_string(byte) + '.';
  return text + std::to_string(number) + ';';
}

/// The requests of all but rmw_cyclonedds begin with the message itself. By the vendor of the
/// client's participant (omg.org, "DDS-RTPS vendor and product ids").
bool has_header(const GUID_t& writer) {
  const auto& vendor = writer.guidPrefix.value;
  return vendor[0] == 0x01 && vendor[1] == 0x10;
}

enum class Ready { kNotYet, kAfterHeartbeat, kYes };

/// What others have in the domain; told by threads of Fast DDS.
class Others final : public dds::DomainParticipantListener {
 public:
  explicit Others(std::function<void()> wake) : wake_(std::move(wake)) {}

  void on_data_available(dds::DataReader*) override { wake_(); }
  void on_publication_matched(dds::DataWriter* writer,
                              const dds::PublicationMatchedStatus& status) override {
    GUID_t reader;
    rtps::iHandle2GUID(reader, status.last_subscription_handle);
    const std::lock_guard lock(mutex_);
    if (status.current_count_change > 0) {
      readers_[writer].try_emplace(reader);
    } else {
      readers_[writer].erase(reader);
    }
  }
  void on_publisher_discovery(dds::DomainParticipant*, rtps::WriterDiscoveryInfo&& found) override {
    using enum rtps::WriterDiscoveryInfo::DISCOVERY_STATUS;
    remember(found.info.guid(), found.info.m_qos.m_userData.data_vec(),
             found.status == DISCOVERED_WRITER || found.status == CHANGED_QOS_WRITER);
  }
  void on_subscriber_discovery(dds::DomainParticipant*,
                               rtps::ReaderDiscoveryInfo&& found) override {
    using enum rtps::ReaderDiscoveryInfo::DISCOVERY_STATUS;
    remember(found.info.guid(), found.info.m_qos.m_userData.data_vec(),
             found.status == DISCOVERED_READER || found.status == CHANGED_QOS_READER);
  }

  /// It is deleted.
  void forget(dds::DataWriter* writer) {
    const std::lock_guard lock(mutex_);
    readers_.erase(writer);
  }

  bool reads(dds::DataWriter* writer, const GUID_t& reader) const {
    const std::lock_guard lock(mutex_);
    const auto found = readers_.find(writer);
    return found != readers_.end() && found->second.contains(reader);
  }
  /// Endpoints of ROS 2 Iron and later have the hash of their type in the user data (REP-2016); ""
  /// of others.
  std::string hash(const GUID_t& guid) const {
    const std::lock_guard lock(mutex_);
    return hash_locked(guid);
  }
  /// That of the reader of `writer` that its client has; nothing while that is not found.
  std::optional<std::string> hash_of_reader(dds::DataWriter* writer,
                                            const GUID_t& its_writer) const {
    const std::lock_guard lock(mutex_);
    const auto reader = reader_of_client(writer, its_writer);
    return reader ? std::optional(hash_locked(*reader)) : std::nullopt;
  }
  /// Whether the client whose writer this is has a reader of `writer` that can take a message. As
  /// rmw_send_response() of rmw_cyclonedds finds it: by "clientid"; a client that does not say who it
  /// is has both in one participant.
  ///
  /// Readers of Cyclone DDS begin behind the last message of the first heartbeat that they get, and
  /// Fast DDS sends heartbeats only after messages: so the first message would never be taken. A few
  /// go before it, since one may be lost; the caller sends them.
  Ready client_ready(dds::DataWriter* writer, const GUID_t& its_writer) {
    const std::lock_guard lock(mutex_);
    const auto reader = reader_of_client(writer, its_writer);
    if (!reader) return Ready::kNotYet;
    Heartbeats& heartbeats = readers_[writer][*reader];
    const auto now = Clock::now();
    if (now < heartbeats.next) return Ready::kNotYet;
    if (heartbeats.count == kFirstHeartbeats) return Ready::kYes;
    ++heartbeats.count;
    heartbeats.next = now + kBetweenHeartbeats;
    return Ready::kAfterHeartbeat;
  }

 private:
  void remember(const GUID_t& guid, const std::vector<std::uint8_t>& user_data, bool is_there) {
    const std::lock_guard lock(mutex_);
    const std::string text(user_data.begin(), user_data.end());
    std::string id = is_there ? user_value(text, "clientid") : "";
    std::string hash = is_there ? user_value(text, "typehash") : "";
    if (hash.empty()) {
      hashes_.erase(guid);
    } else {
      hashes_[guid] = std::move(hash);
    }
    if (id.empty()) {
      clients_.erase(guid);
    } else {
      clients_[guid] = std::move(id);
    }
  }
  std::string client(const GUID_t& guid) const {
    const auto found = clients_.find(guid);
    return found == clients_.end() ? "" : found->second;
  }
  std::string hash_locked(const GUID_t& guid) const {
    const auto found = hashes_.find(guid);
    return found == hashes_.end() ? "" : found->second;
  }
  std::optional<GUID_t> reader_of_client(dds::DataWriter* writer, const GUID_t& its_writer) const {
    const auto found = readers_.find(writer);
    if (found == readers_.end()) return std::nullopt;
    const std::string id = client(its_writer);
    for (const auto& [reader, heartbeats] : found->second) {
      if (id.empty() ? reader.guidPrefix == its_writer.guidPrefix : client(reader) == id)
        return reader;
    }
    return std::nullopt;
  }

  struct Heartbeats {
    int count = 0;
    Clock::time_point next;
  };

  const std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::map<dds::DataWriter*, std::map<GUID_t, Heartbeats>> readers_;  ///< of each of our writers
  std::map<GUID_t, std::string> clients_;  ///< whose readers and writers they are
  std::map<GUID_t, std::string> hashes_;   ///< of the types of those that say it
};

class ServicesByFastDds final : public Services {
 public:
  ServicesByFastDds(int domain, const std::string& network_interface, std::function<void()> wake)
      : others_(std::move(wake)) {
    // It writes warnings to standard output, which is the run's.
    dds::Log::ClearConsumers();
    // A listener for on_data_on_readers() would be called instead of on_data_available().
    participant_ = dds::DomainParticipantFactory::get_instance()->create_participant(
        static_cast<std::uint32_t>(domain), fast_participant_qos(network_interface), &others_,
        dds::StatusMask::data_available() << dds::StatusMask::publication_matched());
    if (participant_) {
      publisher_ = participant_->create_publisher(dds::PUBLISHER_QOS_DEFAULT);
      subscriber_ = participant_->create_subscriber(dds::SUBSCRIBER_QOS_DEFAULT);
    }
    if (!publisher_ || !subscriber_) throw problem("join the domain");
  }
  ~ServicesByFastDds() override {
    participant_->set_listener(nullptr);
    participant_->delete_contained_entities();
    dds::DomainParticipantFactory::get_instance()->delete_participant(participant_);
  }
  ServicesByFastDds(const ServicesByFastDds&) = delete;
  ServicesByFastDds& operator=(const ServicesByFastDds&) = delete;

  Endpoints serve(const Service& service) override {
    const std::string id = service_id(participant_->guid(), ++served_);
    const auto set = [&](auto& qos, const message::MessageType& type) {
      qos.reliability().kind = dds::RELIABLE_RELIABILITY_QOS;
      qos.durability().kind = dds::VOLATILE_DURABILITY_QOS;
      qos.history().kind = dds::KEEP_LAST_HISTORY_QOS;
      qos.history().depth = kWaitingRequests;
      qos.resource_limits().max_instances = 1;
      qos.resource_limits().max_samples = kWaitingRequests;
      qos.resource_limits().max_samples_per_instance = kWaitingRequests;
      qos.data_sharing().off();
      qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
      const std::string text = id + "typehash=" + type.ros2_hash + ";";
      qos.user_data().data_vec({text.begin(), text.end()});
    };
    dds::DataWriterQos writer = dds::DATAWRITER_QOS_DEFAULT;
    set(writer, *service.response);
    writer.liveliness().kind = dds::MANUAL_BY_TOPIC_LIVELINESS_QOS;  // see client_ready()
    // A response that was lost on the way is asked for after the next heartbeat; 3 s would be usual.
    writer.reliable_writer_qos().times.heartbeatPeriod = {0, 100'000'000};
    dds::DataReaderQos reader = dds::DATAREADER_QOS_DEFAULT;
    set(reader, *service.request);
    Server& server = servers_[service.name];
    if (service.older_response && service.older_response->ros2_hash != service.response->ros2_hash)
      server.older_hash = service.older_response->ros2_hash;
    server.replies = topic("rr" + service.name + "Reply", *service.response);
    server.requests = topic("rq" + service.name + "Request", *service.request);
    server.writer = publisher_->create_datawriter(server.replies, writer);
    server.reader = subscriber_->create_datareader(server.requests, reader);
    if (!server.writer || !server.reader) throw problem("serve " + service.name);
    return {bytes_of(server.reader->guid()), bytes_of(server.writer->guid())};
  }

  void unserve(const std::string& service) override {
    const auto found = servers_.find(service);
    if (found == servers_.end()) return;
    send_waiting();
    std::erase_if(waiting_, [&](const Response& one) { return one.asked.service == service; });
    std::erase_if(asked_, [&](const auto& one) { return one.second.service == service; });
    std::erase_if(held_, [&](const Held& one) { return one.request.service == service; });
    const Server& server = found->second;
    // What was answered last may be on its way.
    server.writer->wait_for_acknowledgments({0, kLastAcknowledgments});
    subscriber_->delete_datareader(server.reader);
    publisher_->delete_datawriter(server.writer);
    participant_->delete_topic(server.requests);
    participant_->delete_topic(server.replies);
    others_.forget(server.writer);
    servers_.erase(found);
  }

  std::vector<ServiceRequest> take_requests() override {
    send_waiting();
    std::vector<ServiceRequest> out;
    std::erase_if(held_, [&](Held& one) { return know_release(one, out); });
    for (auto& [name, server] : servers_) {
      Bytes bytes;
      dds::SampleInfo info;
      while (server.reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK) {
        if (info.valid_data) take(name, std::exchange(bytes, {}), info, out);
      }
    }
    return out;
  }

  void answer(const ServiceRequest& request, const message::AnyMessage& response) override {
    const auto found = asked_.find(request.id);
    if (found == asked_.end()) return;
    const Asked& asked = found->second;
    Bytes bytes = response.cdr();
    bytes.insert(bytes.begin() + kEncapsulation, asked.header.begin(), asked.header.end());
    waiting_.push_back({asked, std::move(bytes), Clock::now() + kLongestSearch});
    asked_.erase(found);
    send_waiting();
  }

  void send_waiting() override {
    std::erase_if(waiting_, [&](Response& response) {
      const Asked& asked = response.asked;
      dds::DataWriter* writer = servers_.at(asked.service).writer;
      if (!ready(asked, writer) && Clock::now() < response.until) return false;
      rtps::WriteParams parameters;
      if (asked.header.empty()) parameters.related_sample_identity(asked.identity);
      writer->write(&response.bytes, parameters);  // at last to whoever reads
      return true;
    });
  }
  bool waits() const override { return !waiting_.empty() || !held_.empty(); }

  void wait_for_acks(std::chrono::milliseconds most) override {
    const auto end = Clock::now() + most;
    for (send_waiting(); !waiting_.empty() && Clock::now() < end; send_waiting())
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (auto& [name, server] : servers_) {
      const auto left = std::max(Clock::duration(0), end - Clock::now());
      const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
      server.writer->wait_for_acknowledgments({static_cast<std::int32_t>(ns / 1'000'000'000),
                                               static_cast<std::uint32_t>(ns % 1'000'000'000)});
    }
  }

 private:
  struct Server {
    dds::DataReader* reader = nullptr;
    dds::DataWriter* writer = nullptr;
    dds::Topic *requests = nullptr, *replies = nullptr;
    std::string older_hash;  ///< of the response of an older release; "": it has no other one
  };
  struct Asked {
    std::string service;
    rtps::SampleIdentity identity;      ///< of the request, or what its response is related to
    GUID_t reader = GUID_t::unknown();  ///< of the response; unknown: the request does not tell
    Bytes header;                       ///< that stood before the message, and will again
  };
  struct Response {
    Asked asked;
    Bytes bytes;
    Clock::time_point until;
  };
  /// Of whom the reader of responses tells the release, and is not found yet.
  struct Held {
    ServiceRequest request;
    GUID_t writer;
    Clock::time_point until;
  };

  /// False while it is to wait. What stays unknown is as new as the service.
  bool know_release(Held& one, std::vector<ServiceRequest>& out) {
    const auto found = asked_.find(one.request.id);
    if (found == asked_.end()) return true;  // too many have come since
    const Asked& asked = found->second;
    const Server& server = servers_.at(one.request.service);
    std::optional<std::string> hash;
    if (asked.reader == GUID_t::unknown())
      hash = others_.hash_of_reader(server.writer, one.writer);
    else if (others_.reads(server.writer, asked.reader))
      hash = others_.hash(asked.reader);
    if (!hash && Clock::now() < one.until) return false;
    one.request.older = hash == server.older_hash;
    out.push_back(std::move(one.request));
    return true;
  }

  bool ready(const Asked& asked, dds::DataWriter* writer) {
    if (asked.reader != GUID_t::unknown()) return others_.reads(writer, asked.reader);
    const Ready ready = others_.client_ready(writer, asked.identity.writer_guid());
    if (ready == Ready::kAfterHeartbeat) writer->assert_liveliness();
    return ready == Ready::kYes;
  }

  void take(const std::string& service, Bytes bytes, const dds::SampleInfo& info,
            std::vector<ServiceRequest>& out) {
    Asked asked{service, info.sample_identity};
    const GUID_t writer = info.sample_identity.writer_guid();
    const bool header = has_header(writer);
    const std::size_t least = kEncapsulation + (header ? kHeader : 0);
    if (bytes.size() < least || bytes[0] != 0 || bytes[1] > 1) return;
    if (header) {
      const auto from = bytes.begin() + kEncapsulation;
      asked.header.assign(from, from + kHeader);
      // Responses are little-endian.
      if (bytes[1] == 0) {
        std::reverse(asked.header.begin(), asked.header.begin() + 8);
        std::reverse(asked.header.begin() + 8, asked.header.end());
      }
      bytes.erase(from, from + kHeader);
    } else if (const GUID_t& reader = info.related_sample_identity.writer_guid();
               reader != GUID_t::unknown()) {
      // Since ROS 2 Galactic a request tells which reader its response is for (rmw_request.cpp).
      asked.reader = reader;
      asked.identity.writer_guid(reader);
    }
    const std::uint64_t id = next_id_++;
    asked_[id] = std::move(asked);
    if (asked_.size() > kUnansweredRequests) asked_.erase(asked_.begin());
    ServiceRequest request{service, id, std::move(bytes), others_.hash(writer).empty()};
    if (request.older || servers_.at(service).older_hash.empty()) {
      out.push_back(std::move(request));
      return;
    }
    Held held{std::move(request), writer, Clock::now() + kLongestSearch};
    if (!know_release(held, out)) held_.push_back(std::move(held));
  }

  dds::Topic* topic(const std::string& name, const message::MessageType& type) {
    dds::TypeSupport(new BytesType(type.dds_name)).register_type(participant_);
    dds::Topic* made = participant_->create_topic(name, type.dds_name, dds::TOPIC_QOS_DEFAULT);
    if (!made) throw problem("make topic " + name);
    return made;
  }
  static std::runtime_error problem(const std::string& what) {
    return std::runtime_error("Fast DDS cannot " + what);
  }

  Others others_;
  dds::DomainParticipant* participant_ = nullptr;
  dds::Publisher* publisher_ = nullptr;
  dds::Subscriber* subscriber_ = nullptr;
  std::map<std::string, Server> servers_;
  std::map<std::uint64_t, Asked> asked_;  ///< by ServiceRequest::id
  std::deque<Response> waiting_;
  std::deque<Held> held_;
  std::uint64_t next_id_ = 1;
  std::size_t served_ = 0;  ///< so far
};

}  // namespace

std::unique_ptr<Services> make_services(int domain, const std::string& network_interface,
                                        std::function<void()> wake) {
  return std::make_unique<ServicesByFastDds>(domain, network_interface, std::move(wake));
}

}  // namespace protobeam::ros2
