#include "viewer/window/screenshot.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/whole_file.h"
#include "geometry/files.h"

namespace protobeam::viewer {
namespace fs = std::filesystem;
namespace {

void make_folder(const fs::path& folder) {
  std::error_code trouble;
  if (folder.empty() || fs::is_directory(folder, trouble)) return;
  fs::create_directories(folder, trouble);
  if (trouble) {
    throw std::runtime_error(
        fmt::format("cannot make the folder {}: {}", folder.string(), trouble.message()));
  }
}

}  // namespace

std::string next_screenshot(const fs::path& folder) {
  for (int number = 1;; ++number) {
    std::string name = fmt::format("view-{:03}", number);
    std::error_code ignored;
    if (!fs::exists(folder / (name + ".png"), ignored) &&
        !fs::exists(folder / (name + ".json"), ignored)) {
      return name;
    }
  }
}

fs::path save_screenshot(const fs::path& folder, const Image& image, const nlohmann::json& text) {
  make_folder(folder);
  const std::string name = next_screenshot(folder);
  const fs::path picture = folder / (name + ".png");
  save_png(image, picture);
  // Names come from worlds, which may hold bytes that are no text.
  write_whole_file(folder / (name + ".json"),
                   text.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  return picture;
}

}  // namespace protobeam::viewer
