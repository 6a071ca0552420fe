// action_msgs and unique_identifier_msgs (ros2/rcl_interfaces, ros2/unique_identifier_msgs): what the
// actions of ROS 2 have in common. design.ros2.org/articles/actions.html says how they go together.
#pragma once

#include <array>
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

}  // namespace protobeam::message
