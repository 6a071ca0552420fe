#include "app/control_host.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/named_sources.h"
#include "app/spawn_models.h"
#include "app/spawnables.h"
#include "base/file_names.h"
#include "publish/spawning.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

namespace sim = message::simulation;
using Code = sim::Result::Code;

constexpr std::uint8_t kWorldFormat = 101, kWorldParseError = 103,
                       kWorldAssets = 104;           // of LoadWorld
constexpr std::uint8_t kDefaultSourcesFailed = 101;  // of GetAvailableWorlds

WorldFileOptions file_options(const RunArguments& arguments) {
  return {arguments.seed.value_or(0),
          arguments.allow_shell,
          packages_of(arguments.packages),
          {arguments.controllers.begin(), arguments.controllers.end()}};
}

bool is_world(const fs::path& file) {
  if (extension_of(file) == ".wbt") return true;
  if (is_mvsim_file(file)) {
    const std::string tag = first_tag_of(beginning_of(file));
    return tag == "mvsim_world" || tag == "world";  // as check_any_file() tells them
  }
  return is_sdf_file(file) && beginning_of(file).find("<world") != std::string::npos;
}

WorldChoice find_world(const sim::LoadWorld::Request& asked, Simulation& simulation,
                       const RunArguments& arguments, bool lenient) {
  const std::string& uri = asked.world_resource.uri;
  WorldChoice out;
  out.lenient =
      (lenient || asked.ignore_missing_or_unsupported_assets) && !asked.fail_on_unsupported_element;
  if (const std::string scheme = unknown_scheme(uri); !scheme.empty()) {
    out.result = {kWorldFormat, no_scheme(uri, scheme)};
    return out;
  }
  Diagnostics diagnostics;
  const auto file =
      NamedSources(simulation, file_options(arguments), lenient).locate(uri, diagnostics);
  std::error_code failed;
  if (!file)
    out.result = {Code::kNotFound, diagnostics.to_string()};
  else if (!is_world_file(*file))
    out.result = {kWorldFormat,
                  fmt::format("'{}' is no world that is read: a .wbt, an .xml of MVSim, an .sdf or "
                              ".world of Gazebo, or a robot in .urdf",
                              uri)};
  else if (!fs::is_regular_file(*file, failed))
    out.result = {Code::kNotFound, fmt::format("there is no file '{}'", file->string())};
  else
    out.file = *file;
  return out;
}

void add_worlds(const std::vector<fs::path>& files, sim::GetAvailableWorlds::Response& out) {
  for (const fs::path& file : files) {
    if (!is_world(file)) continue;
    sim::WorldResource world;
    world.name = file.stem().string();
    world.world_resource.uri = file.string();
    out.worlds.push_back(std::move(world));
  }
}

sim::GetAvailableWorlds::Response list_worlds(const sim::GetAvailableWorlds::Request& asked,
                                              Simulation& simulation, const RunArguments& arguments,
                                              bool lenient) {
  NamedSources sources(simulation, file_options(arguments), lenient);
  sim::GetAvailableWorlds::Response out;
  out.result = {Code::kOk, ""};
  std::error_code failed;
  const fs::directory_iterator readable(sources.folder(), failed);
  if (failed) {
    out.result = {kDefaultSourcesFailed, fmt::format("cannot read the folder {}: {}",
                                                     sources.folder().string(), failed.message())};
    if (!asked.continue_on_error) return out;
  }
  add_worlds(files_below(sources.folder(), 0), out);
  std::vector<std::string> problems;
  for (const std::string& source : asked.additional_sources) {
    const auto files = sources.files(source);
    if (files)
      add_worlds(*files, out);
    else
      problems.push_back(fmt::format("there is no folder or file '{}'", source));
  }
  if (problems.empty()) return out;
  const bool goes_on = asked.continue_on_error && !out.worlds.empty();
  out.result = {goes_on ? Code::kOk : Code::kFailed, fmt::format("{}", fmt::join(problems, "; "))};
  if (!goes_on) out.worlds.clear();
  return out;
}

}  // namespace

ControlHost control_host(const RunArguments& arguments, std::function<bool()> lenient) {
  ControlHost out;
  out.read = [&arguments, lenient](const sim::Resource& resource, Simulation& simulation) {
    return read_spawn_model(resource, simulation, file_options(arguments), lenient());
  };
  out.spawnables = [&arguments, lenient](const sim::GetSpawnables::Request& asked,
                                         Simulation& simulation) {
    NamedSources sources(simulation, file_options(arguments), lenient());
    return list_spawnables(asked, simulation, sources, arguments.proto_path);
  };
  out.find_world = [&arguments, lenient](const sim::LoadWorld::Request& asked,
                                         Simulation& simulation) {
    return find_world(asked, simulation, arguments, lenient());
  };
  out.worlds = [&arguments, lenient](const sim::GetAvailableWorlds::Request& asked,
                                     Simulation& simulation) {
    return list_worlds(asked, simulation, arguments, lenient());
  };
  return out;
}

std::uint8_t load_world_code(const Diagnostics& diagnostics) {
  return only_missing(diagnostics) ? kWorldAssets : kWorldParseError;
}

}  // namespace protobeam
