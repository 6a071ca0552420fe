// Ros2Publisher: the messages of a run as topics of ROS 2, for its nodes and tools on this machine or
// in its network; commands and services in the other direction. It speaks DDS by Eclipse Cyclone DDS
// (cyclonedds.io), one of the middlewares of ROS 2, and needs no installation of ROS.
//
// Names are ROS 2's (design.ros2.org, "Topic and Service name mapping to DDS"): the topic /car/odom of
// nav_msgs/msg/Odometry is rt/car/odom of nav_msgs::msg::dds_::Odometry_. Messages are plain CDR, their
// types known by name and, since ROS 2 Iron, by the hash in the endpoint's user data (REP-2016).
//
// Writers are reliable by default: those match every reader, best-effort ones only best-effort readers.
// /clock, which ROS reads best-effort, is no exception: rviz2 and `ros2 topic echo` may ask for more.
#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "domain.h"
#include "graph.h"
#include "output/message_sink.h"
#include "output/publish_settings.h"
#include "services.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  using enum FieldType;
  Range domains = Range::between(0, 232);
  return {
      "Ros2Publisher",
      "Output",
      "Publishes topics to ROS 2 and takes commands and requests from it.",
      {{"domainId", kInt32, "-1", "", domains.or_special(-1),
        "ROS domain; -1: the environment's ROS_DOMAIN_ID, or 0"},
       {"networkInterface", kString, "\"lo\"", "", {},
        "name or address of the network interface; lo: programs that use this one only, too; localhost: those "
        "with ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST, too; empty: what Cyclone DDS chooses, or "
        "CYCLONEDDS_URI says, as ROS 2 does by default"},
       {"reliability", kString, "\"reliable\"", "", {},
        "whether lost messages are sent again; reliable topics have best-effort readers, too",
        "reliable|best_effort"},
       {"bestEffortTopics", kMFString, "[ ]", "", {},
        "names of topics that are best-effort in any case, * for any text in them"},
       // Acknowledgements come about 10 ms after a message: ten last at 1 kHz, and are rclcpp's default.
       {"depth", kInt32, "10", "", Range::at_least(1),
        "messages of a topic that are kept for readers that are slow; latched topics keep one"},
       {"nodeName", kString, "\"protobeam\"", "", {}, "name of the node that the tools of ROS 2 show"}}};
}

std::string node_name(const Fields& fields) {
  const std::string name = fields.string("nodeName");
  const auto letter = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  if (name.empty() || !std::ranges::all_of(name, letter) || (name[0] >= '0' && name[0] <= '9')) {
    throw std::invalid_argument("nodeName \"" + name +
                                "\" must consist of letters, digits and _, and not begin with a digit");
  }
  return name;
}

class Ros2Publisher final : public MessageSink {
 public:
  Ros2Publisher(const Fields& fields, const SinkContext&)
      : domain_id_(ros2::choose_domain(fields.integer("domainId"))),
        quality_{.reliable = fields.string("reliability") == "reliable",
                 .depth = fields.integer("depth")},
        best_effort_(fields.strings("bestEffortTopics")),
        node_name_(node_name(fields)),
        domain_(domain_id_, fields.string("networkInterface")),
        graph_(domain_.participant(), node_name_),
        waitset_(ros2::checked(dds_create_waitset(domain_.participant()), "wait for ROS 2")),
        something_else_(
            ros2::checked(dds_create_guardcondition(domain_.participant()), "wait for ROS 2")),
        network_interface_(fields.string("networkInterface")) {
    ros2::checked(dds_waitset_attach(waitset_, something_else_, 0), "wait for ROS 2");
  }

  void add(const Topic& topic) override {
    ros2::Quality quality = quality_;
    quality.latched = topic.latched;
    // A message for those who come later is of no use to them when it may be lost.
    if (topic.latched) quality = {.reliable = true, .latched = true, .depth = 1};
    if (std::ranges::any_of(best_effort_, [&](const auto& p) { return matches(p, topic.name); })) {
      quality.reliable = false;
    }
    const ros2::Writer writer =
        ros2::make_writer(domain_.participant(), "rt" + topic.name, topic.type->dds_name, quality,
                          ros2::type_hash(*topic.type));
    writers_[topic.number] = writer;
    graph_.add_writer(writer.entity);
  }

  void remove(const Topic& topic) override {
    const auto found = writers_.find(topic.number);
    if (found == writers_.end()) return;
    graph_.remove(found->second.entity);
    dds_delete(found->second.entity);
    writers_.erase(found);
    ++removed_;
  }

  void write(const Publication& publication) override {
    const Topic& topic = *publication.topic;
    const ros2::Writer& writer = writers_.at(topic.number);
    // Without a reader there is nothing to do, not even to encode the message.
    if (topic.latched || dds_get_matched_subscriptions(writer.entity, nullptr, 0) > 0) {
      const dds_return_t result =
          dds_writecdr(writer.entity, ros2::new_cdr_sample(*writer.type, publication.message));
      if (result == DDS_RETCODE_TIMEOUT) {
        ++lost_;
        return;
      }
      ros2::checked(result, "publish " + topic.name);
    }
    ++published_;
  }

  /// Readers get a second to ask for what they have missed.
  void finish() override {
    const dds_time_t end = dds_time() + DDS_SECS(1);
    for (const auto& [number, writer] : writers_) {
      dds_wait_for_acks(writer.entity, std::max<dds_duration_t>(0, end - dds_time()));
    }
    for (const auto& [name, writer] : served_) {
      dds_wait_for_acks(writer.entity, std::max<dds_duration_t>(0, end - dds_time()));
    }
    const dds_duration_t left = std::max<dds_duration_t>(0, end - dds_time());
    if (services_) services_->wait_for_acks(std::chrono::milliseconds(left / DDS_MSECS(1)));
  }

