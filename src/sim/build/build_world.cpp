// The world's own settings, and the last step: drafts become bodies, joints and ray instances.
#include <algorithm>
#include <cmath>
#include <random>
#include <span>

#include "sim/build/tree_builder.h"
#include "sim/bullet_scene.h"
#include "sim/light_emitters.h"

namespace protobeam {
using wbt::Node;
using wbt::NodePtr;
using wbt::NodeView;

namespace {

// The rules of vehicles are made for this step, and cut into shorter ones nothing is gained.
constexpr double kVehicleSubstep = 0.005;  // s
constexpr double kSameAnchor = 1e-9;       // m

}  // namespace

TreeBuilder::TreeBuilder(const SchemaRegistry& schemas, PluginLoader& plugins,
                         const BuildOptions& options, ShapeFactory& shapes,
                         Diagnostics& diagnostics)
    : schemas_(schemas),
      plugins_(plugins),
      options_(options),
      diagnostics_(diagnostics),
      shapes_(shapes) {
  shapes.report_to(diagnostics);
}

void TreeBuilder::error(const Node& node, std::string_view field, std::string message) {
  diagnostics_.error(view(node).place(field), std::move(message), {}, node.expanded_from);
}

void TreeBuilder::warning(const Node& node, std::string_view field, std::string message) {
  diagnostics_.warning(view(node).place(field), std::move(message), {}, node.expanded_from);
}

WorldModel TreeBuilder::build(const wbt::LoadedWorld& world) {
  double vehicle_substep = kVehicleSubstep;
  for (const NodePtr& node : world.nodes) {
    if (!node || node->type != "WorldInfo") continue;
    world_info(*node);
    vehicle_substep = view(*node).number("vehicleTimeStep") / 1000;
  }
  physics_spec_.time_step = model_.basic_time_step;
  physics_spec_.gravity = model_.gravity;
  if (has_vehicles(world.nodes)) physics_spec_.longest_substep = vehicle_substep;
  model_.physics = std::make_unique<physics::World>(physics_spec_);
  if (options_.bullet_rays) {
    model_.visible = make_bullet_scene();
  } else {
    model_.visible =
        make_embree_scene({.threads = options_.threads, .beam_caster = options_.beam_caster});
  }
  for (const NodePtr& node : world.nodes) {
    if (!node) continue;
    if (node->type == "WorldInfo") {
      contact_rules(*node);
    } else {
      unit_ = node.get();
      walk(*node, Frame{});
    }
  }
  if (diagnostics_.has_errors()) return std::move(model_);
  finish_vehicles();
  if (diagnostics_.has_errors()) return std::move(model_);
  finish_bodies();
  finish_joints();
  if (diagnostics_.has_errors()) return std::move(model_);
  finish_links();
  finish_fluids();
  finish_visuals();
  model_.sun = sun_of(model_.lights);
  if (diagnostics_.has_errors()) return std::move(model_);
  finish_devices();
  return std::move(model_);
}

void TreeBuilder::contact_rules(const Node& world_info) {
  for (const NodePtr& rule : view(world_info).nodes("contactProperties")) {
    if (!rule) continue;
    const NodeView r = view(*rule);
    physics::ContactRule out;
    const auto friction = r.numbers("coulombFriction");
    if (!friction.empty()) out.friction = friction[0] < 0 ? physics::kUnlimited : friction[0];
    out.friction_count = std::clamp(static_cast<int>(friction.size()), 1, 4);
    for (std::size_t i = 0; i < std::min<std::size_t>(4, friction.size()); ++i) {
      constexpr double kInfinite = 1e6;  // as good, and it can be added to others
      out.frictions[i] = friction[i] < 0 ? kInfinite : friction[i];
    }
    Vec3 rolling = r.vec3("rollingFriction");
    // As in Webots, ODE takes one value for all axes, unless frictions by direction have set
    // dContactAxisDep, which is the same bit as dContactMu2 (WbSimulationCluster.cpp,
    // fillSurfaceParameters(); src/ode/ode/src/joints/contact.cpp).
    if (rolling.y() == 0 && rolling.z() == 0 && out.friction_count == 1) rolling.z() = rolling.x();
    const auto limit = [](double value) { return value < 0 ? physics::kUnlimited : value; };
    out.rolling_friction = limit(rolling.x());
    out.spinning_friction = limit(rolling.z());
    out.friction_rotation = r.vec2("frictionRotation");
    out.first_direction = r.vec3("frictionDirection");
    out.bounce = r.number("bounce");
    out.bounce_velocity = r.number("bounceVelocity");
    out.soft_erp = r.number("softERP");
    out.soft_cfm = r.number("softCFM");
    const auto slip = r.numbers("forceDependentSlip");
    if (!slip.empty()) out.force_dependent_slip = slip[0];
    out.slip_count = std::clamp(static_cast<int>(slip.size()), 1, 4);
    std::copy_n(slip.begin(), std::min<std::size_t>(4, slip.size()), out.slips.begin());
    out.first_material = model_.physics->material(r.string("material1"));
    model_.physics->set_contact_rule(model_.physics->material(r.string("material1")),
                                     model_.physics->material(r.string("material2")), out);
  }
}

bool TreeBuilder::has_vehicles(const std::vector<NodePtr>& nodes) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const NodePtr& node) {
    if (!node) return false;
    if (schemas_.is_a(node->type, "VehicleDrive")) return true;
    return std::any_of(node->fields.begin(), node->fields.end(),
                       [&](const wbt::Field& field) { return has_vehicles(field.value.nodes); });
  });
}

