#include "publish/device_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "publish/rate.h"
#include "publish/topic_names.h"

namespace protobeam {
namespace {

std::string at(const std::vector<TopicSettings>& settings) {
  return settings.empty() ? std::string() : place_prefix(settings.front().place);
}

/// Its own, or the one that a setting names, with the prefix of the robot's frames.
std::string frame_of_data(const RobotInfo& robot, const Device& device,
                          const std::vector<TopicSettings>& settings, const std::string& prefix) {
  const auto named =
      std::ranges::find_if(settings, [](const TopicSettings& one) { return !one.frame.empty(); });
  return with_prefix(prefix, named == settings.end() ? frame_of(robot, device) : named->frame);
}

TopicRequest request_for(const RobotInfo& robot, const Device& device,
                         const std::vector<TopicSettings>& settings) {
  TopicRequest request;
  request.robot = robot.name;
  request.device = device.name;
  request.product = device.proto;
  for (const TopicSettings& one : settings) {
    request.wishes.push_back({one.message, one.type, one.format, one.stamp});
  }
  return request;
}

/// What `question` answers to the settings of a device.
template <class Question>
auto ask(const RobotInfo& robot, const Device& device, const std::vector<TopicSettings>& settings,
         const Question& question) {
  try {
    return question(request_for(robot, device, settings));
  } catch (const std::invalid_argument& problem) {
    throw std::invalid_argument(fmt::format("{}device '{}/{}': {}", at(settings), robot.name,
                                            device.name, problem.what()));
  }
}

std::vector<DeviceTopic> ask_topics(const RobotInfo& robot, const Device& device,
                                    const std::vector<TopicSettings>& settings) {
  return ask(robot, device, settings,
             [&](const TopicRequest& request) { return device.model->topics(request); });
}

std::string origin_of(const RobotInfo& robot, const Device& device, const std::string& message) {
  return fmt::format("{}/{}: {}", robot.name, device.name, message);
}

/// The settings of a message: what stands outside of the robot overrides what stands in it. Each is
/// a topic. One without a message is of the `first` that the device publishes.
std::vector<TopicSettings> settings_of(const std::vector<TopicSettings>& settings,
                                       const RobotInfo& robot, const Device& device,
                                       const std::string& message, bool first = false) {
  std::vector<TopicSettings> out;
  const std::string from_outside = robot.name + "/" + device.name;
  for (const TopicSettings& one : settings) {
    if (one.message != message && !(first && one.message.empty())) continue;
    if (!out.empty() && (out.front().device == from_outside) != (one.device == from_outside)) break;
    out.push_back(one);
  }
  return out;
}

DeviceSubscription subscription_for(const RobotInfo& robot, const Device& device,
                                    const TopicSettings& setting, const std::string& message) {
  auto all = ask(robot, device, {setting},
                 [&](const TopicRequest& request) { return device.model->subscriptions(request); });
  return *std::ranges::find(all, message, &DeviceSubscription::message);
}

/// Each setting is of a stream that is there.
void check_messages(const RobotInfo& robot, const Device& device,
                    const std::vector<TopicSettings>& settings,
                    const std::vector<DeviceTopic>& topics,
                    const std::vector<DeviceSubscription>& subscriptions) {
  std::vector<std::string> names;
  for (const DeviceTopic& topic : topics) names.push_back(topic.message);
  for (const DeviceSubscription& one : subscriptions) names.push_back(one.message);
  if (device.model->odometry()) names.insert(names.end(), {kOdometry, kOdometryTransform});
  for (const TopicSettings& one : settings) {
    if (one.message.empty() && !names.empty()) continue;
    if (std::ranges::find(names, one.message) != names.end()) continue;
    throw std::invalid_argument(fmt::format("{}device '{}/{}' has no messages '{}'{}",
                                            at({one}), robot.name, device.name, one.message,
                                            hint(one.message, names)));
  }
}

class DeviceSource final : public Source {
 public:
  DeviceSource(const Simulation& simulation, const RobotInfo& robot, const Device& device,
               std::string frame)
      : simulation_(simulation),
        device_(device),
        frame_(std::move(frame)),
        key_(fmt::format("device {}/{}", robot.name, frame_of(robot, device))) {}

  void add(DeviceTopic topic, Stream& stream, double rate) {
    outputs_.push_back({std::move(topic), &stream, Rate(rate)});
  }
  void add(DeviceSubscription subscription, std::string topic, StreamTable& table,
           const std::string& origin) {
    table.subscribe({topic, subscription.type}, origin);
    inputs_.push_back({std::move(topic), std::move(subscription)});
  }
  bool empty() const { return outputs_.empty() && inputs_.empty(); }

