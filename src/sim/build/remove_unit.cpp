// What came of a unit leaves the model; the numbers of what others name by number become free.
#include <algorithm>
#include <vector>

#include "sim/builder.h"
#include "sim/light_emitters.h"

namespace protobeam {
namespace {

template <class Items>
void trim(Items& items) {
  while (!items.empty() && items.back().removed) items.pop_back();
}

void remove_vehicle(WorldModel& model, std::size_t index) {
  model.vehicles.erase(model.vehicles.begin() + static_cast<std::ptrdiff_t>(index));
  for (VisualGroup& group : model.visuals) {
    if (group.vehicle > static_cast<int>(index)) --group.vehicle;
  }
}

void remove_animations(WorldModel& model, const wbt::Node& unit) {
  auto& all = model.animations.all();
  std::vector<int> place(all.size(), -1);
  std::vector<Animation> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].unit == &unit) continue;
    place[i] = static_cast<int>(kept.size());
    kept.push_back(std::move(all[i]));
  }
  // Those that others hang on are in the same unit.
  for (Animation& one : kept) {
    if (one.parent >= 0) one.parent = place[static_cast<std::size_t>(one.parent)];
  }
  all = std::move(kept);
}

}  // namespace

void remove_from_world(WorldModel& model, const wbt::Node& unit) {
  for (VisualGroup& group : model.visuals) {
    if (group.unit == &unit) model.visible->remove(group.instance);
  }
  std::erase_if(model.visuals, [&](const VisualGroup& group) { return group.unit == &unit; });
  std::erase_if(model.lines, [&](const LineSet& set) { return set.unit == &unit; });
  std::erase_if(model.lights, [&](const Light& light) { return light.unit == &unit; });
  for (LightEmitter& emitter : model.emitters) {
    if (emitter.unit == &unit) emitter = LightEmitter{};
  }
  collect_emitters(model);
  model.fluids.remove(unit);
  std::erase_if(model.chargers, [&](const Charger& charger) { return charger.unit == &unit; });
  model.sun = sun_of(model.lights);
  std::erase_if(model.collisions, [&](const CollisionInfo& collision) {
    return collision.solid >= 0 &&
           model.solids[static_cast<std::size_t>(collision.solid)].unit == &unit;
  });
  remove_animations(model, unit);
  for (std::size_t i = model.vehicles.size(); i > 0; --i) {
    const auto robot = static_cast<std::size_t>(model.vehicles[i - 1]->robot());
    if (model.robots[robot].unit == &unit) remove_vehicle(model, i - 1);
  }
  // Before their bodies: devices know those.
  for (RobotInfo& robot : model.robots) {
    if (robot.unit != &unit || robot.removed) continue;
    RobotInfo nothing;
    nothing.index = robot.index;
    nothing.removed = true;
    robot = std::move(nothing);
  }
  trim(model.robots);
  for (Device& device : model.loose_devices) {
    if (device.unit == &unit) device = Device{};
  }
  while (!model.loose_devices.empty() && !model.loose_devices.back().model) {
    model.loose_devices.pop_back();
  }
  // Only what is still seen or turns holds on to these.
  std::erase_if(model.pictures, [](const auto& picture) { return picture.use_count() == 1; });
  for (SolidInfo& solid : model.solids) {
    if (solid.unit != &unit || solid.removed) continue;
    for (const physics::BodyId body : {solid.body, solid.static_body}) {
      if (body != physics::kWorldBody) model.physics->remove(body);
    }
    SolidInfo nothing;
    nothing.removed = true;
    solid = std::move(nothing);
  }
  trim(model.solids);
  std::erase_if(model.rolling,
                [&](const RollingBody& rolling) { return !model.physics->exists(rolling.body); });
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (!model.physics->joint_exists(static_cast<physics::JointId>(i))) model.joints[i] = {};
  }
  while (!model.joints.empty() &&
         !model.physics->joint_exists(static_cast<physics::JointId>(model.joints.size()) - 1)) {
    model.joints.pop_back();
  }
}

}  // namespace protobeam
