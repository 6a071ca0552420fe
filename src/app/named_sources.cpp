#include "app/named_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace protobeam {
namespace fs = std::filesystem;
namespace {

constexpr int kSourceLevels = 8;
constexpr std::size_t kMostFiles = 10'000;

fs::path world_folder(const Simulation& simulation) {
  std::error_code failed;
  return fs::absolute(simulation.world().file, failed).lexically_normal().parent_path();
}

}  // namespace

NamedSources::NamedSources(const Simulation& simulation, const WorldFileOptions& options,
                           bool lenient)
    : folder_(world_folder(simulation)),
      options_(urdf_options(options, lenient)),
      resources_(folder_ / "request", options_) {}

std::optional<fs::path> NamedSources::locate(const std::string& uri, Diagnostics& diagnostics) {
  if (!uri.starts_with("http://") && !uri.starts_with("https://"))
    return resources_.locate({uri, {}, false}, diagnostics);
  Diagnostics of_worlds;  // advises what is right for what a world names
  const auto found = resources_.locate({uri, {}, false}, of_worlds);
  if (!found)
    diagnostics.error({},
                      fmt::format("'{}' is on the web, and is none of the files that were "
                                  "fetched for this world",
                                  uri),
                      "give a file of this machine");
  return found;
}

std::string unknown_scheme(const std::string& uri) {
  const auto end = uri.find("://");
  if (end == std::string::npos || end == 0) return "";
  const std::string scheme = uri.substr(0, end);
  const bool is_word = std::ranges::all_of(scheme, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '-' || c == '.';
  });
  constexpr std::array<std::string_view, 5> kKnown{"file", "package", "model", "http", "https"};
  return is_word && std::ranges::find(kKnown, scheme) == kKnown.end() ? scheme : "";
}

std::optional<std::vector<fs::path>> NamedSources::files(const std::string& uri) {
  if (uri.empty()) return std::nullopt;
  Diagnostics nobody_reads;
  // package://NAME, which names no file, is its folder.
  const bool is_package = uri.starts_with("package://") && uri.find('/', 10) == std::string::npos;
  const auto found = locate(is_package ? uri + "/" : uri, nobody_reads);
  std::error_code failed;
  if (!found) return std::nullopt;
  if (fs::is_directory(*found, failed)) return files_below(*found, kSourceLevels);
  if (fs::is_regular_file(*found, failed)) return std::vector{*found};
  return std::nullopt;
}

std::string no_scheme(const std::string& uri, const std::string& scheme) {
  return fmt::format(
      "'{}': {}:// is no address that is read here; there are file://, package:// "
      "and model://, and paths",
      uri, scheme);
}

std::vector<fs::path> files_below(const fs::path& folder, int levels) {
  std::vector<fs::path> out;
  std::error_code failed;
  auto at = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied,
                                             failed);
  for (; !failed && at != fs::recursive_directory_iterator() && out.size() < kMostFiles;
       at.increment(failed)) {
    std::error_code ignored;
    const bool hidden = at->path().filename().string().starts_with('.');
    if (at->is_directory(ignored) && (hidden || at.depth() >= levels))
      at.disable_recursion_pending();
    if (at->is_regular_file(ignored)) out.push_back(at->path().lexically_normal());
  }
  std::stable_sort(out.begin(), out.end());
  return out;
}

}  // namespace protobeam
