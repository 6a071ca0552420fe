#include "domain.h"

#include <dds/ddsi/ddsi_sertype.h>
#include <dds/ddsrt/log.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace protobeam::ros2 {
namespace {

constexpr int kLargestDomain = 232;  // its ports end below 65536 (docs.ros.org, "The ROS_DOMAIN_ID")

/// A write to a reader that does not keep up waits so long, and then loses the message.
constexpr dds_duration_t kLongestBlocking = DDS_MSECS(20);

/// After joining: errors, a few of them. Warnings are about what others send ("malformed packet"), may
/// come with every packet, and tell a user nothing to do.
void log_errors(void*, const dds_log_data_t* data) {
  static std::atomic<int> told = 0;
  if (!(data->priority & (DDS_LC_FATAL | DDS_LC_ERROR)) || told >= 10) return;
  ++told;
  std::fprintf(stderr, "ROS 2: %.*s", static_cast<int>(data->size), data->message);
}

/// The errors that Cyclone has while this lives, in place of standard error, where its remarks would
/// stand in the middle of other output ("lo is not multicast-capable").
class Errors {
 public:
  Errors() {
    dds_set_log_sink(
        [](void* self, const dds_log_data_t* data) {
          if (!(data->priority & (DDS_LC_FATAL | DDS_LC_ERROR))) return;
          std::string line(data->message, data->size);
          while (!line.empty() && line.back() == '\n') line.pop_back();
          std::string& text = static_cast<Errors*>(self)->text_;
          text += (text.empty() ? "" : "; ") + line;
        },
        this);
  }
  ~Errors() { dds_set_log_sink(log_errors, nullptr); }
  Errors(const Errors&) = delete;
  Errors& operator=(const Errors&) = delete;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

bool is_interface(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == ':' || c == '_' || c == '-' || c == '@';
  });
}

bool is_address(const std::string& text) {
  return text.find(':') != std::string::npos ||
         text.find_first_not_of("0123456789.") == std::string::npos;
}

/// Participants are asked for at each of their ports: loopback has no multicast.
constexpr char kOnThisMachine[] =
    "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
    "<MaxAutoParticipantIndex>60</MaxAutoParticipantIndex>"
    "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>";

/// Cyclone's settings (docs/manual/options.md of its sources) as XML.
std::string settings(const std::string& network_interface) {
  // A cloud comes in thousands of packets at once: with the kernel's default buffer most are lost.
  // As much as it allows, since Cyclone refuses to start when it does not get a minimum.
  //
  // Watermarks: how many bytes a writer keeps for slow readers is up to `depth`. With Cyclone's
  // default, 500 kB, the second image of a burst would wait for a reader.
  //
  // Key hashes: without them Fast DDS, ROS 2's default, does not see that a topic is gone (its
  // MessageReceiver takes keys of at most 16 bytes from the message itself).
  std::string internal =
      "<Internal><SocketReceiveBufferSize max=\"64MB\"/><GenerateKeyhash>true</GenerateKeyhash>"
      "<Watermarks><WhcHigh>1GB</WhcHigh><WhcHighInit>1GB</WhcHighInit>"
      "<WhcAdaptive>false</WhcAdaptive></Watermarks></Internal>";
  std::string general, discovery;
  if (network_interface == "localhost") {
    // What rmw_cyclonedds does for ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST (rmw_node.cpp): its nodes
    // have the address of another interface, at which those that are at loopback alone do not find them.
    general = "<Interfaces><NetworkInterface name=\"lo\" priority=\"1\"/>"
              "<NetworkInterface autodetermine=\"true\"/></Interfaces>"
              "<AllowMulticast>false</AllowMulticast>";
    discovery = kOnThisMachine;
  } else if (!network_interface.empty()) {
    const bool address = is_address(network_interface);
    general = std::string("<Interfaces><NetworkInterface ") + (address ? "address" : "name") + "=\"" +
              network_interface + "\"/></Interfaces>";
  }
  if (network_interface == "lo" || network_interface.starts_with("127.")) {
    // Loopback takes packets of any size, and fewer of them take less time.
    general += "<AllowMulticast>false</AllowMulticast>"
               "<MaxMessageSize>65500B</MaxMessageSize><FragmentSize>65000B</FragmentSize>";
    discovery = kOnThisMachine;
  }
  std::string xml = "<CycloneDDS><Domain>";
  if (!general.empty()) xml += "<General>" + general + "</General>";
  xml += discovery + internal + "</Domain></CycloneDDS>";
  // What the user says about the network comes last, and wins; but not over a choice made here.
  const char* theirs = std::getenv("CYCLONEDDS_URI");
  if (network_interface.empty() && theirs && *theirs) xml += std::string(",") + theirs;
  return xml;
}

struct DeleteQos {
  void operator()(dds_qos_t* qos) const { dds_delete_qos(qos); }
};
using Qos = std::unique_ptr<dds_qos_t, DeleteQos>;

