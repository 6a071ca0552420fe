// What was worked out from a key before, say the rendered text of a template:
// FOLDER/derived/ab/cdef... Any number of programs may use one folder. All of it may go at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace protobeam {

class DerivedCache {
 public:
  /// More than that is not kept.
  static constexpr std::size_t kMostBytes = 64u << 20;

  /// In the folder of AssetCache::of_user(); none at all with PROTOBEAM_DERIVED_CACHE=0.
  static DerivedCache of_user();
  /// Where that one has its files.
  static std::filesystem::path folder_of_user();
  /// The folder need not be there; "": keeps nothing. More than `limit` bytes are not kept for long.
  explicit DerivedCache(std::filesystem::path folder, std::uintmax_t limit = kLimit)
      : folder_(std::move(folder)), limit_(limit) {}

  /// Nothing when it is not there or damaged.
  std::optional<std::string> find(std::string_view key) const;
  /// Whole or not at all. A folder that cannot be written is none of the caller's business.
  void store(std::string_view key, std::string_view bytes);

 private:
  static constexpr std::uintmax_t kLimit = 256u << 20;

  std::filesystem::path file_of(std::string_view key) const;
  /// Removes what was not used for longest until three quarters of the limit are left.
  void prune() const;

  std::filesystem::path folder_;
  std::uintmax_t limit_;
  std::optional<std::uintmax_t> stored_;  ///< bytes since the last prune
};

/// What changes whenever the program in that file is built or installed anew; "" without a file.
std::string stamp_of(const std::filesystem::path& program);
/// Of the program that runs and of its worker; "" where there is no worker.
std::string stamp_of_programs();

/// A message as keys and entries are given.
std::string_view text_of(std::span<const std::byte> message);

}  // namespace protobeam
