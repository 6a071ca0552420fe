#include "assets/webots_folder.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "base/whole_file.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kGitHub = "https://raw.githubusercontent.com/cyberbotics/webots/";
constexpr std::string_view kWebots = "webots://";

}  // namespace

std::optional<WebotsPath> webots_path(const std::string& address) {
  if (address.rfind(kWebots, 0) == 0) return WebotsPath{"", address.substr(kWebots.size())};
  if (address.rfind(kGitHub, 0) != 0) return std::nullopt;
  const auto end = address.find('/', kGitHub.size());
  if (end == std::string::npos) return std::nullopt;
  return WebotsPath{address.substr(kGitHub.size(), end - kGitHub.size()), address.substr(end + 1)};
}

std::string web_address(const std::string& address, const std::string& version) {
  if (address.rfind(kWebots, 0) != 0) return address;
  return std::string(kGitHub) + (version.empty() ? "R2025a" : version) + "/" +
         address.substr(kWebots.size());
}

WebotsFolder::WebotsFolder(fs::path folder, bool any_revision) {
  std::error_code error;
  folder_ = fs::canonical(folder, error);
  if (error) folder_ = std::move(folder);
  if (any_revision) return;
  try {
    revision_ = read_whole_file(folder_ / "resources/version.txt", 1000);
    revision_.erase(std::min(revision_.find_first_of(" \t\r\n"), revision_.size()));
  } catch (const std::runtime_error&) {
    // A copy of projects/ alone: taken for what is asked for.
  }
}

std::optional<WebotsFolder> WebotsFolder::from_environment() {
  const char* home = std::getenv("WEBOTS_HOME");
  std::error_code error;
  if (home == nullptr || !fs::is_directory(fs::path(home) / "projects", error)) return std::nullopt;
  return WebotsFolder(home, false);
}

fs::path WebotsFolder::find(const std::string& address) const {
  const auto wanted = webots_path(address);
  if (!wanted || wanted->path.empty()) return {};
  if (!revision_.empty() && !wanted->revision.empty() && wanted->revision != revision_) return {};
  std::error_code error;
  const fs::path file = fs::canonical(folder_ / wanted->path, error);
  if (error || !fs::is_regular_file(file, error)) return {};
  const bool inside =
      std::mismatch(folder_.begin(), folder_.end(), file.begin(), file.end()).first ==
      folder_.end();
  return inside ? file : fs::path();
}

}  // namespace protobeam
