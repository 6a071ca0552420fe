// --point-format, --organised and --destagger, and the clouds that they ask for.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "output/cloud_file.h"
#include "output/point_layout.h"
#include "output/sweep.h"

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

/// A sweep as a file, and beside it FILE.json with what its format has no place for: when and from where
/// it was measured.
void write_sweep(const std::filesystem::path& path, CloudFormat format, const PointOptions& options,
                 const TimedSweep& sweep, const SweepSource& source);
/// The same for the files that write_cloud() makes.
void write_own_sweep(const std::filesystem::path& path, CloudFormat format, const TimedSweep& sweep,
                     const SweepSource& source);

}  // namespace protobeam
