// Services of ROS 2: two topics each, of requests and of responses. What tells whose response it
// is, differs: rmw_cyclonedds has the numbers of the client and of its request in front of each
// message, rmw_fastrtps, the default, beside the message in its packet (OMG, DDS-RPC 1.0, 7.8.2:
// the related sample identity). Cyclone DDS neither tells the latter nor writes it, so that
// services have a participant of their own by Fast DDS, which answers clients of both. One for each
// kind would lose requests: a client asks as soon as it has found either.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "output/message_sink.h"

namespace protobeam::ros2 {

/// Used by one thread.
class Services {
 public:
  using Guid = std::array<std::uint8_t, 16>;
  struct Endpoints {
    Guid reader{}, writer{};
  };

  virtual ~Services() = default;
  virtual Endpoints serve(const Service& service) = 0;
  /// By its name; what was answered is still sent to who is known.
  virtual void unserve(const std::string& service) = 0;
  virtual std::vector<ServiceRequest> take_requests() = 0;
  virtual void answer(const ServiceRequest& request, const message::AnyMessage& response) = 0;
  /// A response waits until its client's reader has been found: a client may ask as soon as it has
  /// found ours.
  virtual void send_waiting() = 0;
  virtual bool waits() const = 0;
  /// Until clients have what was sent to them, at most so long.
  virtual void wait_for_acks(std::chrono::milliseconds most) = 0;
};

/// `domain` and `network_interface` as of Domain. `wake` is called by another thread when something
/// has come. Null in a build without Fast DDS. Throws std::runtime_error when it cannot join.
std::unique_ptr<Services> make_services(int domain, const std::string& network_interface,
                                        std::function<void()> wake);

}  // namespace protobeam::ros2
