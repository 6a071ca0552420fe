// What comes into a world while it runs, leaves it, or is made anew.
#include <algorithm>
#include <utility>

#include "sim/kept_commands.h"
#include "sim/light_emitters.h"
#include "sim/reset.h"
#include "sim/simulation.h"
#include "sim/supervisor/supervisor.h"

namespace protobeam {
namespace {

using wbt::Node;
using wbt::NodePtr;

}  // namespace

int Simulation::solid_of(const Node& node) const {
  const auto found = solid_of_.find(&node);
  return found == solid_of_.end() ? -1 : found->second;
}

bool Simulation::add_unit(const Addition& what, Diagnostics& diagnostics) {
  diagnostics.set_lenient(options_.lenient);
  const std::size_t vehicles = model_.vehicles.size();
  if (!add_to_world(model_, world_, what, schemas_, plugins_, options_.build, shapes_,
                    diagnostics)) {
    shapes_.forget_failures();
    return false;
  }
  after_change();
  for (const SolidInfo& solid : model_.solids) {
    if (solid.removed || solid_of_before_.contains(solid.node)) continue;
    for (const physics::BodyId body : {solid.body, solid.static_body}) {
      if (body != physics::kWorldBody) {
        body_poses_[static_cast<std::size_t>(body)] = model_.physics->pose(body);
      }
    }
    supervisor_->begin_resting_motion(solid);
  }
  for (VisualGroup& group : model_.visuals) {
    if (group.unit == what.node) group.X_WG = group.X_WG_before = pose_of(group);
  }
  for (std::size_t i = vehicles; i < model_.vehicles.size(); ++i) attach(*model_.vehicles[i]);
  if (has_robot(*what.node)) ++robot_generation_;
  std::vector<std::size_t> fresh;
  for (std::size_t i = 0; i < model_.robots.size(); ++i) {
    const bool known = i < drivers_.size() && drivers_[i];
    if (!model_.robots[i].removed && !known) fresh.push_back(i);
  }
  make_drivers();
  for (const std::size_t i : fresh) {
    if (kept_drivers_.contains(model_.robots[i].node)) continue;
    for (Device& device : model_.robots[i].devices) {
      if (device.sampling_period > 0) enable(device, device.sampling_period);
    }
    start_controller(i);
  }
  return true;
}

bool Simulation::has_robot(const Node& unit) const {
  return std::ranges::any_of(model_.robots, [&](const RobotInfo& robot) {
    return !robot.removed && (robot.unit == &unit || robot.node == &unit);
  });
}

void Simulation::remove_unit(const Node& unit) {
  if (has_robot(unit)) ++robot_generation_;
  for (const RobotInfo& robot : model_.robots) {
    const auto index = static_cast<std::size_t>(robot.index);
    if (robot.removed || robot.unit != &unit || index >= drivers_.size() || !drivers_[index]) {
      continue;
    }
    drivers_[index]->leave();
    leaving_.push_back(std::move(drivers_[index]));
  }
  for (RobotInfo& robot : model_.robots) {
    if (!keep_devices_ || robot.removed || robot.unit != &unit) continue;
    for (Device& device : robot.devices) device.keep_last_sample();
    removed_devices_.push_back(std::move(robot.devices));
  }
  remove_from_world(model_, unit);
  while (drivers_.size() > model_.robots.size()) drivers_.pop_back();
  after_change();
}

bool Simulation::rebuild_unit(const Addition& what, const std::function<void()>& change,
                              const std::function<void()>& undo, Diagnostics& diagnostics) {
  diagnostics.set_lenient(options_.lenient);
  const Node* unit = what.node;
  struct Motion {
    Vec3 v_WB, w_WB;
  };
  std::map<const Node*, Motion> motions;
  auto& physics = *model_.physics;
  for (const SolidInfo& solid : model_.solids) {
    if (solid.removed || solid.unit != unit || solid.body == physics::kWorldBody) continue;
    motions[solid.node] = {physics.velocity(solid.body), physics.angular_velocity(solid.body)};
  }
  Addition again = what;
  for (const JointInfo& joint : model_.joints) {
    // One that stands elsewhere, and holds a body of this unit.
    if (!joint.node || joint.unit != joint.node) continue;
    if (joint.node->type != "DistanceJoint" && joint.node->type != "RevoluteJoint") continue;
    if (joint.node != unit) again.links.push_back(joint.node);
  }
  const KeptCommands commands(model_, *unit);
  std::map<const Node*, std::vector<Device>> devices;
  std::map<const Node*, Battery> batteries;
  for (RobotInfo& robot : model_.robots) {
    if (robot.removed || robot.unit != unit) continue;
    batteries[robot.node] = robot.battery;
    devices[robot.node] = std::move(robot.devices);
    robot.devices.clear();
    again.robot_numbers[robot.node] = robot.index;
    auto& driver = drivers_[static_cast<std::size_t>(robot.index)];
    if (driver) kept_drivers_[robot.node] = std::move(driver);
  }
  remove_from_world(model_, *unit);
  std::erase_if(again.links, [&](const Node* link) {
    return std::ranges::any_of(model_.joints,
                               [&](const JointInfo& one) { return one.node == link; });
  });
  while (drivers_.size() > model_.robots.size()) drivers_.pop_back();
  change();
  bool good = add_unit(again, diagnostics);
  const bool others =
      good && what.same_samples && std::ranges::any_of(model_.robots, [&](const RobotInfo& robot) {
        const auto known = devices.find(robot.node);
        return !robot.removed && known != devices.end() && !fits(robot, known->second);
      });
  if (others) {
    remove_from_world(model_, *unit);
    good = false;
  }
  if (!good) {
    undo();
    Diagnostics ignored;
    add_unit(again, ignored);
  }
  for (const SolidInfo& solid : model_.solids) {
    if (solid.removed || solid.unit != unit || solid.body == physics::kWorldBody) continue;
    const auto moved = motions.find(solid.node);
    if (moved == motions.end()) continue;
    physics.set_velocity(solid.body, moved->second.v_WB, moved->second.w_WB);
  }
  commands.restore(model_);
  for (auto& [node, driver] : kept_drivers_) {
    const auto robot = std::ranges::find_if(
        model_.robots, [node = node](const RobotInfo& one) { return one.node == node; });
    if (robot == model_.robots.end()) {
      driver->leave();
      leaving_.push_back(std::move(driver));
      continue;
    }
    driver->follow(robot->index);
    robot->battery = batteries[node];  // a change elsewhere in the robot does not fill it
    const bool fits = go_on(*robot, std::move(devices[node]), true);
    if (robot->battery.has_run_down) {
      for (const Device& device : robot->devices) device.model->set_power(false);
    }
    drivers_[static_cast<std::size_t>(robot->index)] = std::move(driver);
    if (!fits) {
      drivers_[static_cast<std::size_t>(robot->index)]->forget_devices();
      restart_controller_soon(robot->index);
    }
  }
  kept_drivers_.clear();
  find_roles();
  return good;
}

bool Simulation::look_again(const Node& owner, Diagnostics& diagnostics) {
  diagnostics.set_lenient(options_.lenient);
  const int solid = solid_of(owner);
  const bool moves =
      solid >= 0 && model_.solids[static_cast<std::size_t>(solid)].body != physics::kWorldBody;
  const auto seen = [&](const VisualGroup& group) {
    if (!moves) return group.owner == &owner;
    return group.body == model_.solids[static_cast<std::size_t>(solid)].body;
  };
  bool found = false, good = true;
  for (VisualGroup& group : model_.visuals) {
    if (!group.divided_off || !seen(group)) continue;
    // All of it is in the group that it was divided off from, until that is divided again.
    model_.visible->remove(group.instance);
    group.instance = VisualGroup::kNoInstance;
  }
  for (VisualGroup& group : model_.visuals) {
    if (group.divided_off || !seen(group)) continue;
    found = true;
    good = protobeam::look_again(model_, group, schemas_, plugins_, options_.build, shapes_,
                                 diagnostics) &&
           good;
  }
  if (!found && solid >= 0) {
    // Nothing was seen of it until now.
    const SolidInfo& info = model_.solids[static_cast<std::size_t>(solid)];
    VisualGroup group;
    group.body = info.body;
    group.owner = &owner;
    group.unit = info.unit;
    if (moves) {
      int root = solid;
      while (model_.solids[static_cast<std::size_t>(root)].parent >= 0 &&
             model_.solids[static_cast<std::size_t>(
                               model_.solids[static_cast<std::size_t>(root)].parent)]
                     .body == info.body) {
        root = model_.solids[static_cast<std::size_t>(root)].parent;
      }
      group.owner = model_.solids[static_cast<std::size_t>(root)].node;
    } else {
      group.X_BG = info.X_BS;
    }
    group.X_WG = group.X_WG_before = pose_of(group);
    group.instance = VisualGroup::kNoInstance;
    good = protobeam::look_again(model_, group, schemas_, plugins_, options_.build, shapes_,
                                 diagnostics);
    model_.visuals.push_back(std::move(group));
  }
  std::erase_if(model_.visuals, [](const VisualGroup& group) {
    return group.instance == VisualGroup::kNoInstance;
  });
  surfaces_valid_ = false;
  collect_emitters(model_);
  inputs_ = std::make_unique<SampleInputs>(model_, *tree_);
  ++look_generation_;
  return good;
}

bool Simulation::move_solid(int solid, const Pose& X_WS) {
  auto& physics = *model_.physics;
  auto& solids = model_.solids;
  const auto within = [&](int one) {
    for (; one >= 0; one = solids[static_cast<std::size_t>(one)].parent) {
      if (one == solid) return true;
    }
    return false;
  };
  SolidInfo& moved = solids[static_cast<std::size_t>(solid)];
  const bool resting = moved.body == physics::kWorldBody;
  const Pose before = resting ? moved.X_BS : physics.pose(moved.body) * moved.X_BS;
  const Pose D = X_WS * before.inverse();
  const auto has_parent_body = [&] {
    return moved.parent >= 0 && solids[static_cast<std::size_t>(moved.parent)].body == moved.body &&
           !resting;
  };
  if (has_parent_body()) return false;
  std::vector<int> all;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    if (!solids[i].removed && solids[i].unit == moved.unit && within(static_cast<int>(i))) {
      all.push_back(static_cast<int>(i));
    }
  }
  std::vector<physics::BodyId> bodies;
  for (const int index : all) {
    const SolidInfo& one = solids[static_cast<std::size_t>(index)];
    // What hangs on the world by joints would be torn off.
    if (resting && one.body != physics::kWorldBody) return false;
    for (const physics::BodyId body : {one.body, one.static_body}) {
      if (body != physics::kWorldBody && std::ranges::find(bodies, body) == bodies.end()) {
        bodies.push_back(body);
      }
    }
  }
  for (const physics::BodyId body : bodies) {
    // Of the moved one exactly what was asked for.
    const bool own = body == moved.body && !resting;
    physics.set_pose(body, own ? X_WS * moved.X_BS.inverse() : D * physics.pose(body));
  }
  if (resting) {
    inputs_->parts_moved();
    for (const int index : all) {
      SolidInfo& one = solids[static_cast<std::size_t>(index)];
      one.X_BS = index == solid ? X_WS : D * one.X_BS;
    }
    for (CollisionInfo& collision : model_.collisions) {
      if (std::ranges::binary_search(all, collision.solid)) collision.X_BS = D * collision.X_BS;
    }
    for (RobotInfo& robot : model_.robots) {
      for (Device& device : robot.devices) {
        if (device.solid < 0 || !std::ranges::binary_search(all, device.solid)) continue;
        device.X_BD = D * device.X_BD;
        static_cast<WorldBodyPort&>(*device.body_port).place(device.X_BD);
      }
    }
    for (Light& light : model_.lights) {
      if (light.unit != moved.unit || light.kind == Light::Kind::kDirectional) continue;
      light.location_B = D * light.location_B;
      light.direction_B = D.R * light.direction_B;
    }
  }
  for (VisualGroup& group : model_.visuals) {
    if (group.unit != moved.unit) continue;
    if (resting) {
      const int of = solid_of(*group.owner);
      if (of >= 0 && !std::ranges::binary_search(all, of)) continue;
      group.X_BG = D * group.X_BG;
    } else if (std::ranges::find(bodies, group.body) == bodies.end()) {
      continue;
    }
    // At once: nothing sweeps through what is in between.
    group.X_WG = group.X_WG_before = pose_of(group);
    model_.visible->set_pose(group.instance, group.X_WG);
  }
  return true;
}

