// fastdds_peer DOMAIN: a program with another implementation of DDS (eProsima Fast DDS), which the
// tests of Ros2Publisher talk to on the loopback interface. It does on standard input's lines
//
//   read TOPIC TYPE reliable|best_effort volatile|transient_local
//   open TOPIC TYPE                   a writer, until it knows a reader
//   write TOPIC TYPE BYTES            a message, with its encapsulation, in hexadecimal digits
//   noise TOPIC TYPE COUNT SEED tame|wild   COUNT messages of random bytes, wild: also in place of
//   the
//                                     encapsulation
//
// and writes lines about what happens:
//
//   writer TOPIC TYPE USER_DATA       somebody's writer was found
//   reader TOPIC TYPE USER_DATA
//   no writer TOPIC TYPE USER_DATA    it is gone; the same of readers
//   matched TOPIC                     a writer with a reader of ours
//   data TOPIC SIZE HASH ENCAPSULATION [VALUES]
//   open TOPIC
//   sent TOPIC
#include <fastcdr/Cdr.h>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bytes_type.h"

namespace {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

using Bytes = std::vector<std::uint8_t>;

std::mutex output_mutex;

void say(const std::string& line) {
  const std::lock_guard lock(output_mutex);
  std::puts(line.c_str());
  std::fflush(stdout);
}

// --- Some types, field by field, by Fast CDR: as a program of ROS 2 with that middleware reads them.

void read_header(eprosima::fastcdr::Cdr& cdr, std::ostream& out) {
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;
  std::string frame;
  cdr >> sec >> nanosec >> frame;
  out << sec << '.' << nanosec << ' ' << frame;
}

void read_doubles(eprosima::fastcdr::Cdr& cdr, std::ostream& out, int count) {
  for (int i = 0; i < count; ++i) {
    double value = 0;
    cdr >> value;
    out << ' ' << value;
  }
}

std::string values_of(const std::string& type, const Bytes& bytes) {
  auto* raw = reinterpret_cast<char*>(const_cast<std::uint8_t*>(bytes.data()));
  eprosima::fastcdr::FastBuffer buffer(raw, bytes.size());
  eprosima::fastcdr::Cdr cdr(buffer, eprosima::fastcdr::Cdr::DEFAULT_ENDIAN,
                             eprosima::fastcdr::Cdr::DDS_CDR);
  cdr.read_encapsulation();
  std::ostringstream out;
  if (type == "sensor_msgs::msg::dds_::Imu_") {
    read_header(cdr, out);
    read_doubles(cdr, out, 4 + 9 + 3 + 9 + 3 + 9);
  } else if (type == "geometry_msgs::msg::dds_::Twist_") {
    read_doubles(cdr, out, 6);
  } else if (type == "std_msgs::msg::dds_::String_") {
    std::string text;
    cdr >> text;
    out << text;
  } else if (type == "tf2_msgs::msg::dds_::TFMessage_") {
    std::uint32_t count = 0;
    cdr >> count;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::string child;
      read_header(cdr, out);
      cdr >> child;
      out << ' ' << child;
      read_doubles(cdr, out, 7);
      out << ';';
    }
  } else if (type == "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_") {
    std::array<std::uint8_t, 16> gid;
    std::uint32_t nodes = 0;
    cdr >> gid >> nodes;
    for (std::uint32_t i = 0; i < nodes; ++i) {
      std::string space, name;
      cdr >> space >> name;
      out << (i > 0 ? " " : "") << (space == "/" ? "" : space) << '/' << name;
      for (const char* what : {" readers ", " writers "}) {
        std::uint32_t count = 0;
        cdr >> count;
        for (std::uint32_t j = 0; j < count; ++j) cdr >> gid;
        out << what << count;
      }
    }
  } else if (type == "sensor_msgs::msg::dds_::PointCloud2_") {
    read_header(cdr, out);
    std::uint32_t height = 0, width = 0, fields = 0, point_step = 0, row_step = 0;
    cdr >> height >> width >> fields;
    out << ' ' << height << 'x' << width;
    for (std::uint32_t i = 0; i < fields; ++i) {
      std::string name;
      std::uint32_t offset = 0, count = 0;
      std::uint8_t datatype = 0;
      cdr >> name >> offset >> datatype >> count;
      out << ' ' << name << '@' << offset;
    }
    bool big_endian = false, dense = false;
    std::vector<std::uint8_t> data;
    cdr >> big_endian >> point_step >> row_step >> data >> dense;
    out << ' ' << data.size() << " bytes dense " << dense;
  }
  return out.str();
}

