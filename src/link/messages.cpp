#include "link/messages.h"

#include <cstring>
#include <limits>

namespace protobeam::link {
namespace {

constexpr std::uint64_t kDataAlignment = 64;

enum class PropertyType : std::uint8_t { kNumber, kText, kList };

void write(Writer& out, const Properties& properties) {
  out.value(static_cast<std::uint32_t>(properties.size()));
  for (const auto& [name, property] : properties) {
    out.text(name);
    if (const auto* number = std::get_if<double>(&property)) {
      out.value(PropertyType::kNumber);
      out.value(*number);
    } else if (const auto* text = std::get_if<std::string>(&property)) {
      out.value(PropertyType::kText);
      out.text(*text);
    } else {
      out.value(PropertyType::kList);
      out.list<double>(std::get<std::vector<double>>(property));
    }
  }
}

Properties read_properties(Reader& in) {
  Properties properties;
  for (auto n = in.count(6); n > 0; --n) {
    std::string name = in.text();
    switch (in.value<PropertyType>()) {
      case PropertyType::kNumber:
        properties[name] = in.value<double>();
        break;
      case PropertyType::kText:
        properties[name] = in.text();
        break;
      case PropertyType::kList:
        properties[name] = in.list<double>();
        break;
      default:
        throw BrokenMessage("property '" + name + "' has no known type");
    }
  }
  return properties;
}

template <class T, class Write>
void write_each(Writer& out, const std::vector<T>& items, Write write_one) {
  out.value(static_cast<std::uint32_t>(items.size()));
  for (const T& item : items) write_one(item);
}

void write(Writer& out, const ChannelLayout& channel) {
  out.text(channel.name);
  out.value(channel.type);
  write_each(out, channel.shape, [&](std::size_t n) { out.value(std::uint64_t{n}); });
  out.text(channel.unit);
  out.text(channel.frame);
  write_each(out, channel.components, [&](const Component& component) {
    out.text(component.name);
    out.value(component.type);
    out.text(component.unit);
  });
  out.value(std::uint64_t{channel.offset});
  out.value(std::uint64_t{channel.element_size});
}

ChannelLayout read_channel(Reader& in, std::uint64_t data_size) {
  ChannelLayout channel;
  channel.name = in.text();
  channel.type = in.value<ElementType>();
  double bytes = 1;
  for (auto n = in.count(8); n > 0; --n) {
    channel.shape.push_back(in.value<std::uint64_t>());
    bytes *= static_cast<double>(channel.shape.back());
  }
  channel.unit = in.text();
  channel.frame = in.text();
  std::size_t size = size_of(channel.type);
  for (auto n = in.count(9); n > 0; --n) {
    Component component;
    component.name = in.text();
    component.type = in.value<ElementType>();
    component.unit = in.text();
    size += size_of(component.type);
    channel.components.push_back(std::move(component));
  }
  channel.offset = in.value<std::uint64_t>();
  channel.element_size = in.value<std::uint64_t>();
  bytes *= static_cast<double>(channel.element_size);
  if (channel.element_size != size || channel.offset > data_size ||
      bytes > static_cast<double>(data_size - channel.offset)) {
    throw BrokenMessage("channel '" + channel.name + "' does not fit into its sample");
  }
  return channel;
}

void write(Writer& out, const CommandSpec& command) {
  out.text(command.name);
  write_each(out, command.arguments, [&](const ArgumentSpec& argument) {
    out.text(argument.name);
    out.text(argument.unit);
    const Range& range = argument.range;
    for (double bound : {range.min, range.max, range.special}) out.value(bound);
    for (bool flag : {range.min_open, range.max_open, argument.infinite}) out.value(flag);
  });
  out.value(command.bytes);
  out.value(std::uint64_t{command.repeats});
}

CommandSpec read_command(Reader& in) {
  CommandSpec command;
  command.name = in.text();
  for (auto n = in.count(35); n > 0; --n) {
    ArgumentSpec argument;
    argument.name = in.text();
    argument.unit = in.text();
    Range& range = argument.range;
    for (double* bound : {&range.min, &range.max, &range.special}) *bound = in.value<double>();
    for (bool* flag : {&range.min_open, &range.max_open, &argument.infinite}) *flag = in.flag();
    command.arguments.push_back(std::move(argument));
  }
  command.bytes = in.flag();
  command.repeats = in.value<std::uint64_t>();
  return command;
}

void write(Writer& out, const DeviceRecord& device) {
  out.value(device.tag);
  out.text(device.type);
  out.text(device.api);
  out.value(device.webots_node);
  out.text(device.name);
  out.text(device.model);
  write(out, device.properties);
  out.value(device.joint);
  out.value(device.messages);
  out.value(static_cast<std::uint64_t>(device.data_size));
  write_each(out, device.channels, [&](const ChannelLayout& channel) { write(out, channel); });
  write_each(out, device.commands, [&](const CommandSpec& command) { write(out, command); });
  out.value(layout_hash(device.channels, device.commands));
}

DeviceRecord read_device(Reader& in) {
  DeviceRecord device;
  device.tag = in.value<std::uint16_t>();
  device.type = in.text();
  device.api = in.text();
  device.webots_node = in.value<std::int32_t>();
  device.name = in.text();
  device.model = in.text();
  device.properties = read_properties(in);
  device.joint = in.value<std::int32_t>();
  device.messages = in.flag();
  device.data_size = in.value<std::uint64_t>();
  for (auto n = in.count(37); n > 0; --n) {
    device.channels.push_back(read_channel(in, device.data_size));
  }
  for (auto n = in.count(17); n > 0; --n) device.commands.push_back(read_command(in));
  if (in.value<std::uint64_t>() != layout_hash(device.channels, device.commands)) {
    throw BrokenMessage(
        "the layout of device '" + device.name +
        "' is read otherwise than the simulator wrote it; build the controller again");
  }
  return device;
}

}  // namespace

Configuration lay_out(RobotRecord robot) {
  Configuration configuration;
  for (const auto& device : robot.devices) {
    configuration.offsets.push_back(configuration.memory_size);
    configuration.memory_size +=
        (device.data_size + kDataAlignment - 1) / kDataAlignment * kDataAlignment;
  }
  configuration.robot = std::move(robot);
  return configuration;
}

void mark_unmeasured(const Configuration& configuration, std::span<std::byte> memory) {
  constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < configuration.robot.devices.size(); ++i) {
    for (const ChannelLayout& channel : configuration.robot.devices[i].channels) {
      if (channel.type != ElementType::kFloat64) continue;
      std::byte* at = memory.data() + configuration.offsets[i] + channel.offset;
      for (std::size_t n = 0; n < channel.count(); ++n, at += sizeof kUnmeasured) {
        std::memcpy(at, &kUnmeasured, sizeof kUnmeasured);
      }
    }
  }
}

