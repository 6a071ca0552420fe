#include "app/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/files.h"
#include "output/cloud_file.h"
#include "sim/picture/picture.h"

namespace protobeam {
namespace fs = std::filesystem;

Device* main_lidar(Simulation& simulation) {
  Device* best = nullptr;
  std::size_t most = 0;
  for (RobotInfo& robot : simulation.model().robots) {
    for (Device& device : robot.devices) {
      const auto* lidar = dynamic_cast<const BeamSensor*>(device.sensor.get());
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

void write_run_files(Simulation& simulation, const fs::path& folder) {
  if (Device* device = main_lidar(simulation)) {
    const auto& lidar = dynamic_cast<const BeamSensor&>(*device->sensor);
    write_cloud(folder / "cloud.pcd", CloudFormat::kPcdBinary, lidar.layers(), lidar.columns(),
                lidar.beams(device->data));
    write_range_picture(*device, folder / "ranges.png");
  }
  write_scene_picture(simulation, folder / "scene.png");
}

std::string run_files_text(Simulation& simulation, const fs::path& folder) {
  const std::string first = main_lidar(simulation) ? "cloud.pcd, ranges.png and " : "";
  return fmt::format("{}scene.png in {}", first, folder.string());
}

void write_range_picture(const Device& device, const fs::path& file) {
  const auto& lidar = dynamic_cast<const BeamSensor&>(*device.sensor);
  const std::size_t count =
      static_cast<std::size_t>(lidar.layers()) * static_cast<std::size_t>(lidar.columns());
  const std::span ranges(reinterpret_cast<const float*>(device.data.data()), count);
  save_png(draw_ranges(lidar.layers(), lidar.columns(), ranges, lidar.max_range()), file);
}

namespace {

Pose pose_of(const WorldModel& model, physics::BodyId body, const Pose& X_BD) {
  return body == physics::kWorldBody ? X_BD : model.physics->pose(body) * X_BD;
}

SceneLook look_of(const WorldModel& model) {
  SceneLook look;
  for (const VisualGroup& group : model.visuals) {
    if (look.instances.size() <= group.instance) look.instances.resize(group.instance + 1);
    const Pose X_WG = pose_of(model, group.body, group.X_BG);
    for (std::size_t i = 0; i < group.geometries.size(); ++i) {
      look.instances[group.instance].push_back(
          {*group.materials[i], group.geometries[i], X_WG * group.shape_poses[i]});
    }
  }
  for (const Light& light : model.lights) {
    if (light.kind != Light::Kind::kDirectional) continue;
    look.to_sun = -light.direction_B;
    break;
  }
  return look;
}

/// Every lidar's last returns in the world, coloured by height.
std::vector<ScenePoint> last_returns(const WorldModel& model) {
  std::vector<ScenePoint> points;
  for (const RobotInfo& robot : model.robots) {
    for (const Device& device : robot.devices) {
      const auto* lidar = dynamic_cast<const BeamSensor*>(device.sensor.get());
      if (!lidar || device.frames == 0) continue;
      const Pose X_WS = pose_of(model, device.body, device.X_BD);
      for (const BeamReturn& beam : lidar->beams(device.data)) {
        if (std::isfinite(beam.range)) points.push_back({X_WS * Vec3(beam.x, beam.y, beam.z), 0});
      }
    }
  }
  constexpr double kLow = 0, kHigh = 4;  // metres over which the colours run
  for (ScenePoint& point : points) {
    point.value = static_cast<float>(std::clamp((point.p_W.z() - kLow) / (kHigh - kLow), 0.0, 1.0));
  }
  return points;
}

/// The world's Viewpoint, or one that sees all bodies and robots.
Camera camera_of(const WorldModel& model) {
  if (model.viewpoint) {
    // Webots' fieldOfView is that of the wider side; pictures are 16:9.
    const double vertical = 2 * std::atan(std::tan(model.viewpoint->field_of_view / 2) * 9 / 16);
    return {model.viewpoint->X_WV, vertical};
  }
  Bounds box;
  for (const SolidInfo& solid : model.solids) {
    const Vec3 p = pose_of(model, solid.body, solid.X_BS).p;
    box.min = box.min.cwiseMin(p - Vec3::Constant(1));
    box.max = box.max.cwiseMax(p + Vec3::Constant(1));
  }
  if (box.empty()) box = {Vec3::Constant(-5), Vec3::Constant(5)};
  return frame_bounds(box, 16.0 / 9);
}

}  // namespace

void write_scene_picture(Simulation& simulation, const fs::path& file) {
  const WorldModel& model = simulation.model();
  save_png(draw_scene(*model.visible, look_of(model), camera_of(model), last_returns(model)), file);
}

}  // namespace protobeam
