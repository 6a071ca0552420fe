// An expanded MVSim world as the document that a .wbt file would give: nodes of Webots' language
// with their places in the XML. Expansion, checks and messages are then those of every world.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "mvsim/load.h"
#include "wbt/document.h"

namespace protobeam::mvsim {

/// What a world asks a run to write. Nothing of it is in the tree.
struct Recordings {
  std::vector<std::string> logged_vehicles;  ///< those with a <log_path>
  bool trajectories = false;                 ///< <save_ground_truth_trajectory>
  double trajectory_rate = 50;               ///< Hz
  Place asked_at;                            ///< the first of these wishes
};

struct WebotsWorld {
  wbt::Document document;
  Recordings recordings;
};

/// `folder`: what addresses of files are relative to; empty: they are absolute. Warnings say what
/// of the world is not simulated.
WebotsWorld to_webots(const LoadedFile& world, const LoadOptions& options,
                      const std::filesystem::path& folder, Diagnostics& diagnostics);

/// Mistakes in what definitions and classes without an instance mean: wheels, gains, beams.
void check_definitions(const LoadedFile& file, const LoadOptions& options,
                       Diagnostics& diagnostics);

}  // namespace protobeam::mvsim