  std::string text() const override {
    return "published " + std::to_string(published_) + " messages on " +
           std::to_string(writers_.size() + removed_) + " topics in ROS domain " +
           std::to_string(domain_id_);
  }
  bool may_lose() const override { return true; }
  std::uint64_t lost() const override { return lost_; }

  /// Best-effort: writers of both kinds match, and an old command is not worth sending again.
  void subscribe(const Topic& topic) override {
    const dds_entity_t reader = ros2::make_reader(
        domain_.participant(), "rt" + topic.name, topic.type->dds_name,
        {.reliable = false, .latched = false, .depth = quality_.depth}, ros2::type_hash(*topic.type));
    subscriptions_.push_back({topic.name, reader});
    wake_on(reader);
    graph_.add_reader(reader);
  }
  void unsubscribe(const Topic& topic) override {
    std::erase_if(subscriptions_, [&](const Subscription& one) {
      if (one.topic != topic.name) return false;
      graph_.remove(one.reader);
      dds_delete(one.reader);  // with what wakes on it
      return true;
    });
  }

  std::vector<Received> take_received() override {
    std::vector<Received> received;
    for (const auto& [name, reader] : subscriptions_) {
      ros2::take_all(reader, [&, &name = name](message::Bytes bytes, const dds_sample_info_t&) {
        received.push_back({name, std::move(bytes)});
      });
    }
    return received;
  }

  std::string node() const override { return "/" + node_name_; }
  void serve(const Service& service) override {
    if (!std::exchange(serves_, true)) {
      services_ = ros2::make_services(domain_id_, network_interface_,
                                      [this] { dds_set_guardcondition(something_else_, true); });
    }
    if (!services_) return;
    const ros2::Services::Endpoints endpoints = services_->serve(service);
    graph_.add(endpoints.reader, endpoints.writer, service.node);
    served_services_[service.name] = endpoints;
  }
  void unserve(const Service& service) override {
    const auto found = served_services_.find(service.name);
    if (!services_ || found == served_services_.end()) return;
    graph_.remove(found->second.reader, found->second.writer);
    services_->unserve(service.name);
    served_services_.erase(found);
  }
  /// Always reliable: whoever uses services and topics together expects that.
  void serve_topic(const Topic& topic) override {
    const ros2::Quality quality{.reliable = true, .latched = topic.latched, .depth = topic.latched ? 1 : 10};
    const ros2::Writer writer =
        ros2::make_writer(domain_.participant(), "rt" + topic.name, topic.type->dds_name, quality,
                          ros2::type_hash(*topic.type));
    served_[topic.name] = writer;
    graph_.add_writer(writer.entity);
  }
  void unserve_topic(const Topic& topic) override {
    const auto found = served_.find(topic.name);
    if (found == served_.end()) return;
    graph_.remove(found->second.entity);
    dds_delete(found->second.entity);
    served_.erase(found);
  }
  std::vector<ServiceRequest> take_requests() override {
    return services_ ? services_->take_requests() : std::vector<ServiceRequest>();
  }
  void answer(const ServiceRequest& request, const message::AnyMessage& response) override {
    if (services_) services_->answer(request, response);
  }

  void publish(const Topic& topic, const message::AnyMessage& message) override {
    const ros2::Writer& writer = served_.at(topic.name);
    if (dds_writecdr(writer.entity, ros2::new_cdr_sample(*writer.type, message)) < 0) ++lost_;
  }

  void wait(std::chrono::milliseconds time) override {
    const dds_time_t end = dds_time() + DDS_MSECS(time.count());
    while (true) {
      if (services_) services_->send_waiting();
      dds_duration_t left = std::max<dds_duration_t>(0, end - dds_time());
      if (services_ && services_->waits()) left = std::min<dds_duration_t>(left, DDS_MSECS(5));
      const dds_return_t woken = dds_waitset_wait(waitset_, nullptr, 0, left);
      bool was_set = false;
      dds_take_guardcondition(something_else_, &was_set);
      if (woken != 0 || dds_time() >= end) return;
    }
  }

 private:
  void wake_on(dds_entity_t reader) {
    const dds_entity_t something =
        ros2::checked(dds_create_readcondition(reader, DDS_ANY_STATE), "wait for ROS 2");
    ros2::checked(dds_waitset_attach(waitset_, something, 0), "wait for ROS 2");
  }

  struct Subscription {
    std::string topic;
    dds_entity_t reader;
  };

  const int domain_id_;
  const ros2::Quality quality_;
  const std::vector<std::string> best_effort_;
  const std::string node_name_;
  const ros2::Domain domain_;
  ros2::Graph graph_;
  const dds_entity_t waitset_, something_else_;  ///< that is not Cyclone's
  const std::string network_interface_;
  std::unordered_map<std::uint32_t, ros2::Writer> writers_;  ///< by Topic::number
  std::map<std::string, ros2::Writer> served_;              ///< by the topic's name; of the simulation's thread
  std::map<std::string, ros2::Services::Endpoints> served_services_;  ///< by name
  std::vector<Subscription> subscriptions_;
  std::uint64_t published_ = 0, removed_ = 0;
  std::atomic<std::uint64_t> lost_ = 0;
  bool serves_ = false;
  std::unique_ptr<ros2::Services> services_;  ///< once there are some; its threads end first
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_OUTPUT_PLUGIN(protobeam::schema(), protobeam::Ros2Publisher)
