// action_msgs and unique_identifier_msgs (ros2/rcl_interfaces, ros2/unique_identifier_msgs): what the
// actions of ROS 2 have in common. design.ros2.org/articles/actions.html says how they go together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "message/description.h"

namespace protobeam::message {

struct Uuid {
  static constexpr MessageName kName{"unique_identifier_msgs", "UUID"};
  std::array<std::uint8_t, 16> uuid{};
  static void each(auto& m, auto&& f) {
    f("uuid", m.uuid);
  }
  bool operator==(const Uuid&) const = default;
};

struct GoalInfo {
  static constexpr MessageName kName{"action_msgs", "GoalInfo"};
  Uuid goal_id;
  Time stamp;  ///< when the goal was accepted
  static void each(auto& m, auto&& f) {
    f("goal_id", m.goal_id);
    f("stamp", m.stamp);
  }
};

struct GoalStatus {
  static constexpr MessageName kName{"action_msgs", "GoalStatus"};
  static constexpr Constant kConstants[] = {
      {"int8", "STATUS_UNKNOWN", "0"},
      {"int8", "STATUS_ACCEPTED", "1"},
      {"int8", "STATUS_EXECUTING", "2"},
      {"int8", "STATUS_CANCELING", "3"},
      {"int8", "STATUS_SUCCEEDED", "4"},
      {"int8", "STATUS_CANCELED", "5"},
      {"int8", "STATUS_ABORTED", "6"}};
  enum Code : std::int8_t {
    kUnknown, kAccepted, kExecuting, kCanceling, kSucceeded, kCanceled, kAborted
  };
  GoalInfo goal_info;
  std::int8_t status = kUnknown;
  static void each(auto& m, auto&& f) {
    f("goal_info", m.goal_info);
    f("status", m.status);
  }
};

struct GoalStatusArray {
  static constexpr MessageName kName{"action_msgs", "GoalStatusArray"};
  std::vector<GoalStatus> status_list;
  static void each(auto& m, auto&& f) {
    f("status_list", m.status_list);
  }
};

/// Of the goal with this id, of those accepted until this time, or, when both are zero, of all.
struct CancelGoal {
  static constexpr std::string_view kType = "action_msgs/srv/CancelGoal";
  struct Request {
    static constexpr MessageName kName{"action_msgs", "CancelGoal_Request", "action_msgs", "srv"};
    GoalInfo goal_info;
    static void each(auto& m, auto&& f) {
      f("goal_info", m.goal_info);
    }
  };
  struct Response {
    static constexpr MessageName kName{"action_msgs", "CancelGoal_Response", "action_msgs", "srv"};
    static constexpr Constant kConstants[] = {
        {"int8", "ERROR_NONE", "0"},
        {"int8", "ERROR_REJECTED", "1"},
        {"int8", "ERROR_UNKNOWN_GOAL_ID", "2"},
        {"int8", "ERROR_GOAL_TERMINATED", "3"}};
    enum Code : std::int8_t { kNone, kRejected, kUnknownGoal, kTerminated };
    std::int8_t return_code = kNone;
    std::vector<GoalInfo> goals_canceling;
    static void each(auto& m, auto&& f) {
      f("return_code", m.return_code);
      f("goals_canceling", m.goals_canceling);
    }
  };
};

/// Text as a template's argument.
template <std::size_t N>
struct Literal {
  char text[N] = {};
  constexpr Literal(const char (&from)[N]) {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

template <Literal A, Literal B>
struct Joined {
  static constexpr std::size_t kSize = A.view().size() + B.view().size() + 1;
  static constexpr Literal<kSize> kLiteral = [] {
    char both[kSize] = {};
    std::size_t at = 0;
    for (const char c : A.view()) both[at++] = c;
    for (const char c : B.view()) both[at++] = c;
    return Literal<kSize>(both);
  }();
  static constexpr std::string_view kView = kLiteral.view();
};

/// The name of a part of the action `Name`: "_Goal", "_SendGoal_Request" ...
template <Literal Package, Literal Name, Literal Part>
constexpr MessageName action_part() {
  return {Package.view(), Joined<Name, Part>::kView, Package.view(), "action"};
}

/// What rosidl derives from the Goal, the Outcome ("result") and the Progress ("feedback") of an
/// action (ros2/rosidl, rosidl_parser/definition.py, class Action).
template <Literal Package, Literal Name, class Parts>
struct DerivedAction : Parts {
  struct Feedback {
    static constexpr MessageName kName = action_part<Package, Name, "_FeedbackMessage">();
    Uuid goal_id;
    typename Parts::Progress feedback;
    static void each(auto& m, auto&& f) {
      f("goal_id", m.goal_id);
      f("feedback", m.feedback);
    }
  };
  struct SendGoal {
    static constexpr std::string_view kType =
        Joined<Joined<Package, "/action/">::kLiteral, Joined<Name, "_SendGoal">::kLiteral>::kView;
    struct Request {
      static constexpr MessageName kName = action_part<Package, Name, "_SendGoal_Request">();
      Uuid goal_id;
      typename Parts::Goal goal;
      static void each(auto& m, auto&& f) {
        f("goal_id", m.goal_id);
        f("goal", m.goal);
      }
    };
    struct Response {
      static constexpr MessageName kName = action_part<Package, Name, "_SendGoal_Response">();
      bool accepted = false;
      Time stamp;
      static void each(auto& m, auto&& f) {
        f("accepted", m.accepted);
        f("stamp", m.stamp);
      }
    };
  };
  /// Answered when the goal has ended.
  struct GetResult {
    static constexpr std::string_view kType =
        Joined<Joined<Package, "/action/">::kLiteral, Joined<Name, "_GetResult">::kLiteral>::kView;
    struct Request {
      static constexpr MessageName kName = action_part<Package, Name, "_GetResult_Request">();
      Uuid goal_id;
      static void each(auto& m, auto&& f) { f("goal_id", m.goal_id); }
    };
    struct Response {
      static constexpr MessageName kName = action_part<Package, Name, "_GetResult_Response">();
      std::int8_t status = GoalStatus::kUnknown;
      typename Parts::Outcome result;
      static void each(auto& m, auto&& f) {
        f("status", m.status);
        f("result", m.result);
      }
    };
  };
};

}  // namespace protobeam::message
