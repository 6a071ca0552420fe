#include "tests/fuzz/decode_bytes.h"

#include <cstdio>
#include <cstdlib>

#include "link/messages.h"

namespace protobeam::link {
namespace {

/// Devices with all that a declaration may hold.
RobotRecord robot_with_devices() {
  RobotRecord robot;
  const auto add = [&](const char* type) -> DeviceRecord& {
    auto& device = robot.devices.emplace_back();
    device.tag = static_cast<std::uint16_t>(robot.devices.size());
    device.type = device.api = device.name = type;
    return device;
  };
  ChannelLayout image{"range", ElementType::kFloat32, {4, 8}, "m", "device", {}, 0, 4};
  add("Lidar").channels = {image};
  add("Motor").commands = {{"position", {{"position", "rad", {}, true}}, ""},
                           {"gains", {{"p", "", Range::at_least(0)}, {"i", ""}}, ""}};
  add("Emitter").commands = {{"send", {}, "", true}};
  add("Receiver").messages = true;
  add("Drive").commands = {{"torques", {{"steering", "rad"}, {"torque", "N m"}}, "", false, 16}};
  return robot;
}

// Bytes, not values: they compare equal where a NaN does not.
template <class Message>
void expect_round_trip(const Message& message, Message (*decode)(std::span<const std::byte>)) {
  const auto written = encode(message);
  if (encode(decode(written)) == written) return;
  std::fprintf(stderr, "what was encoded decodes differently\n");
  std::abort();
}

void decode(std::uint8_t which, std::span<const std::byte> bytes) {
  static const RobotRecord robot = robot_with_devices();
  switch (which % 7) {
    case 0:
      return decode_hello(bytes);
    case 1:
      return expect_round_trip(decode_configuration(bytes), decode_configuration);
    case 2: {
      const StepRequest request = decode_request(bytes);
      expect_round_trip(request, decode_request);
      for (const auto& command : request.commands) check(command, robot);
      return;
    }
    case 3:
      return expect_round_trip(decode_reply(bytes), decode_reply);
    case 4:
      return expect_round_trip(decode_supervisor_requests(bytes), decode_supervisor_requests);
    case 5:
      return expect_round_trip(decode_supervisor_answers(bytes), decode_supervisor_answers);
    case 6:
      return expect_round_trip(decode_metric(bytes), decode_metric);
  }
}

}  // namespace

void decode_bytes(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return;
  try {
    decode(data[0], std::as_bytes(std::span(data, size)).subspan(1));
  } catch (const BrokenMessage&) {  // the one thing it may say
  }
}

}  // namespace protobeam::link
