// Messages of simulation_interfaces 2.1 (ros-simulation/simulation_interfaces): how programs of ROS
// 2 control a simulator, whichever it is. The services are in simulation_services.h and
// simulation_entity_services.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "message/geometry_msgs.h"

namespace protobeam::message::simulation {

/// The name of a request or a response.
constexpr MessageName half(std::string_view name) {
  return {"simulation_interfaces", name, "simulation_interfaces", "srv"};
}

/// How a request went; numbers from 101 on are of one service.
struct Result {
  static constexpr MessageName kName{"simulation_interfaces", "Result"};
  static constexpr Constant kConstants[] = {
      {"uint8", "RESULT_FEATURE_UNSUPPORTED", "0"},
      {"uint8", "RESULT_OK", "1"},
      {"uint8", "RESULT_NOT_FOUND", "2"},
      {"uint8", "RESULT_INCORRECT_STATE", "3"},
      {"uint8", "RESULT_OPERATION_FAILED", "4"}};
  enum Code : std::uint8_t { kUnsupported, kOk, kNotFound, kIncorrectState, kFailed };
  std::uint8_t result = 0;
  std::string error_message;
  static void each(auto& m, auto&& f) {
    f("result", m.result);
    f("error_message", m.error_message);
  }
};

/// A model or a world: where it is, or its text.
struct Resource {
  static constexpr MessageName kName{"simulation_interfaces", "Resource"};
  std::string uri;
  std::string resource_string;  ///< instead of uri
  static void each(auto& m, auto&& f) {
    f("uri", m.uri);
    f("resource_string", m.resource_string);
  }
};

struct SimulationState {
  static constexpr MessageName kName{"simulation_interfaces", "SimulationState"};
  static constexpr Constant kConstants[] = {
      {"uint8", "STATE_STOPPED", "0"},
      {"uint8", "STATE_PLAYING", "1"},
      {"uint8", "STATE_PAUSED", "2"},
      {"uint8", "STATE_QUITTING", "3"},
      {"uint8", "STATE_NO_WORLD", "4"},
      {"uint8", "STATE_LOADING_WORLD", "5"}};
  enum State : std::uint8_t { kStopped, kPlaying, kPaused, kQuitting, kNoWorld, kLoadingWorld };
  std::uint8_t state = 0;
  static void each(auto& m, auto&& f) {
    f("state", m.state);
  }
};

/// What a simulator can do: the numbers of those constants that hold.
struct SimulatorFeatures {
  static constexpr MessageName kName{"simulation_interfaces", "SimulatorFeatures"};
  static constexpr Constant kConstants[] = {
      {"uint8", "SPAWNING", "0"},
      {"uint8", "DELETING", "1"},
      {"uint8", "NAMED_POSES", "2"},
      {"uint8", "POSE_BOUNDS", "3"},
      {"uint8", "ENTITY_TAGS", "4"},
      {"uint8", "ENTITY_BOUNDS", "5"},
      {"uint8", "ENTITY_BOUNDS_BOX", "6"},
      {"uint8", "ENTITY_BOUNDS_CONVEX", "7"},
      {"uint8", "ENTITY_CATEGORIES", "8"},
      {"uint8", "SPAWNING_RESOURCE_STRING", "9"},
      {"uint8", "ENTITY_STATE_GETTING", "10"},
      {"uint8", "ENTITY_STATE_SETTING", "11"},
      {"uint8", "ENTITY_INFO_GETTING", "12"},
      {"uint8", "ENTITY_INFO_SETTING", "13"},
      {"uint8", "SPAWNABLES", "14"},
      {"uint8", "SIMULATION_RESET", "20"},
      {"uint8", "SIMULATION_RESET_TIME", "21"},
      {"uint8", "SIMULATION_RESET_STATE", "22"},
      {"uint8", "SIMULATION_RESET_SPAWNED", "23"},
      {"uint8", "SIMULATION_STATE_GETTING", "24"},
      {"uint8", "SIMULATION_STATE_SETTING", "25"},
      {"uint8", "SIMULATION_STATE_PAUSE", "26"},
      {"uint8", "STEP_SIMULATION_SINGLE", "31"},
      {"uint8", "STEP_SIMULATION_MULTIPLE", "32"},
      {"uint8", "STEP_SIMULATION_ACTION", "33"},
      {"uint8", "WORLD_LOADING", "40"},
      {"uint8", "WORLD_RESOURCE_STRING", "41"},
      {"uint8", "WORLD_TAGS", "42"},
      {"uint8", "WORLD_UNLOADING", "43"},
      {"uint8", "WORLD_INFO_GETTING", "44"},
      {"uint8", "AVAILABLE_WORLDS", "45"},
      {"uint8", "SPAWNING_ENTITIES", "50"}};
  std::vector<std::uint16_t> features;
  std::vector<std::string> spawn_formats;  ///< "wbt", "sdf"
  std::string custom_info;
  static void each(auto& m, auto&& f) {
    f("features", m.features);
    f("spawn_formats", m.spawn_formats);
    f("custom_info", m.custom_info);
  }
};

/// What `points` are depends on `type`: two corners of a box, a hull, centre and (radius, 0, 0) of a
/// sphere.
struct Bounds {
  static constexpr MessageName kName{"simulation_interfaces", "Bounds"};
  static constexpr Constant kConstants[] = {
      {"uint8", "TYPE_EMPTY", "0"},
      {"uint8", "TYPE_BOX", "1"},
      {"uint8", "TYPE_CONVEX_HULL", "2"},
      {"uint8", "TYPE_SPHERE", "3"}};
  enum Type : std::uint8_t { kEmpty, kBox, kConvexHull, kSphere };
  std::uint8_t type = 0;
  std::vector<Vector3> points;
  static void each(auto& m, auto&& f) {
    f("type", m.type);
    f("points", m.points);
  }
};

struct EntityCategory {
  static constexpr MessageName kName{"simulation_interfaces", "EntityCategory"};
  static constexpr Constant kConstants[] = {
      {"uint8", "CATEGORY_OBJECT", "0"},
      {"uint8", "CATEGORY_ROBOT", "1"},
      {"uint8", "CATEGORY_HUMAN", "2"},
      {"uint8", "CATEGORY_DYNAMIC_OBJECT", "4"},
      {"uint8", "CATEGORY_STATIC_OBJECT", "5"}};
  enum Category : std::uint8_t { kObject, kRobot, kHuman, kDynamicObject = 4, kStaticObject };
  std::uint8_t category = 0;
  static void each(auto& m, auto&& f) {
    f("category", m.category);
  }
};

struct TagsFilter {
  static constexpr MessageName kName{"simulation_interfaces", "TagsFilter"};
  static constexpr Constant kConstants[] = {
      {"uint8", "FILTER_MODE_ANY", "0"},
      {"uint8", "FILTER_MODE_ALL", "1"}};
  enum Mode : std::uint8_t { kAny, kAll };
  std::vector<std::string> tags;
  std::uint8_t filter_mode = 0;
  static void each(auto& m, auto&& f) {
    f("tags", m.tags);
    f("filter_mode", m.filter_mode);
  }
};

/// Empty fields let everything through.
struct EntityFilters {
  static constexpr MessageName kName{"simulation_interfaces", "EntityFilters"};
  std::string filter;  ///< regular expression of POSIX for names
  std::vector<EntityCategory> categories;
  TagsFilter tags;
  Bounds bounds;
  static void each(auto& m, auto&& f) {
    f("filter", m.filter);
    f("categories", m.categories);
    f("tags", m.tags);
    f("bounds", m.bounds);
  }
};

struct EntityInfo {
  static constexpr MessageName kName{"simulation_interfaces", "EntityInfo"};
  EntityCategory category;
  std::string description;
  std::vector<std::string> tags;
  static void each(auto& m, auto&& f) {
    f("category", m.category);
    f("description", m.description);
    f("tags", m.tags);
  }
};

/// header.frame_id says in which frame; empty: the world's.
struct EntityState {
  static constexpr MessageName kName{"simulation_interfaces", "EntityState"};
  Header header;
  Pose pose;
  Twist twist;
  Accel acceleration;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("pose", m.pose);
    f("twist", m.twist);
    f("acceleration", m.acceleration);
  }
};

