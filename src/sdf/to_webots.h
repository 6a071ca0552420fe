// A world or model of Gazebo in SDF as the document that Webots' text would give: nodes with their
// places in the SDF. Expansion, checks and messages are then those of every world.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/diagnostics.h"
#include "urdf/options.h"
#include "urdf/to_webots.h"
#include "wbt/document.h"

namespace protobeam::sdf {

using urdf::Options;

/// The first <world> of a file, or its <model> on a plain. `folder`: what addresses of files are
/// relative to; empty: they are absolute. Warnings say what is not simulated. Nothing after errors.
std::optional<wbt::Document> read_world(const std::filesystem::path& file, const Options& options,
                                        const std::filesystem::path& folder,
                                        Diagnostics& diagnostics);
/// The same of a text that would lie in that file.
std::optional<wbt::Document> read_world_text(std::string text, const std::filesystem::path& file,
                                             const Options& options,
                                             const std::filesystem::path& folder,
                                             Diagnostics& diagnostics);

/// The first <model> of a file without a <world>, its frame at the origin. A model whose links no
/// joints hold together is an error.
std::optional<urdf::Model> read_model(const std::filesystem::path& file, const Options& options,
                                      Diagnostics& diagnostics);
std::optional<urdf::Model> read_model_text(std::string text, const std::filesystem::path& file,
                                           const Options& options, Diagnostics& diagnostics);

}  // namespace protobeam::sdf
