// The action of simulation_interfaces 2.1: its goal, result and feedback, and the services and the
// topic that rosidl derives from them (ros2/rosidl, rosidl_parser/definition.py, class Action).
#pragma once

#include <cstdint>
#include <string_view>

#include "message/action_msgs.h"
#include "message/simulation_interfaces.h"

namespace protobeam::message::simulation {

constexpr MessageName action_part(std::string_view name) {
  return {"simulation_interfaces", name, "simulation_interfaces", "action"};
}

/// Of a paused simulation, which pauses again afterwards.
struct SimulateSteps {
  struct Goal {
    static constexpr MessageName kName = action_part("SimulateSteps_Goal");
    std::uint64_t steps = 0;
    static void each(auto& m, auto&& f) {
      f("steps", m.steps);
    }
  };
  struct Outcome {
    static constexpr MessageName kName = action_part("SimulateSteps_Result");
    Result result;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
    }
  };
  struct Progress {
    static constexpr MessageName kName = action_part("SimulateSteps_Feedback");
    std::uint64_t completed_steps = 0;
    std::uint64_t remaining_steps = 0;
    static void each(auto& m, auto&& f) {
      f("completed_steps", m.completed_steps);
      f("remaining_steps", m.remaining_steps);
    }
  };

  struct Feedback {
    static constexpr MessageName kName = action_part("SimulateSteps_FeedbackMessage");
    Uuid goal_id;
    Progress feedback;
    static void each(auto& m, auto&& f) {
      f("goal_id", m.goal_id);
      f("feedback", m.feedback);
    }
  };
  struct SendGoal {
    static constexpr std::string_view kType = "simulation_interfaces/action/SimulateSteps_SendGoal";
    struct Request {
      static constexpr MessageName kName = action_part("SimulateSteps_SendGoal_Request");
      Uuid goal_id;
      Goal goal;
      static void each(auto& m, auto&& f) {
        f("goal_id", m.goal_id);
        f("goal", m.goal);
      }
    };
    struct Response {
      static constexpr MessageName kName = action_part("SimulateSteps_SendGoal_Response");
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
    static constexpr std::string_view kType = "simulation_interfaces/action/SimulateSteps_GetResult";
    struct Request {
      static constexpr MessageName kName = action_part("SimulateSteps_GetResult_Request");
      Uuid goal_id;
      static void each(auto& m, auto&& f) {
        f("goal_id", m.goal_id);
      }
    };
    struct Response {
      static constexpr MessageName kName = action_part("SimulateSteps_GetResult_Response");
      std::int8_t status = GoalStatus::kUnknown;
      Outcome result;
      static void each(auto& m, auto&& f) {
        f("status", m.status);
        f("result", m.result);
      }
    };
  };
};

}  // namespace protobeam::message::simulation
