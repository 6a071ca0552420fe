// The files behind the addresses of one world: by its lock file from the cache, else from an
// installed Webots. Never from the network.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "assets/asset_cache.h"
#include "assets/lock_file.h"
#include "assets/webots_folder.h"
#include "base/named_files.h"

namespace protobeam {

class AssetStore : public AddressedFiles {
 public:
  AssetStore(std::filesystem::path world, LockFile lock, AssetCache cache,
             std::optional<WebotsFolder> webots)
      : world_(std::move(world)),
        lock_(std::move(lock)),
        cache_(std::move(cache)),
        webots_(std::move(webots)) {}

  bool has(const std::string& address) override;
  bool locked(const std::string& address) override;
  std::string read(const std::string& address, std::size_t limit) override;
  std::filesystem::path unpacked(const std::string& archive) override;
  std::string how_to_get() const override;

  /// Called for each address that has() is asked for. Set while nobody else uses the store.
  std::function<void(const std::string&)> asked;
  /// To be changed only while nobody reads.
  LockFile& lock() { return lock_; }
  const AssetCache& cache() const { return cache_; }

 private:
  std::filesystem::path world_;
  LockFile lock_;
  AssetCache cache_;
  std::optional<WebotsFolder> webots_;
  std::mutex mutex_;
  std::map<std::string, std::filesystem::path> unpacked_;  ///< verified, by hash
};

/// From now on addresses mean what the lock file beside `world` says. Its mistakes are errors.
void use_assets_of(const std::filesystem::path& world, Diagnostics& diagnostics);

}  // namespace protobeam
