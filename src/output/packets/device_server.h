// The HTTP servers of devices, on loopback, with one thread for all of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "output/packets/device_http.h"

namespace protobeam {

class DeviceServer {
 public:
  /// Whether there is something that can serve; without it, the constructor throws.
  static bool is_built();
  /// The first device listens at this port of 127.0.0.1, the others at the next ones; 0: each at
  /// any that is free. The devices live longer than this. Throws std::runtime_error ("cannot listen
  /// on 127.0.0.1:8080: Address already in use").
  DeviceServer(const std::vector<DeviceHttp*>& devices, int first_port);
  /// Ends at once.
  ~DeviceServer();
  DeviceServer(const DeviceServer&) = delete;
  DeviceServer& operator=(const DeviceServer&) = delete;

  /// "http://127.0.0.1:8080", one for each device.
  const std::vector<std::string>& addresses() const { return addresses_; }

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
  std::vector<std::string> addresses_;
};

}  // namespace protobeam
