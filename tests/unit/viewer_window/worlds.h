// Worlds of a few boxes, without a simulation.
#pragma once

#include <memory>
#include <string>

#include "sim/watch/world_frame.h"
#include "sim/watch/world_look.h"

namespace protobeam::viewer {

struct BoxWorld {
  std::shared_ptr<WorldLook> look = std::make_shared<WorldLook>();
  std::shared_ptr<WorldFrame> frame = std::make_shared<WorldFrame>();

  explicit BoxWorld(int load = 1) { look->load = frame->load = load; }

  /// A Solid that is a box; `parent` -1: a group of its own. Returns its index.
  int add(const std::string& name, const Vec3& size, const Vec3& place, int parent = -1,
          bool moves = false) {
    const int index = static_cast<int>(look->solids.size());
    WorldLook::Solid solid;
    solid.name = name;
    solid.type = "Solid";
    solid.parent = parent;
    solid.body = moves ? 0 : physics::kWorldBody;
    solid.body_mass = moves ? 12.5 : 0;
    look->solids.push_back(solid);
    SolidState state;
    state.X_WS = Pose::translation(place);
    frame->solids.push_back(state);
    WorldLook::Group group;
    group.moves = moves;
    group.shapes.push_back(
        {std::make_shared<Geometry>(Box{size}), std::make_shared<Material>(), Pose{}, index});
    look->groups.push_back(group);
    frame->groups.push_back(state.X_WS);
    look->bounds.min = look->bounds.min.cwiseMin(place - size / 2);
    look->bounds.max = look->bounds.max.cwiseMax(place + size / 2);
    return index;
  }
};

}  // namespace protobeam::viewer
