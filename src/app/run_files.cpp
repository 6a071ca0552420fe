#include "app/run_files.h"

#include <fmt/format.h>

#include <cmath>

#include "output/cloud_file.h"

namespace protobeam {
namespace fs = std::filesystem;

Device* main_lidar(Simulation& simulation) {
  Device* best = nullptr;
  std::size_t most = 0;
  for (RobotInfo& robot : simulation.model().robots) {
    for (Device& device : robot.devices) {
      const auto* lidar = dynamic_cast<const BeamSensor*>(device.sensor.get());
      if (!lidar || device.frames == 0) continue;
      const std::size_t beams = static_cast<std::size_t>(lidar->layers()) * static_cast<std::size_t>(lidar->columns());
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
void write_range_picture(const Device&, const fs::path&) {}
void write_scene_picture(Simulation&, const fs::path&) {}
}  // namespace protobeam
