// Where things lie: beside the program in a build folder, or in an installation.
#pragma once

#include <filesystem>

namespace protobeam {

struct InstalledPaths {
  std::filesystem::path plugins;      ///< NODE.so
  std::filesystem::path catalogue;    ///< the PROTOs that come with us
  std::filesystem::path controllers;  ///< built controller programs, NAME/NAME
  std::filesystem::path skeletons;    ///< what `new` copies
  std::filesystem::path libraries;    ///< libController.so
  std::filesystem::path cache;        ///< PROTOs that a user put there (XDG_CACHE_HOME/protobeam)
  bool source_tree = false;           ///< runs from a build folder
};

/// Found from the place of the running program; PROTOBEAM_HOME overrides where data is.
const InstalledPaths& installed_paths();

}  // namespace protobeam
