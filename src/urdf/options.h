// What the caller decides about reading a URDF: packages, environment, limits.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/named_files.h"

namespace protobeam::urdf {

/// Bounds on what a text may cost. Passing one is an error at its place.
struct Limits {
  std::size_t file_bytes = 16u << 20;
  std::size_t elements = 200'000;
  std::size_t nesting = 64;  ///< elements in elements
  std::size_t links = 5000;
  std::size_t chain = 200;  ///< links from the root to a leaf
};

struct Options {
  /// Folders of packages for `package://NAME/...`; asked before everything else.
  std::map<std::string, std::filesystem::path> packages;
  /// Environment variables; empty function: those of this process.
  Environment environment;
  bool lenient = false;  ///< files that are missing are warnings
  Limits limits;
  /// Gets what is on the web and is named, also what was not fetched; may be null.
  std::vector<NamedAddress>* addresses = nullptr;
  /// Parameters of ros2_control, YAML, as ros2_control_node gets them: those of the controllers of
  /// robots with <ros2_control>, besides what a plugin names.
  std::vector<std::filesystem::path> controllers;
};

}  // namespace protobeam::urdf
