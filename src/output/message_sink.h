// Where messages go: a recorder that writes a file, a publisher that sends them. Each kind is a plugin,
// plugins/outputs/NODE, whose node stands at the top level of a world, in a file of settings or, with
// its defaults, behind `run --record` and `run --publish`.
//
// A sink is used by one thread at a time, which is not the simulation's: see output_queue.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/plugin.h"
#include "message/any_message.h"

namespace protobeam {

/// A stream of messages of one type.
struct Topic {
  std::string name;  ///< "/car/odom"
  const message::MessageType* type = nullptr;
  bool latched = false;  ///< the last message is for those that come later too
  std::uint32_t number = 0;  ///< of its own in a run: 0, 1, ...
};

struct Publication {
  std::shared_ptr<const Topic> topic;
  std::int64_t time_ns = 0;  ///< simulated time at which it was made
  message::AnyMessage message;
};

/// What a service is asked: answered with the same `id`.
struct ServiceRequest {
  std::string service;  ///< its topic's name
  std::uint64_t id = 0;
  message::Bytes cdr;   ///< with its encapsulation
  /// Its client is of ROS 2 Humble or before, since then all say the hashes of their types, or says
  /// that of Service::older_response.
  bool older = false;
};

/// A message from outside.
struct Received {
  std::string topic;
  message::Bytes cdr;
};

/// A pair of messages: a question and its answer.
struct Service {
  std::string name;  ///< "/step_simulation"
  std::string type;  ///< "simulation_interfaces/srv/StepSimulation"
  const message::MessageType* request = nullptr;
  const message::MessageType* response = nullptr;
  std::string node{};  ///< of ROS 2, "/controller_manager", that has it; "": that of all else
  /// What clients of an older release take as the response; null: the same.
  const message::MessageType* older_response = nullptr;
};

class MessageSink {
 public:
  virtual ~MessageSink() = default;

  /// Once for each topic, before its first message. Topics may come during the run.
  virtual void add(const Topic& topic) = 0;
  /// Throws std::runtime_error when it cannot go on ("cannot write out.mcap: No space left on
  /// device"); then finish() is still called.
  virtual void write(const Publication& publication) = 0;
  /// Nothing more comes of a topic that add() has told, and it may come again: of sinks that may
  /// lose messages. A recording keeps what it has.
  virtual void remove(const Topic& topic) {}
  /// Nothing more comes. Throws as write() does.
  virtual void finish() = 0;
  /// "wrote drive.mcap: 1508 messages, 23.1 MB"; after finish().
  virtual std::string text() const = 0;

  /// True for one that would rather lose messages than hold the simulation up: a publisher whose
  /// readers are slow. A recorder loses none.
  virtual bool may_lose() const { return false; }
  /// Messages that the sink itself has left out, beside those of the queue.
  virtual std::uint64_t lost() const { return 0; }

  // --- What comes from outside; called by the simulation's thread while others write.

  virtual void subscribe(const Topic& topic) {}
  virtual void unsubscribe(const Topic& topic) {}
  virtual std::vector<Received> take_received() { return {}; }
  /// The node that has all that is no other node's, "/protobeam"; "": it has none.
  virtual std::string node() const { return {}; }
  virtual void serve(const Service& service) {}
  /// Who waits for an answer of it gets none any more.
  virtual void unserve(const Service& service) {}
  /// A topic that goes with services, as the feedback of an action does: its messages come by publish().
  virtual void serve_topic(const Topic& topic) {}
  virtual void unserve_topic(const Topic& topic) {}
  virtual std::vector<ServiceRequest> take_requests() { return {}; }
  virtual void answer(const ServiceRequest& request, const message::AnyMessage& response) {}
  /// At once: in the order of the answers.
  virtual void publish(const Topic& topic, const message::AnyMessage& message) {}
  /// Sleeps until something has come from outside or the time is over: for a simulation that pauses.
  virtual void wait(std::chrono::milliseconds time) {}
};

/// What a sink is told besides its node's fields.
struct SinkContext {
  std::filesystem::path world;  ///< its file
  std::string program;          ///< "protobeam 0.9.0"
};

struct OutputPlugin : Plugin {
  static constexpr const char* kKind = "output";
  /// Opens files and connections. Throws std::invalid_argument for fields that contradict each other,
  /// and std::runtime_error for what cannot be opened.
  std::unique_ptr<MessageSink> (*make)(const Fields& fields, const SinkContext& context) = nullptr;
};

}  // namespace protobeam

/// At the end of the plugin's source file, outside namespaces: NODE_SCHEMA is a NodeSchema whose base is
/// "Output", CLASS a MessageSink with a constructor from const Fields& and const SinkContext&.
#define PROTOBEAM_OUTPUT_PLUGIN(NODE_SCHEMA, CLASS)                                    \
  PROTOBEAM_EXPORT_PLUGIN(                                                             \
      ::protobeam::OutputPlugin, NODE_SCHEMA,                                          \
      [](const ::protobeam::Fields& fields, const ::protobeam::SinkContext& context)   \
          -> std::unique_ptr<::protobeam::MessageSink> {                               \
        return std::make_unique<CLASS>(fields, context);                               \
      })
