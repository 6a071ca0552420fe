// The services that a run offers at all its outputs: who asks gets the answer at once, or later.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "output/message_sink.h"
#include "output/output_queue.h"

namespace protobeam {

/// A client that waits for an answer.
struct Asker {
  MessageSink* sink = nullptr;
  ServiceRequest request;

  void answer(const message::AnyMessage& response) const { sink->answer(request, response); }
};

class ServiceTable {
 public:
  explicit ServiceTable(const std::vector<std::unique_ptr<OutputQueue>>& queues)
      : queues_(queues) {}

  /// `handle(const S::Request&, const Asker&)` gives an optional S::Response: nothing when the
  /// answer comes later. Clients with older definitions ask for an S::Older::Request where S has
  /// one: what `handle` gives at once is made an S::Older::Response. Older::asked_by() tells their
  /// requests by their bytes, where it is there. `afterwards`, which may be null, is called when a
  /// request was handled. An offer of the same name takes the place of the one before.
  template <class S, class Handle>
  void offer(const std::string& name, const void* owner, Handle handle,
             std::function<void()> afterwards = nullptr, const std::string& node = {}) {
    Service service{name, std::string(S::kType), &message::type_of<typename S::Request>(),
                    &message::type_of<typename S::Response>(), node};
    if constexpr (requires { typename S::Older; })
      service.older_response = &message::type_of<typename S::Older::Response>();
    const auto answer = [handle](const Asker& asker) -> std::optional<message::AnyMessage> {
      if constexpr (requires { typename S::Older; }) {
        using Older = typename S::Older;
        if (asked_by_older<Older>(asker.request)) {
          auto asked = message::from_cdr<typename Older::Request>(asker.request.cdr);
          const auto response = handle(Older::newer(std::move(asked)), asker);
          if (!response) return std::nullopt;
          return message::AnyMessage(Older::older(*response));
        }
      }
      const auto asked = message::from_cdr<typename S::Request>(asker.request.cdr);
      std::optional<typename S::Response> response = handle(asked, asker);
      if (!response) return std::nullopt;
      return message::AnyMessage(std::move(*response));
    };
    add({service, owner, answer, std::move(afterwards)});
  }
  /// What `owner` has offered is answered no more, unless another one offers it.
  void withdraw(const void* owner);
  /// What is withdrawn leaves the outputs.
  void end_withdrawn();

  /// Answers what was asked; true when something was.
  bool answer_all();

  /// A topic that goes with the services of `owner`.
  void add_topic(const Topic& topic, const void* owner);
  /// At once, in the order of the answers.
  void publish(const Topic& topic, const message::AnyMessage& message) const;

  /// Names and types of the actions that are offered: "/arm/follow_joint_trajectory",
  /// "control_msgs/action/FollowJointTrajectory".
  std::vector<std::pair<std::string, std::string>> actions() const;

 private:
  template <class Older>
  static bool asked_by_older(const ServiceRequest& request) {
    if constexpr (requires { Older::asked_by(request.cdr); })
      return Older::asked_by(request.cdr);
    else
      return request.older;
  }
  struct Offered {
    Service service;
    const void* owner = nullptr;  ///< null: withdrawn
    std::function<std::optional<message::AnyMessage>(const Asker&)> answer;
    std::function<void()> afterwards;
  };
  void add(Offered offered);

  const std::vector<std::unique_ptr<OutputQueue>>& queues_;
  std::vector<Offered> offered_;
  struct OfferedTopic {
    Topic topic;
    const void* owner = nullptr;  ///< null: withdrawn
  };
  std::map<std::string, OfferedTopic> topics_;  ///< by their names
};

}  // namespace protobeam
