// Webots' functions of Emitter.
#include <webots/emitter.h>

#include <limits>

#include "radio_access.h"

using protobeam::controller::kNaN;

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

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
  if (static_cast<double>(emitter->sent_bytes + bytes) > emitter.limit("bufferSize")) return 0;
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
