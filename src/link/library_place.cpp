#include "link/library_place.h"

namespace protobeam::link {
namespace fs = std::filesystem;

fs::path controller_library_dir() {
  std::error_code ignored;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  for (const char* name : {PROTOBEAM_LIBDIR, "lib"}) {
    if (fs::exists(prefix / name / "libController.so", ignored)) return prefix / name;
  }
  return {};
}

fs::path controller_include_dir() {
  std::error_code ignored;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  const fs::path installed = prefix / PROTOBEAM_INCLUDEDIR;
  return fs::exists(installed / "webots/robot.h", ignored) ? installed : PROTOBEAM_SOURCE_INCLUDE;
}

}  // namespace protobeam::link
