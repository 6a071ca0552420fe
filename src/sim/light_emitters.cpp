#include "sim/light_emitters.h"

#include "render/color.h"

namespace protobeam {

Eigen::Vector3f emitted_light(const Material& material, const Eigen::Vector3f& color) {
  return render::linear_from_srgb(color) * material.emissive_intensity;
}

namespace {

void apply(WorldModel& model, const LightEmitter& emitter) {
  for (const LightEmitter::Shape& shape : emitter.shapes) {
    auto& slot = model.visuals[static_cast<std::size_t>(shape.group)].materials[shape.index];
    // A material of its own: others may have the same, and what was drawn with it holds it.
    auto material = std::make_shared<Material>(*slot);
    material->emissive = emitted_light(*slot, emitter.color);
    slot = std::move(material);
  }
  for (const std::size_t light : emitter.lights) model.lights[light].color = emitter.color;
}

}  // namespace

void collect_emitters(WorldModel& model) {
  for (LightEmitter& emitter : model.emitters) {
    emitter.shapes.clear();
    emitter.lights.clear();
    emitter.applied = false;
  }
  for (std::size_t g = 0; g < model.visuals.size(); ++g) {
    const std::vector<int>& by_shape = model.visuals[g].emitters;
    for (std::size_t i = 0; i < by_shape.size(); ++i) {
      if (by_shape[i] < 0) continue;
      model.emitters[static_cast<std::size_t>(by_shape[i])].shapes.push_back({static_cast<int>(g), i});
    }
  }
  for (std::size_t i = 0; i < model.lights.size(); ++i) {
    const int emitter = model.lights[i].emitter;
    if (emitter >= 0) model.emitters[static_cast<std::size_t>(emitter)].lights.push_back(i);
  }
}

void apply_emissions(WorldModel& model) {
  for (LightEmitter& emitter : model.emitters) {
    if (emitter.robot < 0) continue;
    const auto& robot = model.robots[static_cast<std::size_t>(emitter.robot)];
    const Device& device = robot.devices[static_cast<std::size_t>(emitter.device)];
    const Eigen::Vector3f color = device.model->emission();
    if (emitter.applied && color == emitter.color) continue;
    emitter.applied = true;
    emitter.color = color;
    apply(model, emitter);
    ++model.emissions;
  }
}

}  // namespace protobeam
