#include "sim/paths.h"

#include <cstdlib>

#include "sim/build_config.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

InstalledPaths find_paths() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path home = program.parent_path().parent_path();  // of bin/protobeam or tests/x_test
  InstalledPaths paths;
  const fs::path built = kBinaryDir;
  // A program below the build folder uses the source tree it was built from.
  const fs::path relative = program.lexically_relative(built);
  paths.source_tree = !relative.empty() && *relative.begin() != "..";
  if (paths.source_tree) {
    const fs::path source = kSourceDir;
    paths.plugins = built / "lib/protobeam/plugins";
    paths.catalogue = source / "protos";
    paths.controllers = built / "controllers";
    paths.skeletons = source / "src/app/skeletons";
    paths.libraries = built / "lib";
  } else {
    const fs::path share = home / "share/protobeam";
    paths.plugins = home / kPluginDir;
    paths.catalogue = share / "protos";
    paths.controllers = home / "lib/protobeam/controllers";
    paths.skeletons = share / "skeletons";
    paths.libraries = home / kLibraryDir;
  }
  if (const char* override_home = std::getenv("PROTOBEAM_HOME")) {
    paths.catalogue = fs::path(override_home) / "protos";
  }
  if (const char* cache = std::getenv("XDG_CACHE_HOME")) {
    paths.cache = fs::path(cache) / "protobeam";
  } else if (const char* user = std::getenv("HOME")) {
    paths.cache = fs::path(user) / ".cache/protobeam";
  }
  return paths;
}

}  // namespace

const InstalledPaths& installed_paths() {
  static const InstalledPaths paths = find_paths();
  return paths;
}

}  // namespace protobeam
