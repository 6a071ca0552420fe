#include "app/ray_picture.h"

#include <algorithm>
#include <cmath>

namespace protobeam {
namespace {

Pose pose_of(const WorldModel& model, physics::BodyId body, const Pose& X_BD) {
  return body == physics::kWorldBody ? X_BD : model.physics->pose(body) * X_BD;
}

render::SceneAppearance appearance_of(const WorldModel& model) {
  render::SceneAppearance appearance;
  for (const VisualGroup& group : model.visuals) {
    if (appearance.instances.size() <= group.instance)
      appearance.instances.resize(group.instance + 1);
    const Pose X_WG = pose_of(model, group.body, group.X_BG);
    for (std::size_t i = 0; i < group.geometries.size(); ++i) {
      appearance.instances[group.instance].push_back(
          {*group.materials[i], group.geometries[i], X_WG * group.shape_poses[i]});
    }
  }
  for (const Light& light : model.lights) {
    if (light.kind != Light::Kind::kDirectional) continue;
    appearance.to_sun = -light.direction_B;
    break;
  }
  return appearance;
}

/// Every lidar's last returns in the world, coloured by height.
std::vector<render::ScenePoint> last_returns(const WorldModel& model) {
  std::vector<render::ScenePoint> points;
  for (const RobotInfo& robot : model.robots) {
    for (const Device& device : robot.devices) {
      const auto* lidar = dynamic_cast<const BeamSensor*>(device.model.get());
      if (!lidar || device.frames == 0) continue;
      const Pose X_WS = pose_of(model, device.body, device.X_BD);
      for (const BeamReturn& beam : lidar->beams(device.data)) {
        if (std::isfinite(beam.range)) points.push_back({X_WS * Vec3(beam.x, beam.y, beam.z), 0});
      }
    }
  }
  constexpr double kLow = 0, kHigh = 4;  // metres over which the colours run
  for (render::ScenePoint& point : points) {
    point.value = static_cast<float>(std::clamp((point.p_W.z() - kLow) / (kHigh - kLow), 0.0, 1.0));
  }
  return points;
}

}  // namespace

Image ray_picture(Simulation& simulation, const render::Camera& camera,
                  const render::PictureSize& size, bool points) {
  const WorldModel& model = simulation.model();
  return render::draw_scene(*model.visible, appearance_of(model), camera,
                            points ? last_returns(model) : std::vector<render::ScenePoint>{}, size);
}

}  // namespace protobeam
