#include "fetch/fuel_world.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "assets/lock_file.h"
#include "assets/unpack.h"
#include "base/address.h"
#include "base/archived_file.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

std::string downloaded(const std::string& archive, const DownloadLimits& limits) {
  Download got;
  got.error = "it was interrupted";
  Downloader(limits).get({archive}, [&](Download&& one) { got = std::move(one); });
  if (!got.error.empty()) throw std::runtime_error("cannot get '" + archive + "': " + got.error);
  return std::move(got.bytes);
}

/// Empty when there is none.
fs::path world_file_in(const fs::path& folder, const std::string& name) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".sdf") all.push_back(entry.path());
  std::ranges::sort(all);
  const auto named =
      std::ranges::find(all, name, [](const fs::path& file) { return file.stem().string(); });
  return named != all.end() ? *named : all.empty() ? fs::path() : all.front();
}

}  // namespace

fs::path fetch_fuel_world(const std::string& address, fs::path folder,
                          const DownloadLimits& limits) {
  const std::string archive = archive_of_world(address);
  if (archive.empty())
    throw std::runtime_error("'" + address +
                             "' is no world of Fuel: https://HOST/1.0/OWNER/worlds/NAME");
  if (const std::string why = why_bad_address(archive); !why.empty())
    throw std::runtime_error("the address '" + archive + "' " + why);
  const std::string name = with_spaces(fs::path(archive).stem().string());
  if (folder.empty()) folder = name;
  if (!folder.has_filename()) folder = folder.parent_path();  // "halls/"
  std::error_code none;
  if (fs::exists(folder, none) && !fs::is_directory(folder, none))
    throw std::runtime_error("'" + folder.string() + "' is no folder; --out DIR is another");
  if (fs::exists(folder, none) && !fs::is_empty(folder, none))
    throw std::runtime_error("there is a '" + folder.string() + "' already; --out DIR is another");
  const std::string bytes = downloaded(archive, limits);
  try {
    // One that is there, and empty, may be that of the user's shell: another one cannot take its
    // place.
    if (fs::exists(folder, none))
      unpack_zip(bytes, folder);
    else
      unpack_zip_whole(bytes, folder);
  } catch (const std::runtime_error& problem) {
    fs::remove_all(folder, none);
    throw std::runtime_error("'" + archive + "': " + problem.what());
  }
  fs::path world = world_file_in(folder, name);
  if (world.empty()) {
    fs::remove_all(folder, none);
    throw std::runtime_error("'" + archive + "' has no world, a file .sdf");
  }
  return world;
}

}  // namespace protobeam
