#include "mvsim/options.h"

namespace protobeam::mvsim {

namespace fs = std::filesystem;

fs::path project_folder(const fs::path& world) {
  std::error_code failed;
  fs::path folder = fs::weakly_canonical(fs::absolute(world, failed), failed).parent_path();
  fs::path project = folder;
  for (int level = 0; level < 2 && folder.has_relative_path(); ++level) {
    folder = folder.parent_path();
    if (!folder.has_relative_path()) break;  // never the whole disk
    for (const char* mark : {"definitions", "package.xml", ".git"}) {
      if (fs::exists(folder / mark, failed)) project = folder;
    }
  }
  return project;
}

std::vector<fs::path> default_model_caches(const LoadOptions& options) {
  std::vector<fs::path> folders;
  const auto home = environment_variable(options.environment, "HOME");
  const auto cache = environment_variable(options.environment, "XDG_CACHE_HOME");
  if (cache && !cache->empty()) {
    folders.push_back(fs::path(*cache) / "protobeam/mvsim");
  } else if (home) {
    folders.push_back(fs::path(*home) / ".cache/protobeam/mvsim");
  }
  if (home) folders.push_back(fs::path(*home) / ".cache/mvsim-storage");
  return folders;
}

}  // namespace protobeam::mvsim