/// FNV-1a, 64 bits.
std::uint64_t hash_of(const Bytes& bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  return hash;
}

void report(const std::string& topic, const std::string& type, const Bytes& bytes) {
  char numbers[64];
  std::snprintf(numbers, sizeof numbers, "%zu %016" PRIx64 " %02x%02x", bytes.size(), hash_of(bytes),
                bytes.size() < 4 ? 0 : bytes[0], bytes.size() < 4 ? 0 : bytes[1]);
  std::string values;
  try {
    values = values_of(type, bytes);
  } catch (const std::exception& e) {
    values = std::string("unreadable: ") + e.what();
  }
  say("data " + topic + " " + numbers + (values.empty() ? "" : " " + values));
}

class Listener final : public dds::DomainParticipantListener {
 public:
  void on_data_available(dds::DataReader* reader) override {
    Bytes bytes;
    dds::SampleInfo info;
    while (reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK) {
      if (!info.valid_data) continue;
      const auto* topic = reader->get_topicdescription();
      report(topic->get_name(), topic->get_type_name(), bytes);
    }
  }
  void on_subscription_matched(dds::DataReader* reader,
                               const dds::SubscriptionMatchedStatus& status) override {
    if (status.current_count_change > 0) say("matched " + reader->get_topicdescription()->get_name());
  }
  void on_publisher_discovery(dds::DomainParticipant*, rtps::WriterDiscoveryInfo&& found) override {
    if (found.status == rtps::WriterDiscoveryInfo::DISCOVERED_WRITER) tell("writer ", found.info);
    if (found.status == rtps::WriterDiscoveryInfo::REMOVED_WRITER) tell("no writer ", found.info);
  }
  void on_subscriber_discovery(dds::DomainParticipant*, rtps::ReaderDiscoveryInfo&& found) override {
    if (found.status == rtps::ReaderDiscoveryInfo::DISCOVERED_READER) tell("reader ", found.info);
    if (found.status == rtps::ReaderDiscoveryInfo::REMOVED_READER) tell("no reader ", found.info);
  }

 private:
  template <class Found>
  static void tell(const std::string& what, const Found& info) {
    const auto& data = info.m_qos.m_userData.data_vec();
    say(what + info.topicName().to_string() + " " + info.typeName().to_string() + " " +
        std::string(data.begin(), data.end()));
  }
};

class Peer {
 public:
  explicit Peer(std::uint32_t domain) {
    dds::DomainParticipantQos qos = dds::PARTICIPANT_QOS_DEFAULT;
    auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    udp->interfaceWhiteList.emplace_back("127.0.0.1");
    udp->sendBufferSize = udp->receiveBufferSize = 4'000'000;
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(udp);
    auto& discovery = qos.wire_protocol().builtin;
    for (std::uint32_t index = 0; index < 4; ++index) {
      rtps::Locator_t locator;
      rtps::IPLocator::setIPv4(locator, "127.0.0.1");
      locator.port = 7400 + 250 * domain + 10 + 2 * index;  // DDSI-RTPS 2.2, 9.6.1.1
      discovery.initialPeersList.push_back(locator);
    }
    discovery.discovery_config.leaseDuration_announcementperiod = {1, 0};
    // A listener for on_data_on_readers() would be called instead of on_data_available().
    participant_ = dds::DomainParticipantFactory::get_instance()->create_participant(
        domain, qos, &listener_, dds::StatusMask::all() >> dds::StatusMask::data_on_readers());
    if (!participant_) throw std::runtime_error("no participant");
    publisher_ = participant_->create_publisher(dds::PUBLISHER_QOS_DEFAULT);
    subscriber_ = participant_->create_subscriber(dds::SUBSCRIBER_QOS_DEFAULT);
  }
  ~Peer() {
    participant_->delete_contained_entities();
    dds::DomainParticipantFactory::get_instance()->delete_participant(participant_);
  }

