#include "app/world_files.h"

#include <cctype>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "assets/asset_store.h"
#include "base/file_names.h"
#include "base/named_files.h"
#include "mvsim/files.h"
#include "mvsim/load.h"
#include "sdf/to_webots.h"
#include "sim/build_config.h"
#include "sim/paths.h"
#include "urdf/to_webots.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

/// Sensor definitions under the names of MVSim's own, for who has not installed it.
fs::path stand_in_for_mvsim() {
  const InstalledPaths& paths = installed_paths();
  return paths.source_tree ? fs::path(kSourceDir) / "mvsim"
                           : paths.catalogue.parent_path() / "mvsim";
}

mvsim::LoadOptions mvsim_options(const WorldFileOptions& options,
                                 std::vector<NamedAddress>* addresses) {
  mvsim::LoadOptions out;
  allow_files_below(installed_paths().catalogue.parent_path());  // the meshes of our definitions
  out.seed = options.seed;
  out.allow_shell = options.allow_shell;
  out.addresses = addresses;
  if (mvsim::package_prefix(out, "mvsim").empty()) out.packages["mvsim"] = stand_in_for_mvsim();
  return out;
}

}  // namespace

std::string beginning_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(std::size_t{1} << 20, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::string first_tag_of(std::string_view text) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (text.substr(at, 4) == "<!--") {
      at = text.find("-->", at);
      if (at == std::string_view::npos) break;
      continue;
    }
    if (at + 1 >= text.size() || !std::isalpha(static_cast<unsigned char>(text[at + 1]))) continue;
    const auto end = text.find_first_of(" \t\r\n/>", at);
    return std::string(text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1));
  }
  return {};
}

bool is_world_file(const fs::path& file) {
  return extension_of(file) == ".wbt" || is_mvsim_file(file) || is_sdf_file(file) ||
         is_urdf_file(file);
}

bool is_mvsim_file(const fs::path& file) { return extension_of(file) == ".xml"; }

bool is_sdf_file(const fs::path& file) {
  const std::string extension = extension_of(file);
  return extension == ".sdf" || extension == ".world";
}

bool is_urdf_file(const fs::path& file) {
  const std::string extension = extension_of(file);
  return extension == ".urdf" || extension == ".xacro";
}

urdf::Options urdf_options(const WorldFileOptions& options, bool lenient) {
  urdf::Options out;
  out.packages = options.packages;
  out.controllers = options.controllers;
  out.lenient = lenient;
  return out;
}

std::optional<mvsim::WebotsWorld> read_mvsim_world(const fs::path& file,
                                                   const WorldFileOptions& options,
                                                   const fs::path& folder, Diagnostics& diagnostics,
                                                   std::vector<NamedAddress>* addresses) {
  const mvsim::LoadOptions load = mvsim_options(options, addresses);
  const mvsim::LoadedFile world = mvsim::load_world(file, load, diagnostics);
  if (world.root.tag.empty()) return std::nullopt;
  // Mistakes of the text do not keep us from telling those of the world.
  auto converted = mvsim::to_webots(world, load, folder, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return converted;
}

wbt::LoadedWorld read_world(const fs::path& file, const WorldFileOptions& options,
                            const wbt::LoadOptions& load, Diagnostics& diagnostics,
                            mvsim::Recordings* recordings) {
  if (extension_of(file) == ".wbt") return wbt::load_world(file, load, diagnostics);
  if (load.use_lock_file) use_assets_of(file, diagnostics);
  wbt::LoadOptions inner = load;
  inner.use_lock_file = false;
  urdf::Options how = urdf_options(options, load.lenient);
  how.addresses = load.addresses;
  if (is_urdf_file(file)) {
    const auto robot = urdf::read_robot(file, how, diagnostics);
    const auto world = robot ? urdf::to_world(*robot, how, {}, diagnostics) : std::nullopt;
    return world ? wbt::expand_world(*world, inner, diagnostics) : wbt::LoadedWorld{};
  }
  if (is_sdf_file(file)) {
    const auto world = sdf::read_world(file, how, {}, diagnostics);
    return world ? wbt::expand_world(*world, inner, diagnostics) : wbt::LoadedWorld{};
  }
  if (!is_mvsim_file(file)) return wbt::load_world(file, load, diagnostics);
  const auto world = read_mvsim_world(file, options, {}, diagnostics, load.addresses);
  if (!world) return {};
  if (recordings) *recordings = world->recordings;
  return wbt::expand_world(world->document, inner, diagnostics);
}

bool check_any_file(const fs::path& file, const WorldFileOptions& options,
                    const wbt::LoadOptions& load, Diagnostics& diagnostics) {
  if (is_urdf_file(file) || is_sdf_file(file)) {
    read_world(file, options, load, diagnostics);
    return true;
  }
  if (!is_mvsim_file(file)) {
    wbt::check_file(file, load, diagnostics);
    return extension_of(file) == ".wbt";
  }
  const std::string tag = first_tag_of(beginning_of(file));
  if (tag.empty() || tag == "mvsim_world" || tag == "world") {
    read_world(file, options, load, diagnostics);
    return true;
  }
  const mvsim::LoadOptions definitions = mvsim_options(options, nullptr);
  mvsim::check_definitions(mvsim::load_definitions(file, definitions, diagnostics), definitions,
                           diagnostics);
  return false;
}

}  // namespace protobeam
