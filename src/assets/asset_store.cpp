#include "assets/asset_store.h"

#include <stdexcept>

#include "base/address.h"
#include "base/whole_file.h"

namespace protobeam {
namespace fs = std::filesystem;

bool AssetStore::locked(const std::string& address) {
  return lock_.assets.count(normalized_address(address)) > 0;
}

bool AssetStore::has(const std::string& address) {
  if (asked) asked(normalized_address(address));
  return locked(address) || (webots_ && !webots_->find(normalized_address(address)).empty());
}

std::string AssetStore::read(const std::string& address, std::size_t limit) {
  const std::string name = normalized_address(address);
  if (const auto found = lock_.assets.find(name); found != lock_.assets.end()) {
    try {
      return cache_.read(found->second.sha256, found->second.size, limit);
    } catch (const std::runtime_error& problem) {
      throw std::runtime_error(std::string(problem.what()) + "; " + how_to_get());
    }
  }
  const fs::path file = webots_ ? webots_->find(name) : fs::path();
  if (file.empty()) throw std::runtime_error("it is not here; " + how_to_get());
  return read_whole_file(file, limit);
}

fs::path AssetStore::unpacked(const std::string& archive) {
  const auto found = lock_.assets.find(normalized_address(archive));
  if (found == lock_.assets.end()) return {};
  const std::lock_guard lock(mutex_);
  const auto known = unpacked_.find(found->second.sha256);
  if (known != unpacked_.end()) return known->second;
  try {
    return unpacked_[found->second.sha256] =
               cache_.unpacked(found->second.sha256, found->second.size);
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error(std::string(problem.what()) + "; " + how_to_get());
  }
}

std::string AssetStore::how_to_get() const {
  return "get it by: protobeam fetch " + world_.string();
}

void use_assets_of(const fs::path& world, Diagnostics& diagnostics) {
  set_addressed_files(
      std::make_shared<AssetStore>(world, LockFile::read(LockFile::beside(world), diagnostics),
                                   AssetCache::of_user(), WebotsFolder::from_environment()));
}

}  // namespace protobeam
