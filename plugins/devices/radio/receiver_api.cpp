// Webots' functions of Receiver.
#include <webots/receiver.h>

#include <limits>

#include "radio_access.h"

using protobeam::controller::kNaN;

namespace {

struct ReceiverAccess : protobeam::controller::RadioAccess {
  ReceiverAccess(const char* function, WbDeviceTag tag)
      : RadioAccess(function, tag, {"Receiver"}) {}
  const protobeam::DeviceMessage* first() const {
    if (!*this) return nullptr;
    if (!(*this)->messages.empty()) return &(*this)->messages.front();
    complain("called for '" + (*this)->record.name + "', whose queue is empty");
    return nullptr;
  }
};

}  // namespace

extern "C" {

void wb_receiver_enable(WbDeviceTag tag, int sampling_period) {
  ReceiverAccess(__func__, tag).enable(sampling_period);
}
void wb_receiver_disable(WbDeviceTag tag) { ReceiverAccess(__func__, tag).disable(); }
int wb_receiver_get_sampling_period(WbDeviceTag tag) {
  return ReceiverAccess(__func__, tag).period();
}
int wb_receiver_get_queue_length(WbDeviceTag tag) {
  const ReceiverAccess receiver(__func__, tag);
  if (!receiver) return -1;
  receiver.enabled();  // says when it is not
  return static_cast<int>(receiver->messages.size());
}
void wb_receiver_next_packet(WbDeviceTag tag) {
  const ReceiverAccess receiver(__func__, tag);
  if (receiver && !receiver->messages.empty()) receiver->messages.pop_front();
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
  return packet ? packet->numbers[0] : kNaN;
}
const double* wb_receiver_get_emitter_direction(WbDeviceTag tag) {
  const auto* packet = ReceiverAccess(__func__, tag).first();
  return packet ? packet->numbers.data() + 1 : nullptr;
}
void wb_receiver_set_channel(WbDeviceTag tag, int channel) {
  ReceiverAccess(__func__, tag).set_channel(channel);
}
int wb_receiver_get_channel(WbDeviceTag tag) { return ReceiverAccess(__func__, tag).channel(); }

}  // extern "C"
