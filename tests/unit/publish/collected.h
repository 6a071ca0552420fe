// An output that keeps everything, for tests of what is published.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "message/action_msgs.h"
#include "publish/publisher.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {

/// The identifier of a client's goal.
inline message::Uuid uuid(std::uint8_t number) {
  message::Uuid id;
  id.uuid.fill(number);
  return id;
}

struct Collected {
  std::map<std::string, std::vector<Publication>> topics;
  std::vector<Received> commands;  ///< that are to be received
  std::vector<std::string> subscribed;
  std::vector<ServiceRequest> requests;  ///< that are to be received
  std::map<std::uint64_t, message::Bytes> answers;
  std::map<std::string, std::vector<message::Bytes>> published;  ///< of topics with services

  /// Of a service; its answer will be under the number.
  template <class M>
  std::uint64_t ask(const std::string& service, const M& request) {
    requests.push_back({service, ++last_request_, message::to_cdr(request)});
    return last_request_;
  }

  template <class M>
  std::vector<const M*> all(const std::string& topic) const {
    std::vector<const M*> out;
    const auto it = topics.find(topic);
    if (it == topics.end()) return out;
    for (const Publication& one : it->second) out.push_back(one.message.as<M>());
    return out;
  }
  template <class M>
  const M& last(const std::string& topic) const {
    const auto messages = all<M>(topic);
    if (messages.empty() || !messages.back()) {
      throw std::runtime_error("no " + message::type_of<M>().ros2_name + " on " + topic);
    }
    return *messages.back();
  }

 private:
  std::uint64_t last_request_ = 0;
};

class CollectingSink final : public MessageSink {
 public:
  explicit CollectingSink(Collected& out) : out_(out) {}
  void add(const Topic& topic) override { out_.topics[topic.name]; }
  void write(const Publication& one) override { out_.topics[one.topic->name].push_back(one); }
  void finish() override {}
  std::string text() const override { return "collected"; }
  void subscribe(const Topic& topic) override { out_.subscribed.push_back(topic.name); }
  std::vector<Received> take_received() override { return std::exchange(out_.commands, {}); }
  std::vector<ServiceRequest> take_requests() override { return std::exchange(out_.requests, {}); }
  void answer(const ServiceRequest& request, const message::AnyMessage& response) override {
    out_.answers[request.id] = response.cdr();
  }
  void publish(const Topic& topic, const message::AnyMessage& message) override {
    out_.published[topic.name].push_back(message.cdr());
  }

 private:
  Collected& out_;
};

/// A world that publishes into a Collected. Devices with samples are enabled with a period of one step.
class PublishedWorld {
 public:
  explicit PublishedWorld(const std::string& text, const std::string& info = "gravity 0")
      : simulation_(world_.load(text, info)) {
    std::vector<OutputChoice> outputs;
    outputs.push_back({std::make_unique<CollectingSink>(collected_),
                       [](const std::string&) { return true; }});
    publisher_ = std::make_unique<Publisher>(
        simulation_, simulation_.model().publishing, std::move(outputs),
        PublisherHelp{.note = [this](const std::string& text) { notes_.push_back(text); }});
    for (const std::string& path : simulation_.device_paths()) {
      Device& device = *simulation_.find_device(path);
      if (device.model->type().has_sample()) simulation_.enable(device, 0.008);
    }
  }

  void run(double seconds) {
    while (simulation_.time() < seconds - 1e-9) {
      publisher_->before_step();
      simulation_.step();
      publisher_->after_step();
    }
  }
  const Collected& finish() {
    publisher_->finish();
    return collected_;
  }
  Collected& collected() { return collected_; }
  const std::vector<std::string>& notes() const { return notes_; }
  Publisher& publisher() { return *publisher_; }
  Simulation& simulation() { return simulation_; }

 private:
  WorldText world_;
  Simulation& simulation_;
  Collected collected_;
  std::vector<std::string> notes_;
  std::unique_ptr<Publisher> publisher_;
};

}  // namespace protobeam
