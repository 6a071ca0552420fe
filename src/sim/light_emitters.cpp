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

void apply_emissions(WorldModel& model) {
  for (LightEmitter& emitter : model.emitters) {
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
