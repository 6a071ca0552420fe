#include "hub.h"

#include <algorithm>
#include <ctime>
#include <stdexcept>

#include "client_frames.h"
#include "json_cdr.h"
#include "message/std_msgs.h"

namespace protobeam::foxglove {
namespace {

using nlohmann::json;

// Of status messages.
constexpr int kWarning = 1, kError = 2;

/// ns between times, where no topic is a clock.
constexpr std::int64_t kClockPeriod = 10'000'000;

// What a client may make us keep.
constexpr std::size_t kMostControl = 16'000'000;   ///< bytes that it does not take
constexpr std::size_t kMostReceived = 16'000'000;  ///< bytes, of all clients
constexpr std::size_t kMostChannels = 1000;
constexpr std::size_t kMostCalls = 16, kMostRequests = 256;

Frame time_frame(std::int64_t ns) {
  Frame frame{Frame::Kind::kTime};
  append(frame.head, kTimeData);
  append(frame.head, static_cast<std::uint64_t>(ns));
  return frame;
}

Frame message_frame(std::uint32_t channel, std::uint32_t subscription,
                    const Publication& publication) {
  Frame frame{publication.topic->latched ? Frame::Kind::kLatched : Frame::Kind::kMessage};
  append(frame.head, kMessageData);
  append(frame.head, subscription);
  append(frame.head, static_cast<std::uint64_t>(publication.time_ns));
  frame.message = publication.message;
  frame.channel = channel;
  return frame;
}

}  // namespace

Hub::Hub(std::string program, std::size_t client_memory)
    : program_(std::move(program)),
      session_(std::to_string(std::time(nullptr))),
      client_memory_(client_memory) {}

// --- The simulation's side.

void Hub::publish(const Publication& given) {
  Publication publication = given;
  if (const auto* text = given.message.as<message::String>(); text && given.topic->latched) {
    const std::lock_guard lock(mutex_);
    publication.message = message::String{assets_.offer(text->data)};
  }
  const std::uint32_t id = publication.topic->number + 1;
  const auto* clock = publication.message.as<message::Clock>();
  std::unique_lock lock(mutex_);
  const auto found = channels_.find(id);
  if (found == channels_.end()) return;
  Channel& channel = found->second;
  if (clock) {
    send_time(message::nanoseconds(clock->clock));
  } else if (!has_clock_ && (!time_ns_ || publication.time_ns >= *time_ns_ + kClockPeriod)) {
    send_time(publication.time_ns);
  }
  const auto subscribed = [&](const auto& entry) {
    return entry.second.subscriptions.contains(id);
  };
  if (std::ranges::any_of(clients_, subscribed)) {
    lock.unlock();
    publication.message.cdr();  // may take a while
    lock.lock();
  }
  // Not before: who subscribes meanwhile shall have it once.
  if (channel.topic.latched) channel.last = publication;
  for (auto& [_, client] : clients_) {
    const auto subscription = client.subscriptions.find(id);
    if (subscription == client.subscriptions.end()) continue;
    push(client, message_frame(id, subscription->second, publication));
  }
}

void Hub::send_time(std::int64_t ns) {
  time_ns_ = ns;
  for (auto& [_, client] : clients_) {
    // Of several in a row only the last one counts.
    if (!client.frames.empty() && client.frames.back().kind == Frame::Kind::kTime) {
      client.frames.back() = time_frame(ns);
    } else {
      push(client, time_frame(ns));
    }
  }
}

std::vector<Received> Hub::take_received() {
  const std::lock_guard lock(mutex_);
  std::vector<Received> taken(std::make_move_iterator(received_.begin()),
                              std::make_move_iterator(received_.end()));
  received_.clear();
  received_bytes_ = 0;
  return taken;
}

std::vector<ServiceRequest> Hub::take_requests() {
  const std::lock_guard lock(mutex_);
  return std::exchange(requests_, {});
}

void Hub::answer(const ServiceRequest& request, const message::AnyMessage& response) {
  response.cdr();
  const std::lock_guard lock(mutex_);
  const auto call = calls_.find(request.id);
  if (call == calls_.end()) return;
  const auto client = clients_.find(call->second.client);
  if (client != clients_.end()) {
    Frame frame;
    append(frame.head, kServiceResponse);
    append(frame.head, call->second.service);
    append(frame.head, call->second.call);
    append(frame.head, std::uint32_t{3});
    frame.head += "cdr";
    frame.message = response;
    --client->second.calls;
    push(client->second, std::move(frame));
  }
  calls_.erase(call);
}

void Hub::wait(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  came_.wait_for(lock, time, [&] { return !received_.empty() || !requests_.empty(); });
}

// --- What waits for a client.

void Hub::push(Client& client, Frame frame) {
  const std::size_t bytes = frame.size();
  const auto oldest_of = [&](auto... kinds) {
    return std::ranges::find_if(client.frames,
                                [=](const Frame& one) { return ((one.kind == kinds) || ...); });
  };
  if (frame.kind != Frame::Kind::kControl) {
    while (client.bytes + bytes > client_memory_) {
      auto oldest = oldest_of(Frame::Kind::kMessage, Frame::Kind::kTime);
      if (oldest == client.frames.end()) oldest = oldest_of(Frame::Kind::kLatched);
      if (oldest == client.frames.end()) break;
      const bool time = oldest->kind == Frame::Kind::kTime;
      client.bytes -= oldest->size();
      client.frames.erase(oldest);
      if (time) continue;
      ++lost_;
      // These words have a tip in Lichtblick, as those of foxglove_bridge.
      if (!std::exchange(client.told_of_loss, true)) {
        report(client, kWarning, "Send buffer limit reached");
      }
    }
  } else {
    client.control_bytes += bytes;
  }
  client.bytes += bytes;
  client.frames.push_back(std::move(frame));
  if (!std::exchange(client.awake, true)) client.wake();
}

void Hub::send_json(Client& client, const json& json) {
  Frame frame;
  frame.text = true;
  // Names in a world may be no UTF-8.
  frame.head = json.dump(-1, ' ', false, json::error_handler_t::replace);
  push(client, std::move(frame));
}

void Hub::report(Client& client, int level, const std::string& text) {
  send_json(client, {{"op", "status"}, {"level", level}, {"message", text}});
}

std::optional<Frame> Hub::next(ClientId id) {
  std::unique_lock lock(mutex_);
  const auto found = clients_.find(id);
  if (found == clients_.end()) return {};
  Client& client = found->second;
  if (client.frames.empty()) {
    client.awake = false;
    client.told_of_loss = false;
    return {};
  }
  Frame frame = std::move(client.frames.front());
  client.frames.pop_front();
  client.bytes -= frame.size();
  if (frame.kind == Frame::Kind::kControl) client.control_bytes -= frame.size();
  if (frame.asset) {
    // Not before it goes: files that a client does not take need no memory. Others go on meanwhile.
    const auto file = assets_.file_of(*frame.asset);
    lock.unlock();
    try {
      frame.head = file ? asset_response(frame.request, "", Assets::read(*file))
                        : asset_response(frame.request, "no message names " + *frame.asset, "");
    } catch (const std::runtime_error& problem) {
      frame.head = asset_response(frame.request, problem.what(), "");
    }
  }
  return frame;
}

bool Hub::overrun(ClientId id) const {
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(id);
  return found != clients_.end() && found->second.control_bytes > kMostControl;
}

void Hub::count_sent() {
  const std::lock_guard lock(mutex_);
  ++sent_;
}

// --- Clients.

Hub::ClientId Hub::connect(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  const ClientId id = next_client_++;
  Client& client = clients_[id];
  client.wake = std::move(wake);
  send_json(client, {{"op", "serverInfo"},
                     {"name", program_},
                     {"capabilities", {"time", "clientPublish", "services", "assets"}},
                     {"supportedEncodings", {"cdr", "json"}},
                     // Clients then know the common types of ROS 2, for panels that publish
                     // (FoxgloveWebSocketPlayer of Lichtblick).
                     {"metadata", {{"ROS_DISTRO", "humble"}}},
                     {"sessionId", session_}});
  json channels = json::array();
  for (const auto& [_, channel] : channels_) channels.push_back(advertised(channel));
  send_json(client, {{"op", "advertise"}, {"channels", std::move(channels)}});
  if (!services_.empty()) {
    json services = json::array();
    for (const auto& [id, service] : services_) services.push_back(advertised(id, service));
    send_json(client, {{"op", "advertiseServices"}, {"services", std::move(services)}});
  }
  if (time_ns_) push(client, time_frame(*time_ns_));
  return id;
}

void Hub::disconnect(ClientId id) {
  const std::lock_guard lock(mutex_);
  clients_.erase(id);
  std::erase_if(calls_, [id](const auto& entry) { return entry.second.client == id; });
}

void Hub::receive(ClientId id, bool text, std::span<const std::uint8_t> bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  Client& client = found->second;
  try {
    if (text) return receive_json(client, text_of(bytes));
    switch (const auto opcode = take<std::uint8_t>(bytes); opcode) {
      case kClientMessageData:
        return receive_message(client, bytes);
      case kServiceRequest:
        return receive_call(id, client, bytes);
      default:
        throw std::runtime_error("a binary frame of unknown kind " + std::to_string(opcode));
    }
  } catch (const std::exception& error) {
    report(client, kError, error.what());
  }
}

void Hub::receive_json(Client& client, std::string_view text) {
  const json message = parse_json(text);
  const std::string op = text_in(message, "op");
  const auto each = [&](const char* name, auto&& use) {
    for (const json& one : array_in(message, name)) {
      // What is wrong with one says nothing about the others.
      try {
        use(one);
      } catch (const std::exception& error) {
        report(client, kError, op + ": " + error.what());
      }
    }
  };
  const auto number = [](const json& value) -> std::uint32_t {
    return number_in({{"id", value}}, "id");
  };
  if (op == "subscribe") {
    each("subscriptions", [&](const json& one) { subscribe(client, one); });
  } else if (op == "unsubscribe") {
    each("subscriptionIds", [&](const json& value) {
      const std::uint32_t id = number(value);
      const auto found =
          std::ranges::find(client.subscriptions, id, [](auto& e) { return e.second; });
      if (found == client.subscriptions.end()) {
        throw std::runtime_error("there is no subscription " + std::to_string(id));
      }
      // The client may use the number for another channel.
      for (auto frame = client.frames.begin(); frame != client.frames.end();) {
        if (frame->channel == found->first) {
          client.bytes -= frame->size();
          frame = client.frames.erase(frame);
        } else {
          ++frame;
        }
      }
      client.subscriptions.erase(found);
    });
  } else if (op == "advertise") {
    each("channels", [&](const json& one) { advertise(client, one); });
  } else if (op == "fetchAsset") {
    fetch(client, text_in(message, "uri", 4096), number_in(message, "requestId"));
  } else if (op == "unadvertise") {
    each("channelIds", [&](const json& value) { client.channels.erase(number(value)); });
  } else {
    report(client, kWarning, "'" + op + "' is not supported");
  }
}

void Hub::fetch(Client& client, const std::string& address, std::uint32_t request) {
  Frame frame;
  frame.asset = address;
  frame.request = request;
  push(client, std::move(frame));
}

void Hub::subscribe(Client& client, const json& subscription) {
  const std::uint32_t id = number_in(subscription, "id");
  const std::uint32_t channel = number_in(subscription, "channelId");
  const auto found = channels_.find(channel);
  if (found == channels_.end()) {
    throw std::runtime_error("there is no channel " + std::to_string(channel));
  }
  const auto ids = [](const auto& entry) { return entry.second; };
  if (client.subscriptions.contains(channel) ||
      std::ranges::find(client.subscriptions, id, ids) != client.subscriptions.end()) {
    throw std::runtime_error("channel " + std::to_string(channel) + " or subscription " +
                             std::to_string(id) + " is in use");
  }
  client.subscriptions[channel] = id;
  if (!found->second.last) return;
  push(client, message_frame(channel, id, *found->second.last));
}

void Hub::advertise(Client& client, const json& channel) {
  const std::uint32_t id = number_in(channel, "id");
  ClientChannel made{text_in(channel, "topic"), text_in(channel, "encoding"),
                     text_in(channel, "schemaName")};
  if (made.encoding != "cdr" && made.encoding != "json") {
    throw std::runtime_error("the encoding of " + made.topic + " is neither cdr nor json");
  }
  if (client.channels.size() >= kMostChannels) throw std::runtime_error("too many channels");
  if (!wanted_.contains(made.topic)) {
    // Perhaps later: the channel stays.
    report(client, kWarning, "nothing in the simulation takes " + made.topic);
  }
  if (!client.channels.emplace(id, std::move(made)).second) {
    throw std::runtime_error("channel " + std::to_string(id) + " is in use");
  }
}

message::Bytes Hub::take_message(const ClientChannel& channel, const message::MessageType& type,
                                 std::span<const std::uint8_t> bytes) const {
  if (channel.type != type.ros2_name && channel.type != type.ros1_name) {
    throw std::runtime_error("a " + channel.type + ", where " + type.ros2_name + " is taken");
  }
  if (channel.encoding == "json") {
    return json_to_cdr(parse_json(text_of(bytes)), *type.description);
  }
  check_cdr(bytes, *type.description);
  return {bytes.begin(), bytes.end()};
}

void Hub::receive_message(Client& client, std::span<const std::uint8_t> bytes) {
  const auto id = take<std::uint32_t>(bytes);
  const auto channel = client.channels.find(id);
  if (channel == client.channels.end()) {
    throw std::runtime_error("a message on channel " + std::to_string(id) +
                             ", which is not advertised");
  }
  const auto type = wanted_.find(channel->second.topic);
  if (type == wanted_.end()) return;  // it was told
  try {
    Received received{channel->second.topic, take_message(channel->second, *type->second, bytes)};
    received_bytes_ += received.cdr.size();
    received_.push_back(std::move(received));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(channel->second.topic + ": " + error.what());
  }
  // Of what the simulation does not fetch, the last counts.
  while (received_bytes_ > kMostReceived && received_.size() > 1) {
    received_bytes_ -= received_.front().cdr.size();
    received_.pop_front();
  }
  came_.notify_all();
}

void Hub::receive_call(ClientId id, Client& client, std::span<const std::uint8_t> bytes) {
  const auto service = take<std::uint32_t>(bytes);
  const auto call = take<std::uint32_t>(bytes);
  const auto fail = [&](const std::string& why) {
    send_json(
        client,
        {{"op", "serviceCallFailure"}, {"serviceId", service}, {"callId", call}, {"message", why}});
  };
  const auto length = take<std::uint32_t>(bytes);
  if (length > bytes.size()) throw std::runtime_error("a binary frame that ends too early");
  const std::string_view encoding = text_of(bytes.first(length));
  bytes = bytes.subspan(length);
  const auto found = services_.find(service);
  if (found == services_.end()) return fail("there is no such service");
  const Service& asked = found->second;
  if (encoding != "cdr" && encoding != "json") return fail("the encoding is neither cdr nor json");
  if (encoding == "json") return fail("services answer in cdr only");
  if (client.calls >= kMostCalls || requests_.size() >= kMostRequests) {
    return fail("too many calls without an answer");
  }
  try {
    check_cdr(bytes, *asked.request->description);
  } catch (const std::exception& error) {
    return fail(error.what());
  }
  ++client.calls;
  calls_[next_call_] = {id, service, call};
  requests_.push_back({asked.name, next_call_++, {bytes.begin(), bytes.end()}});
  came_.notify_all();
}

std::uint64_t Hub::sent() const {
  const std::lock_guard lock(mutex_);
  return sent_;
}

std::uint64_t Hub::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

std::uint64_t Hub::clients() const {
  const std::lock_guard lock(mutex_);
  return next_client_ - 1;
}

}  // namespace protobeam::foxglove
