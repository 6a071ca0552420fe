#include "app/ray_picture.h"

#include <cmath>
#include <vector>

#include "render/picture_label.h"
#include "sim/supervisor/supervisor.h"

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
          {*group.materials[i], group.geometries[i], X_WG * group.shape_poses[i],
           group.paints.empty() ? nullptr : group.paints[i]});
    }
  }
  for (const Light& light : model.lights) {
    if (light.kind != Light::Kind::kDirectional) continue;
    appearance.to_sun = -light.direction_B;
    break;
  }
  return appearance;
}

/// Every lidar's last returns in the world.
std::vector<Vec3> last_returns(const WorldModel& model) {
  std::vector<Vec3> points_W;
  for (const RobotInfo& robot : model.robots) {
    for (const Device& device : robot.devices) {
      const auto* lidar = dynamic_cast<const BeamSensor*>(device.model.get());
      if (!lidar || device.frames == 0) continue;
      const Pose X_WS = pose_of(model, device.body, device.X_BD);
      for (const BeamReturn& beam : lidar->beams(device.data)) {
        if (std::isfinite(beam.range)) points_W.push_back(X_WS * Vec3(beam.x, beam.y, beam.z));
      }
    }
  }
  return points_W;
}

}  // namespace

std::optional<render::ColorScale> heights_of_returns(const Simulation& simulation) {
  const WorldModel& model = simulation.model();
  std::vector<double> heights;
  for (const Vec3& p_W : last_returns(model)) heights.push_back(p_W.dot(model.up));
  return render::percentile_scale(std::move(heights));
}

Image ray_picture(Simulation& simulation, const render::Camera& camera,
                  const render::PictureSize& size,
                  const std::optional<render::ColorScale>& heights) {
  const WorldModel& model = simulation.model();
  std::vector<render::ScenePoint> points;
  if (heights) {
    for (const Vec3& p_W : last_returns(model)) {
      points.push_back({p_W, static_cast<float>(heights->fraction(p_W.dot(model.up)))});
    }
  }
  Image picture = render::draw_scene(*model.visible, appearance_of(model), camera, points, size);
  std::vector<render::PictureLabel> labels;
  for (const auto& [id, label] : simulation.supervisor().labels()) labels.push_back(label);
  render::draw_labels(picture, labels);
  return picture;
}

}  // namespace protobeam
