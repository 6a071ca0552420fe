// The sockets of the publisher: accepts WebSocket connections and moves frames between them and a
// Hub.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "hub.h"

namespace protobeam::foxglove {

class Server {
 public:
  /// Listens, with a thread of its own. Port 0 is any free one. Throws std::invalid_argument for an
  /// address that is none, std::runtime_error ("cannot listen on 127.0.0.1:8765: Address already in
  /// use").
  Server(Hub& hub, const std::string& address, int port);
  /// Ends at once.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// "127.0.0.1:8765"
  const std::string& address() const { return address_; }
  /// Takes no more clients and sends what waits, for at most this time.
  void finish(std::chrono::milliseconds time);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
  std::string address_;
};

}  // namespace protobeam::foxglove
