// The lines of a Collada file, of which MVSim makes walls.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

/// Ends of its lines, two and two, in metres, its upper axis turned to y as MVSim does
/// (World_walls.cpp, process_load_walls). Nothing, with errors, when the file cannot be read.
std::optional<std::vector<Vec3>> collada_lines(Import& import, const std::filesystem::path& file,
                                               const Origin& origin);

/// How MVSim's reader of models turns a Collada file before anything else: its upper axis becomes y
/// (Assimp's ColladaLoader, which MVSim does not ask to leave it alone; ours does). A model with z
/// up lies on its back then, and <model_roll> 90 makes it stand.
Quat upper_axis_to_y(const std::string& up_axis);

}  // namespace protobeam::mvsim
