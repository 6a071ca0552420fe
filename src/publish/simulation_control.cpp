#include "publish/simulation_control.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/stop.h"
#include "message/simulation_services.h"

namespace protobeam {
namespace {

namespace sim = message::simulation;
using State = sim::SimulationState::State;
using Code = sim::Result::Code;

constexpr std::uint64_t kMostSteps = SimulateSteps::kMostSteps;

sim::Result good() { return {Code::kOk, ""}; }
sim::Result bad(std::uint8_t code, std::string why) { return {code, std::move(why)}; }

}  // namespace

SimulationControl::SimulationControl(Simulation& simulation, StreamTable& table, bool paused,
                                     ControlHost host)
    : simulation_(&simulation),
      table_(table),
      host_(std::move(host)),
      state_(paused ? State::kPaused : State::kPlaying),
      action_(
          table.services(),
          {.obstacle =
               [this] {
                 SimulateSteps::Obstacle out;
                 if (steps_left_ > 0) out.busy = "it makes the steps of somebody else";
                 if (state_ != State::kPaused && state_ != State::kStopped)
                   out.failed = "only a simulation that is paused can be stepped";
                 return out;
               },
           .begin = [this] { state_ = State::kPaused; },
           .now = [this] { return message::time_of(message::nanoseconds(simulation_->time())); }}) {
  entities_.emplace(simulation);
  offer_control();
  offer_worlds();
  offer_named_poses();
  offer_entities();
  offer_spawning();
}

void SimulationControl::offer_control() {
  offer<sim::GetSimulationState>("get_simulation_state", [this](const auto&) {
    sim::GetSimulationState::Response out;
    out.state.state = state_;
    out.result = good();
    return std::optional(out);
  });
  offer<sim::SetSimulationState>(
      "set_simulation_state",
      [this](const sim::SetSimulationState::Request& asked) -> std::optional<sim::SetSimulationState::Response> {
        constexpr std::uint8_t kAlready = 101, kIncorrect = 103;
        sim::SetSimulationState::Response out;
        out.result = good();
        const std::uint8_t target = asked.state.state;
        if (target == state_) {
          out.result = bad(kAlready, "it is so already");
        } else if (steps_left_ > 0 && target != State::kQuitting) {
          out.result = bad(Code::kIncorrectState, "it makes the steps that were asked for");
        } else if (action_.active() && target == State::kPlaying) {
          out.result = bad(Code::kIncorrectState, "it makes the steps of a goal: cancel that first");
        } else if (target == State::kPaused && state_ == State::kStopped) {
          out.result = bad(kIncorrect, "a stopped simulation has nothing to pause");
        } else if (target == State::kPlaying || target == State::kPaused || target == State::kQuitting) {
          state_ = target;
        } else if (target == State::kStopped && resetting_.sink) {
          out.result = bad(Code::kIncorrectState, kIsReset);
        } else if (target == State::kStopped) {
          // Stopped is paused at the start.
          resetting_ = current_;
          state_ = State::kStopped;
          return std::nullopt;
        } else {
          out.result = bad(Code::kUnsupported, fmt::format("there is no state {} here", target));
        }
        return out;
      });
  offer<sim::StepSimulation>(
      "step_simulation",
      [this](const sim::StepSimulation::Request& asked) -> std::optional<sim::StepSimulation::Response> {
        sim::StepSimulation::Response out;
        if (state_ != State::kPaused && state_ != State::kStopped) {
          out.result = bad(Code::kFailed, "only a simulation that is paused can be stepped");
        } else if (steps_left_ > 0 || action_.active()) {
          out.result = bad(Code::kIncorrectState, "it makes the steps of somebody else");
        } else if (asked.steps > kMostSteps) {
          out.result = bad(Code::kFailed, fmt::format("{} steps at most", kMostSteps));
        } else if (asked.steps == 0) {
          out.result = good();
        } else {
          state_ = State::kPaused;
          steps_left_ = steps_asked_ = asked.steps;
          stepping_ = current_;
          return std::nullopt;
        }
        return out;
      });
  offer<sim::ResetSimulation>(
      "reset_simulation",
      [this](const sim::ResetSimulation::Request& asked) -> std::optional<sim::ResetSimulation::Response> {
        sim::ResetSimulation::Response out;
        constexpr std::uint8_t kEverything = 7;  // time, state and what was spawned
        if (asked.scope != 0 && (asked.scope & kEverything) != kEverything) {
          out.result = bad(Code::kUnsupported, "a reset is of everything: scope 0, 7 or 255");
        } else if (steps_left_ > 0) {
          out.result = bad(Code::kIncorrectState, "it makes the steps that were asked for");
        } else if (resetting_.sink) {
          out.result = bad(Code::kIncorrectState, kIsReset);
        } else {
          resetting_ = current_;
          return std::nullopt;
        }
        return out;
      });
}

void SimulationControl::wait() {
  using std::chrono::milliseconds;
  const auto& queues = table_.queues();
  // Each output wakes up by itself only.
  const milliseconds share(queues.size() > 1 ? 2 : 50);
  for (const auto& queue : queues) queue->sink().wait(share);
}

SimulationControl::Next SimulationControl::before_step() {
  while (!stop::requested()) {
    table_.services().answer_all();
    if (state_ == State::kQuitting) return Next::kQuit;
    if (resetting_.sink) return Next::kReset;
    if (state_ == State::kPlaying || steps_left_ > 0 || action_.active()) return Next::kStep;
    wait();
  }
  return Next::kStep;
}

void SimulationControl::after_step() {
  action_.after_step();
  if (steps_left_ == 0 || --steps_left_ > 0) return;
  sim::StepSimulation::Response out;
  out.result = good();
  stepping_.answer(message::AnyMessage(out));
  stepping_ = {};
}

void SimulationControl::use(Simulation& simulation) {
  if (&simulation == simulation_) return entities_->follow();
  action_.abort("the world was loaded again");
  simulation_ = &simulation;
  entities_.emplace(simulation);
}

void SimulationControl::follow(Simulation& simulation) { use(simulation); }

void SimulationControl::after_reset(Simulation& simulation, std::string warnings) {
  use(simulation);
  if (wanted_) state_ = State::kStopped;
  while (warnings.ends_with('\n')) warnings.pop_back();
  reset_answer({Code::kOk, std::move(warnings)});
}

void SimulationControl::finish() {
  table_.services()
      .answer_all();  // who has just asked for the result of the goal waits for it, too
  action_.abort("the run ended");
  if (!stepping_.sink) return;
  stepping_.answer(message::AnyMessage(sim::StepSimulation::Response{
      bad(Code::kFailed, fmt::format("the run ended after {} of {} steps",
                                     steps_asked_ - steps_left_, steps_asked_))}));
  stepping_ = {};
}

void SimulationControl::reset_failed(const std::string& why, std::uint8_t code) {
  if (state_ == State::kStopped && !wanted_) state_ = State::kPaused;
  reset_answer(bad(code, why));
}

/// Of the service that asked for it.
void SimulationControl::reset_answer(const sim::Result& result) {
  wanted_.reset();
  if (!resetting_.sink) return;
  if (resetting_.request.service == "/load_world") {
    sim::LoadWorld::Response out{result, {}};
    if (result.result == Code::kOk) out.world = current_world();
    resetting_.answer(message::AnyMessage(out));
  } else if (resetting_.request.service == "/reset_simulation") {
    resetting_.answer(message::AnyMessage(sim::ResetSimulation::Response{result}));
  } else {
    resetting_.answer(message::AnyMessage(sim::SetSimulationState::Response{result}));
  }
  resetting_ = {};
}

}  // namespace protobeam
