// Webots' functions of Connector.
#include <webots/connector.h>

#include <cstdint>

#include "controller/device_access.h"

namespace {

struct ConnectorAccess : protobeam::controller::Access {
  ConnectorAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Connector"}) {}

  /// What the program has asked for last.
  bool& locked() const {
    return state<bool>([this] { return number("isLocked") != 0; });
  }
  void set(bool locked) const {
    if (*this && command(locked ? "lock" : "unlock")) this->locked() = locked;
  }
};

}  // namespace

extern "C" {

void wb_connector_enable_presence(WbDeviceTag tag, int sampling_period) {
  ConnectorAccess(__func__, tag).enable(sampling_period);
}
void wb_connector_disable_presence(WbDeviceTag tag) { ConnectorAccess(__func__, tag).disable(); }
int wb_connector_get_presence_sampling_period(WbDeviceTag tag) {
  return ConnectorAccess(__func__, tag).period();
}
int wb_connector_get_presence(WbDeviceTag tag) {
  const ConnectorAccess connector(__func__, tag);
  if (!connector) return -1;
  connector.enabled();  // a disabled one complains and keeps the last value, as in Webots
  const auto presence = connector.kept<std::int32_t>("presence");
  return presence.empty() ? 0 : presence[0];
}
void wb_connector_lock(WbDeviceTag tag) { ConnectorAccess(__func__, tag).set(true); }
void wb_connector_unlock(WbDeviceTag tag) { ConnectorAccess(__func__, tag).set(false); }
bool wb_connector_is_locked(WbDeviceTag tag) {
  const ConnectorAccess connector(__func__, tag);
  return connector && connector.locked();
}

}  // extern "C"
