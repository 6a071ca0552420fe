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

sim::Result no_entity(const std::string& name) {
  return bad(Code::kNotFound, fmt::format("there is no entity '{}'", name));
}

}  // namespace

SimulationControl::SimulationControl(Simulation& simulation, StreamTable& table, bool paused,
                                     Spawning::Host host)
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
  offer_world();
  offer_control();
  offer_entities();
  offer_spawning();
}

/// `handle` takes a Request and gives a Response, or nothing when that comes later.
template <class S, class Handle>
void SimulationControl::offer(const char* name, Handle handle) {
  table_.services().offer<S>(std::string("/") + name, this,
                             [this, handle](const typename S::Request& asked, const Asker& asker) {
                               current_ = asker;
                               std::optional<typename S::Response> response = handle(asked);
                               return response;
                             });
}

void SimulationControl::offer_world() {
  offer<sim::GetSimulatorFeatures>("get_simulator_features", [this](const auto&) {
    using S = sim::GetSimulatorFeatures::Response;
    S out;
    // By the numbers of SimulatorFeatures: SPAWNING, DELETING, bounds, categories, resources as
    // text, ENTITY_*, SIMULATION_RESET and its scopes, SIMULATION_STATE_*, STEP_SIMULATION_*,
    // WORLD_INFO_GETTING and SPAWNING_ENTITIES.
    out.features.features = {0,  1,  5,  6,  8,  9,  10, 11, 12, 20, 21,
                             22, 23, 24, 25, 26, 31, 32, 33, 44, 50};
    out.features.spawn_formats = {"wbt", "proto"};
    if (host_.read)
      out.features.spawn_formats.insert(out.features.spawn_formats.end(), {"urdf", "sdf"});
    out.features.custom_info =
        "Entities are the Solids that stand in no other one. A reset is of "
        "everything.";
    return std::optional<S>(out);
  });
  offer<sim::GetCurrentWorld>("get_current_world", [this](const auto&) {
    sim::GetCurrentWorld::Response out;
    out.result = good();
    out.world.name = simulation_->model().title;
    out.world.world_resource.uri = simulation_->world().file.string();
    return std::optional(out);
  });
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
          steps_left_ = asked.steps;
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
        } else {
          resetting_ = current_;
          return std::nullopt;
        }
        return out;
      });
}

void SimulationControl::offer_entities() {
  const auto chosen = [this](const sim::EntityFilters& filters, auto& out) {
    try {
      out.entities = entities_->names(filters);
      out.result = good();
    } catch (const std::invalid_argument& problem) {
      out.result = bad(Code::kFailed, problem.what());
    }
  };
  offer<sim::GetEntities>("get_entities", [chosen](const sim::GetEntities::Request& asked) {
    sim::GetEntities::Response out;
    chosen(asked.filters, out);
    return std::optional(out);
  });
  offer<sim::GetEntitiesStates>(
      "get_entities_states", [this, chosen](const sim::GetEntitiesStates::Request& asked) {
        sim::GetEntitiesStates::Response out;
        chosen(asked.filters, out);
        for (const std::string& name : out.entities) {
          out.states.push_back(entities_->state(*entities_->find(name)));
        }
        return std::optional(out);
      });
  offer<sim::GetEntityState>("get_entity_state", [this](const sim::GetEntityState::Request& asked) {
    sim::GetEntityState::Response out;
    const auto solid = entities_->find(asked.entity);
    out.result = solid ? good() : no_entity(asked.entity);
    if (solid) out.state = entities_->state(*solid);
    return std::optional(out);
  });
  offer<sim::SetEntityState>("set_entity_state", [this](const sim::SetEntityState::Request& asked) {
    constexpr std::uint8_t kInvalidPose = 101;
    sim::SetEntityState::Response out;
    const std::string& frame = asked.state.header.frame_id;
    const auto solid = entities_->find(asked.entity);
    if (!solid) {
      out.result = no_entity(asked.entity);
    } else if (!frame.empty() && frame != "world" && frame != "map") {
      out.result = bad(kInvalidPose, fmt::format("there is no frame '{}'; there are world and map", frame));
    } else if (asked.set_acceleration) {
      out.result = bad(Code::kUnsupported, "accelerations follow from forces");
    } else {
      out.result = entities_->set_state(*solid, asked.state, asked.set_pose, asked.set_twist);
      if (out.result.result != Code::kOk)
        out.result.error_message = fmt::format("'{}': {}", asked.entity, out.result.error_message);
    }
    return std::optional(out);
  });
  offer<sim::GetEntityInfo>("get_entity_info", [this](const sim::GetEntityInfo::Request& asked) {
    sim::GetEntityInfo::Response out;
    const auto solid = entities_->find(asked.entity);
    out.result = solid ? good() : no_entity(asked.entity);
    if (solid) out.info = entities_->info(*solid);
    return std::optional(out);
  });
  offer<sim::GetEntityBounds>("get_entity_bounds", [this](const sim::GetEntityBounds::Request& asked) {
    sim::GetEntityBounds::Response out;
    const auto solid = entities_->find(asked.entity);
    out.result = solid ? good() : no_entity(asked.entity);
    if (solid) out.bounds = entities_->bounds(*solid);
    return std::optional(out);
  });
}

void SimulationControl::offer_spawning() {
  offer<sim::SpawnEntityService>(
      "spawn_entity", [this](const sim::SpawnEntityService::Request& asked) {
        return std::optional(Spawning(*simulation_, *entities_, host_).spawn(asked));
      });
  offer<sim::SpawnEntities>("spawn_entities", [this](const sim::SpawnEntities::Request& asked) {
    return std::optional(Spawning(*simulation_, *entities_, host_).spawn_all(asked));
  });
  offer<sim::DeleteEntity>("delete_entity", [this](const sim::DeleteEntity::Request& asked) {
    sim::DeleteEntity::Response out;
    const auto solid = entities_->find(asked.entity);
    const std::string why = solid ? Spawning(*simulation_, *entities_, host_).remove(*solid) : "";
    out.result = !solid        ? no_entity(asked.entity)
                 : why.empty() ? good()
                               : bad(Code::kFailed, fmt::format("'{}': {}", asked.entity, why));
    return std::optional(out);
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

void SimulationControl::after_reset(Simulation& simulation) {
  use(simulation);
  reset_answer(good());
}

void SimulationControl::finish() {
  table_.services()
      .answer_all();  // who has just asked for the result of the goal waits for it, too
  action_.abort("the run ended");
}

void SimulationControl::reset_failed(const std::string& why) {
  if (state_ == State::kStopped) state_ = State::kPaused;
  reset_answer(bad(Code::kFailed, why));
}

/// Of the service that asked for it.
void SimulationControl::reset_answer(const sim::Result& result) {
  if (!resetting_.sink) return;
  if (resetting_.request.service == "/reset_simulation") {
    resetting_.answer(message::AnyMessage(sim::ResetSimulation::Response{result}));
  } else {
    resetting_.answer(message::AnyMessage(sim::SetSimulationState::Response{result}));
  }
  resetting_ = {};
}

}  // namespace protobeam
