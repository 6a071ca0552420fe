#include "assets/asset_cache.h"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "assets/file_list.h"
#include "assets/sha256.h"
#include "assets/unpack.h"
#include "base/whole_file.h"

namespace protobeam {
namespace fs = std::filesystem;

AssetCache AssetCache::of_user() {
  const auto variable = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const fs::path own = variable("PROTOBEAM_CACHE"); !own.empty()) return AssetCache(own);
  // The XDG Base Directory Specification: a relative path is to be ignored.
  if (const fs::path xdg = variable("XDG_CACHE_HOME"); xdg.is_absolute()) {
    return AssetCache(xdg / "protobeam");
  }
  const fs::path home = variable("HOME");
  return AssetCache((home.empty() ? fs::path("/tmp") : home / ".cache") / "protobeam");
}

fs::path AssetCache::path(const std::string& sha256) const {
  return folder_ / "sha256" / sha256.substr(0, 2) / sha256.substr(2);
}

std::string AssetCache::read(const std::string& sha256, std::size_t size, std::size_t limit) const {
  const fs::path file = path(sha256);
  std::error_code error;
  if (!fs::exists(file, error)) {
    throw std::runtime_error("its content is not in the cache (" + file.string() + ")");
  }
  if (size > limit) {
    throw std::runtime_error(fmt::format("larger than {} MiB", limit >> 20));
  }
  const std::uintmax_t found = fs::file_size(file, error);
  if (error || found != size) {
    throw std::runtime_error(
        fmt::format("its content in the cache is damaged: {} has {} bytes instead of {}",
                    file.string(), error ? 0 : found, size));
  }
  std::string bytes = read_whole_file(file, limit);
  if (bytes.size() != size || sha256_hex(bytes) != sha256) {
    throw std::runtime_error("its content in the cache is damaged: " + file.string() +
                             " has another SHA-256 than its name");
  }
  return bytes;
}

bool AssetCache::holds(const std::string& sha256, std::size_t size) const {
  try {
    read(sha256, size, size);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

std::string AssetCache::store(std::string_view bytes) const {
  std::string sha256 = sha256_hex(bytes);
  if (holds(sha256, bytes.size())) return sha256;
  const fs::path file = path(sha256);
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) {
    throw std::runtime_error("cannot write " + file.string() + ": " + error.message());
  }
  write_whole_file(file, bytes);
  return sha256;
}

fs::path AssetCache::folder_of_archive(const std::string& sha256) const {
  return folder_ / "unpacked" / sha256.substr(0, 2) / sha256.substr(2);
}

fs::path AssetCache::unpacked_again(const std::string& sha256, std::size_t size) const {
  const fs::path folder = folder_of_archive(sha256);
  std::error_code error;
  if (fs::is_directory(folder, error) && !why_changed(folder).empty())
    fs::remove_all(folder, error);
  return unpacked(sha256, size);
}

fs::path AssetCache::unpacked(const std::string& sha256, std::size_t size) const {
  const fs::path folder = folder_of_archive(sha256);
  std::error_code error;
  if (fs::is_directory(folder, error)) {
    const std::string why = why_changed(folder);
    if (why.empty()) return folder;
    throw std::runtime_error("its content in the cache is damaged: in " + folder.string() + " " +
                             why);
  }
  const std::string bytes = read(sha256, size, size);
  unpack_zip_whole(bytes, folder, list_files);
  return folder;
}

}  // namespace protobeam
