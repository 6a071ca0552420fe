#include "base/named_files.h"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "base/whole_file.h"

namespace protobeam {

struct AllowedFolders {
  std::mutex mutex;
  std::vector<std::filesystem::path> all;  ///< with all links followed
};

}  // namespace protobeam

/// The program's, also for plugins, which have a copy of this file: programs export it
/// (shared_state.list), so that the loader takes theirs.
extern "C" __attribute__((visibility("default"))) protobeam::AllowedFolders*
protobeam_allowed_folders();
protobeam::AllowedFolders* protobeam_allowed_folders() {
  static protobeam::AllowedFolders folders;
  return &folders;
}

namespace protobeam {
namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

}  // namespace

void allow_files_below(const fs::path& folder) {
  std::error_code error;
  const fs::path real = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) return;
  AllowedFolders& allowed = *protobeam_allowed_folders();
  const std::lock_guard lock(allowed.mutex);
  if (std::find(allowed.all.begin(), allowed.all.end(), real) == allowed.all.end()) {
    allowed.all.push_back(real);
  }
}

std::filesystem::path file_beside(const std::filesystem::path& url, const Place& place) {
  if (url.is_absolute() || !place.valid()) return url;
  return std::filesystem::path(place.source->path()).parent_path() / url;
}

std::string why_not_allowed(const fs::path& file) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  if (error) return {};
  AllowedFolders& allowed = *protobeam_allowed_folders();
  const std::lock_guard lock(allowed.mutex);
  const bool is_allowed =
      allowed.all.empty() ||
      std::any_of(allowed.all.begin(), allowed.all.end(),
                  [&](const fs::path& folder) { return is_below(real, folder); });
  return is_allowed ? std::string()
                 : "it lies outside of the world's project and of the folders of PROTOs; --allow-path " +
                       real.parent_path().string() + " allows it";
}

std::string read_named_file(const fs::path& file, std::size_t limit) {
  if (const std::string why = why_not_allowed(file); !why.empty()) {
    throw std::runtime_error("cannot read " + file.string() + ": " + why);
  }
  return read_whole_file(file, limit);
}

}  // namespace protobeam
