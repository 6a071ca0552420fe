#include "sim/paths.h"

#include <dlfcn.h>

#include <cstdlib>

#include "sim/build_config.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

/// The file that holds this code: a program, or the Python module in somebody else's.
fs::path this_program() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&this_program), &info) == 0 || !info.dli_fname)
    return program;
  const fs::path file = fs::canonical(info.dli_fname, ignored);
  return file.extension() == ".so" ? file : program;
}

/// The prefix that bin/protobeam is in, or the folder with tests/x_test. A module lies somewhere
/// below it.
fs::path home_of(const fs::path& program) {
  if (program.extension() == ".so") {
    std::error_code ignored;
    for (fs::path at = program.parent_path(); at.has_relative_path(); at = at.parent_path()) {
      if (fs::is_directory(at / "share/protobeam/protos", ignored)) return at;
    }
  }
  return program.parent_path().parent_path();
}

InstalledPaths find_paths() {
  const fs::path program = this_program();
  const fs::path home = home_of(program);
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
