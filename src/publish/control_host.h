// What the program around a simulation does for those that control it from outside.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "message/simulation_entity_services.h"
#include "message/simulation_services.h"
#include "publish/publisher.h"
#include "wbt/document.h"

namespace protobeam {

/// What a Resource names or says.
struct SpawnModel {
  /// Of a Result of SpawnEntity; other than kOk: `why` is for who asked.
  std::uint8_t result = message::simulation::Result::kOk;
  std::string why;
  wbt::Document document;            ///< with one Solid or Robot
  wbt::Document contact_properties;  ///< ... and what it says of its contacts; may be empty
  std::string warnings{};            ///< of one that is good: what was repaired or left out
};

/// A world that a Resource names.
struct WorldChoice {
  /// Of a Result of LoadWorld; other than kOk: the text says why.
  message::simulation::Result result{message::simulation::Result::kOk, ""};
  std::filesystem::path file;
  bool lenient = false;  ///< goes on without what is unknown or missing
};

/// Each may be empty: then nobody is offered what needs it.
struct ControlHost {
  /// Reads what is in no language of worlds: a file of a model by its path or address, or XML.
  std::function<SpawnModel(const message::simulation::Resource&, Simulation&)> read;
  /// Entities have come or gone: tells all who follow them.
  std::function<void()> changed;
  /// Who publishes for robots; may be null.
  Publisher* publisher = nullptr;
  /// What SpawnEntity takes.
  std::function<message::simulation::GetSpawnables::Response(
      const message::simulation::GetSpawnables::Request&, Simulation&)>
      spawnables{};
  /// What LoadWorld is to load, and what it may.
  std::function<WorldChoice(const message::simulation::LoadWorld::Request&, Simulation&)>
      find_world{};
  std::function<message::simulation::GetAvailableWorlds::Response(
      const message::simulation::GetAvailableWorlds::Request&, Simulation&)>
      worlds{};
};

}  // namespace protobeam
