#include "urdf/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/address.h"
#include "base/named_files.h"
#include "base/whole_file.h"
#include "urdf/fuel_cache.h"

namespace protobeam::urdf {
namespace fs = std::filesystem;
namespace {

/// What Gazebo Classic, Gazebo and SDFormat look for models in.
constexpr std::array kModelPaths{"GAZEBO_MODEL_PATH", "GZ_SIM_RESOURCE_PATH",
                                 "IGN_GAZEBO_RESOURCE_PATH", "SDF_PATH", "GAZEBO_RESOURCE_PATH"};

/// The folders of a list such as PATH.
std::vector<fs::path> folders_of(const std::optional<std::string>& list) {
  std::vector<fs::path> out;
  if (!list) return out;
  for (std::size_t begin = 0; begin <= list->size();) {
    const std::size_t end = std::min(list->find(':', begin), list->size());
    if (end > begin) out.emplace_back(list->substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

/// Where Gazebo Classic puts what it has got from its database; empty without a home.
fs::path kept_by_classic(const Options& options) {
  const auto home = environment_variable(options.environment, "HOME");
  return home && !home->empty() ? fs::path(*home) / ".gazebo/models" : fs::path();
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

/// The <name> of a package.xml; enough of XML for that.
std::string package_name(const fs::path& manifest) {
  std::string text;
  try {
    text = read_whole_file(manifest, 1u << 20);
  } catch (const std::exception&) {
    return {};
  }
  const auto begin = text.find("<name>");
  const auto end = text.find("</name>", begin == std::string::npos ? 0 : begin);
  if (begin == std::string::npos || end == std::string::npos) return {};
  const std::string name = text.substr(begin + 6, end - begin - 6);
  const auto first = name.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return name.substr(first, name.find_last_not_of(" \t\r\n") + 1 - first);
}

bool is_package(const fs::path& folder, const std::string& name) {
  if (is_there(folder / "model.config") && folder.filename() == name) return true;
  return is_there(folder / "package.xml") &&
         (folder.filename() == name || package_name(folder / "package.xml") == name);
}

fs::path folder_of(const fs::path& file) {
  std::error_code failed;
  return fs::weakly_canonical(fs::absolute(file, failed), failed).parent_path();
}

}  // namespace

fs::path project_folder(const fs::path& file) {
  const fs::path own = folder_of(file);
  fs::path project =
      own.filename() == "urdf" || own.filename() == "robots" || own.filename() == "worlds"
          ? own.parent_path()
          : own;
  if (!project.has_relative_path()) project = own;  // never the whole disk
  for (fs::path above = own; above.has_relative_path(); above = above.parent_path()) {
    if (is_there(above / "package.xml")) project = above;
  }
  return project;
}

Resources::Resources(const fs::path& file, const Options& options)
    : folder_(folder_of(file)), project_folder_(project_folder(file)), options_(options) {}

fs::path Resources::look_for_package(const std::string& name) const {
  if (const auto known = options_.packages.find(name); known != options_.packages.end()) {
    return known->second;
  }
  for (const fs::path& folder :
       folders_of(environment_variable(options_.environment, "ROS_PACKAGE_PATH"))) {
    if (is_package(folder, name)) return folder;
    if (is_package(folder / name, name)) return folder / name;
    // As ROS does: packages in the folders of a workspace or of a repository with several.
    std::error_code failed;
    std::vector<fs::path> inner;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
      if (entry.is_directory(failed)) inner.push_back(entry.path());
    }
    std::stable_sort(inner.begin(), inner.end());
    for (const fs::path& one : inner) {
      if (is_package(one, name)) return one;
      if (is_package(one / name, name)) return one / name;
    }
  }
  for (const char* models : kModelPaths) {
    for (const fs::path& folder : folders_of(environment_variable(options_.environment, models))) {
      std::error_code failed;
      if (fs::is_directory(folder / name, failed)) return folder / name;
    }
  }
  for (const fs::path& prefix :
       folders_of(environment_variable(options_.environment, "AMENT_PREFIX_PATH"))) {
    if (is_there(prefix / "share" / name)) return prefix / "share" / name;
  }
  for (fs::path above = folder_; above.has_relative_path(); above = above.parent_path()) {
    if (is_package(above, name)) return above;
    if (is_package(above / name, name)) return above / name;
    if (is_package(above / "models" / name, name)) return above / "models" / name;
  }
  // Robots are passed on without their package.xml. Among the folders whose files the robot may
  // name anyway, the one of that name is the package.
  const auto project_length = std::distance(project_folder_.begin(), project_folder_.end());
  for (fs::path at = folder_; std::distance(at.begin(), at.end()) >= project_length;
       at = at.parent_path()) {
    std::error_code failed;
    if (at.filename() == name) return at;
    if (fs::is_directory(at / name, failed)) return at / name;
    if (!at.has_relative_path()) break;
  }
  const fs::path kept = kept_by_classic(options_);
  std::error_code failed;
  return !kept.empty() && fs::is_directory(kept / name, failed) ? kept / name : fs::path();
}

fs::path Resources::package(const std::string& name) {
  const auto [known, added] = packages_.try_emplace(name);
  if (added) {
    known->second = look_for_package(name);
    if (!known->second.empty()) allow_files_below(known->second);
  }
  return known->second;
}

std::optional<fs::path> Resources::find_installed(const Text& path, Diagnostics& diagnostics) {
  const auto is_file = [](const fs::path& file) {
    std::error_code failed;
    return fs::is_regular_file(file, failed);
  };
  const fs::path named = folder_ / path.value;
  const std::string forbidden = is_file(named) ? why_not_allowed(named) : "";
  if (is_file(named) && forbidden.empty()) return named;
  constexpr std::string_view kShare = "/share/";
  for (auto at = path.value.rfind(kShare); at != std::string::npos && at > 0;
       at = path.value.rfind(kShare, at - 1)) {
    const std::string rest = path.value.substr(at + kShare.size());
    const fs::path folder = package(rest.substr(0, rest.find('/')));
    const auto slash = rest.find('/');
    if (folder.empty() || slash == std::string::npos) continue;
    const fs::path file = (folder / rest.substr(slash + 1)).lexically_normal();
    if (is_file(file)) return file;
  }
  diagnostics.warning(path.place,
                      forbidden.empty()
                          ? fmt::format("there is no file '{}'", path.value)
                          : fmt::format("'{}' is not read: {}", path.value, forbidden),
                      forbidden.empty() ? "--package NAME=FOLDER says where a package is" : "");
  return std::nullopt;
}

fs::path Resources::of_model_paths(const fs::path& file, const fs::path& folder) {
  if (file.empty() || *file.begin() == "..") return {};
  const auto project_length = std::distance(project_folder_.begin(), project_folder_.end());
  for (fs::path at = folder;
       std::distance(at.begin(), at.end()) >= project_length && at.has_relative_path();
       at = at.parent_path()) {
    if (is_there(at / file)) return (at / file).lexically_normal();
  }
  for (const char* models : kModelPaths) {
    for (const fs::path& at : folders_of(environment_variable(options_.environment, models))) {
      if (!is_there(at / file)) continue;
      allow_files_below(at / *file.begin());
      return (at / file).lexically_normal();
    }
  }
  const std::string name = file.begin()->string();
  const fs::path known =
      is_there(folder.parent_path() / name / "model.config") ? package(name) : "";
  if (known.empty()) return {};
  return (known / file.lexically_relative(name)).lexically_normal();
}

fs::path Resources::fetched_above(fs::path folder) const {
  if (fetched_.empty()) return {};
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    if (fetched_.contains(folder)) return folder;
  }
  return {};
}

std::optional<fs::path> Resources::locate(const Text& address, Diagnostics& diagnostics) {
  const std::string& uri = address.value;
  const auto after = [&](std::string_view scheme) {
    return uri.starts_with(scheme) ? uri.substr(scheme.size()) : std::string();
  };
  // A text that another one includes names its files from its own folder.
  const fs::path folder = address.place.valid() ? folder_of(address.place.source->path()) : folder_;
  if (uri.starts_with("http://") || uri.starts_with("https://")) {
    if (options_.addresses) options_.addresses->push_back(address_to_fetch(uri, address.place));
    std::string problem;
    try {
      fs::path fetched = fetched_file(uri);
      if (fetched.empty()) fetched = cached_by_gazebo(uri, options_);
      if (!fetched.empty()) {
        std::error_code failed;
        if (fs::is_directory(fetched, failed)) {
          allow_files_below(fetched);
          fetched_.insert(fs::canonical(fetched, failed));
        }
        return fetched;
      }
    } catch (const AddressError& why) {
      problem = why.what();
    }
    const auto addressed = addressed_files();
    if (problem.empty()) {
      diagnostics.missing(address.place, uri,
                          fmt::format("'{}' is on the web and was not fetched", uri),
                          addressed ? addressed->how_to_get() : "");
    } else {
      diagnostics.missing(address.place, uri, problem);
    }
    return std::nullopt;
  }
  if (uri.starts_with("package://") || uri.starts_with("model://")) {
    const std::string path =
        uri.starts_with("package://") ? after("package://") : after("model://");
    const std::size_t begin =
        std::min(path.find_first_not_of('/'), path.size());  // package:///NAME
    const std::size_t slash = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, slash - begin);
    if (name.empty() || name == "." || name == ".." ||
        (slash == path.size() && !uri.starts_with("model://"))) {
      diagnostics.error(address.place, fmt::format("'{}' names no file of a package", uri),
                        "package://NAME/meshes/part.stl");
      return std::nullopt;
    }
    // In a model that was fetched from Fuel, model:// is that model, whatever name it says
    // (gz-fuel-tools, src/LocalCache.cc, FixPathsInUri).
    const std::string inner = path.substr(std::min(slash + 1, path.size()));
    if (const fs::path own = fetched_above(folder);
        !own.empty() && !inner.empty() && is_there(own / inner))
      return (own / inner).lexically_normal();
    const fs::path package_folder = package(name);
    if (package_folder.empty()) {
      diagnostics.missing(
          address.place, name, fmt::format("there is no package '{}'", name),
          fmt::format("--package {}=FOLDER says where it is; looked for in ROS_PACKAGE_PATH, "
                      "AMENT_PREFIX_PATH{} and the folders above the file",
                      name,
                      uri.starts_with("model://")
                          ? ", GAZEBO_MODEL_PATH, GZ_SIM_RESOURCE_PATH, IGN_GAZEBO_RESOURCE_PATH, "
                            "SDF_PATH"
                          : ""));
      return std::nullopt;
    }
    return (package_folder / inner).lexically_normal();
  }
  const fs::path file = uri.starts_with("file://") ? after("file://") : uri;
  if (file.is_absolute()) return file.lexically_normal();
  const fs::path beside = (folder / file).lexically_normal();
  if (is_there(beside)) return beside;
  const fs::path elsewhere = of_model_paths(file, folder);
  return elsewhere.empty() ? beside : elsewhere;
}

std::optional<fs::path> Resources::find(const Text& address, Diagnostics& diagnostics) {
  const std::string& uri = address.value;
  const auto file = locate(address, diagnostics);
  if (!file || is_address(file->native())) return file;
  std::error_code failed;
  if (fs::is_directory(*file, failed)) {
    diagnostics.error(address.place, fmt::format("'{}' names no file of a package", uri),
                      "package://NAME/meshes/part.stl");
    return std::nullopt;
  }
  if (!fs::is_regular_file(*file, failed)) {
    diagnostics.missing(address.place, uri, fmt::format("there is no file '{}'", uri),
                        "looked for " + file->string());
    return std::nullopt;
  }
  return file;
}

}  // namespace protobeam::urdf
