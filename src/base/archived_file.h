// Files that are on the web as parts of an archive.
#pragma once

#include <optional>
#include <string>

namespace protobeam {

struct ArchivedFile {
  std::string archive;  ///< address of a ZIP
  std::string inner;    ///< path in it: "meshes/a.dae"; "": all of it
};

/// Of "https://host/x.zip/a/b.dae", as MVSim writes it (src/RemoteResourcesManager.cpp), and of a
/// model of Gazebo Fuel or a file of one: "https://host/1.0/OWNER/models/NAME", then optionally
/// "/VERSION" or "/tip", and "/files/PATH"; hosts called fuel need no "1.0", and at others NAME has
/// no dot (gz-fuel-tools, src/FuelClient.cc: regular expressions of addresses, and DownloadModel).
/// Nothing for other addresses.
std::optional<ArchivedFile> archived_file(const std::string& address);

/// The address of the ZIP of a world of Gazebo Fuel: "https://host/1.0/OWNER/worlds/NAME", then
/// optionally "/VERSION" or "/tip". "" for other addresses.
std::string archive_of_world(const std::string& address);

}  // namespace protobeam
