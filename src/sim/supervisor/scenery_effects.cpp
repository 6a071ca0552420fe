// What changes of lights, sky, weather, view and of the world's own settings do.
#include <fmt/format.h>

#include <algorithm>

#include "sim/light_emitters.h"
#include "sim/simulation.h"
#include "sim/supervisor/supervisor.h"

namespace protobeam {

using wbt::Node;
using wbt::Value;

bool Supervisor::change_scenery(const TreeField& field, const Value& value) {
  const std::string& type = field.node->type;
  auto& model = simulation_.model();
  const auto set = [&] { simulation_.tree().set(field, value); };
  const wbt::NodeView view(*field.node, simulation_.schemas());
  if (type == "WorldInfo") return change_world_info(field, value);
  if (type == "Viewpoint") {
    set();
    if (model.viewpoint) {
      model.viewpoint->X_WV = {view.rotation("orientation"), view.vec3("position")};
      model.viewpoint->field_of_view = view.number("fieldOfView");
      model.viewpoint->follow = view.string("follow");
    }
    return true;
  }
  if (type == "Background" || type == "Fog" || type == "Atmosphere") {
    set();
    simulation_.read_scenery(*field.node);
    return true;
  }
  if (type == "ContactProperties") {
    set();
    for (const Node* parent : simulation_.tree().parents(*field.node)) {
      if (parent) simulation_.read_scenery(*parent);
    }
    return true;
  }
  // Devices in joints, and nodes that belong to devices.
  const bool of_device = is_joint_device(simulation_.schemas(), type) || type == "Recognition" ||
                         type == "Lens" || type == "LensFlare" || type == "Focus" || type == "Zoom";
  if (of_device) {
    change_device(field, value);
    return true;
  }
  return false;
}

bool Supervisor::change_world_info(const TreeField& field, const Value& value) {
  auto& model = simulation_.model();
  simulation_.tree().set(field, value);
  if (field.name == "gravity") {
    model.gravity = model.gravity_direction * value.numbers.at(0);
    model.physics->set_gravity(model.gravity);
  } else if (field.name == "title") {
    model.title = value.strings.empty() ? "" : value.strings.front();
  } else if (field.name == "contactProperties") {
    simulation_.read_scenery(*field.node);
  } else if (field.name != "info" && field.name != "window") {
    warn_once(
        fmt::format("field '{}' of WorldInfo cannot change while the world runs: it counts when "
                    "the world is loaded again",
                    field.name));
  }
  return true;
}

void Supervisor::update_light(const Node& node) {
  auto& model = simulation_.model();
  const wbt::NodeView view(node, simulation_.schemas());
  // Where it is: in the nearest Solid, or in the world.
  const LiveTree& tree = simulation_.tree();
  const Node* solid_node = nullptr;
  const Node* top = &node;
  for (const Node* at = &node; at;
       at = tree.parents(*at).empty() ? nullptr : tree.parents(*at).front()) {
    top = at;
    if (!solid_node && simulation_.solid_of(*at) >= 0) solid_node = at;
  }
  physics::BodyId body = physics::kWorldBody;
  Pose X_WB;
  const Node* unit = top;
  if (solid_node) {
    const SolidInfo& info =
        model.solids[static_cast<std::size_t>(simulation_.solid_of(*solid_node))];
    body = info.body;
    unit = info.unit;
    if (body != physics::kWorldBody) X_WB = model.physics->pose(body);
  }
  const auto& parents = tree.parents(node);
  const Node* parent = parents.empty() ? nullptr : parents.front();
  Vec3 scale;
  world_pose(parent, &scale);
  const auto known =
      std::ranges::find_if(model.lights, [&](const Light& light) { return light.node == &node; });
  if (!view.boolean("on")) {
    if (known != model.lights.end()) model.lights.erase(known);
  } else {
    Light light = light_from(view, body, X_WB.inverse() * world_pose(parent), scale);
    light.unit = unit;
    if (known != model.lights.end()) {
      *known = light;
    } else {
      model.lights.push_back(light);
    }
  }
  collect_emitters(model);
  model.sun = sun_of(model.lights);
  simulation_.appearance_changed();
}

}  // namespace protobeam
