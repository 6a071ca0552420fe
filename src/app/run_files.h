// What `run --out` leaves and `scan` writes: clouds and pictures.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/device_sweep.h"
#include "app/point_options.h"
#include "sim/simulation.h"

namespace protobeam {

/// cloud.pcd and ranges.png of the lidar with the most beams, scene.png of everything, and of each
/// device that shows a picture ROBOT_DEVICE.png. Throws std::runtime_error when a file cannot be
/// written whole.
/// `pictures` false: cloud.pcd only.
/// `followed_at`: followed_position() at the start of the run.
void write_run_files(Simulation& simulation, const std::filesystem::path& folder,
                     const PointOptions& points, const LidarTracks& tracks, bool pictures,
                     const std::optional<Vec3>& followed_at);
/// "cloud.pcd, ranges.png and scene.png in out/yard"; "" when nothing was written.
std::string run_files_text(Simulation& simulation, const std::filesystem::path& folder,
                           bool pictures);

/// Where the Solid is that the world's Viewpoint follows; none when it follows nothing.
std::optional<Vec3> followed_position(Simulation& simulation);

/// The lidar with the most beams that has delivered a frame; null when there is none.
Device* main_lidar(Simulation& simulation);
/// A sweep as a picture of its range image.
void write_range_picture(const Device& lidar, const std::filesystem::path& file);
/// What a supervisor asks for: the world as its Viewpoint sees it, as PNG or, with a quality of 1..100, as
/// JPEG. "" or why there is no picture.
std::string export_picture(Simulation& simulation, const std::filesystem::path& file, int quality,
                           const std::optional<Vec3>& followed_at);

}  // namespace protobeam