std::vector<std::byte> encode_hello() {
  Writer out;
  out.value(kHelloMagic);
  out.value(kProtocolVersion);
  return out.take();
}

void decode_hello(std::span<const std::byte> bytes) {
  Reader in(bytes);
  if (in.value<std::uint32_t>() != kHelloMagic) throw BrokenMessage("its greeting is not ours");
  const auto version = in.value<std::uint32_t>();
  if (version != kProtocolVersion) {
    throw BrokenMessage("its libController speaks version " + std::to_string(version) +
                        " of the link, the simulator version " + std::to_string(kProtocolVersion) +
                        "; build it again");
  }
  in.expect_end();
}

std::vector<std::byte> encode(const Configuration& configuration) {
  const RobotRecord& robot = configuration.robot;
  Writer out;
  out.value(kProtocolVersion);
  for (const auto* text : {&robot.name, &robot.model, &robot.custom_data, &robot.controller,
                           &robot.project_path, &robot.world_path}) {
    out.text(*text);
  }
  out.value(robot.basic_time_step_ms);
  out.value(robot.supervisor);
  out.value(robot.synchronization);
  out.value(robot.window);
  out.value(configuration.memory_size);
  out.value(static_cast<std::uint32_t>(robot.devices.size()));
  for (std::size_t i = 0; i < robot.devices.size(); ++i) {
    write(out, robot.devices[i]);
    out.value(configuration.offsets[i]);
  }
  return out.take();
}