void TreeBuilder::world_info(const Node& node) {
  const NodeView fields = view(node);
  model_.title = fields.string("title");
  model_.basic_time_step = fields.number("basicTimeStep") / 1000;
  // "NUE" and "EUN" worlds have y up.
  const bool y_up = fields.string("coordinateSystem") != "ENU";
  model_.ink_evaporation = fields.number("inkEvaporation");
  const std::string axes = fields.string("coordinateSystem");
  const Vec3 north = axes == "NUE" ? Vec3::UnitX() : axes == "EUN" ? Vec3(0, 0, -1) : Vec3::UnitY();
  const Vec3 up = y_up ? Vec3::UnitY() : Vec3::UnitZ();
  model_.up = up;
  const Vec3 pull = fields.vec3("gravityDirection");
  model_.gravity_direction = pull.norm() > 0 ? pull.normalized() : Vec3(-up);
  model_.gravity = model_.gravity_direction * fields.number("gravity");
  model_.north_up_east = axes == "NUE";
  model_.north = axis_angle(up, -fields.number("gpsRotation")) * north;
  model_.utm = fields.string("gpsCoordinateSystem") == "UTM";
  model_.geodetic = model_.utm || fields.string("gpsCoordinateSystem") == "WGS84";
  model_.gps_reference = fields.vec3("gpsReference");
  if (const double latitude = model_.gps_reference.x(); model_.geodetic && std::abs(latitude) > 90)
    error(node, "gpsReference",
          "field 'gpsReference' of WorldInfo begins with a latitude, from -90 to 90, got " +
              shown(latitude));
  const double seed = fields.number("randomSeed");
  model_.seed = options_.seed ? *options_.seed
                : seed < 0    ? std::random_device{}()  // asked for: another one each run
                              : static_cast<std::uint64_t>(seed);
  physics_spec_.erp = fields.number("ERP");
  physics_spec_.cfm = fields.number("CFM");
  const double apart = fields.number("maxSeparationSpeed");
  if (apart >= 0) physics_spec_.max_separation_speed = apart;
  physics_spec_.sleep_time = fields.number("physicsDisableTime");
  physics_spec_.sleep_linear = fields.number("physicsDisableLinearThreshold");
  physics_spec_.sleep_angular = fields.number("physicsDisableAngularThreshold");
  read_damping(node);
}

void TreeBuilder::read_damping(const Node& world_info) {
  if (const NodePtr damping = view(world_info).node("defaultDamping")) {
    default_linear_damping_ = view(*damping).number("linear");
    default_angular_damping_ = view(*damping).number("angular");
  }
}