/// A place of the world that has a name.
struct NamedPose {
  static constexpr MessageName kName{"simulation_interfaces", "NamedPose"};
  std::string name;
  std::string description;
  std::vector<std::string> tags;
  Pose pose;
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("description", m.description);
    f("tags", m.tags);
    f("pose", m.pose);
  }
};

/// One of several entities of a request.
struct SpawnEntity {
  static constexpr MessageName kName{"simulation_interfaces", "SpawnEntity"};
  std::string name;
  bool allow_renaming = false;
  Resource entity_resource;
  std::string entity_namespace;  ///< for its topics
  PoseStamped initial_pose;
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("allow_renaming", m.allow_renaming);
    f("entity_resource", m.entity_resource);
    f("entity_namespace", m.entity_namespace);
    f("initial_pose", m.initial_pose);
  }
};

struct SpawnResult {
  static constexpr MessageName kName{"simulation_interfaces", "SpawnResult"};
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

struct Spawnable {
  static constexpr MessageName kName{"simulation_interfaces", "Spawnable"};
  Resource entity_resource;
  std::string description;
  Bounds spawn_bounds;
  static void each(auto& m, auto&& f) {
    f("entity_resource", m.entity_resource);
    f("description", m.description);
    f("spawn_bounds", m.spawn_bounds);
  }
};

struct WorldResource {
  static constexpr MessageName kName{"simulation_interfaces", "WorldResource"};
  std::string name;
  Resource world_resource;
  std::string description;
  std::vector<std::string> tags;
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("world_resource", m.world_resource);
    f("description", m.description);
    f("tags", m.tags);
  }
};

}  // namespace protobeam::message::simulation
