#ifndef WEBOTS_RECEIVER_HPP
#define WEBOTS_RECEIVER_HPP

#include <webots/receiver.h>

#include <webots/Device.hpp>

namespace webots {

class Receiver : public Device {
 public:
  enum { CHANNEL_BROADCAST = -1 };

  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_receiver_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_receiver_disable(tag()); }
  int getSamplingPeriod() const { return wb_receiver_get_sampling_period(tag()); }
  int getQueueLength() const { return wb_receiver_get_queue_length(tag()); }
  virtual void nextPacket() { wb_receiver_next_packet(tag()); }

  int getDataSize() const { return wb_receiver_get_data_size(tag()); }
  const void* getData() const { return wb_receiver_get_data(tag()); }
  double getSignalStrength() const { return wb_receiver_get_signal_strength(tag()); }
  const double* getEmitterDirection() const { return wb_receiver_get_emitter_direction(tag()); }

  int getChannel() const { return wb_receiver_get_channel(tag()); }
  virtual void setChannel(int channel) { wb_receiver_set_channel(tag(), channel); }
};

}  // namespace webots

#endif  // WEBOTS_RECEIVER_HPP
