// Services as rmw_cyclonedds has them: two topics, of requests and of responses, whose messages begin
// with the number of the client and that of its request. Other middlewares of ROS 2 put these into
// the packets' headers instead: a client must run with RMW_IMPLEMENTATION=rmw_cyclonedds_cpp.
#pragma once

#include <dds/dds.h>

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "domain.h"
#include "output/message_sink.h"

namespace protobeam::ros2 {

/// Used by one thread.
class Services {
 public:
  explicit Services(dds_entity_t participant) : participant_(participant) {}

  struct Endpoints {
    dds_entity_t reader = 0, writer = 0;
  };
  Endpoints serve(const Service& service);
  std::vector<ServiceRequest> take_requests();
  void answer(const ServiceRequest& request, const message::AnyMessage& response);
  /// A response waits until its client's reader has been found: a client may ask as soon as it has
  /// found ours.
  void send_waiting();
  /// Until clients have what was sent to them, or it is `end`.
  void wait_for_acks(dds_time_t end);
  bool waits() const { return !waiting_.empty(); }

 private:
  struct Server {
    dds_entity_t reader = 0;
    Writer writer;
  };
  /// Of a request: what its response begins with and who asked.
  struct Header {
    std::uint64_t client = 0;
    std::int64_t number = 0;
  };
  struct Asked {
    std::string service;
    Header header;
    dds_instance_handle_t asker = 0;  ///< its writer of requests
  };
  struct Response {
    Asked asked;
    message::Bytes bytes;
    dds_time_t until = 0;
  };
  enum class Client { kReady, kNotYet, kGone };
  Client find_client(const Asked& asked) const;
  void send(Response& response);

  const dds_entity_t participant_;
  std::map<std::string, Server> servers_;
  std::map<std::uint64_t, Asked> asked_;  ///< by ServiceRequest::id
  std::deque<Response> waiting_;
  std::uint64_t next_id_ = 1;
};

}  // namespace protobeam::ros2
