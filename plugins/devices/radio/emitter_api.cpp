// Webots' functions of Emitter.
#include <webots/emitter.h>

#include <limits>
#include <utility>

#include "radio_access.h"

using protobeam::DeviceCommand;
using protobeam::controller::Client;
using protobeam::controller::Device;
using protobeam::controller::kNaN;
using protobeam::controller::RadioAccess;

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

void push_to(const Device& emitter, const char* command, std::vector<double> numbers,
             std::string bytes = {}) {
  const int index = find_command(emitter.record.commands, command);
  const auto op = static_cast<std::uint16_t>(protobeam::device_op::kFirstCommand + index);
  Client::get().push({emitter.record.tag, op, std::move(numbers), std::move(bytes)});
}

/// As Webots (src/controller/c/emitter.c): with each step of the program so many bytes more may
/// leave; a packet leaves when all of it may, on the channel and as far as was set when it was
/// sent.
void send_waiting(Device& emitter, int ms) {
  auto& commands = std::any_cast<RadioAccess::Commands&>(emitter.state);
  auto& [packets, bytes, credit] = commands.waiting;
  if (packets.empty()) return;
  credit += emitter.number("byteRate", -1) * ms / 1000;
  int channel = commands.channel;
  double range = commands.range;
  const auto tune = [&](int to_channel, double to_range) {
    if (std::exchange(channel, to_channel) != to_channel)
      push_to(emitter, "channel", {double(to_channel)});
    if (std::exchange(range, to_range) != to_range) push_to(emitter, "range", {to_range});
  };
  while (!packets.empty() && static_cast<double>(packets.front().bytes.size()) <= credit) {
    auto& packet = packets.front();
    tune(packet.channel, packet.range);
    credit -= static_cast<double>(packet.bytes.size());
    bytes -= packet.bytes.size();
    push_to(emitter, "send", {}, std::move(packet.bytes));
    packets.pop_front();
  }
  tune(commands.channel, commands.range);
}

struct EmitterAccess : protobeam::controller::RadioAccess {
  EmitterAccess(const char* function, WbDeviceTag tag) : RadioAccess(function, tag, {"Emitter"}) {}
  /// Of a field where -1 stands for no limit.
  double limit(const char* name) const {
    const double value = number(name, -1);
    return value < 0 ? kUnlimited : value;
  }
};

}  // namespace

extern "C" {

int wb_emitter_send(WbDeviceTag tag, const void* data, int size) {
  const EmitterAccess emitter(__func__, tag);
  if (!emitter) return 0;
  if (!data || size < 1) {
    emitter.complain("called without data (size " + std::to_string(size) + ")");
    return 0;
  }
  const auto bytes = static_cast<std::size_t>(size);
  auto& [channel, range, waiting, told] = emitter.last();
  const std::size_t before = emitter->sent_bytes + waiting.bytes;
  if (static_cast<double>(before + bytes) > emitter.limit("bufferSize")) return 0;
  if (emitter.number("byteRate", -1) >= 0) {
    if (waiting.packets.empty()) waiting.credit = 0;
    waiting.packets.push_back({channel, range, {static_cast<const char*>(data), bytes}});
    waiting.bytes += bytes;
    emitter->before_step = [device = emitter.operator->()](int ms) { send_waiting(*device, ms); };
    return 1;
  }
  return emitter.command("send", {}, {static_cast<const char*>(data), bytes});
}
int wb_emitter_get_buffer_size(WbDeviceTag tag) {
  const EmitterAccess emitter(__func__, tag);
  return emitter ? static_cast<int>(emitter.number("bufferSize", -1)) : -1;
}
void wb_emitter_set_channel(WbDeviceTag tag, int channel) {
  EmitterAccess(__func__, tag).set_channel(channel);
}
int wb_emitter_get_channel(WbDeviceTag tag) { return EmitterAccess(__func__, tag).channel(); }
void wb_emitter_set_range(WbDeviceTag tag, double range) {
  const EmitterAccess emitter(__func__, tag);
  if (!emitter) return;
  // Beyond maxRange it is maxRange (Webots reference, Emitter); -1 is unlimited.
  const double most = emitter.limit("maxRange");
  if (range == -1 ? most < kUnlimited : range > most) range = most;
  if (emitter.command("range", {range})) emitter.last().range = range;
}
double wb_emitter_get_range(WbDeviceTag tag) {
  const EmitterAccess emitter(__func__, tag);
  return emitter ? emitter.last().range : kNaN;
}

}  // extern "C"
