// Sinks of messages, made of the plugins that were built.
#pragma once

#include <memory>
#include <string>

#include "output/message_sink.h"
#include "tests/unit/support/plugin.h"

namespace protobeam {

/// Fields as they would be written in a world: {{"file", "\"a.bag\""}, {"chunkSize", "2"}}.
inline std::unique_ptr<MessageSink> make_sink(const std::string& node,
                                              std::map<std::string, std::string> fields = {}) {
  const auto& plugin = load_plugin<OutputPlugin>(node);
  return plugin.make(TestFields(plugin.schema, std::move(fields)), {"world.wbt", "protobeam test"});
}

/// Hands messages to a sink as OutputQueue does.
class Feeder {
 public:
  explicit Feeder(MessageSink& sink) : sink_(sink) {}

  template <message::Message M>
  void write(const std::string& name, std::int64_t time_ns, M message, bool latched = false) {
    auto& topic = topics_[name];
    if (!topic) {
      const auto number = static_cast<std::uint32_t>(topics_.size() - 1);
      topic = std::make_shared<const Topic>(Topic{name, &message::type_of<M>(), latched, number});
      sink_.add(*topic);
    }
    sink_.write({topic, time_ns, std::move(message)});
  }

 private:
  MessageSink& sink_;
  std::map<std::string, std::shared_ptr<const Topic>> topics_;
};

}  // namespace protobeam
