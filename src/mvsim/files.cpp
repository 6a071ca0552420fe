#include "mvsim/files.h"

#include <algorithm>
#include <stdexcept>

#include "base/named_files.h"
#include "base/whole_file.h"

namespace protobeam::mvsim {
namespace {

namespace fs = std::filesystem;

fs::path real(const fs::path& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  const fs::path canonical = fs::weakly_canonical(absolute, failed);
  return failed ? absolute.lexically_normal() : canonical;
}

bool is_below(const fs::path& path, const fs::path& root) {
  const auto [end, unused] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return end == root.end();
}

/// Prefixes of AMENT_PREFIX_PATH: where ROS packages are installed.
std::vector<fs::path> ament_prefixes(const LoadOptions& options) {
  std::vector<fs::path> prefixes;
  const std::string list =
      environment_variable(options.environment, "AMENT_PREFIX_PATH").value_or("");
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) prefixes.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return prefixes;
}

}  // namespace

fs::path package_prefix(const LoadOptions& options, const std::string& package) {
  if (const auto found = options.packages.find(package); found != options.packages.end()) {
    return found->second;
  }
  if (package.find('/') != std::string::npos) return {};
  for (const auto& prefix : ament_prefixes(options)) {
    if (is_file(prefix / "share/ament_index/resource_index/packages" / package)) return prefix;
  }
  return {};
}

FileLibrary::FileLibrary(const LoadOptions& options, const fs::path& world,
                         Diagnostics& diagnostics)
    : options_(options),
      diagnostics_(diagnostics),
      world_(world),
      project_(options.project.empty() ? project_folder(world) : real(options.project)) {
  roots_ = {project_, real(world).parent_path()};
  for (const auto& folder : options.installed) roots_.push_back(real(folder));
  for (const auto& [name, prefix] : options.packages) roots_.push_back(real(prefix));
  for (const auto& prefix : ament_prefixes(options)) roots_.push_back(real(prefix));
  for (const fs::path& root : roots_) {
    if (!root.empty()) allow_files_below(root);
  }
}

bool FileLibrary::allowed(const fs::path& path) const {
  return std::any_of(roots_.begin(), roots_.end(),
                     [&](const fs::path& root) { return !root.empty() && is_below(path, root); });
}

std::shared_ptr<const XmlFile> FileLibrary::world(std::optional<std::string> text) {
  if (text) return parse(real(world_), world_.string(), std::move(*text), nullptr);
  return read(real(world_), world_.string(), {}, nullptr);
}

std::shared_ptr<const XmlFile> FileLibrary::include(
    const XmlFile& from, const std::string& spelled, const Asking& asking,
    const std::shared_ptr<const Instantiation>& chain) {
  const fs::path written = spelled;
  const fs::path wanted = from.path.parent_path() / written;
  const bool short_name = !is_file(wanted) && is_file(wanted.string() + ".xml");
  const fs::path path = real(short_name ? fs::path(wanted.string() + ".xml") : wanted);
  fs::path shown = (fs::path(from.source->path()).parent_path() / written).lexically_normal();
  if (!allowed(path)) {
    diagnostics_.error(
        asking.place, "'" + spelled + "' lies outside of the project folder " + project_.string(),
        "include files of the project or of an installed package only", asking.chain);
    return nullptr;
  }
  if (short_name) {
    diagnostics_.warning(asking.place, "there is no '" + spelled + "', but '" + spelled + ".xml'",
                         "write the whole name; that file is read", asking.chain);
    shown += ".xml";
  }
  return read(path, shown.string(), asking, chain);
}

std::shared_ptr<const XmlFile> FileLibrary::read(
    const fs::path& path, const std::string& shown, const Asking& asking,
    const std::shared_ptr<const Instantiation>& chain) {
  const auto [known, is_new] = files_.try_emplace(path);
  if (!is_new) return known->second;
  if (files_.size() > options_.limits.files) {
    diagnostics_.error(asking.place,
                       "more than " + std::to_string(options_.limits.files) + " files", {},
                       asking.chain);
    return nullptr;
  }
  std::string text;
  try {
    text = read_whole_file(path, options_.limits.file_bytes);
  } catch (const std::runtime_error& error) {
    // The message with the name that the user knows the file by.
    std::string message = error.what();
    if (const auto at = message.find(path.string()); at != std::string::npos) {
      message.replace(at, path.string().size(), shown);
    }
    diagnostics_.error(asking.place, std::move(message), {}, asking.chain);
    return nullptr;
  }
  return parse(path, shown, std::move(text), chain);
}

std::shared_ptr<const XmlFile> FileLibrary::parse(
    const fs::path& path, const std::string& shown, std::string text,
    const std::shared_ptr<const Instantiation>& chain) {
  auto file = std::make_shared<XmlFile>();
  file->path = path;
  file->source = std::make_shared<SourceText>(shown, std::move(text));
  if (!parse_xml(*file, options_.limits, diagnostics_, chain)) return nullptr;
  files_[path] = file;
  return file;
}

}  // namespace protobeam::mvsim
