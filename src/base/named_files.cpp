#include "base/named_files.h"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "base/address.h"
#include "base/archived_file.h"
#include "base/whole_file.h"

namespace protobeam {

struct AllowedFolders {
  std::mutex mutex;
  std::vector<std::filesystem::path> all;  ///< with all links followed
  std::shared_ptr<AddressedFiles> addressed;
};

}  // namespace protobeam

/// The program's, also for plugins, which have a copy of this file: programs export it
/// (shared_state.list), so that the loader takes theirs. Weak: clang would take it for certain that a
/// call from here comes here, and a plugin would ask its own list, which is empty and allows all.
extern "C" __attribute__((visibility("default"), weak)) protobeam::AllowedFolders*
protobeam_allowed_folders();
protobeam::AllowedFolders* protobeam_allowed_folders() {
  static protobeam::AllowedFolders folders;
  return &folders;
}

namespace protobeam {
namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

}  // namespace

void allow_files_below(const fs::path& folder) {
  std::error_code error;
  const fs::path real = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) return;
  AllowedFolders& allowed = *protobeam_allowed_folders();
  const std::lock_guard lock(allowed.mutex);
  if (std::find(allowed.all.begin(), allowed.all.end(), real) == allowed.all.end()) {
    allowed.all.push_back(real);
  }
}

AllowedFilesScope::AllowedFilesScope() {
  AllowedFolders& allowed = *protobeam_allowed_folders();
  const std::lock_guard lock(allowed.mutex);
  before_ = allowed.all;
}

AllowedFilesScope::~AllowedFilesScope() {
  AllowedFolders& allowed = *protobeam_allowed_folders();
  const std::lock_guard lock(allowed.mutex);
  allowed.all.swap(before_);
}

void set_addressed_files(std::shared_ptr<AddressedFiles> files) {
  AllowedFolders& allowed = *protobeam_allowed_folders();
  const std::lock_guard lock(allowed.mutex);
  allowed.addressed = std::move(files);
}

std::shared_ptr<AddressedFiles> addressed_files() {
  AllowedFolders& allowed = *protobeam_allowed_folders();
  const std::lock_guard lock(allowed.mutex);
  return allowed.addressed;
}

fs::path fetched_file(const std::string& address) {
  const auto addressed = addressed_files();
  if (!addressed) return {};
  const auto archived = archived_file(address);
  if (!archived) return addressed->locked(address) ? normalized_address(address) : "";
  fs::path folder;
  try {
    folder = addressed->unpacked(archived->archive);
  } catch (const std::runtime_error& problem) {
    throw AddressError("'" + address + "' cannot be read: " + problem.what());
  }
  if (folder.empty()) return {};
  allow_files_below(folder);
  const fs::path file = archived->inner.empty() ? folder : folder / archived->inner;
  std::error_code error;
  if (!fs::exists(file, error))
    throw AddressError("there is no '" + archived->inner + "' in " + archived->archive);
  return file;
}

NamedAddress address_to_fetch(const std::string& address, const Place& place) {
  if (const auto archived = archived_file(address)) return {archived->archive, place};
  const std::string ending = fs::path(path_of_address(address)).extension();
  return {normalized_address(address), place,
          ending != ".png" && ending != ".jpg" && ending != ".jpeg"};
}

fs::path file_beside(const fs::path& url, const Place& place) {
  return place.valid() ? file_beside(url, fs::path(place.source->path())) : url;
}

fs::path file_beside(const fs::path& url, const fs::path& text) {
  if (is_address(text.native())) return address_beside(text.native(), url.native());
  if (is_address(url.native())) return normalized_address(url.native());
  return url.is_absolute() ? url : text.parent_path() / url;
}

std::string why_not_there(const fs::path& file, std::string* hint) {
  if (is_address(file.native())) {
    const auto addressed = addressed_files();
    if (addressed && addressed->has(file.native())) return {};
    if (hint != nullptr && addressed) *hint = addressed->how_to_get();
    return "there is no '" + file.string() + "' here";
  }
  std::error_code error;
  const bool there = fs::exists(file, error) || error;
  return there ? std::string() : "there is no file '" + file.string() + "'";
}

std::string why_not_allowed(const fs::path& file) {
  if (is_address(file.native())) return {};  // AddressedFiles knows which
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  if (error) return {};
  AllowedFolders& allowed = *protobeam_allowed_folders();
  const std::lock_guard lock(allowed.mutex);
  const bool is_allowed =
      allowed.all.empty() ||
      std::any_of(allowed.all.begin(), allowed.all.end(),
                  [&](const fs::path& folder) { return is_below(real, folder); });
  return is_allowed ? std::string()
                 : "it lies outside of the world's project and of the folders of PROTOs; --allow-path " +
                       real.parent_path().string() + " allows it";
}

std::string read_named_file(const fs::path& file, std::size_t limit) {
  if (is_address(file.native())) {
    std::string hint;
    std::string why = why_not_there(file, &hint);
    try {
      if (why.empty()) return addressed_files()->read(file.native(), limit);
    } catch (const std::runtime_error& reason) {
      why = reason.what();
    }
    if (!hint.empty()) hint.insert(0, "; ");
    throw AddressError("cannot read " + file.string() + ": " + why + hint);
  }
  if (const std::string why = why_not_allowed(file); !why.empty()) {
    throw std::runtime_error("cannot read " + file.string() + ": " + why);
  }
  return read_whole_file(file, limit);
}

}  // namespace protobeam