void TreeBuilder::finish_bodies() {
  for (auto& draft : drafts_) {
    try {
      draft.body = model_.physics->add_body(draft.spec);
    } catch (const std::exception& problem) {
      diagnostics_.error(draft.place, problem.what(), {}, draft.expanded_from);
    }
  }
  const auto body = [&](int draft) {
    return draft < 0 ? physics::kWorldBody : drafts_[static_cast<std::size_t>(draft)].body;
  };
  const auto fresh = [](auto& all, std::size_t first) { return std::span(all).subspan(first); };
  for (const int index : new_solids_) {
    SolidInfo& solid = model_.solids[static_cast<std::size_t>(index)];
    solid.body = body(solid.body);
    solid.static_body = body(solid.static_body);
  }
  for (auto& collision : fresh(model_.collisions, first_.collisions)) {
    collision.body = body(collision.body);
  }
  for (auto& set : fresh(model_.lines, first_.lines)) set.body = body(set.body);
  for (auto& light : fresh(model_.lights, first_.lights)) light.body = body(light.body);
  for (auto& animation : fresh(model_.animations.all(), first_.animations)) {
    animation.body = body(animation.body);
  }
  for (auto& charger : fresh(model_.chargers, first_.chargers)) charger.body = body(charger.body);
  for (DeviceDraft& draft : device_drafts_) {
    Device& device = device_of(draft);
    draft.dynamic =
        device.body >= 0 &&
        drafts_[static_cast<std::size_t>(device.body)].spec.motion == physics::Motion::kDynamic;
    device.body = body(device.body);
  }
}

void TreeBuilder::finish_joints() {
  if (diagnostics_.has_errors()) return;
  std::vector<const JointDraft*> carried_by(drafts_.size());
  for (const JointDraft& draft : joints_) {
    if (draft.child_draft >= 0) carried_by[static_cast<std::size_t>(draft.child_draft)] = &draft;
  }
  for (auto& draft : joints_) {
    auto& spec = draft.spec;
    spec.parent = draft.parent_draft < 0
                      ? physics::kWorldBody
                      : drafts_[static_cast<std::size_t>(draft.parent_draft)].body;
    if (draft.child_draft >= 0) {
      spec.child = drafts_[static_cast<std::size_t>(draft.child_draft)].body;
    } else {
      if (!close_loop(draft)) continue;
    }
    if (spec.child == physics::kWorldBody) continue;
    const physics::JointId joint = model_.physics->add_joint(spec);
    part_what_turns_about_one_anchor(draft, carried_by);
    keep_from_what_holds(draft);
    finish_rolling(draft, joint);
    model_.joints.resize(
        std::max<std::size_t>(model_.joints.size(), static_cast<std::size_t>(joint) + 1));
    JointInfo& info = model_.joints[static_cast<std::size_t>(joint)];
    info = {spec.name, draft.node, spec.kind, spec.parent, spec.anchor_P, {}, draft.unit, draft.solid};
    const std::size_t axes = spec.kind == physics::JointKind::kFixed    ? 0
                             : spec.kind == physics::JointKind::kBall   ? 3
                             : spec.kind == physics::JointKind::kHinge2 ? 2
                                                                        : 1;
    for (std::size_t i = 0; i < axes; ++i) info.axes_P.push_back(spec.axes[i].axis_P);
    for (std::size_t device : draft.devices) device_of(device_drafts_[device]).joint = joint;
  }
}

