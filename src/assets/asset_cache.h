// Files by their content: FOLDER/sha256/ab/cdef... Any number of programs may use one folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace protobeam {

class AssetCache {
 public:
  /// The folder need not be there.
  explicit AssetCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// $PROTOBEAM_CACHE, else $XDG_CACHE_HOME/protobeam, else ~/.cache/protobeam.
  static AssetCache of_user();

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path path(const std::string& sha256) const;

  /// Throws std::runtime_error with the reason when the file is not there, is larger than `limit`
  /// or has another content.
  std::string read(const std::string& sha256, std::size_t size, std::size_t limit) const;
  /// Whether read() would give it.
  bool holds(const std::string& sha256, std::size_t size) const;
  /// Writes it whole or not at all, over a damaged one, and returns its hash. Throws
  /// std::runtime_error ("cannot write ...").
  std::string store(std::string_view bytes) const;
  /// The folder with the files of a ZIP that it has; it is unpacked once. Throws std::runtime_error
  /// with the reason, as read() and unpack_zip() do, and when one of the files has been changed
  /// since.
  std::filesystem::path unpacked(const std::string& sha256, std::size_t size) const;
  /// The same, but unpacks anew what has been changed.
  std::filesystem::path unpacked_again(const std::string& sha256, std::size_t size) const;

 private:
  std::filesystem::path folder_of_archive(const std::string& sha256) const;
  std::filesystem::path folder_;
};

}  // namespace protobeam
