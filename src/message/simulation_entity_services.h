// Services of simulation_interfaces 2.1 for entities. ROS 2 Humble, Jazzy and Kilted have releases
// 1.x of the package: what is another message there is the Older of a service.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "message/any_message.h"
#include "message/simulation_interfaces.h"

namespace protobeam::message::simulation {

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
        {"uint8", "NAME_NOT_UNIQUE", "101"},    {"uint8", "NAME_INVALID", "102"},
        {"uint8", "UNSUPPORTED_FORMAT", "103"}, {"uint8", "NO_RESOURCE", "104"},
        {"uint8", "NAMESPACE_INVALID", "105"},  {"uint8", "RESOURCE_PARSE_ERROR", "106"},
        {"uint8", "MISSING_ASSETS", "107"},     {"uint8", "UNSUPPORTED_ASSETS", "108"},
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
    static void each(auto& m, auto&& f) { f("spawn_requests", m.spawn_requests); }
  };
  struct Response {
    static constexpr MessageName kName = half("SpawnEntities_Response");
    static constexpr Constant kConstants[] = {{"uint8", "ENTITIES_SPAWN_FAILED", "150"}};
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
    static void each(auto& m, auto&& f) { f("entity", m.entity); }
  };
  struct Response {
    static constexpr MessageName kName = half("DeleteEntity_Response");
    Result result;
    static void each(auto& m, auto&& f) { f("result", m.result); }
  };
};

/// Names of entities.
struct GetEntities {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetEntities";
  struct Request {
    static constexpr MessageName kName = half("GetEntities_Request");
    EntityFilters filters;
    static void each(auto& m, auto&& f) { f("filters", m.filters); }
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
    static void each(auto& m, auto&& f) { f("filters", m.filters); }
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
    static void each(auto& m, auto&& f) { f("entity", m.entity); }
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
    static constexpr Constant kConstants[] = {{"uint8", "INVALID_POSE", "101"}};
    Result result;
    static void each(auto& m, auto&& f) { f("result", m.result); }
  };
  /// Without flags: what comes is set.
  struct Older {
    struct Request {
      static constexpr MessageName kName = half("SetEntityState_Request");
      std::string entity;
      EntityState state;
      static void each(auto& m, auto&& f) {
        f("entity", m.entity);
        f("state", m.state);
      }
    };
    using Response = SetEntityState::Response;
    /// Its bytes end before the flags.
    static bool asked_by(std::span<const std::uint8_t> cdr) {
      try {
        from_cdr<SetEntityState::Request>(cdr);
        return false;
      } catch (const std::runtime_error&) {
        return true;
      }
    }
    static SetEntityState::Request newer(Request request) {
      return {std::move(request.entity), std::move(request.state), true, true, false};
    }
    static Response older(const Response& response) { return response; }
  };
};

struct GetEntityInfo {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetEntityInfo";
  struct Request {
    static constexpr MessageName kName = half("GetEntityInfo_Request");
    std::string entity;
    static void each(auto& m, auto&& f) { f("entity", m.entity); }
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
    static void each(auto& m, auto&& f) { f("result", m.result); }
  };
};

struct GetEntityBounds {
  static constexpr std::string_view kType = "simulation_interfaces/srv/GetEntityBounds";
  struct Request {
    static constexpr MessageName kName = half("GetEntityBounds_Request");
    std::string entity;
    static void each(auto& m, auto&& f) { f("entity", m.entity); }
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
    static void each(auto& m, auto&& f) { f("sources", m.sources); }
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
  struct Older {
    using Request = GetSpawnables::Request;
    struct Spawnable {
      static constexpr MessageName kName{"simulation_interfaces", "Spawnable"};
      std::string uri;
      std::string description;
      Bounds spawn_bounds;
      static void each(auto& m, auto&& f) {
        f("uri", m.uri);
        f("description", m.description);
        f("spawn_bounds", m.spawn_bounds);
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
    static Request newer(const Request& request) { return request; }
    static Response older(const GetSpawnables::Response& response) {
      Response out{response.result, {}};
      for (const auto& one : response.spawnables)
        out.spawnables.push_back({one.entity_resource.uri, one.description, one.spawn_bounds});
      return out;
    }
  };
};

}  // namespace protobeam::message::simulation
