#ifndef WEBOTS_EMITTER_HPP
#define WEBOTS_EMITTER_HPP

#include <webots/emitter.h>

#include <webots/Device.hpp>

namespace webots {

class Emitter : public Device {
 public:
  enum { CHANNEL_BROADCAST = -1 };

  using Device::Device;

  virtual int send(const void* data, int size) { return wb_emitter_send(tag(), data, size); }
  int getBufferSize() const { return wb_emitter_get_buffer_size(tag()); }
  int getChannel() const { return wb_emitter_get_channel(tag()); }
  virtual void setChannel(int channel) { wb_emitter_set_channel(tag(), channel); }
  double getRange() const { return wb_emitter_get_range(tag()); }
  virtual void setRange(double range) { wb_emitter_set_range(tag(), range); }
};

}  // namespace webots

#endif  // WEBOTS_EMITTER_HPP
