// Models of Gazebo Fuel that Gazebo itself has fetched.
#pragma once

#include <filesystem>
#include <string>

#include "urdf/options.h"

namespace protobeam::urdf {

/// The file or folder of an address of Fuel in GZ_FUEL_CACHE_PATH, IGN_FUEL_CACHE_PATH, ~/.gz/fuel
/// or
/// ~/.ignition/fuel: HOST/owner/models/name/VERSION, in lower case, of the newest version where the
/// address says none (gz-fuel-tools, src/LocalCache.cc and src/ModelIdentifier.cc). Empty without
/// one.
std::filesystem::path cached_by_gazebo(const std::string& address, const Options& options);

}  // namespace protobeam::urdf
