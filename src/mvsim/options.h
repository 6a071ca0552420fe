// What the caller decides about reading an MVSim file: seed, folders, permissions, limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/named_files.h"

namespace protobeam::mvsim {

/// Bounds on what a text may cost. Passing one is an error at its place.
struct Limits {
  std::size_t file_bytes = 16u << 20;    ///< of one file
  std::size_t files = 1000;              ///< different files
  std::size_t elements = 500'000;        ///< of the expanded tree, and rounds of loops
  std::size_t nesting = 100;             ///< elements in elements, in the expanded tree
  std::size_t includes = 32;             ///< files in files
  std::size_t value_bytes = 1u << 20;    ///< of one text with its variables put in
  std::size_t total_bytes = 256u << 20;  ///< of all of them together
};

struct LoadOptions {
  std::uint64_t seed = 0;  ///< of rand(), randn() and unifrnd()
  /// The folder that includes must stay in; empty: project_folder() of the world.
  std::filesystem::path project;
  std::vector<std::filesystem::path> installed;  ///< folders outside of it that they may be from
  /// Answers to `$(ros2 pkg prefix NAME)`; AMENT_PREFIX_PATH is asked next. Includes may be from
  /// there.
  std::map<std::string, std::filesystem::path> packages;
  /// Where files of http(s) addresses lie; empty: default_model_caches().
  std::vector<std::filesystem::path> model_caches;
  /// Gets what is on the web and is named, also what was not fetched; may be null.
  std::vector<NamedAddress>* addresses = nullptr;
  bool allow_shell = false;   ///< run other `$(...)` commands
  double shell_seconds = 10;  ///< ... for so long at most
  /// Environment variables; empty function: those of this process.
  Environment environment;
  Limits limits;
};

/// The world's own folder or, when a folder up to two levels above it looks like a project (holds
/// `definitions`, `package.xml` or `.git`), the uppermost of those. Absolute, links followed.
std::filesystem::path project_folder(const std::filesystem::path& world);

/// $XDG_CACHE_HOME/protobeam/mvsim (or ~/.cache/...), then MVSim's own ~/.cache/mvsim-storage.
std::vector<std::filesystem::path> default_model_caches(const LoadOptions& options);

}  // namespace protobeam::mvsim
