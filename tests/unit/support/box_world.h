// Worlds of a few boxes, without a simulation.
#pragma once

#include <memory>
#include <string>

#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"

namespace protobeam {

struct BoxWorld {
  std::shared_ptr<SceneDescription> description = std::make_shared<SceneDescription>();
  std::shared_ptr<SceneState> state = std::make_shared<SceneState>();

  explicit BoxWorld(int load = 1) { description->load = state->load = load; }

  /// A Solid that is a box; `parent` -1: a group of its own. Returns its index.
  int add(const std::string& name, const Vec3& size, const Vec3& place, int parent = -1,
          bool moves = false) {
    const int index = static_cast<int>(description->solids.size());
    SceneDescription::Solid solid;
    solid.name = name;
    solid.type = "Solid";
    solid.parent = parent;
    solid.body = moves ? 0 : physics::kWorldBody;
    solid.body_mass = moves ? 12.5 : 0;
    description->solids.push_back(solid);
    SolidState solid_state;
    solid_state.X_WS = Pose::translation(place);
    state->solids.push_back(solid_state);
    SceneDescription::Group group;
    group.moves = moves;
    group.shapes.push_back(
        {std::make_shared<Geometry>(Box{size}), std::make_shared<Material>(), Pose{}, index});
    description->groups.push_back(group);
    state->groups.push_back(solid_state.X_WS);
    description->bounds.min = description->bounds.min.cwiseMin(place - size / 2);
    description->bounds.max = description->bounds.max.cwiseMax(place + size / 2);
    return index;
  }
};

}  // namespace protobeam
