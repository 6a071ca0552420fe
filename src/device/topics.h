// What a device publishes: streams of messages, made from its samples. A device type says so in its own
// folder (DeviceModel::topics); one that does not publishes each channel as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/math.h"
#include "message/any_message.h"
#include "message/geometry_msgs.h"
#include "message/std_msgs.h"

namespace protobeam {

class DeviceModel;

/// What the user wants of a stream; "" for what the device thinks best.
struct TopicWish {
  std::string message;  ///< DeviceTopic::message; "": the device's first one
  std::string type;     ///< "livox_ros_driver/CustomMsg"
  std::string format;   ///< of points
  std::string stamp;    ///< "start" or "end" of what took time
};

/// Who publishes, and what is wanted of it.
struct TopicRequest {
  std::string robot, device;
  std::string product;  ///< PROTO name, "" for a bare node
  std::vector<TopicWish> wishes;

  /// For the stream `message`; `first`: it is the device's first one. Empty wishes when there is none.
  TopicWish wish(std::string_view message, bool first = false) const;
};

struct TopicInput {
  std::span<const std::byte> data;  ///< the last sample
  message::Header header;           ///< of the sample: the end of its step, the device's frame
  Pose X_WS;                        ///< of the device's node, then
};

/// A frame that data of the device are in.
struct DeviceFrame {
  std::string suffix;  ///< behind the device's name; "" for the main one
  Pose X_SF;           ///< in the frame of its node
};

struct DeviceTopic {
  std::string message;  ///< what settings call it: "points", "image", "camera_info"
  std::string suffix;   ///< behind the device's name: "_points", "/image_raw"
  const message::MessageType* type = nullptr;
  /// What the sample has for this stream: mostly one message; none when it has nothing new.
  std::function<std::vector<message::AnyMessage>(const TopicInput&)> make;
  /// Once, to those that come later too.
  bool latched = false;
  std::string name;  ///< instead of the device's name and suffix
};

/// A stream with one message of type M for each sample.
template <message::Message M, class Make>
DeviceTopic topic_of(std::string message, std::string suffix, Make make) {
  return {std::move(message), std::move(suffix), &message::type_of<M>(),
          [make = std::move(make)](const TopicInput& in) {
            std::vector<message::AnyMessage> one;
            one.emplace_back(M(make(in)));
            return one;
          }};
}

/// Messages of other programs for a device, as they come.
struct DeviceSubscription {
  std::string message;  ///< what settings call it: "cmd_vel"
  std::string name;     ///< of the topic, behind that of the robot
  const message::MessageType* type = nullptr;
  /// Gets messages as CDR. Throws std::runtime_error for what is none of the type.
  std::function<void(std::span<const std::uint8_t> cdr)> take;
  /// Nobody tells it anything more: what a message has set in motion comes to rest. May be null.
  std::function<void()> stop = nullptr;
};

/// Messages of type M on the topic `name`.
template <message::Message M, class Take>
DeviceSubscription subscription_of(std::string name, Take take) {
  return {name, name, &message::type_of<M>(),
          [take = std::move(take)](std::span<const std::uint8_t> cdr) {
            take(message::from_cdr<M>(cdr));
          }};
}

/// The twists of `cmd_vel`: geometry_msgs/Twist, or TwistStamped for who wishes that. Throws
/// std::invalid_argument for a wish of another type.
DeviceSubscription twist_subscription(const TopicRequest& request,
                                      std::function<void(const message::Twist&)> take);

/// x, y and z of anything that has them, for messages.
template <class M>
M xyz(const Vec3& v) {
  M out;
  out.x = v.x(), out.y = v.y(), out.z = v.z();
  return out;
}

/// One stream a channel, "/CHANNEL": Float64 for a number, else Float64MultiArray; records become rows
/// of their components. Channels of more than 4096 numbers are left out.
std::vector<DeviceTopic> channel_topics(const DeviceModel& model);

}  // namespace protobeam
