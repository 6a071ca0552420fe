// Entities that other programs bring into the world and take out of it, as the service SpawnEntity
// of simulation_interfaces means it: Solids and Robots with their controllers, of any language of
// models.
#pragma once

#include <cstdint>
#include <string>

#include "base/diagnostics.h"
#include "message/simulation_entity_services.h"
#include "publish/control_host.h"
#include "publish/entities.h"

namespace protobeam {

// Of SpawnEntity.
constexpr std::uint8_t kNameNotUnique = 101, kNameInvalid = 102, kUnsupportedFormat = 103,
                       kNoResource = 104, kNamespaceInvalid = 105, kResourceParseError = 106,
                       kMissingAssets = 107, kInvalidPose = 109;
// Of SpawnEntities.
constexpr std::uint8_t kSpawnFailed = 150;

/// What is wrong is only that files are not there.
bool only_missing(const Diagnostics& diagnostics);

class Spawning {
 public:
  using Host = ControlHost;
  using Request = message::simulation::SpawnEntityService::Request;
  using Response = message::simulation::SpawnEntityService::Response;

  /// All must outlive this.
  Spawning(Simulation& simulation, Entities& entities, const Host& host)
      : simulation_(simulation), entities_(entities), host_(host) {}

  Response spawn(const Request& asked);
  /// One after the other; what is refused does not hinder the others.
  message::simulation::SpawnEntities::Response spawn_all(
      const message::simulation::SpawnEntities::Request& asked);
  /// "" or why it stays.
  std::string remove(int solid);

 private:
  SpawnModel read(const message::simulation::Resource& resource);
  Response refuse_model(const message::simulation::Resource& resource,
                        const Diagnostics& diagnostics) const;
  std::string failed_controllers(int solid) const;
  bool taken(const std::string& name) const;
  std::string introduce(int solid, const std::string& space);

  Simulation& simulation_;
  Entities& entities_;
  const Host& host_;
};

}  // namespace protobeam
