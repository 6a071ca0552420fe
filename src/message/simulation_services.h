// Services of simulation_interfaces 2.1 for the simulation and its worlds: pairs of messages, a
// request and its response. Those for entities are in simulation_entity_services.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "message/simulation_interfaces.h"

namespace protobeam::message::simulation {

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