void Simulation::read_scenery(const Node& node) {
  Diagnostics ignored;
  read_again(model_, node, schemas_, plugins_, options_.build, shapes_, ignored);
  appearance_changed();
}

void Simulation::scenery_gone(const std::string& type) {
  if (type == "Fog") model_.fog = {};
  if (type == "Background") model_.background = {};
  if (type == "Atmosphere") model_.atmosphere = {};
  appearance_changed();
}

void Simulation::after_change() {
  ++generation_;
  body_poses_.resize(static_cast<std::size_t>(model_.physics->body_count()));
  solid_of_before_ = std::move(solid_of_);
  solid_of_.clear();
  for (std::size_t i = 0; i < model_.solids.size(); ++i) {
    if (!model_.solids[i].removed) solid_of_[model_.solids[i].node] = static_cast<int>(i);
  }
  surfaces_valid_ = false;
  find_roles();
}

void Simulation::update_surfaces() {
  if (surfaces_valid_) return;
  surfaces_valid_ = true;
  if (model_.labels) model_.labels->update(model_);
  const bool wanted = std::ranges::any_of(
      all_devices_, [](const Device* device) { return device->inputs.has(Input::kSurfaces); });
  if (wanted) model_.surfaces = surface_builder_.table(model_.visuals);
}

