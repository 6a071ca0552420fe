// --point-format, --organised and --destagger, and the clouds that they ask for.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "output/cloud_file.h"
#include "output/point_layout.h"
#include "sim/simulation.h"

namespace protobeam {

struct PointOptions {
  std::string format = "protobeam";
  std::optional<bool> organised, destaggered;

  const PointLayout& layout() const { return point_layout(format); }
  /// Throws std::invalid_argument when the options do not go together.
  CloudShape shape() const { return shape_of(layout(), organised, destaggered); }
};

/// Returns the options, for what they need or exclude.
std::vector<CLI::Option*> add_point_options(CLI::App& command, PointOptions& options);

/// The last sweep of a device that is a BeamSensor. `beams` are its own, or were taken from it.
void write_sweep(const std::filesystem::path& path, CloudFormat format, const PointOptions& options,
                 const Simulation& simulation, const Device& device, std::vector<BeamReturn> beams);

}  // namespace protobeam
