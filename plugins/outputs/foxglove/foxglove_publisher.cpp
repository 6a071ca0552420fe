// A publisher of messages to Foxglove and other programs that speak its WebSocket protocol. Times
// are simulated ones; the clock of the simulation, /clock, is theirs. Clients may publish on topics
// that the simulation takes, as CDR or JSON, and call its services. It listens on this machine only
// unless another address is given: whoever reaches it may move the robots.
#include <stdexcept>

#include "hub.h"
#include "server.h"

namespace protobeam {
namespace {

class FoxglovePublisher final : public MessageSink {
 public:
  FoxglovePublisher(const Fields& fields, const SinkContext& context)
      : hub_(context.program, static_cast<std::size_t>(fields.number("clientMemory") * 1e6)),
        server_(hub_, fields.string("address"), fields.integer("port")) {}

  void add(const Topic& topic) override { hub_.add(topic); }
  void remove(const Topic& topic) override { hub_.remove(topic); }
  void write(const Publication& publication) override { hub_.publish(publication); }
  void finish() override {
    if (!std::exchange(finished_, true)) server_.finish(std::chrono::seconds(1));
  }
  std::string text() const override {
    const auto counted = [](std::uint64_t count, const char* what) {
      return std::to_string(count) + what + (count == 1 ? "" : "s");
    };
    return "served " + server_.address() + ": " + counted(hub_.sent(), " message") + " to " +
           counted(hub_.clients(), " client");
  }
  bool may_lose() const override { return true; }
  std::uint64_t lost() const override { return hub_.lost(); }

  void subscribe(const Topic& topic) override { hub_.subscribe(topic); }
  void unsubscribe(const Topic& topic) override { hub_.unsubscribe(topic); }
  std::vector<Received> take_received() override { return hub_.take_received(); }
  void serve(const Service& service) override { hub_.serve(service); }
  void unserve(const Service& service) override { hub_.unserve(service); }
  std::vector<ServiceRequest> take_requests() override { return hub_.take_requests(); }
  void answer(const ServiceRequest& request, const message::AnyMessage& response) override {
    hub_.answer(request, response);
  }
  void wait(std::chrono::milliseconds time) override { hub_.wait(time); }

 private:
  foxglove::Hub hub_;
  foxglove::Server server_;
  bool finished_ = false;
};

NodeSchema schema() {
  return {
      "FoxglovePublisher",
      "Output",
      "Sends messages to Foxglove and other clients of its WebSocket protocol, and takes theirs.",
      {{"address",
        FieldType::kString,
        "\"127.0.0.1\"",
        "",
        {},
        "IP address to listen on; 0.0.0.0 lets other machines connect, and move robots"},
       {"port", FieldType::kInt32, "8765", "", Range::between(0, 65535),
        "TCP port; 0: any that is free"},
       {"clientMemory", FieldType::kFloat, "64", "MB", Range::positive(),
        "What messages may take that wait for one client; beyond it, the oldest are lost"}}};
}

}  // namespace
}  // namespace protobeam

PROTOBEAM_OUTPUT_PLUGIN(protobeam::schema(), protobeam::FoxglovePublisher)
