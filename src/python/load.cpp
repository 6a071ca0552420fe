// Worlds of every language that the program reads, for Python.
#include "app/world_files.h"
#include "base/memory_budget.h"
#include "base/named_files.h"
#include "python/bindings.h"
#include "wbt/field_settings.h"

namespace protobeam::python {

World load(const LoadArguments& arguments) {
  for (const std::string& folder : arguments.allow_path) allow_files_below(folder);
  set_memory_budget(default_memory_budget());
  SimulationOptions options;
  options.read = [&](const std::filesystem::path& file, const wbt::LoadOptions& load,
                     Diagnostics& diagnostics) {
    wbt::LoadOptions with = load;
    for (const auto& [path, value] : arguments.parameters) {
      with.settings.push_back({path, value, "parameters"});
    }
    return read_world(file, {arguments.seed.value_or(0), false, {}}, with, diagnostics);
  };
  for (const std::string& folder : arguments.proto_path) options.proto_path.emplace_back(folder);
  options.lenient = arguments.lenient;
  options.build.threads = arguments.threads;
  options.build.seed = arguments.seed;
  Diagnostics diagnostics;
  if (!is_world_file(arguments.file)) {
    diagnostics.error({}, "'" + arguments.file.string() +
                              "' is no world by its name: worlds end in .wbt, those of MVSim in "
                              ".xml, those of Gazebo in .sdf or .world, robots in .urdf");
    throw LoadError(diagnostics);
  }
  auto simulation = Simulation::load(arguments.file, options, diagnostics);
  if (!simulation) throw LoadError(diagnostics);
  return {std::make_shared<EmbeddedWorld>(std::move(simulation)), diagnostics.all()};
}

}  // namespace protobeam::python