Configuration decode_configuration(std::span<const std::byte> bytes) {
  Reader in(bytes);
  if (const auto version = in.value<std::uint32_t>(); version != kProtocolVersion) {
    throw BrokenMessage("the simulator speaks version " + std::to_string(version) +
                        " of the link, libController version " + std::to_string(kProtocolVersion));
  }
  Configuration configuration;
  RobotRecord& robot = configuration.robot;
  for (auto* text : {&robot.name, &robot.model, &robot.custom_data, &robot.controller,
                     &robot.project_path, &robot.world_path}) {
    *text = in.text();
  }
  robot.basic_time_step_ms = in.value<double>();
  robot.supervisor = in.flag();
  robot.synchronization = in.flag();
  robot.window = in.flag();
  configuration.memory_size = in.value<std::uint64_t>();
  for (auto n = in.count(63); n > 0; --n) {
    DeviceRecord device = read_device(in);
    const auto offset = in.value<std::uint64_t>();
    if (device.tag != robot.devices.size() + 1) throw BrokenMessage("device tags are not in order");
    if (offset > configuration.memory_size ||
        device.data_size > configuration.memory_size - offset) {
      throw BrokenMessage("the data of device '" + device.name + "' lies outside the memory");
    }
    configuration.offsets.push_back(offset);
    robot.devices.push_back(std::move(device));
  }
  in.expect_end();
  return configuration;
}

std::vector<std::byte> encode(const StepRequest& request) {
  Writer out;
  out.value(request.period_ms);
  out.value(static_cast<std::uint32_t>(request.commands.size()));
  for (const auto& command : request.commands) {
    out.value(command.tag);
    out.value(command.op);
    out.list<double>(command.numbers);
    out.text(command.bytes);
  }
  return out.take();
}

StepRequest decode_request(std::span<const std::byte> bytes) {
  Reader in(bytes);
  StepRequest request;
  request.period_ms = in.value<int>();
  if (request.period_ms < 0) {
    throw BrokenMessage("it asks for a step of " + std::to_string(request.period_ms) + " ms");
  }
  request.commands.resize(in.count(12));
  for (auto& command : request.commands) {
    command.tag = in.value<std::uint16_t>();
    command.op = in.value<std::uint16_t>();
    command.numbers = in.list<double>();
    command.bytes = in.text();
  }
  in.expect_end();
  return request;
}

std::vector<std::byte> encode(const Metric& metric) {
  Writer out;
  out.text(metric.name);
  out.value(metric.value);
  return out.take();
}

bool Metric::good_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName &&
         std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
}

Metric decode_metric(std::span<const std::byte> bytes) {
  Reader in(bytes);
  Metric metric;
  metric.name = in.text();
  metric.value = in.value<double>();
  in.expect_end();
  if (!Metric::good_name(metric.name)) throw BrokenMessage("a metric has no printable name");
  return metric;
}

std::vector<std::byte> encode(const StepReply& reply) {
  Writer out;
  out.value(reply.result);
  out.value(reply.time);
  write_each(out, reply.messages, [&](const DeviceMessage& message) {
    out.value(message.tag);
    out.text(message.bytes);
    out.list<double>(message.numbers);
  });
  out.list<int>(reply.keys);
  out.value(reply.custom_data.has_value());
  if (reply.custom_data) out.text(*reply.custom_data);
  out.value(reply.supervisor.has_value());
  if (reply.supervisor) out.value(*reply.supervisor);
  write_each(out, reply.properties, [&](const auto& device) {
    out.value(device.first);
    write(out, device.second);
  });
  return out.take();
}

StepReply decode_reply(std::span<const std::byte> bytes) {
  Reader in(bytes);
  StepReply reply;
  reply.result = in.value<int>();
  reply.time = in.value<double>();
  reply.messages.resize(in.count(10));
  for (auto& message : reply.messages) {
    message.tag = in.value<std::uint16_t>();
    message.bytes = in.text();
    message.numbers = in.list<double>();
  }
  reply.keys = in.list<int>();
  if (reply.keys.size() > kMostKeys) {
    throw BrokenMessage("a keyboard tells " + std::to_string(reply.keys.size()) +
                        " keys at once, more than " + std::to_string(kMostKeys));
  }
  if (in.flag()) reply.custom_data = in.text();
  if (in.flag()) reply.supervisor = in.flag();
  for (auto n = in.count(6); n > 0; --n) {
    const auto tag = in.value<std::uint16_t>();
    reply.properties.emplace_back(tag, read_properties(in));
  }
  in.expect_end();
  return reply;
}

}  // namespace protobeam::link
