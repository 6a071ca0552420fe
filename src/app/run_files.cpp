#include "app/run_files.h"

#include <fmt/format.h>

#include "app/log.h"
#include "app/ray_picture.h"
#include "base/file_names.h"
#include "geometry/files.h"
#include "render/legend.h"
#include "render/range_picture.h"
#include "sim/scene/camera_choice.h"
#include "sim/scene/scene_observer.h"

namespace protobeam {
namespace fs = std::filesystem;

Device* main_lidar(Simulation& simulation) {
  Device* best = nullptr;
  std::size_t most = 0;
  for (RobotInfo& robot : simulation.model().robots) {
    for (Device& device : robot.devices) {
      const auto* lidar = dynamic_cast<const BeamSensor*>(device.model.get());
      if (!lidar || device.frames == 0) continue;
      const std::size_t beams =
          static_cast<std::size_t>(lidar->layers()) * static_cast<std::size_t>(lidar->columns());
      if (beams <= most) continue;
      most = beams;
      best = &device;
    }
  }
  return best;
}

namespace {

Image scene_picture(Simulation& simulation, const std::optional<render::ColorScale>& heights,
                    const std::optional<Vec3>& followed_at) {
  // A run should not cost several times as much for its picture.
  constexpr render::PictureSize kSize{.width = 960, .height = 540, .samples = 2};
  const auto description = describe_scene(simulation);
  const auto state = SceneObserver(simulation, *description).state(simulation);
  render::Camera camera =
      choose_camera("viewpoint", *description, *state, double(kSize.width) / kSize.height);
  if (const auto now = followed_position(*description, *state); now && followed_at) {
    camera.X_WC.p += *now - *followed_at;
  }
  return ray_picture(simulation, camera, kSize, heights);
}

/// World, robots and every lidar's last returns by their heights, with a colour bar beside it.
void write_scene_picture(Simulation& simulation, const fs::path& file,
                         const std::optional<Vec3>& followed_at) {
  const auto heights = heights_of_returns(simulation);
  const Image picture = scene_picture(simulation, heights, followed_at);
  if (!heights) return save_png(picture, file);
  save_png(render::with_legend(picture, {*heights, render::point_color, "height m", {}}), file);
}

}  // namespace

std::optional<Vec3> followed_position(Simulation& simulation) {
  const auto& viewpoint = simulation.model().viewpoint;
  if (!viewpoint || viewpoint->follow.empty()) return std::nullopt;
  const auto description = describe_scene(simulation);
  return followed_position(*description,
                           *SceneObserver(simulation, *description).state(simulation));
}

void write_run_files(Simulation& simulation, const fs::path& folder, const PointOptions& points,
                     const LidarTracks& tracks, bool pictures, const std::optional<Vec3>& followed_at) {
  if (Device* device = main_lidar(simulation)) {
    const LidarTrack* track = tracks.find(*device);
    const TimedSweep sweep = track ? track->sweep(simulation) : sweep_of(simulation, *device);
    write_sweep(folder / "cloud.pcd", CloudFormat::kPcdBinary, points, sweep,
                source_of(simulation, *device));
    if (pictures) write_range_picture(*device, folder / "ranges.png");
  }
  if (!pictures) return;
  write_scene_picture(simulation, folder / "scene.png", followed_at);
  FileNames names{log_note};
  for (const RobotInfo& robot : simulation.model().robots) {
    for (const Device& device : robot.devices) {
      const auto picture = device.model->picture();
      if (!picture) continue;
      save_png(*picture, folder / (names.of(robot.name + "/" + device.name) + ".png"));
    }
  }
}

std::string run_files_text(Simulation& simulation, const fs::path& folder, bool pictures) {
  const bool cloud = main_lidar(simulation) != nullptr;
  if (!pictures) return cloud ? fmt::format("cloud.pcd in {}", folder.string()) : "";
  const std::string first = cloud ? "cloud.pcd, ranges.png and " : "";
  return fmt::format("{}scene.png in {}", first, folder.string());
}

void write_range_picture(const Device& device, const fs::path& file) {
  const auto& lidar = dynamic_cast<const BeamSensor&>(*device.model);
  const std::size_t count =
      static_cast<std::size_t>(lidar.layers()) * static_cast<std::size_t>(lidar.columns());
  const std::span ranges(reinterpret_cast<const float*>(device.data.data()), count);
  save_png(render::draw_ranges(lidar.layers(), lidar.columns(), ranges, lidar.max_range()), file);
}

std::string export_picture(Simulation& simulation, const fs::path& file, int quality,
                           const std::optional<Vec3>& followed_at) {
  const std::string type = file.extension().string();
  try {
    if (type == ".png") {
      save_png(scene_picture(simulation, {}, followed_at), file);
    } else if (type == ".jpg" || type == ".jpeg") {
      save_jpeg(scene_picture(simulation, {}, followed_at), file, quality);
    } else {
      return fmt::format("'{}' ends neither with .png nor with .jpg", file.string());
    }
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
  return "";
}

}  // namespace protobeam