void Simulation::find_roles() {
  inputs_ = std::make_unique<SampleInputs>(model_, *tree_);
  all_devices_.clear();
  acting_.clear();
  senders_.clear();
  drawing_.clear();
  noting_.clear();
  receivers_.clear();
  unyielding_.clear();
  contact_devices_.clear();
  contact_devices_.resize(static_cast<std::size_t>(model_.physics->body_count()));
  std::vector<Device*> guides;
  const auto find = [&](Device& device) {
    if (!device.model) return;
    const DeviceType& type = device.model->type();
    if (type.moves_robot) guides.push_back(&device);
    if (type.forces) acting_.push_back(&device);
    if (type.sends) senders_.push_back(&device);
    if (type.draws) drawing_.push_back(&device);
    if (type.events) noting_.push_back(&device);
    if (device.inputs.has(Input::kSignals)) receivers_.push_back(&device);
    if (!device.inputs.has(Input::kBodyContacts)) return;
    physics::BodyId body = device.body;
    if (body == physics::kWorldBody && device.solid >= 0) {
      body = model_.solids[static_cast<std::size_t>(device.solid)].static_body;
    }
    if (body == physics::kWorldBody) return;
    contact_devices_[static_cast<std::size_t>(body)].push_back(&device);
    if (device.inputs.has(Input::kUnyieldingContacts)) unyielding_.push_back({&device, body});
  };
  for (RobotInfo& robot : model_.robots) {
    for (Device& device : robot.devices) {
      all_devices_.push_back(&device);
      find(device);
    }
  }
  for (Device& device : model_.loose_devices) find(device);
  introduce_devices();
  imposed_motions_.follow(*model_.physics, guides, time());
}

void Simulation::introduce_devices() {
  std::vector<Device*> all = all_devices_;
  for (Device& device : model_.loose_devices) {
    if (device.model) all.push_back(&device);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i]->model) continue;
    const auto same = [type = &all[i]->model->type()](const Device* other) {
      return other->model && &other->model->type() == type;
    };
    if (std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i), same)) continue;
    std::vector<DeviceModel*> peers;
    for (const Device* device : all) {
      if (same(device)) peers.push_back(device->model.get());
    }
    for (DeviceModel* model : peers) model->meet(peers);
  }
}

}  // namespace protobeam