Qos qos_of(const Quality& quality, const std::string& user_data) {
  Qos qos(dds_create_qos());
  dds_qset_reliability(qos.get(),
                       quality.reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                       quality.reliable ? kLongestBlocking : 0);
  dds_qset_history(qos.get(), DDS_HISTORY_KEEP_LAST, quality.depth);
  dds_qset_durability(qos.get(),
                      quality.latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  if (quality.latched) {
    dds_qset_durability_service(qos.get(), 0, DDS_HISTORY_KEEP_LAST, quality.depth,
                                DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
  }
  const dds_data_representation_id_t plain_cdr = DDS_DATA_REPRESENTATION_XCDR1;
  dds_qset_data_representation(qos.get(), 1, &plain_cdr);
  dds_qset_writer_data_lifecycle(qos.get(), false);
  dds_qset_userdata(qos.get(), user_data.data(), user_data.size());
  return qos;
}

dds_entity_t make_topic(dds_entity_t participant, const std::string& name,
                        const std::string& dds_type, const ddsi_sertype** type) {
  ddsi_sertype* made = new_cdr_type(dds_type);
  const dds_entity_t topic =
      dds_create_topic_sertype(participant, name.c_str(), &made, nullptr, nullptr, nullptr);
  if (topic < 0) {
    ddsi_sertype_unref(made);
    if (topic == DDS_RETCODE_BAD_PARAMETER) {
      throw std::runtime_error("\"" + name.substr(std::min<std::size_t>(2, name.size())) +
                               "\" cannot be the name of a topic in ROS 2: letters, digits, _ and / can "
                               "stand in it");
    }
    checked(topic, "make topic " + name);
  }
  *type = made;
  return topic;
}

}  // namespace

dds_entity_t checked(dds_return_t result, const std::string& action) {
  if (result < 0) throw std::runtime_error("cannot " + action + ": " + dds_strretcode(-result));
  return result;
}

int choose_domain(int wanted) {
  if (wanted >= 0) return wanted;
  const char* text = std::getenv("ROS_DOMAIN_ID");
  if (!text || !*text) return 0;
  const std::string digits = text;
  const bool number = digits.find_first_not_of("0123456789") == std::string::npos && digits.size() < 5;
  const int id = number ? std::stoi(digits) : -1;
  if (id < 0 || id > kLargestDomain) {
    throw std::runtime_error("the environment's ROS_DOMAIN_ID is \"" + digits +
                             "\", not a number from 0 to 232");
  }
  return id;
}

Domain::Domain(int id, const std::string& network_interface) {
  if (!is_interface(network_interface)) {
    throw std::invalid_argument("networkInterface \"" + network_interface +
                                "\" is neither a name nor an address of an interface");
  }
  const Errors errors;
  const auto require = [&](dds_return_t result) {
    if (result >= 0) return result;
    if (domain_ > 0) dds_delete(domain_);
    std::string why = errors.text().empty() ? dds_strretcode(-result) : errors.text();
    if (result == DDS_RETCODE_PRECONDITION_NOT_MET) why = "another output of this run has joined it";
    throw std::runtime_error("cannot join ROS domain " + std::to_string(id) + ": " + why);
  };
  const std::string xml = settings(network_interface);
  domain_ = require(dds_create_domain(static_cast<dds_domainid_t>(id), xml.c_str()));
  const Qos qos(dds_create_qos());
  // By it the tools of ROS 2 tell its participants from others (rmw_cyclonedds, rmw_node.cpp).
  const std::string enclave = "enclave=/;";
  dds_qset_userdata(qos.get(), enclave.data(), enclave.size());
  participant_ = require(
      dds_create_participant(static_cast<dds_domainid_t>(id), qos.get(), nullptr));
}

/// With all that was made in it.
Domain::~Domain() { dds_delete(domain_); }

Writer make_writer(dds_entity_t participant, const std::string& topic, const std::string& dds_type,
                   const Quality& quality, const std::string& user_data) {
  Writer writer;
  const dds_entity_t made = make_topic(participant, topic, dds_type, &writer.type);
  const Qos qos = qos_of(quality, user_data);
  writer.entity = checked(dds_create_writer(participant, made, qos.get(), nullptr), "publish " + topic);
  dds_delete(made);
  return writer;
}

dds_entity_t make_reader(dds_entity_t participant, const std::string& topic,
                         const std::string& dds_type, const Quality& quality,
                         const std::string& user_data) {
  const ddsi_sertype* type = nullptr;
  const dds_entity_t made = make_topic(participant, topic, dds_type, &type);
  const Qos qos = qos_of(quality, user_data);
  const dds_entity_t reader =
      checked(dds_create_reader(participant, made, qos.get(), nullptr), "subscribe to " + topic);
  dds_delete(made);
  return reader;
}

std::string type_hash(const message::MessageType& type) { return "typehash=" + type.ros2_hash + ";"; }

}  // namespace protobeam::ros2
