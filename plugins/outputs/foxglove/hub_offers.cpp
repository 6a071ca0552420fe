// What a Hub offers to its clients: topics, those that it takes, services; they come and go.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "hub.h"
#include "message/std_msgs.h"

namespace protobeam::foxglove {

using nlohmann::json;

void Hub::add(const Topic& topic) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t id = topic.number + 1;
  Channel& channel = channels_[id];
  channel.topic = topic;
  if (topic.type->ros2_name == message::type_of<message::Clock>().ros2_name) has_clock_ = true;
  for (auto& [_, client] : clients_) {
    send_json(client, {{"op", "advertise"}, {"channels", {advertised(channel)}}});
  }
}

void Hub::remove(const Topic& topic) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t id = topic.number + 1;
  if (channels_.erase(id) == 0) return;
  for (auto& [_, client] : clients_) {
    client.subscriptions.erase(id);
    send_json(client, {{"op", "unadvertise"}, {"channelIds", {id}}});
  }
}

void Hub::subscribe(const Topic& topic) {
  const std::lock_guard lock(mutex_);
  wanted_[topic.name] = topic.type;
}

void Hub::unsubscribe(const Topic& topic) {
  const std::lock_guard lock(mutex_);
  wanted_.erase(topic.name);
}

void Hub::serve(const Service& service) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t id = next_service_++;
  services_[id] = service;
  for (auto& [_, client] : clients_) {
    send_json(client, {{"op", "advertiseServices"}, {"services", {advertised(id, service)}}});
  }
}

void Hub::unserve(const Service& service) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(
      services_, [&](const auto& one) { return one.second.name == service.name; });
  if (found == services_.end()) return;
  const std::uint32_t id = found->first;
  services_.erase(found);
  for (auto& [_, client] : clients_) {
    send_json(client, {{"op", "unadvertiseServices"}, {"serviceIds", {id}}});
  }
  std::erase_if(requests_, [&](const ServiceRequest& one) { return one.service == service.name; });
  std::erase_if(calls_, [&](const auto& entry) {
    if (entry.second.service != id) return false;
    const auto client = clients_.find(entry.second.client);
    if (client != clients_.end()) --client->second.calls;
    return true;
  });
}

json Hub::advertised(const Channel& channel) {
  return {{"id", channel.topic.number + 1},
          {"topic", channel.topic.name},
          {"encoding", "cdr"},
          {"schemaName", channel.topic.type->ros2_name},
          {"schemaEncoding", "ros2msg"},
          {"schema", channel.topic.type->ros2_definition}};
}

json Hub::advertised(std::uint32_t id, const Service& one) {
  const auto half = [](const message::MessageType& type) -> json {
    return {{"encoding", "cdr"},
            {"schemaName", type.ros2_name},
            {"schemaEncoding", "ros2msg"},
            {"schema", type.ros2_definition}};
  };
  // Older clients know the two schemas only.
  return {{"id", id},
          {"name", one.name},
          {"type", one.type},
          {"request", half(*one.request)},
          {"response", half(*one.response)},
          {"requestSchema", one.request->ros2_definition},
          {"responseSchema", one.response->ros2_definition}};
}

}  // namespace protobeam::foxglove