/// The other end is a Solid of the same robot, known by its name. What has no Physics is not held
/// by a second joint, and motors run all the same (WbBasicJoint::setJoint,
/// WbSolidReference::updateName).
bool TreeBuilder::close_loop(JointDraft& draft) {
  auto& spec = draft.spec;
  const auto holds_nothing = [&](const std::string& why) {
    diagnostics_.warning(draft.place, "SolidReference: " + why + ": this joint holds nothing", {},
                         draft.expanded_from);
    put_on_free_axis(draft);
    return false;
  };
  const auto yields = [&](physics::BodyId body) {
    return std::any_of(drafts_.begin(), drafts_.end(), [&](const BodyDraft& other) {
      return other.body == body && other.spec.motion == physics::Motion::kDynamic;
    });
  };
  const Pose X_WP = spec.parent == physics::kWorldBody ? Pose{} : model_.physics->pose(spec.parent);
  if (draft.child_solid == "<static environment>") {
    if (!yields(spec.parent)) {
      const auto solid = static_cast<std::size_t>(draft.solid);
      const std::string name =
          draft.solid < 0 ? "its parent" : "'" + model_.solids[solid].name + "'";
      return holds_nothing(name + " has no Physics");
    }
    // The free end is the parent itself: hang it on the world, seen from there.
    spec.child = spec.parent;
    spec.parent = physics::kWorldBody;
    spec.anchor_P = X_WP * spec.anchor_P;
    for (auto& a : spec.axes) a.axis_P = X_WP.R * a.axis_P;
    spec.X_PC0 = X_WP;
    return true;
  }
  const SolidInfo* found = nullptr;
  std::vector<std::string> names;
  for (const auto& solid : model_.solids) {
    if (solid.removed || solid.robot != draft.robot) continue;
    names.push_back(solid.name);
    if (solid.name == draft.child_solid) found = &solid;
  }
  if (!found) {
    diagnostics_.left_out(
        draft.place, "SolidReference: no Solid named '" + draft.child_solid + "' in this robot",
        did_you_mean(draft.child_solid, names), draft.expanded_from);
    put_on_free_axis(draft);
    return false;
  }
  if (found->body == spec.parent) {
    return holds_nothing("'" + draft.child_solid + "' is part of what the joint stands in");
  }
  if (!yields(found->body)) return holds_nothing("'" + draft.child_solid + "' has no Physics");
  spec.child = found->body;
  spec.X_PC0 = X_WP.inverse() * model_.physics->pose(found->body);
  return true;
}

/// What a joint moves does not collide with any of the Solids that are the body on which it hangs.
void TreeBuilder::keep_from_what_holds(const JointDraft& joint) {
  if (!joint.held) return;
  for (const BodyDraft& other : drafts_) {
    if (other.held == joint.held && other.body != joint.spec.parent)
      model_.physics->keep_from_colliding(other.body, joint.spec.child);
  }
}

/// What hangs on several hinges about one anchor, as a thigh on a hip's three, does not collide
/// with what carries them. Webots compares the anchors as they are written, each in the frame of
/// its own parent, and passes over sliders (WbSimulationCluster::odeNearCallback).
void TreeBuilder::part_what_turns_about_one_anchor(
    const JointDraft& last, const std::vector<const JointDraft*>& carried_by) {
  const auto yields = [&](int draft) {
    return draft >= 0 &&
           drafts_[static_cast<std::size_t>(draft)].spec.motion == physics::Motion::kDynamic;
  };
  if (!yields(last.child_draft)) return;
  const Vec3* anchor = nullptr;
  for (const JointDraft* joint = &last; joint;) {
    const physics::JointKind kind = joint->spec.kind;
    if (kind == physics::JointKind::kHinge || kind == physics::JointKind::kHinge2 ||
        kind == physics::JointKind::kBall) {
      if (anchor && (joint->anchor - *anchor).lpNorm<Eigen::Infinity>() > kSameAnchor) return;
      anchor = &joint->anchor;
    }
    if (anchor && joint != &last && yields(joint->parent_draft))
      model_.physics->keep_from_colliding(joint->spec.parent, last.spec.child);
    const int above = joint->parent_draft;
    joint = above < 0 ? nullptr : carried_by[static_cast<std::size_t>(above)];
  }
}

