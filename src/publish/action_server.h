// A server of an action of ROS 2 (design.ros2.org/articles/actions.html): a client sends a goal,
// follows it by its feedback, may cancel it, and asks for its result, before or after the end. The
// protocol is three services and two topics below the action's name.
//
// One goal at a time is worked on. Times of goals are simulated time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "message/action_msgs.h"
#include "publish/service_table.h"

namespace protobeam {

/// What is done with goals, by who does the work.
template <class Action>
class GoalWorker {
 public:
  virtual ~GoalWorker() = default;
  /// Begins the work, or says by ActionServer::finish() how it has ended at once. False rejects the
  /// goal. May end the one before.
  virtual bool begin_goal(const typename Action::Goal& goal) = 0;
  /// Stops it.
  virtual typename Action::Outcome cancel_goal() = 0;
  /// What a client gets that asks for a goal that is not there.
  virtual typename Action::Outcome no_goal() const = 0;
  virtual message::Time now() const = 0;
};

template <class Action>
class ActionServer {
 public:
  using CancelGoal = message::CancelGoal;
  using GoalStatus = message::GoalStatus;
  using Outcome = typename Action::Outcome;
  using SendGoal = typename Action::SendGoal;
  using GetResult = typename Action::GetResult;

  /// `name` as "/arm/follow_joint_trajectory". Both others must outlive this.
  ActionServer(ServiceTable& services, const std::string& name, GoalWorker<Action>& worker)
      : services_(services),
        worker_(worker),
        feedback_{part(name, "feedback"), &message::type_of<typename Action::Feedback>(), false, 0},
        status_{part(name, "status"), &message::type_of<message::GoalStatusArray>(), true, 0} {
    services_.add_topic(feedback_, this);
    services_.add_topic(status_, this);
    const auto afterwards = [this] { publish_changes(); };
    services_.offer<SendGoal>(
        part(name, "send_goal"), this,
        [this](const SendGoal::Request& asked, const Asker&) {
          return std::optional(send_goal(asked));
        },
        afterwards);
    services_.offer<CancelGoal>(
        part(name, "cancel_goal"), this,
        [this](const CancelGoal::Request& asked, const Asker&) {
          return std::optional(cancel(asked));
        },
        afterwards);
    services_.offer<GetResult>(part(name, "get_result"), this,
                               [this](const GetResult::Request& asked, const Asker& asker) {
                                 return get_result(asked, asker);
                               });
    publish_status();
  }
  ~ActionServer() { services_.withdraw(this); }
  ActionServer(const ActionServer&) = delete;
  ActionServer& operator=(const ActionServer&) = delete;

  /// A goal is being worked on.
  bool active() const { return active_; }
  /// The one that is worked on has ended, as GoalStatus::kSucceeded or kAborted says.
  void finish(std::int8_t status, Outcome outcome) {
    end(status, std::move(outcome));
    if (!handling_) publish_changes();
  }
  /// Of the goal that is worked on. `message` is an Action::Feedback without its goal_id.
  template <class Feedback>
  void publish_feedback(Feedback message) {
    message.goal_id = newest().info.goal_id;
    services_.publish(feedback_, message::AnyMessage(std::move(message)));
  }
  /// Goes on with the goals of another one, which has none then.
  void take_over(ActionServer& before) {
    goals_ = std::exchange(before.goals_, {});
    active_ = std::exchange(before.active_, false);
  }

 private:
  /// Of goals that have ended; the oldest go. ROS 2's own servers keep results for some seconds.
  static constexpr std::size_t kKeptGoals = 100;
  static constexpr std::size_t kWaitingAskers = 1000;  // of one goal; the oldest go

  struct Goal {
    message::GoalInfo info;
    std::int8_t status = GoalStatus::kExecuting;
    Outcome outcome;
    std::vector<Asker> askers;
  };

  static std::string part(const std::string& name, const char* what) {
    return name + "/_action/" + what;
  }
  Goal& newest() { return goals_.back(); }
  Goal* find(const message::Uuid& id) {
    const auto found =
        std::ranges::find_if(goals_, [&](const Goal& goal) { return goal.info.goal_id == id; });
    return found == goals_.end() ? nullptr : &*found;
  }

