#include "link/library_place.h"

#include <dlfcn.h>

#include <vector>

namespace protobeam::link {
namespace fs = std::filesystem;
namespace {

/// Folders that a `lib` of ours may be in: the one above that of the running program. When this
/// code is in a Python module, the program is Python, and they are those above the module.
std::vector<fs::path> find_prefixes() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&find_prefixes), &info) != 0 && info.dli_fname) {
    const fs::path file = fs::canonical(info.dli_fname, ignored);
    if (file.extension() == ".so") {
      std::vector<fs::path> above;
      for (fs::path at = file.parent_path(); at.has_relative_path(); at = at.parent_path()) {
        above.push_back(at);
      }
      return above;
    }
  }
  return {program.parent_path().parent_path()};
}

}  // namespace

fs::path controller_library_dir() {
  std::error_code ignored;
  for (const fs::path& prefix : find_prefixes()) {
    for (const char* name : {PROTOBEAM_LIBDIR, "lib"}) {
      if (fs::exists(prefix / name / "libController.so", ignored)) return prefix / name;
    }
  }
  return {};
}

fs::path controller_include_dir() {
  std::error_code ignored;
  for (const fs::path& prefix : find_prefixes()) {
    const fs::path installed = prefix / PROTOBEAM_INCLUDEDIR;
    if (fs::exists(installed / "webots/robot.h", ignored)) return installed;
  }
  return PROTOBEAM_SOURCE_INCLUDE;
}

}  // namespace protobeam::link