void TreeBuilder::finish_visuals() {
  for (auto& draft : visuals_) {
    if (draft.shapes.empty()) continue;
    VisualGroup group;
    group.X_BG = draft.X_BG;
    Pose X_WG = draft.X_BG;
    if (draft.draft >= 0) {
      const auto& carrier = drafts_[static_cast<std::size_t>(draft.draft)];
      group.body = carrier.body;
      X_WG = carrier.spec.X_WB * draft.X_BG;
    }
    group.head = draft.head;
    group.head_rate = draft.head_rate;
    group.belt = draft.belt;
    group.belt_offset = draft.belt_offset;
    group.turning = draft.turning;
    group.owner = draft.owner;
    group.scale = draft.scale;
    group.unit = draft.unit;
    group.emitters = draft.emitters;
    if (draft.vehicle >= 0) {
      group.vehicle = draft.vehicle;
      group.only_steers = draft.only_steers;
      group.wheel = draft.wheel;
      const auto& vehicle = *model_.vehicles[static_cast<std::size_t>(draft.vehicle)];
      X_WG = X_WG * vehicle.seen_pose_V(static_cast<std::size_t>(draft.wheel), draft.only_steers);
    }
    group.materials = std::move(draft.materials);
    group.solids = std::move(draft.solids);
    group.nodes = std::move(draft.nodes);
    for (const auto& shape : draft.shapes) {
      group.geometries.push_back(shape.geometry);
      group.shape_poses.push_back(shape.X_BS);
    }
    group.X_WG = X_WG;
    group.instance = model_.visible->add(draft.shapes, X_WG);
    model_.visuals.push_back(std::move(group));
  }
  collect_emitters(model_);
}

bool TreeBuilder::add(WorldModel& model, const wbt::LoadedWorld& world, const Addition& what) {
  for (const NodePtr& node : world.nodes) {
    if (node && node->type == "WorldInfo") read_damping(*node);
  }
  first_ = {model.collisions.size(), model.lines.size(), model.lights.size(),
            model.animations.all().size(), model.vehicles.size(), model.chargers.size()};
  model_ = std::move(model);
  unit_ = what.node;
  without_solids_ = what.without_solids;
  links_ = what.links;
  robot_numbers_ = what.robot_numbers;
  Frame frame;
  frame.X_BF = what.X_WP;
  frame.scale = what.scale;
  frame.old_body_scale = what.old_body_scale;
  walk(*what.node, frame);
  if (!diagnostics_.has_errors()) finish_vehicles();
  if (!diagnostics_.has_errors()) finish_bodies();
  if (!diagnostics_.has_errors()) finish_joints();
  if (!diagnostics_.has_errors()) finish_links();
  if (!diagnostics_.has_errors()) finish_fluids();
  if (!diagnostics_.has_errors()) finish_visuals();
  if (!diagnostics_.has_errors()) finish_devices();
  const bool good = !diagnostics_.has_errors();
  if (!good) {
    for (const BodyDraft& draft : drafts_) {
      if (draft.body != physics::kWorldBody) model_.physics->remove(draft.body);
    }
    // Numbers in them are those of drafts.
    for (const int index : new_solids_) {
      SolidInfo& solid = model_.solids[static_cast<std::size_t>(index)];
      solid.body = solid.static_body = physics::kWorldBody;
    }
    model_.collisions.resize(first_.collisions);
    model_.lines.resize(first_.lines);
    model_.lights.resize(first_.lights);
    model_.animations.all().resize(first_.animations);
    std::vector<const Node*> units{what.node};
    for (const int index : new_solids_) {
      const Node* unit = model_.solids[static_cast<std::size_t>(index)].unit;
      if (std::ranges::find(units, unit) == units.end()) units.push_back(unit);
    }
    for (const Node* unit : units) remove_from_world(model_, *unit);
  }
  model_.sun = sun_of(model_.lights);
  model = std::move(model_);
  return good;
}

/// Ink stays on shapes that have another look; on those that have another form it does not.
std::vector<std::shared_ptr<PaintLayer>> TreeBuilder::kept_paint(const VisualGroup& group,
                                                                 const VisualDraft& draft) {
  std::vector<std::shared_ptr<PaintLayer>> kept(draft.shapes.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t k = next; k < group.paints.size(); ++k) {
      if (group.nodes[k] != draft.nodes[i] || group.geometries[k] != draft.shapes[i].geometry)
        continue;
      kept[i] = group.paints[k];
      next = k + 1;
      break;
    }
  }
  return kept;
}

