// Webots' functions of Microphone.
#include <webots/microphone.h>

#include "controller/device_access.h"

namespace {

struct MicrophoneAccess : protobeam::controller::Access {
  MicrophoneAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Microphone"}) {}
};

}  // namespace

extern "C" {

void wb_microphone_enable(WbDeviceTag tag, int sampling_period) {
  const MicrophoneAccess microphone(__func__, tag);
  if (!microphone || !microphone.valid("sampling_period", sampling_period, 0)) return;
  microphone->period = sampling_period;
  microphone.warn_not_simulated("it hears nothing");
}
void wb_microphone_disable(WbDeviceTag tag) {
  const MicrophoneAccess microphone(__func__, tag);
  if (microphone) microphone->period = 0;
}
int wb_microphone_get_sampling_period(WbDeviceTag tag) {
  return MicrophoneAccess(__func__, tag).period();
}
const void* wb_microphone_get_sample_data(WbDeviceTag tag) {
  MicrophoneAccess(__func__, tag).enabled();
  return nullptr;
}
int wb_microphone_get_sample_size(WbDeviceTag tag) {
  MicrophoneAccess(__func__, tag).enabled();
  return 0;
}

}  // extern "C"
