// Devices by what their types declare.
#include <protobeam/device.h>

#include "controller/device_access.h"

using namespace protobeam;
using controller::Access;

namespace {

PbElementType type_of(ElementType type) {
  switch (type) {
    case ElementType::kFloat32:
      return PB_FLOAT32;
    case ElementType::kFloat64:
      return PB_FLOAT64;
    case ElementType::kInt32:
      return PB_INT32;
    case ElementType::kUint32:
      return PB_UINT32;
    case ElementType::kUint16:
      return PB_UINT16;
    case ElementType::kUint8:
      return PB_UINT8;
    case ElementType::kRecord:
      return PB_RECORD;
  }
  return PB_NONE;
}

struct AnyDevice : Access {
  AnyDevice(const char* function, WbDeviceTag tag) : Access(function, tag, {}) {}

  /// Null after a complaint.
  const ChannelLayout* find(const char* name) const {
    if (!*this) return nullptr;
    const ChannelLayout* channel = name ? (*this)->channel(name) : nullptr;
    if (channel) return channel;
    std::string known;
    for (const ChannelLayout& each : (*this)->record.channels) {
      known += (known.empty() ? "" : ", ") + each.name;
    }
    complain("called with channel '" + std::string(name ? name : "NULL") + "'; '" +
             (*this)->record.name + "' has " + (known.empty() ? "none" : known));
    return nullptr;
  }

  bool fill(const ChannelLayout* channel, PbChannel* out) const {
    if (!channel || !out) return false;
    const bool enabled = (*this)->period > 0;
    *out = {channel->name.c_str(),
            type_of(channel->type),
            channel->element_size,
            static_cast<int>(channel->shape.size()),
            channel->shape.data(),
            channel->count(),
            channel->unit.c_str(),
            channel->frame.c_str(),
            enabled ? (*this)->data.data() + channel->offset : nullptr};
    return true;
  }

  const DeviceMessage* first_message() const {
    if (!*this) return nullptr;
    if (!(*this)->messages.empty()) return &(*this)->messages.front();
    complain("called for '" + (*this)->record.name + "', for which no message waits");
    return nullptr;
  }
};

}  // namespace

extern "C" {

const char* pb_device_get_type(WbDeviceTag tag) {
  const AnyDevice device(__func__, tag);
  return device ? device->record.type.c_str() : "";
}
const char* pb_device_get_api(WbDeviceTag tag) {
  const AnyDevice device(__func__, tag);
  return device ? device->record.api.c_str() : "";
}

void pb_device_enable(WbDeviceTag tag, int sampling_period) {
  AnyDevice(__func__, tag).enable(sampling_period);
}
void pb_device_enable_every(WbDeviceTag tag, double sampling_period) {
  AnyDevice(__func__, tag).enable(sampling_period);
}
void pb_device_disable(WbDeviceTag tag) { AnyDevice(__func__, tag).disable(); }
int pb_device_get_sampling_period(WbDeviceTag tag) { return AnyDevice(__func__, tag).period(); }

int pb_device_get_number_of_channels(WbDeviceTag tag) {
  const AnyDevice device(__func__, tag);
  return device ? static_cast<int>(device->record.channels.size()) : 0;
}
bool pb_device_channel_by_index(WbDeviceTag tag, int index, PbChannel* channel) {
  const AnyDevice device(__func__, tag);
  if (!device) return false;
  const auto& channels = device->record.channels;
  if (index < 0 || static_cast<std::size_t>(index) >= channels.size()) {
    device.complain("called with channel " + std::to_string(index) + "; '" + device->record.name +
                    "' has " + std::to_string(channels.size()) + ", counted from 0");
    return false;
  }
  return device.fill(&channels[static_cast<std::size_t>(index)], channel);
}
bool pb_device_channel(WbDeviceTag tag, const char* name, PbChannel* channel) {
  const AnyDevice device(__func__, tag);
  return device.fill(device.find(name), channel);
}
const void* pb_device_data(WbDeviceTag tag, const char* name, PbElementType type, size_t* count) {
  if (count) *count = 0;
  const AnyDevice device(__func__, tag);
  const ChannelLayout* channel = device.find(name);
  if (!channel || !device.enabled()) return nullptr;
  if (type_of(channel->type) != type) {
    device.complain("called for channel '" + channel->name + "' of '" + device->record.name +
                    "', whose elements are " + std::string(to_string(channel->type)));
    return nullptr;
  }
  if (count) *count = channel->count();
  return device->data.data() + channel->offset;
}
bool pb_device_record_component(WbDeviceTag tag, const char* channel_name, int index,
                                const char** name, PbElementType* type, size_t* offset) {
  const AnyDevice device(__func__, tag);
  const ChannelLayout* channel = device.find(channel_name);
  if (!channel || index < 0 || static_cast<std::size_t>(index) >= channel->components.size()) {
    return false;
  }
  std::size_t at = 0;
  for (int i = 0; i < index; ++i) {
    at += size_of(channel->components[static_cast<std::size_t>(i)].type);
  }
  const Component& component = channel->components[static_cast<std::size_t>(index)];
  if (name) *name = component.name.c_str();
  if (type) *type = type_of(component.type);
  if (offset) *offset = at;
  return true;
}

bool pb_device_command(WbDeviceTag tag, const char* name, const double* numbers, int count) {
  const AnyDevice device(__func__, tag);
  if (!device) return false;
  if (!name || count < 0 || (count > 0 && !numbers)) {
    device.complain("called without a name or numbers");
    return false;
  }
  return device.command(name, std::vector<double>(numbers, numbers + count));
}
bool pb_device_command_bytes(WbDeviceTag tag, const char* name, const void* bytes, int size) {
  const AnyDevice device(__func__, tag);
  if (!device) return false;
  if (!name || size < 0 || (size > 0 && !bytes)) {
    device.complain("called without a name or bytes");
    return false;
  }
  return device.command(name, {},
                        {static_cast<const char*>(bytes), static_cast<std::size_t>(size)});
}

double pb_device_number(WbDeviceTag tag, const char* property, double otherwise) {
  return AnyDevice(__func__, tag).number(property, otherwise);
}
const char* pb_device_text(WbDeviceTag tag, const char* property) {
  return AnyDevice(__func__, tag).text(property);
}
const double* pb_device_list(WbDeviceTag tag, const char* property, int* count) {
  const auto list = AnyDevice(__func__, tag).list(property);
  if (count) *count = static_cast<int>(list.size());
  return list.empty() ? nullptr : list.data();
}

int pb_device_get_number_of_messages(WbDeviceTag tag) {
  const AnyDevice device(__func__, tag);
  return device ? static_cast<int>(device->messages.size()) : 0;
}
const void* pb_device_message(WbDeviceTag tag, int* size, const double** numbers, int* count) {
  const AnyDevice device(__func__, tag);
  const DeviceMessage* message = device.first_message();
  if (size) *size = message ? static_cast<int>(message->bytes.size()) : 0;
  if (numbers) *numbers = message ? message->numbers.data() : nullptr;
  if (count) *count = message ? static_cast<int>(message->numbers.size()) : 0;
  return message ? message->bytes.data() : nullptr;
}
void pb_device_next_message(WbDeviceTag tag) {
  const AnyDevice device(__func__, tag);
  if (device.first_message()) device->messages.pop_front();
}

uint64_t pb_device_layout_hash(WbDeviceTag tag) {
  const AnyDevice device(__func__, tag);
  return device ? layout_hash(device->record.channels, device->record.commands) : 0;
}

}  // extern "C"