  void read(const std::string& topic, const std::string& type, bool reliable, bool transient_local) {
    dds::DataReaderQos qos = dds::DATAREADER_QOS_DEFAULT;
    qos.reliability().kind =
        reliable ? dds::RELIABLE_RELIABILITY_QOS : dds::BEST_EFFORT_RELIABILITY_QOS;
    qos.durability().kind =
        transient_local ? dds::TRANSIENT_LOCAL_DURABILITY_QOS : dds::VOLATILE_DURABILITY_QOS;
    qos.history().depth = 100;
    qos.endpoint().history_memory_policy = rtps::DYNAMIC_RESERVE_MEMORY_MODE;
    if (!subscriber_->create_datareader(topic_of(topic, type), qos, nullptr)) {
      throw std::runtime_error("no reader");
    }
  }

  /// Waits until the writer knows a reader.
  dds::DataWriter& writer_of(const std::string& topic, const std::string& type) {
    dds::DataWriter*& writer = writers_[topic];
    if (!writer) {
      dds::DataWriterQos qos = dds::DATAWRITER_QOS_DEFAULT;
      qos.history().depth = 2000;
      qos.endpoint().history_memory_policy = rtps::DYNAMIC_RESERVE_MEMORY_MODE;
      writer = publisher_->create_datawriter(topic_of(topic, type), qos);
      if (!writer) throw std::runtime_error("no writer");
      for (int i = 0; i < 1000; ++i) {
        dds::PublicationMatchedStatus status;
        writer->get_publication_matched_status(status);
        if (status.current_count > 0) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      // The other side knows the writer a moment later than the writer it.
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return *writer;
  }

  void write(const std::string& topic, const std::string& type, Bytes bytes) {
    if (!writer_of(topic, type).write(&bytes)) throw std::runtime_error("cannot write");
  }

 private:
  dds::Topic* topic_of(const std::string& name, const std::string& type) {
    dds::Topic*& topic = topics_[name];
    if (!topic) {
      dds::TypeSupport(new protobeam::ros2::BytesType(type)).register_type(participant_);
      topic = participant_->create_topic(name, type, dds::TOPIC_QOS_DEFAULT);
    }
    return topic;
  }

  Listener listener_;
  dds::DomainParticipant* participant_ = nullptr;
  dds::Publisher* publisher_ = nullptr;
  dds::Subscriber* subscriber_ = nullptr;
  std::map<std::string, dds::Topic*> topics_;
  std::map<std::string, dds::DataWriter*> writers_;
};

void run(Peer& peer, const std::string& line) {
  std::istringstream words(line);
  std::string command, topic, type;
  words >> command >> topic >> type;
  if (command == "read") {
    std::string reliability, durability;
    words >> reliability >> durability;
    peer.read(topic, type, reliability == "reliable", durability == "transient_local");
  } else if (command == "write") {
    std::string digits;
    words >> digits;
    Bytes bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
      bytes.push_back(static_cast<std::uint8_t>(std::stoi(digits.substr(i, 2), nullptr, 16)));
    }
    peer.write(topic, type, std::move(bytes));
    say("sent " + topic);
  } else if (command == "open") {
    peer.writer_of(topic, type);
    say("open " + topic);
  } else if (command == "noise") {
    int count = 0;
    unsigned seed = 0;
    std::string kind;
    words >> count >> seed >> kind;
    std::mt19937 random(seed);
    for (int i = 0; i < count; ++i) {
      Bytes bytes(4 + random() % 200);
      for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
      if (kind == "tame" || i % 2) {
        bytes[0] = 0;
        bytes[1] = static_cast<std::uint8_t>(random() % 2);
      }
      peer.write(topic, type, std::move(bytes));
    }
    say("sent " + topic);
  } else {
    throw std::runtime_error("unknown command " + command);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: fastdds_peer DOMAIN");
    Peer peer(static_cast<std::uint32_t>(std::stoul(argv[1])));
    for (std::string line; std::getline(std::cin, line);) run(peer, line);
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "fastdds_peer: " << e.what() << '\n';
    return 1;
  }
}
