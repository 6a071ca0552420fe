// A sink on a thread of its own, so that files and networks do not hold the simulation up.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "output/message_sink.h"

namespace protobeam {

class OutputQueue {
 public:
  /// Messages wait in `limit` bytes of memory, but one may always. When they are used up, push() waits
  /// for the sink, unless that may lose messages: then the oldest that is not latched goes.
  OutputQueue(std::unique_ptr<MessageSink> sink, std::size_t limit);
  /// Without finish(): what waits is lost.
  ~OutputQueue();

  /// Throws what the sink has thrown since; from then on nothing is taken.
  void push(Publication publication);
  /// After what waits of it, a sink that may lose messages forgets the topic.
  void remove(std::shared_ptr<const Topic> topic);
  /// Waits until all is written. Throws what the sink throws.
  void finish();

  std::uint64_t written() const;  ///< messages
  std::uint64_t lost() const;
  /// The most bytes that have waited at once.
  std::size_t most_waiting() const;
  MessageSink& sink() { return *sink_; }
  const MessageSink& sink() const { return *sink_; }

 private:
  struct Waiting {
    std::optional<Publication> publication;
    std::size_t bytes = 0;
    std::shared_ptr<const Topic> ended{};  ///< without a publication
    bool is_message() const { return publication.has_value(); }
  };
  bool any_message_waits() const;
  void run();
  void write(const Publication& publication);
  void end(const Topic& topic);
  void drop_oldest();

  std::unique_ptr<MessageSink> sink_;
  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::condition_variable something_, room_;
  std::deque<Waiting> waiting_;
  std::size_t bytes_ = 0, most_bytes_ = 0;
  std::uint64_t written_ = 0, lost_ = 0;
  std::exception_ptr problem_;
  bool told_ = false;      ///< problem_ was thrown
  bool finishing_ = false, abandoned_ = false;
  std::set<std::uint32_t> known_;  ///< numbers of topics that the sink has
  std::thread thread_;
};

}  // namespace protobeam
