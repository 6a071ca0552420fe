// The Foxglove WebSocket protocol v1 (github.com/foxglove/ws-protocol, docs/spec.md) without its
// sockets: what is known, who has subscribed to what, and what waits for whom. All may be called by
// any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assets.h"
#include "output/message_sink.h"

namespace protobeam::foxglove {

/// What goes to a client at once: `head`, and behind it the bytes of `message`.
struct Frame {
  enum class Kind : std::uint8_t {
    kControl,  ///< JSON, answers of services
    kTime,
    kMessage,
    kLatched,  ///< a message that goes last when memory is short
  };
  Kind kind = Kind::kControl;
  bool text = false;
  std::string head;
  std::optional<message::AnyMessage> message;
  std::uint32_t channel = 0;  ///< of a message
  std::optional<std::string> asset;  ///< the address of a file that is asked for, not read yet
  std::uint32_t request = 0;         ///< of that file

  /// The memory that it takes.
  std::size_t size() const {
    return sizeof *this + head.size() + (asset ? asset->size() : 0) +
           (message ? message->cdr().size() : 0);
  }
};

class Hub {
 public:
  using ClientId = std::uint64_t;

  /// `program` for the clients; a client whose frames take more than `client_memory` bytes loses
  /// messages.
  Hub(std::string program, std::size_t client_memory);

  // --- For the simulation, as MessageSink has them.
  void add(const Topic& topic);
  void remove(const Topic& topic);
  void publish(const Publication& publication);
  void subscribe(const Topic& topic);
  void unsubscribe(const Topic& topic);
  std::vector<Received> take_received();
  void serve(const Service& service);
  void unserve(const Service& service);
  std::vector<ServiceRequest> take_requests();
  void answer(const ServiceRequest& request, const message::AnyMessage& response);
  void wait(std::chrono::milliseconds time);

  // --- For the server.
  /// `wake` is called when frames wait again after next() had none; it must not call back.
  ClientId connect(std::function<void()> wake);
  void disconnect(ClientId id);
  /// Whatever a client sends; what is wrong with it, the client is told.
  void receive(ClientId id, bool text, std::span<const std::uint8_t> bytes);
  std::optional<Frame> next(ClientId id);
  /// It does not take even what cannot be left out: it should be disconnected.
  bool overrun(ClientId id) const;
  void count_sent();

  // --- For the summary.
  std::uint64_t sent() const;  ///< messages to all clients
  std::uint64_t lost() const;
  std::uint64_t clients() const;  ///< that there have been

 private:
  struct Channel {
    Topic topic;
    std::optional<Publication> last;  ///< of a latched topic
  };
  struct ClientChannel {
    std::string topic, encoding, type;
  };
  struct Client {
    std::function<void()> wake;
    bool awake = false;
    bool told_of_loss = false;  ///< since nothing waited
    std::deque<Frame> frames;
    std::size_t bytes = 0, control_bytes = 0;              ///< of `frames`
    std::map<std::uint32_t, std::uint32_t> subscriptions;  ///< id by channel
    std::map<std::uint32_t, ClientChannel> channels;       ///< by id
    std::size_t calls = 0;                                 ///< of services, without answer yet
  };
  struct Call {
    ClientId client;
    std::uint32_t service, call;
  };

  void push(Client& client, Frame frame);
  void send_time(std::int64_t ns);
  void send_json(Client& client, const nlohmann::json& json);
  void report(Client& client, int level, const std::string& text);
  static nlohmann::json advertised(const Channel& channel);
  static nlohmann::json advertised(std::uint32_t id, const Service& service);

  void receive_json(Client& client, std::string_view text);
  void receive_message(Client& client, std::span<const std::uint8_t> bytes);
  void receive_call(ClientId id, Client& client, std::span<const std::uint8_t> bytes);
  void subscribe(Client& client, const nlohmann::json& subscription);
  void fetch(Client& client, const std::string& address, std::uint32_t request);
  void advertise(Client& client, const nlohmann::json& channel);
  message::Bytes take_message(const ClientChannel& channel, const message::MessageType& type,
                              std::span<const std::uint8_t> bytes) const;

  const std::string program_, session_;
  const std::size_t client_memory_;
  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::map<std::uint32_t, Channel> channels_;                  ///< by id
  std::map<std::string, const message::MessageType*> wanted_;  ///< by topic
  std::map<std::uint32_t, Service> services_;                  ///< by id
  Assets assets_;
  std::map<ClientId, Client> clients_;
  std::map<std::uint64_t, Call> calls_;  ///< by id of request
  std::deque<Received> received_;
  std::size_t received_bytes_ = 0;
  std::vector<ServiceRequest> requests_;
  bool has_clock_ = false;               ///< one of the topics is a clock
  std::optional<std::int64_t> time_ns_;  ///< that clients have
  std::uint32_t next_service_ = 1;
  std::uint64_t next_client_ = 1, next_call_ = 1;
  std::uint64_t sent_ = 0, lost_ = 0;
};

}  // namespace protobeam::foxglove
