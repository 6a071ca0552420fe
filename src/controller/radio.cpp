// Emitters and receivers.
#include <webots/emitter.h>
#include <webots/receiver.h>

#include <algorithm>
#include <limits>

#include "client.h"

using namespace protobeam;
using controller::Access;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

struct RadioAccess : Access {
  using Access::Access;

  int channel() const { return *this ? (*this)->radio.channel : -1; }
  void set_channel(DeviceOp op, int channel) const {
    if (!*this || !valid("channel", channel, -1)) return;
    const auto allowed = (*this)->list("allowedChannels");
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), channel) == allowed.end()) {
      return complain("called with channel " + std::to_string(channel) +
                      ", which is not in allowedChannels of '" + (*this)->record.name + "'");
    }
    (*this)->radio.channel = channel;
    command(op, {static_cast<double>(channel)});
  }
};

struct EmitterAccess : RadioAccess {
  EmitterAccess(const char* function, WbDeviceTag tag)
      : RadioAccess(function, tag, {DeviceKind::kEmitter}) {}
  /// Of a field where -1 stands for no limit.
  double limit(const char* name) const {
    const double value = (*this)->number(name, -1);
    return value < 0 ? kUnlimited : value;
  }
};

struct ReceiverAccess : RadioAccess {
  ReceiverAccess(const char* function, WbDeviceTag tag)
      : RadioAccess(function, tag, {DeviceKind::kReceiver}) {}
  const RadioPacket* first() const {
    if (!*this) return nullptr;
    if (!(*this)->radio.packets.empty()) return &(*this)->radio.packets.front();
    complain("called for '" + (*this)->record.name + "', whose queue is empty");
    return nullptr;
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
  if (static_cast<double>(emitter->radio.queued + bytes) > emitter.limit("bufferSize")) return 0;
  emitter->radio.queued += bytes;
  emitter.command(DeviceOp::kEmitterSend, {}, {static_cast<const char*>(data), bytes});
  return 1;
}
int wb_emitter_get_buffer_size(WbDeviceTag tag) {
  const EmitterAccess emitter(__func__, tag);
  return emitter ? static_cast<int>(emitter->number("bufferSize", -1)) : -1;
}
void wb_emitter_set_channel(WbDeviceTag tag, int channel) {
  EmitterAccess(__func__, tag).set_channel(DeviceOp::kEmitterChannel, channel);
}
int wb_emitter_get_channel(WbDeviceTag tag) { return EmitterAccess(__func__, tag).channel(); }
void wb_emitter_set_range(WbDeviceTag tag, double range) {
  const EmitterAccess emitter(__func__, tag);
  if (!emitter || !emitter.valid("range", range, -1)) return;
  const double wanted = range < 0 ? kUnlimited : range;
  if (wanted > emitter.limit("maxRange")) {
    return emitter.complain("called with a range beyond maxRange of '" + emitter->record.name +
                            "'");
  }
  emitter->radio.range = range;
  emitter.command(DeviceOp::kEmitterRange, {range});
}
double wb_emitter_get_range(WbDeviceTag tag) {
  const EmitterAccess emitter(__func__, tag);
  return emitter ? emitter->radio.range : kNaN;
}

void wb_receiver_enable(WbDeviceTag tag, int sampling_period) {
  ReceiverAccess(__func__, tag).enable(sampling_period);
}
void wb_receiver_disable(WbDeviceTag tag) { ReceiverAccess(__func__, tag).disable(); }
int wb_receiver_get_sampling_period(WbDeviceTag tag) {
  return ReceiverAccess(__func__, tag).period();
}
int wb_receiver_get_queue_length(WbDeviceTag tag) {
  const ReceiverAccess receiver(__func__, tag);
  return receiver ? static_cast<int>(receiver->radio.packets.size()) : -1;
}
void wb_receiver_next_packet(WbDeviceTag tag) {
  const ReceiverAccess receiver(__func__, tag);
  if (receiver.first()) receiver->radio.packets.pop_front();
}
int wb_receiver_get_data_size(WbDeviceTag tag) {
  const auto* packet = ReceiverAccess(__func__, tag).first();
  return packet ? static_cast<int>(packet->bytes.size()) : -1;
}
const void* wb_receiver_get_data(WbDeviceTag tag) {
  const auto* packet = ReceiverAccess(__func__, tag).first();
  return packet ? packet->bytes.c_str() : nullptr;
}
double wb_receiver_get_signal_strength(WbDeviceTag tag) {
  const auto* packet = ReceiverAccess(__func__, tag).first();
  return packet ? packet->signal_strength : kNaN;
}
const double* wb_receiver_get_emitter_direction(WbDeviceTag tag) {
  const auto* packet = ReceiverAccess(__func__, tag).first();
  return packet ? packet->direction : nullptr;
}
void wb_receiver_set_channel(WbDeviceTag tag, int channel) {
  ReceiverAccess(__func__, tag).set_channel(DeviceOp::kReceiverChannel, channel);
}
int wb_receiver_get_channel(WbDeviceTag tag) { return ReceiverAccess(__func__, tag).channel(); }

}  // extern "C"
