// A file of settings (YAML): what a world may say about its outputs in nodes, without touching the world.
//
//   publishing:
//     clockRate: 100
//     topics:
//       - {device: car/lidar, name: points, format: ouster}
//   outputs:
//     - type: McapRecorder
//       file: run.mcap
//
// Fields are those of the nodes Publishing, Topic and of the types that extend Output.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/diagnostics.h"
#include "output/publish_settings.h"
#include "wbt/node.h"

namespace protobeam {

struct OutputSettings {
  std::optional<PublishSettings> publishing;
  std::vector<wbt::NodePtr> outputs;  ///< checked
};

/// With errors in `diagnostics` the rest means nothing. Throws std::runtime_error for a file that
/// cannot be read.
OutputSettings read_output_settings(const std::filesystem::path& file, SchemaRegistry& schemas,
                                    Diagnostics& diagnostics);

}  // namespace protobeam
