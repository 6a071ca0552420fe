// Radios with addresses: Webots has their functions and no node that a world can hold.
#include <webots/radio.h>

#include <limits>
#include <string>

#include "controller/device_access.h"

using protobeam::controller::kNaN;

namespace {

struct Message {
  std::string body, destination;
};

Message* message_of(const char* function, WbRadioMessage message) {
  if (!message) protobeam::controller::complain(function, "called with NULL");
  return static_cast<Message*>(message);
}

/// Every tag is that of another type, which Access says.
void find_radio(const char* function, WbDeviceTag tag) {
  const protobeam::controller::Access access(function, tag, {"Radio"});
}
/// Only a radio makes events.
void find_event(const char* function) {
  protobeam::controller::complain(function, "called with what is no event of a radio");
}

}  // namespace

extern "C" {

WbRadioMessage wb_radio_message_new(int length, const char* body, const char* destination) {
  if (length < 0 || (length > 0 && !body)) {
    protobeam::controller::complain(__func__, "called without a body of that length");
    return nullptr;
  }
  return new Message{length > 0 ? std::string(body, static_cast<std::size_t>(length)) : "",
                     destination ? destination : ""};
}
void wb_radio_message_delete(WbRadioMessage message) { delete static_cast<Message*>(message); }
const char* wb_radio_message_get_destination(WbRadioMessage message) {
  const Message* found = message_of(__func__, message);
  return found ? found->destination.c_str() : nullptr;
}
int wb_radio_message_get_length(WbRadioMessage message) {
  const Message* found = message_of(__func__, message);
  return found ? static_cast<int>(found->body.size()) : 0;
}
const char* wb_radio_message_get_body(WbRadioMessage message) {
  const Message* found = message_of(__func__, message);
  return found ? found->body.data() : nullptr;
}

void wb_radio_enable(WbDeviceTag tag, int) { find_radio(__func__, tag); }
void wb_radio_disable(WbDeviceTag tag) { find_radio(__func__, tag); }
void wb_radio_set_address(WbDeviceTag tag, const char*) { find_radio(__func__, tag); }
const char* wb_radio_get_address(WbDeviceTag tag) {
  find_radio(__func__, tag);
  return nullptr;
}
void wb_radio_set_frequency(WbDeviceTag tag, double) { find_radio(__func__, tag); }
double wb_radio_get_frequency(WbDeviceTag tag) {
  find_radio(__func__, tag);
  return kNaN;
}
void wb_radio_set_channel(WbDeviceTag tag, int) { find_radio(__func__, tag); }
int wb_radio_get_channel(WbDeviceTag tag) {
  find_radio(__func__, tag);
  return 0;
}
void wb_radio_set_bitrate(WbDeviceTag tag, int) { find_radio(__func__, tag); }
int wb_radio_get_bitrate(WbDeviceTag tag) {
  find_radio(__func__, tag);
  return 0;
}
void wb_radio_set_rx_sensitivity(WbDeviceTag tag, double) { find_radio(__func__, tag); }
double wb_radio_get_rx_sensitivity(WbDeviceTag tag) {
  find_radio(__func__, tag);
  return kNaN;
}
void wb_radio_set_tx_power(WbDeviceTag tag, double) { find_radio(__func__, tag); }
double wb_radio_get_tx_power(WbDeviceTag tag) {
  find_radio(__func__, tag);
  return kNaN;
}
void wb_radio_set_callback(WbDeviceTag tag, void (*)(const WbRadioEvent)) {
  find_radio(__func__, tag);
}
void wb_radio_send(WbDeviceTag tag, const WbRadioMessage, double) { find_radio(__func__, tag); }

WbDeviceTag wb_radio_event_get_radio(const WbRadioEvent) {
  find_event(__func__);
  return 0;
}
char* wb_radio_event_get_data(const WbRadioEvent) {
  find_event(__func__);
  return nullptr;
}
int wb_radio_event_get_data_size(const WbRadioEvent) {
  find_event(__func__);
  return 0;
}
char* wb_radio_event_get_emitter(const WbRadioEvent) {
  find_event(__func__);
  return nullptr;
}
double wb_radio_event_get_rssi(const WbRadioEvent) {
  find_event(__func__);
  return kNaN;
}

}  // extern "C"
