// For builds without libboost-dev.
#include <stdexcept>

#include "output/packets/device_server.h"

namespace protobeam {

class DeviceServer::Impl {};

bool DeviceServer::is_built() { return false; }

DeviceServer::DeviceServer(const std::vector<DeviceHttp*>& /*devices*/, int /*first_port*/) {
  throw std::runtime_error("no HTTP: protobeam was built without libboost-dev");
}

DeviceServer::~DeviceServer() = default;

}  // namespace protobeam
