// Everything on the web that a world names, into the cache, with its lock file.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assets/asset_store.h"
#include "fetch/download.h"
#include "wbt/load.h"

namespace protobeam {

struct FetchOptions {
  DownloadLimits limits;
  std::optional<WebotsFolder> webots;  ///< instead of the web, for Webots' own files
  bool update = false;  ///< asks for everything again; other content than locked is no error
};

struct FetchedAsset {
  enum class State { kKept, kFetched, kCopied, kFailed };
  std::string address;
  State state = State::kFailed;
  std::string error;
};

struct FetchReport {
  std::filesystem::path lock_file;
  std::vector<FetchedAsset> assets;  ///< sorted by address
  std::size_t bytes = 0;             ///< from the web
  bool interrupted = false;
  bool unreadable = false;  ///< mistakes keep its reader from what it names, all or some of it
  std::vector<Diagnostic> mistakes;  ///< these
};

/// Reads a world, a robot or a PROTO, and gives its addresses to LoadOptions::addresses.
using ReadWorld =
    std::function<void(const std::filesystem::path&, const wbt::LoadOptions&, Diagnostics&)>;

/// Reads the world by what is here, gets the addresses that it names, and so on until it
/// names no new one. Writes the lock file, also when some could not be got. Mistakes are errors at
/// the place of the address; those of the world itself are not reported: `check` does that. Throws
/// std::runtime_error when the world cannot be opened, or a file cannot be written.
FetchReport fetch_assets(
    const std::filesystem::path& world, const ReadWorld& read, const wbt::LoadOptions& load,
    const FetchOptions& options, Diagnostics& diagnostics,
    const std::function<void(std::size_t done, std::size_t known, std::size_t bytes)>& progress);

}  // namespace protobeam
