// The services of simulation_interfaces for worlds and their named poses, and what is offered at
// all.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "message/simulation_services.h"
#include "publish/robot_state.h"
#include "publish/simulation_control.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;
namespace sim = message::simulation;
using Code = sim::Result::Code;

sim::NamedPose named_pose_message(const NamedPoseSettings& one) {
  return {one.name, one.description, one.tags, pose_message(one.X_WN)};
}

}  // namespace

/// By the numbers of SimulatorFeatures.
std::vector<std::uint16_t> SimulationControl::features() const {
  // SPAWNING, DELETING, NAMED_POSES, POSE_BOUNDS, ENTITY_TAGS, ENTITY_BOUNDS and _BOX,
  // ENTITY_CATEGORIES, SPAWNING_RESOURCE_STRING, ENTITY_STATE_* and ENTITY_INFO_*.
  std::vector<std::uint16_t> out = {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13};
  const auto add = [&out](std::initializer_list<std::uint16_t> more) {
    out.insert(out.end(), more);
  };
  if (host_.spawnables) add({14});
  // SIMULATION_RESET and its scopes, SIMULATION_STATE_*, STEP_SIMULATION_*.
  add({20, 21, 22, 23, 24, 25, 26, 31, 32, 33});
  if (host_.find_world) add({40});
  add({44});  // WORLD_INFO_GETTING
  if (host_.worlds) add({45});
  add({50});  // SPAWNING_ENTITIES
  return out;
}

sim::WorldResource SimulationControl::current_world() const {
  sim::WorldResource out;
  std::error_code failed;
  const fs::path& file = simulation_->world().file;
  const fs::path whole = fs::absolute(file, failed);
  out.name = simulation_->model().title;
  if (out.name.empty()) out.name = file.stem().string();
  out.world_resource.uri = (failed ? file : whole).lexically_normal().string();
  return out;
}

/// Those of the file of settings and of the world; the file says where one is that both name.
std::vector<NamedPoseSettings> SimulationControl::named_poses() const {
  std::vector<NamedPoseSettings> out;
  if (host_.publisher) out = host_.publisher->settings().named_poses;
  for (const NamedPoseSettings& one : simulation_->model().publishing.named_poses) {
    if (std::ranges::find(out, one.name, &NamedPoseSettings::name) == out.end()) out.push_back(one);
  }
  return out;
}

void SimulationControl::offer_worlds() {
  offer<sim::GetSimulatorFeatures>("get_simulator_features", [this](const auto&) {
    using S = sim::GetSimulatorFeatures::Response;
    S out;
    out.features.features = features();
    out.features.spawn_formats = {"wbt", "proto"};
    if (host_.read)
      out.features.spawn_formats.insert(out.features.spawn_formats.end(), {"urdf", "sdf"});
    out.features.custom_info =
        "Entities are the Solids that stand in no other one. A reset is of "
        "everything.";
    return std::optional<S>(out);
  });
  offer<sim::GetCurrentWorld>("get_current_world", [this](const auto&) {
    return std::optional(sim::GetCurrentWorld::Response{{Code::kOk, ""}, current_world()});
  });
  offer<sim::GetAvailableWorlds>(
      "get_available_worlds", [this](const sim::GetAvailableWorlds::Request& asked) {
        sim::GetAvailableWorlds::Response out;
        if (!host_.worlds)
          out.result = {Code::kUnsupported, "what worlds there are is not listed here"};
        else if (!asked.filter.tags.empty())
          out.result = {Code::kUnsupported, "worlds have no tags here"};
        else
          out = host_.worlds(asked, *simulation_);
        return std::optional(out);
      });
  offer<sim::LoadWorld>(
      "load_world",
      [this](const sim::LoadWorld::Request& asked) -> std::optional<sim::LoadWorld::Response> {
        constexpr std::uint8_t kNoResource = 102;
        const sim::Resource& resource = asked.world_resource;
        sim::LoadWorld::Response out;
        if (!host_.find_world) {
          out.result = {Code::kUnsupported, "no other world is loaded here"};
        } else if (resource.uri.empty() && resource.resource_string.empty()) {
          out.result = {kNoResource, "a uri is needed"};
        } else if (resource.uri.empty()) {
          out.result = {Code::kUnsupported, "worlds are loaded from files: a uri is needed"};
        } else if (steps_left_ > 0) {
          out.result = {Code::kIncorrectState, "it makes the steps that were asked for"};
        } else if (resetting_.sink) {
          out.result = {Code::kIncorrectState, kIsReset};
        } else {
          WorldChoice choice = host_.find_world(asked, *simulation_);
          if (choice.result.result == Code::kOk) {
            wanted_ = std::move(choice);
            resetting_ = current_;
            return std::nullopt;
          }
          out.result = std::move(choice.result);
        }
        return out;
      });
  offer<sim::UnloadWorld>("unload_world", [](const auto&) {
    return std::optional(sim::UnloadWorld::Response{
        {Code::kUnsupported, "a run always has a world: load another one by /load_world"}});
  });
}

void SimulationControl::offer_named_poses() {
  offer<sim::GetNamedPoses>("get_named_poses", [this](const sim::GetNamedPoses::Request& asked) {
    sim::GetNamedPoses::Response out;
    out.result = {Code::kOk, ""};
    if (const std::string problem = problem_with(asked.tags); !problem.empty())
      out.result = {Code::kFailed, problem};
    else
      for (const NamedPoseSettings& one : named_poses())
        if (passes(asked.tags, one.tags)) out.poses.push_back(named_pose_message(one));
    return std::optional(out);
  });
  offer<sim::GetNamedPoseBounds>("get_named_pose_bounds", [this](const sim::GetNamedPoseBounds::
                                                                     Request& asked) {
    sim::GetNamedPoseBounds::Response out;
    const auto all = named_poses();
    const auto found = std::ranges::find(all, asked.name, &NamedPoseSettings::name);
    if (found == all.end()) {
      std::vector<std::string> names;
      for (const NamedPoseSettings& one : all) names.push_back(one.name);
      const std::string hint = did_you_mean(asked.name, names);
      out.result = {Code::kNotFound, fmt::format("there is no named pose '{}'{}{}", asked.name,
                                                 hint.empty() ? "" : "; ", hint)};
      return std::optional(out);
    }
    out.result = {Code::kOk, ""};
    if (found->bounded()) {
      out.bounds.type = sim::Bounds::kBox;
      out.bounds.points = {vector_message(found->bounds_max), vector_message(found->bounds_min)};
    }
    return std::optional(out);
  });
}

}  // namespace protobeam
