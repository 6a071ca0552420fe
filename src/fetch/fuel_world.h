// Worlds of Gazebo Fuel as folders of this machine.
#pragma once

#include <filesystem>
#include <string>

#include "fetch/download.h"

namespace protobeam {

/// Gets the world at that address and unpacks it into `folder`, by default ("") one in the current
/// folder with the world's name. Returns the world's file: of several .sdf the one that is called
/// like the world, else the first. Throws std::runtime_error: the address is no world of Fuel,
/// something is in the folder already, it cannot be got or written, or is no world.
std::filesystem::path fetch_fuel_world(const std::string& address, std::filesystem::path folder,
                                       const DownloadLimits& limits);

}  // namespace protobeam
