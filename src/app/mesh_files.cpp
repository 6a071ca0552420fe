#include "app/mesh_files.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "app/log.h"
#include "geometry/mesh_store.h"

namespace protobeam {

MeshFile mesh_files() {
  return [store = std::make_shared<MeshStore>(MeshStore::of_user()),
          told = false](const std::shared_ptr<const Geometry>& shape) mutable -> std::string {
    try {
      return store->address_of(shape);
    } catch (const std::runtime_error& problem) {
      if (!std::exchange(told, true))
        log_note(fmt::format("robot_description is without meshes: {}", problem.what()));
      return "";
    }
  };
}

}  // namespace protobeam
