// The services of simulation_interfaces for entities.
#include <fmt/format.h>

#include "message/simulation_entity_services.h"
#include "publish/simulation_control.h"

namespace protobeam {
namespace {

namespace sim = message::simulation;
using Code = sim::Result::Code;

}  // namespace

void SimulationControl::offer_entities() {
  const auto chosen = [this](const sim::EntityFilters& filters, auto& out) {
    out.result = entities_->choose(filters, out.entities);
  };
  // Answers by what use(solid, response) makes of the response, or with why there is no such one.
  const auto of_entity = [this](const std::string& name, auto out, const auto& use) {
    const auto solid = entities_->find(name);
    if (solid) {
      out.result = {Code::kOk, ""};
      use(*solid, out);
    } else {
      out.result = {Code::kNotFound, entities_->no_entity(name)};
    }
    return std::optional(out);
  };
  offer<sim::GetEntities>("get_entities", [chosen](const sim::GetEntities::Request& asked) {
    sim::GetEntities::Response out;
    chosen(asked.filters, out);
    return std::optional(out);
  });
  offer<sim::GetEntitiesStates>("get_entities_states",
                                [this, chosen](const sim::GetEntitiesStates::Request& asked) {
                                  sim::GetEntitiesStates::Response out;
                                  chosen(asked.filters, out);
                                  for (const std::string& name : out.entities) {
                                    out.states.push_back(entities_->state(*entities_->find(name)));
                                  }
                                  return std::optional(out);
                                });
  offer<sim::GetEntityState>(
      "get_entity_state", [this, of_entity](const sim::GetEntityState::Request& asked) {
        return of_entity(asked.entity, sim::GetEntityState::Response(),
                         [this](int solid, auto& out) { out.state = entities_->state(solid); });
      });
  offer<sim::SetEntityState>(
      "set_entity_state", [this, of_entity](const sim::SetEntityState::Request& asked) {
        return of_entity(asked.entity, sim::SetEntityState::Response(), [&](int solid, auto& out) {
          if (asked.set_acceleration)
            out.result = {Code::kUnsupported, "accelerations follow from forces"};
          else
            out.result = entities_->set_state(solid, asked.state, asked.set_pose, asked.set_twist);
          if (out.result.result != Code::kOk)
            out.result.error_message =
                fmt::format("'{}': {}", asked.entity, out.result.error_message);
        });
      });
  offer<sim::GetEntityInfo>(
      "get_entity_info", [this, of_entity](const sim::GetEntityInfo::Request& asked) {
        return of_entity(asked.entity, sim::GetEntityInfo::Response(),
                         [this](int solid, auto& out) { out.info = entities_->info(solid); });
      });
  offer<sim::SetEntityInfo>(
      "set_entity_info", [this, of_entity](const sim::SetEntityInfo::Request& asked) {
        return of_entity(asked.entity, sim::SetEntityInfo::Response(), [&](int solid, auto& out) {
          out.result = entities_->set_info(solid, asked.info);
        });
      });
  offer<sim::GetEntityBounds>(
      "get_entity_bounds", [this, of_entity](const sim::GetEntityBounds::Request& asked) {
        return of_entity(asked.entity, sim::GetEntityBounds::Response(),
                         [this](int solid, auto& out) { out.bounds = entities_->bounds(solid); });
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
    out.result = {Code::kOk, ""};
    if (!solid)
      out.result = {Code::kNotFound, entities_->no_entity(asked.entity)};
    else if (!why.empty())
      out.result = {Code::kFailed, fmt::format("'{}': {}", asked.entity, why)};
    return std::optional(out);
  });
  offer<sim::GetSpawnables>("get_spawnables", [this](const sim::GetSpawnables::Request& asked) {
    sim::GetSpawnables::Response out;
    out.result = {Code::kUnsupported, "what can be spawned is not listed here"};
    return std::optional(host_.spawnables ? host_.spawnables(asked, *simulation_) : out);
  });
}

}  // namespace protobeam
