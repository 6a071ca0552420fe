// Where simulators of one user are found on one machine: local sockets in a folder that nobody else
// can enter, one for each port.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/descriptor.h"

namespace protobeam::link {

/// The socket of one simulator. It is removed when this is destroyed; what a simulator that was
/// killed leaves is removed by the next one.
class MeetingPlace {
 public:
  /// Nothing when another simulator has this port. Throws std::runtime_error when there is no
  /// folder for it.
  static std::optional<MeetingPlace> take(int port);
  MeetingPlace(MeetingPlace&&) = default;
  MeetingPlace& operator=(MeetingPlace&&) = delete;
  ~MeetingPlace();

  /// Of SOCK_SEQPACKET; accept() does not wait.
  int listener() const { return listener_.get(); }
  int port() const { return port_; }

 private:
  MeetingPlace(std::filesystem::path folder, int port, Descriptor lock);

  std::filesystem::path folder_;
  int port_;
  Descriptor lock_, listener_;
};

/// Ports of the sockets that are there, in order; a simulator that was killed may have left one.
std::vector<int> meeting_ports();
/// A connection to the simulator of that port; nothing when there is none.
std::optional<Descriptor> meet(int port);
/// Whether the process at the other end of a local socket belongs to our user.
bool is_ours(int socket);

}  // namespace protobeam::link
