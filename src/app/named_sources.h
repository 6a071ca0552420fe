// Files and folders that programs name in requests: by a path, relative to the world's folder, or
// by file://, package:// or model://.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/world_files.h"
#include "base/diagnostics.h"
#include "sim/simulation.h"
#include "urdf/resources.h"

namespace protobeam {

class NamedSources {
 public:
  NamedSources(const Simulation& simulation, const WorldFileOptions& options, bool lenient);

  /// Of the world.
  const std::filesystem::path& folder() const { return folder_; }
  /// The file, whether it is there or not; nothing, with a message, for an address that is none.
  std::optional<std::filesystem::path> locate(const std::string& uri, Diagnostics& diagnostics);
  /// A file by itself, or all files below a folder; nothing where neither is.
  std::optional<std::vector<std::filesystem::path>> files(const std::string& uri);

 private:
  const std::filesystem::path folder_;
  const urdf::Options options_;
  urdf::Resources resources_;
};

/// "ftp" of "ftp://host/file"; "" of an address that is read here, and of a path.
std::string unknown_scheme(const std::string& uri);
/// What is to be said of it.
std::string no_scheme(const std::string& uri, const std::string& scheme);

/// Regular files in a folder and, so many levels deep, below it, in the order of their names; the
/// first 10,000 that there are. Without hidden folders.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder, int levels);

}  // namespace protobeam
