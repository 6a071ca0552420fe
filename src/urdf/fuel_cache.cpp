#include "urdf/fuel_cache.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "base/address.h"
#include "base/archived_file.h"

namespace protobeam::urdf {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> cache_folders(const Options& options) {
  std::vector<fs::path> out;
  for (const char* name : {"GZ_FUEL_CACHE_PATH", "IGN_FUEL_CACHE_PATH"}) {
    if (const auto folder = environment_variable(options.environment, name);
        folder && !folder->empty())
      out.emplace_back(*folder);
  }
  if (const auto home = environment_variable(options.environment, "HOME"); home && !home->empty()) {
    for (const char* inner : {".gz/fuel", ".ignition/fuel"}) out.push_back(fs::path(*home) / inner);
  }
  return out;
}

std::string without_capitals(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

int version_of(const std::string& text) {
  int out = -1;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// The greatest number of a folder in `model`; empty: none.
fs::path newest_version(const fs::path& model) {
  int newest = -1;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(model, failed))
    newest = std::max(newest, version_of(entry.path().filename()));
  return newest < 0 ? fs::path() : model / std::to_string(newest);
}

}  // namespace

fs::path cached_by_gazebo(const std::string& address, const Options& options) {
  const auto archived = archived_file(address);
  if (!archived || !archived->archive.ends_with(".zip")) return {};
  // .../OWNER/models/NAME/VERSION/NAME.zip
  const std::string text = with_spaces(archived->archive);
  std::vector<std::string> parts;
  for (const fs::path& part : fs::path(text.substr(text.find("://") + 3)))
    parts.push_back(without_capitals(part));
  const std::size_t count = parts.size();
  if (count < 6 || parts[count - 4] != "models") return {};
  const std::string& version = parts[count - 2];
  for (const fs::path& cache : cache_folders(options)) {
    const fs::path model = cache / parts[0] / parts[count - 5] / "models" / parts[count - 3];
    const fs::path folder = version == "tip" ? newest_version(model) : model / version;
    std::error_code failed;
    if (!folder.empty() && fs::exists(folder / archived->inner, failed))
      return archived->inner.empty() ? folder : folder / archived->inner;
  }
  return {};
}

}  // namespace protobeam::urdf
