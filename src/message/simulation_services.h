// Services of simulation_interfaces 2.1: pairs of messages, a request and its response.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "message/simulation_interfaces.h"

namespace protobeam::message::simulation {

/// The name of a request or a response.
constexpr MessageName half(std::string_view name) {
  return {"simulation_interfaces", name, "simulation_interfaces", "srv"};
}

/// What this simulator can do.
struct GetSimulatorFeatures {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetSimulatorFeatures";
  struct Request {
    static constexpr MessageName kName = half("GetSimulatorFeatures_Request");
    static void each(auto&, auto&&) {}
  };
  struct Response {
    static constexpr MessageName kName = half("GetSimulatorFeatures_Response");
    SimulatorFeatures features;
    static void each(auto& m, auto&& f) {
      f("features", m.features);
    }
  };
};

struct GetSimulationState {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetSimulationState";
  struct Request {
    static constexpr MessageName kName = half("GetSimulationState_Request");
    static void each(auto&, auto&&) {}
  };
  struct Response {
    static constexpr MessageName kName = half("GetSimulationState_Response");
    SimulationState state;
    Result result;
    static void each(auto& m, auto&& f) {
      f("state", m.state);
      f("result", m.result);
    }
  };
};

/// Starts, pauses, stops (back to the beginning) or ends the simulation.
struct SetSimulationState {
  static constexpr std::string_view kType = "simulation_interfaces/srv/SetSimulationState";
  struct Request {
    static constexpr MessageName kName = half("SetSimulationState_Request");
    SimulationState state;
    static void each(auto& m, auto&& f) {
      f("state", m.state);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("SetSimulationState_Response");
    static constexpr Constant kConstants[] = {
        {"uint8", "ALREADY_IN_TARGET_STATE", "101"},
        {"uint8", "STATE_TRANSITION_ERROR", "102"},
        {"uint8", "INCORRECT_TRANSITION", "103"}};
    Result result;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
    }
  };
};

/// Of a paused simulation; answered when the steps are done.
struct StepSimulation {
  static constexpr std::string_view kType = "simulation_interfaces/srv/StepSimulation";
  struct Request {
    static constexpr MessageName kName = half("StepSimulation_Request");
    std::uint64_t steps = 1;
    static void each(auto& m, auto&& f) {
      f("steps", m.steps);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("StepSimulation_Response");
    Result result;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
    }
  };
};

/// Sums of scopes; 0 is everything.
struct ResetSimulation {
  static constexpr std::string_view kType = "simulation_interfaces/srv/ResetSimulation";
  struct Request {
    static constexpr MessageName kName = half("ResetSimulation_Request");
    static constexpr Constant kConstants[] = {
        {"uint8", "SCOPE_DEFAULT", "0"},
        {"uint8", "SCOPE_TIME", "1"},
        {"uint8", "SCOPE_STATE", "2"},
        {"uint8", "SCOPE_SPAWNED", "4"},
        {"uint8", "SCOPE_ALL", "255"}};
    std::uint8_t scope = 0;
    static void each(auto& m, auto&& f) {
      f("scope", m.scope);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("ResetSimulation_Response");
    Result result;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
    }
  };
};

/// Puts a model into the world. SpawnEntity is a message, too.
struct SpawnEntityService {
  static constexpr std::string_view kType = "simulation_interfaces/srv/SpawnEntity";
  struct Request {
    static constexpr MessageName kName = half("SpawnEntity_Request");
    std::string name;
    bool allow_renaming = false;
    Resource entity_resource;
    std::string entity_namespace;
    PoseStamped initial_pose;
    static void each(auto& m, auto&& f) {
      f("name", m.name);
      f("allow_renaming", m.allow_renaming);
      f("entity_resource", m.entity_resource);
      f("entity_namespace", m.entity_namespace);
      f("initial_pose", m.initial_pose);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("SpawnEntity_Response");
    static constexpr Constant kConstants[] = {
        {"uint8", "NAME_NOT_UNIQUE", "101"},
        {"uint8", "NAME_INVALID", "102"},
        {"uint8", "UNSUPPORTED_FORMAT", "103"},
        {"uint8", "NO_RESOURCE", "104"},
        {"uint8", "NAMESPACE_INVALID", "105"},
        {"uint8", "RESOURCE_PARSE_ERROR", "106"},
        {"uint8", "MISSING_ASSETS", "107"},
        {"uint8", "UNSUPPORTED_ASSETS", "108"},
        {"uint8", "INVALID_POSE", "109"}};
    Result result;
    std::string entity_name;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("entity_name", m.entity_name);
    }
  };
};

/// Several at once.
struct SpawnEntities {
  static constexpr std::string_view kType = "simulation_interfaces/srv/SpawnEntities";
  struct Request {
    static constexpr MessageName kName = half("SpawnEntities_Request");
    std::vector<SpawnEntity> spawn_requests;
    static void each(auto& m, auto&& f) {
      f("spawn_requests", m.spawn_requests);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("SpawnEntities_Response");
    static constexpr Constant kConstants[] = {
        {"uint8", "ENTITIES_SPAWN_FAILED", "150"}};
    Result result;
    std::vector<SpawnResult> results;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("results", m.results);
    }
  };
};

struct DeleteEntity {
  static constexpr std::string_view kType = "simulation_interfaces/srv/DeleteEntity";
  struct Request {
    static constexpr MessageName kName = half("DeleteEntity_Request");
    std::string entity;
    static void each(auto& m, auto&& f) {
      f("entity", m.entity);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("DeleteEntity_Response");
    Result result;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
    }
  };
};

/// Names of entities.
struct GetEntities {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetEntities";
  struct Request {
    static constexpr MessageName kName = half("GetEntities_Request");
    EntityFilters filters;
    static void each(auto& m, auto&& f) {
      f("filters", m.filters);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("GetEntities_Response");
    Result result;
    std::vector<std::string> entities;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("entities", m.entities);
    }
  };
};

/// states[i] is of entities[i].
struct GetEntitiesStates {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetEntitiesStates";
  struct Request {
    static constexpr MessageName kName = half("GetEntitiesStates_Request");
    EntityFilters filters;
    static void each(auto& m, auto&& f) {
      f("filters", m.filters);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("GetEntitiesStates_Response");
    Result result;
    std::vector<std::string> entities;
    std::vector<EntityState> states;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("entities", m.entities);
      f("states", m.states);
    }
  };
};

struct GetEntityState {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetEntityState";
  struct Request {
    static constexpr MessageName kName = half("GetEntityState_Request");
    std::string entity;
    static void each(auto& m, auto&& f) {
      f("entity", m.entity);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("GetEntityState_Response");
    Result result;
    EntityState state;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("state", m.state);
    }
  };
};

struct SetEntityState {
  static constexpr std::string_view kType = "simulation_interfaces/srv/SetEntityState";
  struct Request {
    static constexpr MessageName kName = half("SetEntityState_Request");
    std::string entity;
    EntityState state;
    bool set_pose = false;
    bool set_twist = false;
    bool set_acceleration = false;
    static void each(auto& m, auto&& f) {
      f("entity", m.entity);
      f("state", m.state);
      f("set_pose", m.set_pose);
      f("set_twist", m.set_twist);
      f("set_acceleration", m.set_acceleration);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("SetEntityState_Response");
    static constexpr Constant kConstants[] = {
        {"uint8", "INVALID_POSE", "101"}};
    Result result;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
    }
  };
};

struct GetEntityInfo {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetEntityInfo";
  struct Request {
    static constexpr MessageName kName = half("GetEntityInfo_Request");
    std::string entity;
    static void each(auto& m, auto&& f) {
      f("entity", m.entity);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("GetEntityInfo_Response");
    Result result;
    EntityInfo info;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("info", m.info);
    }
  };
};

struct SetEntityInfo {
  static constexpr std::string_view kType = "simulation_interfaces/srv/SetEntityInfo";
  struct Request {
    static constexpr MessageName kName = half("SetEntityInfo_Request");
    std::string entity;
    EntityInfo info;
    static void each(auto& m, auto&& f) {
      f("entity", m.entity);
      f("info", m.info);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("SetEntityInfo_Response");
    Result result;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
    }
  };
};

struct GetEntityBounds {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetEntityBounds";
  struct Request {
    static constexpr MessageName kName = half("GetEntityBounds_Request");
    std::string entity;
    static void each(auto& m, auto&& f) {
      f("entity", m.entity);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("GetEntityBounds_Response");
    Result result;
    Bounds bounds;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("bounds", m.bounds);
    }
  };
};

struct GetSpawnables {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetSpawnables";
  struct Request {
    static constexpr MessageName kName = half("GetSpawnables_Request");
    std::vector<std::string> sources;
    static void each(auto& m, auto&& f) {
      f("sources", m.sources);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("GetSpawnables_Response");
    Result result;
    std::vector<Spawnable> spawnables;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("spawnables", m.spawnables);
    }
  };
};

struct GetNamedPoses {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetNamedPoses";
  struct Request {
    static constexpr MessageName kName = half("GetNamedPoses_Request");
    TagsFilter tags;
    static void each(auto& m, auto&& f) {
      f("tags", m.tags);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("GetNamedPoses_Response");
    Result result;
    std::vector<NamedPose> poses;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("poses", m.poses);
    }
  };
};

struct GetNamedPoseBounds {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetNamedPoseBounds";
  struct Request {
    static constexpr MessageName kName = half("GetNamedPoseBounds_Request");
    std::string name;
    static void each(auto& m, auto&& f) {
      f("name", m.name);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("GetNamedPoseBounds_Response");
    Result result;
    Bounds bounds;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("bounds", m.bounds);
    }
  };
};

struct GetAvailableWorlds {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetAvailableWorlds";
  struct Request {
    static constexpr MessageName kName = half("GetAvailableWorlds_Request");
    std::vector<std::string> additional_sources;
    TagsFilter filter;
    bool offline_only = false;
    bool continue_on_error = false;
    static void each(auto& m, auto&& f) {
      f("additional_sources", m.additional_sources);
      f("filter", m.filter);
      f("offline_only", m.offline_only);
      f("continue_on_error", m.continue_on_error);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("GetAvailableWorlds_Response");
    static constexpr Constant kConstants[] = {
        {"uint8", "DEFAULT_SOURCES_FAILED", "101"}};
    Result result;
    std::vector<WorldResource> worlds;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("worlds", m.worlds);
    }
  };
};

/// In place of the world that there is.
struct LoadWorld {
  static constexpr std::string_view kType = "simulation_interfaces/srv/LoadWorld";
  struct Request {
    static constexpr MessageName kName = half("LoadWorld_Request");
    Resource world_resource;
    bool fail_on_unsupported_element = false;
    bool ignore_missing_or_unsupported_assets = false;
    static void each(auto& m, auto&& f) {
      f("world_resource", m.world_resource);
      f("fail_on_unsupported_element", m.fail_on_unsupported_element);
      f("ignore_missing_or_unsupported_assets", m.ignore_missing_or_unsupported_assets);
    }
  };
  struct Response {
    static constexpr MessageName kName = half("LoadWorld_Response");
    static constexpr Constant kConstants[] = {
        {"uint8", "UNSUPPORTED_FORMAT", "101"},
        {"uint8", "NO_RESOURCE", "102"},
        {"uint8", "RESOURCE_PARSE_ERROR", "103"},
        {"uint8", "MISSING_ASSETS", "104"},
        {"uint8", "UNSUPPORTED_ASSETS", "105"},
        {"uint8", "UNSUPPORTED_ELEMENTS", "106"}};
    Result result;
    WorldResource world;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("world", m.world);
    }
  };
};

struct UnloadWorld {
  static constexpr std::string_view kType = "simulation_interfaces/srv/UnloadWorld";
  struct Request {
    static constexpr MessageName kName = half("UnloadWorld_Request");
    static void each(auto&, auto&&) {}
  };
  struct Response {
    static constexpr MessageName kName = half("UnloadWorld_Response");
    static constexpr Constant kConstants[] = {
        {"uint8", "NO_WORLD_LOADED", "101"}};
    Result result;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
    }
  };
};

struct GetCurrentWorld {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetCurrentWorld";
  struct Request {
    static constexpr MessageName kName = half("GetCurrentWorld_Request");
    static void each(auto&, auto&&) {}
  };
  struct Response {
    static constexpr MessageName kName = half("GetCurrentWorld_Response");
    static constexpr Constant kConstants[] = {
        {"uint8", "NO_WORLD_LOADED", "101"}};
    Result result;
    WorldResource world;
    static void each(auto& m, auto&& f) {
      f("result", m.result);
      f("world", m.world);
    }
  };
};

}  // namespace protobeam::message::simulation