  typename SendGoal::Response send_goal(const typename SendGoal::Request& request) {
    const message::Time now = worker_.now();
    if (find(request.goal_id)) return {false, now};
    // The worker may end the goal before and this one, so that it stands last meanwhile.
    handling_ = true;
    const bool was_active = active_;
    Goal next;
    next.info = {request.goal_id, now};
    begun_ = &next;
    const bool accepted = worker_.begin_goal(request.goal);
    begun_ = nullptr;
    handling_ = false;
    if (was_active && !active_) changed_ = true;
    if (!accepted) return {false, now};
    active_ = next.status == GoalStatus::kExecuting;
    goals_.push_back(std::move(next));
    if (goals_.size() > kKeptGoals) goals_.pop_front();
    changed_ = true;
    return {true, now};
  }

  /// The rules of rcl_action_process_cancel_request() (ros2/rcl, action_server.c). Takes effect
  /// after its answer.
  CancelGoal::Response cancel(const CancelGoal::Request& request) {
    CancelGoal::Response response;
    const message::GoalInfo& asked = request.goal_info;
    const bool by_id = asked.goal_id != message::Uuid{}, by_time = asked.stamp != message::Time{};
    const auto accepted_until = [&] {
      return message::nanoseconds(newest().info.stamp) <= message::nanoseconds(asked.stamp);
    };
    if (by_id && !by_time && !find(asked.goal_id)) {
      response.return_code = CancelGoal::Response::kUnknownGoal;
    } else if (by_id && !by_time && !(active_ && newest().info.goal_id == asked.goal_id)) {
      response.return_code = CancelGoal::Response::kTerminated;
    } else if (active_ && ((by_id && newest().info.goal_id == asked.goal_id) ||
                           (by_time && accepted_until()) || (!by_id && !by_time))) {
      newest().status = GoalStatus::kCanceling;
      response.goals_canceling.push_back(newest().info);
      changed_ = true;
    }
    return response;
  }

  std::optional<typename GetResult::Response> get_result(const typename GetResult::Request& request,
                                                         const Asker& asker) {
    Goal* goal = find(request.goal_id);
    if (!goal) return typename GetResult::Response{GoalStatus::kUnknown, worker_.no_goal()};
    if (!active_ || goal != &newest())
      return typename GetResult::Response{goal->status, goal->outcome};
    if (goal->askers.size() >= kWaitingAskers) goal->askers.erase(goal->askers.begin());
    goal->askers.push_back(asker);
    return std::nullopt;
  }

  /// What answers have changed, to those who follow the topics: after them, so that a client knows
  /// its goal before it reads of it.
  void publish_changes() {
    if (!std::exchange(changed_, false)) return;
    publish_status();
    if (!active_ || newest().status != GoalStatus::kCanceling) return;
    end(GoalStatus::kCanceled, worker_.cancel_goal());
    changed_ = false;
    publish_status();
  }

  void end(std::int8_t status, Outcome outcome) {
    Goal* goal = active_ ? &newest() : begun_;
    if (!goal) return;
    active_ = false;
    changed_ = true;
    goal->status = status;
    goal->outcome = std::move(outcome);
    const message::AnyMessage response(typename GetResult::Response{status, goal->outcome});
    for (const Asker& asker : std::exchange(goal->askers, {})) asker.answer(response);
  }

  void publish_status() {
    message::GoalStatusArray all;
    for (const Goal& goal : goals_) all.status_list.push_back({goal.info, goal.status});
    services_.publish(status_, message::AnyMessage(std::move(all)));
  }

  ServiceTable& services_;
  GoalWorker<Action>& worker_;
  const Topic feedback_, status_;
  std::deque<Goal> goals_;  ///< the oldest first; only the newest may be active
  Goal* begun_ = nullptr;   ///< the one that a client is just sending
  bool active_ = false;
  bool handling_ = false;  ///< a goal is being begun: its answer goes out first
  bool changed_ = false;   ///< publish_changes() has something to do
};

}  // namespace protobeam