  void receive(const Received& received) override {
    for (Input& input : inputs_) {
      if (received.topic != input.topic) continue;
      try {
        input.subscription.take(received.cdr);
        input.told = true;
      } catch (const std::runtime_error&) {
        // What is no message of that type is no command.
      }
    }
  }

  void set_alive(const std::string& topic, bool alive) override {
    for (Input& input : inputs_) {
      if (alive || input.topic != topic || !std::exchange(input.told, false)) continue;
      if (input.subscription.stop) input.subscription.stop();
    }
  }

  std::string key() const override { return key_; }
  void take_over(Source& before) override {
    const auto& other = dynamic_cast<const DeviceSource&>(before);
    if (device_.frames < other.frames_) return;  // it has been made anew
    frames_ = other.frames_;
    for (std::size_t i = 0; i < std::min(outputs_.size(), other.outputs_.size()); ++i)
      outputs_[i].rate = other.outputs_[i].rate;
    for (std::size_t i = 0; i < std::min(inputs_.size(), other.inputs_.size()); ++i)
      inputs_[i].told = other.inputs_[i].told;
  }

  void after_step() override {
    if (device_.frames == frames_) return;
    frames_ = device_.frames;
    const double now = simulation_.time();
    const std::int64_t ns = message::nanoseconds(now);
    for (Output& output : outputs_) {
      if (!output.stream->wanted() || !output.rate.due(now)) continue;
      TopicInput in;
      in.data = device_.data;
      in.header.seq = output.stream->next_sequence();
      in.header.stamp = message::time_of(ns);
      in.header.frame_id = frame_;
      in.X_WS = simulation_.pose_of(device_);
      for (message::AnyMessage& message : output.topic.make(in)) {
        output.stream->send(ns, std::move(message));
      }
    }
  }

 private:
  struct Input {
    std::string topic;
    DeviceSubscription subscription;
    bool told = false;  ///< it has told the device something since its controller is active
  };
  struct Output {
    DeviceTopic topic;
    Stream* stream;
    Rate rate;
  };
  const Simulation& simulation_;
  const Device& device_;
  std::string frame_, key_;
  std::vector<Output> outputs_;
  std::vector<Input> inputs_;
  std::uint64_t frames_ = 0;  ///< published so far
};

}  // namespace

std::vector<DeviceTopic> topics_of(const RobotInfo& robot, const Device& device,
                                   const RobotTopics& topics) {
  return ask_topics(robot, device, topics.of(robot, device));
}

std::unique_ptr<Source> make_device_source(const Simulation& simulation, const RobotInfo& robot,
                                           const Device& device, const RobotTopics& topics,
                                           StreamTable& table) {
  const std::vector<TopicSettings> settings = topics.of(robot, device);
  auto offered = ask_topics(robot, device, settings);
  std::vector<DeviceSubscription> subscriptions =
      ask(robot, device, settings,
          [&](const TopicRequest& request) { return device.model->subscriptions(request); });
  check_messages(robot, device, settings, offered, subscriptions);
  auto source = std::make_unique<DeviceSource>(
      simulation, robot, device,
      frame_of_data(robot, device, settings, topics.frame_prefix(robot)));
  bool first = true;
  for (DeviceTopic& topic : offered) {
    std::vector<TopicSettings> own = settings_of(settings, robot, device, topic.message, first);
    first = false;
    if (own.empty()) own.emplace_back();
    std::set<std::string> names;
    for (const TopicSettings& one : own) {
      // The first is what it is like; further ones are other names of it.
      if (!one.enabled || (&one != &own.front() && one.name.empty())) continue;
      std::string name = one.name;
      if (name.empty()) name = topic.name;
      if (name.empty()) name = ros_name(device.name) + topic.suffix;
      if (!names.insert(name).second) continue;
      Stream& stream = table.add(topics.name(robot, name), *topic.type, topic.latched,
                                 origin_of(robot, device, topic.message));
      source->add(topic, stream, one.rate);
    }
  }
  for (DeviceSubscription& subscription : subscriptions) {
    const std::string origin = origin_of(robot, device, subscription.message);
    std::vector<TopicSettings> own = settings_of(settings, robot, device, subscription.message);
    if (own.empty()) own.emplace_back();
    for (const TopicSettings& one : own) {
      if (!one.enabled) continue;
      // Each Topic may wish another type.
      auto subscribed = own.size() == 1
                            ? subscription
                            : subscription_for(robot, device, one, subscription.message);
      const std::string name = one.name.empty() ? subscribed.name : one.name;
      source->add(std::move(subscribed), topics.name(robot, name), table, origin);
    }
  }
  if (source->empty()) return nullptr;
  return source;
}

}  // namespace protobeam
