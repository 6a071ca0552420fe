#include "link/messages.h"

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
  out.value(configuration.memory_size);
  out.value(static_cast<std::uint32_t>(robot.devices.size()));
  for (std::size_t i = 0; i < robot.devices.size(); ++i) {
    const auto& device = robot.devices[i];
    out.value(device.tag);
    out.value(device.kind);
    out.text(device.name);
    out.text(device.model);
    write(out, device.properties);
    out.value(static_cast<std::uint64_t>(device.data_size));
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
  configuration.memory_size = in.value<std::uint64_t>();
  for (auto n = in.count(34); n > 0; --n) {
    DeviceRecord device;
    device.tag = in.value<std::uint16_t>();
    device.kind = in.value<DeviceKind>();
    device.name = in.text();
    device.model = in.text();
    device.properties = read_properties(in);
    device.data_size = in.value<std::uint64_t>();
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
  request.commands.resize(in.count(11));
  for (auto& command : request.commands) {
    command.tag = in.value<std::uint16_t>();
    command.op = in.value<DeviceOp>();
    command.numbers = in.list<double>();
    command.bytes = in.text();
  }
  in.expect_end();
  return request;
}

std::vector<std::byte> encode(const StepReply& reply) {
  Writer out;
  out.value(reply.result);
  out.value(reply.time);
  out.value(static_cast<std::uint32_t>(reply.packets.size()));
  for (const auto& packet : reply.packets) {
    out.value(packet.tag);
    out.text(packet.bytes);
    out.value(packet.signal_strength);
    for (double component : packet.direction) out.value(component);
  }
  out.list<int>(reply.keys);
  return out.take();
}

StepReply decode_reply(std::span<const std::byte> bytes) {
  Reader in(bytes);
  StepReply reply;
  reply.result = in.value<int>();
  reply.time = in.value<double>();
  reply.packets.resize(in.count(38));
  for (auto& packet : reply.packets) {
    packet.tag = in.value<std::uint16_t>();
    packet.bytes = in.text();
    packet.signal_strength = in.value<double>();
    for (double& component : packet.direction) component = in.value<double>();
  }
  reply.keys = in.list<int>();
  if (reply.keys.size() > kMostKeys) {
    throw BrokenMessage("a keyboard tells " + std::to_string(reply.keys.size()) +
                        " keys at once, more than " + std::to_string(kMostKeys));
  }
  in.expect_end();
  return reply;
}

}  // namespace protobeam::link
