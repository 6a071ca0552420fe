// The action of simulation_interfaces 2.1: its goal, result and feedback.
#pragma once

#include <cstdint>

#include "message/action_msgs.h"
#include "message/simulation_interfaces.h"

namespace protobeam::message::simulation {

struct SimulateStepsParts {
  template <Literal Part>
  static constexpr MessageName kPart =
      action_part<"simulation_interfaces", "SimulateSteps", Part>();

  struct Goal {
    static constexpr MessageName kName = kPart<"_Goal">;
    std::uint64_t steps = 0;
    static void each(auto& m, auto&& f) {
      f("steps", m.steps);
    }
  };
  struct Outcome {
    static constexpr MessageName kName = kPart<"_Result">;
    Result result;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
    }
  };
  struct Progress {
    static constexpr MessageName kName = kPart<"_Feedback">;
    std::uint64_t completed_steps = 0;
    std::uint64_t remaining_steps = 0;
    static void each(auto& m, auto&& f) {
      f("completed_steps", m.completed_steps);
      f("remaining_steps", m.remaining_steps);
    }
  };
};

/// Of a paused simulation, which pauses again afterwards.
using SimulateSteps = DerivedAction<"simulation_interfaces", "SimulateSteps", SimulateStepsParts>;

}  // namespace protobeam::message::simulation
