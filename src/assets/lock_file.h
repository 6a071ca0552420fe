// WORLD.lock.json beside a world: what was behind each of its addresses.
//
//   {
//     "protobeam_lock": 1,
//     "assets": {
//       "https://example.org/Tree.proto": {
//         "sha256": "9f86d0...", "size": 1234, "final_address":
//         "https://cdn.example.org/Tree.proto"
//       }
//     }
//   }
//
// Sorted by address; final_address only where a redirect or webots:// led to another one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "base/diagnostics.h"

namespace protobeam {

struct LockedAsset {
  std::string sha256;  ///< 64 digits
  std::uint64_t size = 0;
  std::string final_address;  ///< from where it came; never empty in memory
  bool operator==(const LockedAsset&) const = default;
};

struct LockFile {
  std::map<std::string, LockedAsset> assets;  ///< by address

  /// "worlds/yard.wbt.lock.json"
  static std::filesystem::path beside(const std::filesystem::path& world);
  /// Empty when there is no such file. Mistakes are errors at their place; what is good is there.
  static LockFile read(const std::filesystem::path& file, Diagnostics& diagnostics);
  static LockFile parse(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics);
  std::string to_text() const;
};

/// "", or why nothing may be asked of the network by this address: "names a user".
/// https, http and webots only; a host, no user, no control characters.
std::string why_bad_address(const std::string& address);

}  // namespace protobeam
