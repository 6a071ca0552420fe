#include "device/topics.h"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "device/device_model.h"

namespace protobeam {
namespace {

using message::Float64;
using message::Float64MultiArray;

constexpr std::size_t kMostNumbers = 4096;

double number_at(const std::byte* at, ElementType type) {
  const auto read = [at]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
  };
  switch (type) {
    case ElementType::kFloat32: return read(float{});
    case ElementType::kFloat64: return read(double{});
    case ElementType::kInt32: return read(std::int32_t{});
    case ElementType::kUint32: return read(std::uint32_t{});
    case ElementType::kUint16: return read(std::uint16_t{});
    case ElementType::kUint8: return read(std::uint8_t{});
    case ElementType::kRecord: break;
  }
  return 0;
}

std::size_t numbers_of(const ChannelLayout& channel) {
  const bool record = channel.type == ElementType::kRecord;
  return channel.count() * (record ? channel.components.size() : 1);
}

std::vector<double> read_numbers(const ChannelLayout& channel, std::span<const std::byte> data) {
  std::vector<double> out;
  out.reserve(numbers_of(channel));
  const std::byte* at = data.data() + channel.offset;
  for (std::size_t i = 0; i < channel.count(); ++i) {
    if (channel.type != ElementType::kRecord) {
      out.push_back(number_at(at, channel.type));
      at += channel.element_size;
      continue;
    }
    for (const Component& component : channel.components) {
      out.push_back(number_at(at, component.type));
      at += size_of(component.type);
    }
  }
  return out;
}

std::vector<message::MultiArrayDimension> dimensions(const ChannelLayout& channel) {
  std::vector<std::size_t> shape = channel.shape;
  std::vector<std::string> labels(shape.size(), channel.name);
  if (channel.type == ElementType::kRecord) {
    shape.push_back(channel.components.size());
    std::string names;
    for (const Component& one : channel.components) {
      if (!names.empty()) names += ',';
      names += one.name;
    }
    labels.push_back(std::move(names));
  }
  std::vector<message::MultiArrayDimension> out(shape.size());
  std::size_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    stride *= shape[i];
    out[i].label = labels[i];
    out[i].size = static_cast<std::uint32_t>(shape[i]);
    out[i].stride = static_cast<std::uint32_t>(stride);
  }
  return out;
}

}  // namespace

TopicWish TopicRequest::wish(std::string_view message, bool first) const {
  for (const TopicWish& one : wishes) {
    if (one.message == message || (first && one.message.empty())) return one;
  }
  return {};
}

DeviceSubscription twist_subscription(const TopicRequest& request,
                                      std::function<void(const message::Twist&)> take) {
  const std::string name = "cmd_vel", type = request.wish(name).type;
  const auto stop = [take] { take(message::Twist()); };
  if (type == "geometry_msgs/TwistStamped") {
    DeviceSubscription stamped = subscription_of<message::TwistStamped>(
        name, [take = std::move(take)](const message::TwistStamped& one) { take(one.twist); });
    stamped.stop = stop;
    return stamped;
  }
  if (!type.empty() && type != "geometry_msgs/Twist") {
    throw std::invalid_argument(
        "'cmd_vel' is of type geometry_msgs/Twist or "
        "geometry_msgs/TwistStamped, not '" +
        type + "'");
  }
  DeviceSubscription plain = subscription_of<message::Twist>(name, std::move(take));
  plain.stop = stop;
  return plain;
}

std::vector<DeviceTopic> channel_topics(const DeviceModel& model) {
  std::vector<DeviceTopic> topics;
  for (const ChannelLayout& channel : model.layout().channels) {
    const std::size_t numbers = numbers_of(channel);
    if (numbers == 0 || numbers > kMostNumbers) continue;
    const std::string suffix = "/" + channel.name;
    if (numbers == 1 && channel.shape.empty()) {
      topics.push_back(topic_of<Float64>(channel.name, suffix, [&channel](const TopicInput& in) {
        return Float64{read_numbers(channel, in.data).front()};
      }));
      continue;
    }
    topics.push_back(topic_of<Float64MultiArray>(channel.name, suffix, [&channel](const TopicInput& in) {
      Float64MultiArray message;
      message.layout.dim = dimensions(channel);
      message.data = read_numbers(channel, in.data);
      return message;
    }));
  }
  return topics;
}

}  // namespace protobeam