bool TreeBuilder::look_again(WorldModel& model, VisualGroup& group) {
  for (std::size_t i = 0; i < model.solids.size(); ++i) {
    const SolidInfo& solid = model.solids[i];
    if (!solid.removed && solid.unit == group.unit) known_solids_[solid.node] = static_cast<int>(i);
  }
  only_looks_ = true;
  const auto known = known_solids_.find(group.owner);
  Frame frame;
  frame.draft = group.body == physics::kWorldBody ? -1 : 0;  // no number: there is but one body
  frame.scale = group.scale;
  frame.solid = known == known_solids_.end() ? -1 : known->second;
  frame.sink = 0;
  visuals_.emplace_back();
  if (group.head) {
    frame.draft = 0;  // it turns, whatever carries it
    if (group.owner->type == "TrackWheel") {
      frame.X_BF.R = seen_in_group(*group.owner);
      children(*group.owner, frame);
    } else {
      walk(*group.owner, frame);
    }
  } else if (group.vehicle >= 0) {
    const char* field = group.only_steers ? "steeredChildren" : "children";
    for (const NodePtr& child : view(*group.owner).nodes(field)) walk(*child, frame);
  } else if (schemas_.is_a(group.owner->type, "Solid")) {
    children(*group.owner, frame);
  } else {
    visible(*group.owner, frame);
  }
  if (diagnostics_.has_errors()) return false;
  VisualDraft& draft = visuals_.front();
  if (group.instance != VisualGroup::kNoInstance) model.visible->remove(group.instance);
  std::vector<std::shared_ptr<PaintLayer>> paints;
  if (!group.paints.empty()) paints = kept_paint(group, draft);
  group.paints = std::move(paints);
  group.geometries.clear();
  group.shape_poses.clear();
  for (const auto& shape : draft.shapes) {
    group.geometries.push_back(shape.geometry);
    group.shape_poses.push_back(shape.X_BS);
  }
  group.materials = std::move(draft.materials);
  group.solids = std::move(draft.solids);
  group.nodes = std::move(draft.nodes);
  group.emitters.assign(draft.shapes.size(), -1);
  group.instance = draft.shapes.empty() ? VisualGroup::kNoInstance
                                        : model.visible->add(draft.shapes, group.X_WG);
  return true;
}

void TreeBuilder::read_again(WorldModel& model, const Node& node) {
  model_ = std::move(model);
  if (node.type == "WorldInfo") {
    contact_rules(node);
  } else {
    scenery(node);
  }
  model = std::move(model_);
}

void read_again(WorldModel& model, const wbt::Node& node, const SchemaRegistry& schemas,
                PluginLoader& plugins, const BuildOptions& options, ShapeFactory& shapes,
                Diagnostics& diagnostics) {
  TreeBuilder(schemas, plugins, options, shapes, diagnostics).read_again(model, node);
}

bool add_to_world(WorldModel& model, const wbt::LoadedWorld& world, const Addition& what,
                  const SchemaRegistry& schemas, PluginLoader& plugins, const BuildOptions& options,
                  ShapeFactory& shapes, Diagnostics& diagnostics) {
  return TreeBuilder(schemas, plugins, options, shapes, diagnostics).add(model, world, what);
}

bool look_again(WorldModel& model, VisualGroup& group, const SchemaRegistry& schemas,
                PluginLoader& plugins, const BuildOptions& options, ShapeFactory& shapes,
                Diagnostics& diagnostics) {
  return TreeBuilder(schemas, plugins, options, shapes, diagnostics).look_again(model, group);
}

WorldModel build_world(const wbt::LoadedWorld& world, const SchemaRegistry& schemas,
                       PluginLoader& plugins, const BuildOptions& options, ShapeFactory& shapes,
                       Diagnostics& diagnostics) {
  return TreeBuilder(schemas, plugins, options, shapes, diagnostics).build(world);
}

}  // namespace protobeam
