// What a change of the tree does to the world that was made of it.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "base/turn.h"
#include "sim/simulation.h"
#include "sim/supervisor/supervisor.h"
#include "wbt/document.h"
#include "wbt/values.h"

namespace protobeam {
namespace {

using wbt::Node;
using wbt::NodePtr;
using wbt::Value;

bool is_light(const std::string& type) {
  return type == "DirectionalLight" || type == "PointLight" || type == "SpotLight";
}

constexpr const char* kOnlySeen[] = {"Appearance",
                                     "Box",
                                     "CadShape",
                                     "Capsule",
                                     "Color",
                                     "Cone",
                                     "Coordinate",
                                     "Cylinder",
                                     "ElevationGrid",
                                     "ElevationImage",
                                     "Group",
                                     "ImageTexture",
                                     "IndexedFaceSet",
                                     "IndexedLineSet",
                                     "Material",
                                     "Mesh",
                                     "Normal",
                                     "OccupancyGrid",
                                     "PBRAppearance",
                                     "Plane",
                                     "PointSet",
                                     "Pose",
                                     "Shape",
                                     "Slot",
                                     "Sphere",
                                     "TextureCoordinate",
                                     "TextureTransform",
                                     "Transform"};

Pose written_pose(const wbt::NodeView& view) {
  return {view.rotation("rotation"), view.vec3("translation")};
}

}  // namespace

bool Supervisor::only_seen(const NodePtr& node) const {
  return std::ranges::all_of(simulation_.tree().subtree(node), [](const NodePtr& one) {
    return std::ranges::find(kOnlySeen, one->type) != std::end(kOnlySeen);
  });
}

void Supervisor::check(const TreeField& field, Value& value) {
  if (!field.spec || single(field.type) == FieldType::kNode) return;
  Diagnostics diagnostics;
  wbt::Field checked;
  checked.name = field.name;
  checked.place = field.node->place;
  checked.value = value;
  const bool good =
      wbt::check_field(field.node->type, checked, simulation_.load_options(), diagnostics);
  // What a file gets repaired is refused here: the value stays as it was.
  const bool repaired =
      good && !diagnostics.all().empty() && !wbt::equal_values(checked.value, value);
  if (!good || repaired) {
    refuse(diagnostics.all().empty() ? "the value is not allowed"
                                     : diagnostics.all().front().message);
  }
  value = std::move(checked.value);
}

void Supervisor::change(const TreeField& field, Value value) {
  if (field.instance) return change_parameter(field, std::move(value));
  check(field, value);
  if (field.of_root()) return change_structure(field, value);
  if (change_scenery(field, value)) return;
  if (change_solid(field, value)) return;
  const SchemaRegistry& schemas = simulation_.schemas();
  const Node& node = *field.node;
  if (field.name == "position" && field.type == FieldType::kFloat) {
    if (const auto joint = joint_of(node)) {
      simulation_.model().physics->set_joint_position(joint->id, joint->axis, value.numbers.at(0));
      return simulation_.tree().set(field, std::move(value));
    }
  }
  if (is_light(node.type)) {
    simulation_.tree().set(field, std::move(value));
    return update_light(node);
  }
  if (is_pose(node) && !schemas.is_a(node.type, "Solid") &&
      (field.name == "translation" || field.name == "rotation") && !only_seen(field.node)) {
    // Solids stand in it: they move along, if they stand in no other Solid.
    const Pose before = world_pose(&node);
    std::vector<std::pair<NodePtr, Pose>> solids;
    for (const NodePtr& one : simulation_.tree().subtree(field.node)) {
      const int solid = simulation_.solid_of(*one);
      if (solid < 0) continue;
      if (simulation_.model().solids[static_cast<std::size_t>(solid)].unit == one.get()) {
        solids.emplace_back(one, before.inverse() * world_pose(one.get()));
      }
    }
    if (!solids.empty()) {
      simulation_.tree().set(field, std::move(value));
      const Pose after = world_pose(&node);
      for (const auto& [one, X_NS] : solids) {
        const int solid = simulation_.solid_of(*one);
        if (simulation_.move_solid(solid, after * X_NS)) continue;
        rebuild(
            *one, [] {}, [] {});
      }
      // And what is seen between them.
      const Node* top = &node;
      while (!simulation_.tree().parents(*top).empty() &&
             simulation_.tree().parents(*top).front()) {
        top = simulation_.tree().parents(*top).front();
      }
      return rebuild(
          *top, [] {}, [] {});
    }
  }
  change_structure(field, value);
}

/// A PROTO's parameter: the fields that it sets, and what its template makes of it.
void Supervisor::change_parameter(const TreeField& field, Value value) {
  LiveTree& tree = simulation_.tree();
  if (tree.feeds_template(*field.instance, field.parameter)) {
    return regenerate(field, value);
  }
  const auto linked = tree.linked(*field.instance, field.parameter);
  for (std::size_t i = 0; i < linked.size(); ++i) {
    // A list of nodes belongs to the first field that it is linked to; others have copies.
    if (i > 0 && single(field.type) == FieldType::kNode) {
      warn_once(fmt::format("parameter '{}' sets several fields: only the first one has changed",
                            field.name));
      break;
    }
    change(linked[i], value);
  }
  if (linked.empty() && single(field.type) == FieldType::kNode) {
    warn_once(fmt::format("parameter '{}' sets nothing that is simulated", field.name));
  }
  tree.set(field, std::move(value));
}

/// The field that holds the instance of a PROTO.
TreeField Supervisor::holder_of(const NodePtr& node) {
  LiveTree& tree = simulation_.tree();
  const auto& parents = tree.parents(*node);
  if (parents.size() != 1) refuse("the node is used at several places");
  if (!parents.front()) return *tree.field(LiveTree::kRoot, {link::FieldAddress::kOwn, 0, 0});
  TreeField holder;
  for (const wbt::Field& one : parents.front()->fields) {
    if (std::ranges::find(one.value.nodes, node) == one.value.nodes.end()) continue;
    holder = tree.field_of(tree.node(tree.id(parents.front())), one.name);
  }
  if (!holder.spec) refuse("it stands in the parameter of a PROTO's template");
  return holder;
}

/// The instance is made again out of its text, with the new value, as are the others that were made
/// with it.
void Supervisor::regenerate(const TreeField& field, const Value& value) {
  LiveTree& tree = simulation_.tree();
  const NodePtr old = field.node;
  if (field.instance != old->instance) {
    refuse(fmt::format(
        "parameter '{}' of the PROTO inside is read by a template: set the outer one", field.name));
  }
  std::vector<std::pair<NodePtr, TreeField>> places{{old, holder_of(old)}};
  for (const NodePtr& node : tree.made_with(*field.instance)) {
    if (node != old) places.emplace_back(node, holder_of(node));
  }
  for (const auto& [node, holder] : places) sync_subtree(node);
  const auto index = static_cast<std::size_t>(field.parameter);
  const Value before = field.instance->values[index];
  const bool given = field.instance->given[index];
  field.instance->values[index] = value;
  field.instance->given[index] = true;
  const std::string text = wbt::to_source_text({old});
  field.instance->values[index] = before;
  field.instance->given[index] = given;
  const TreeField& first = places.front().second;
  Diagnostics diagnostics;
  const auto nodes = simulation_.read_nodes(text, first.of_root() ? "" : first.node->type,
                                            first.name, diagnostics);
  if (diagnostics.has_errors()) refuse(diagnostics.to_string());
  if (nodes.size() != 1) refuse("the PROTO's template made nothing that is simulated");
  for (const auto& [node, holder] : places) {
    const NodePtr fresh = node == old ? nodes.front() : LiveTree::copy_of(nodes.front());
    Value all = tree.value(holder);
    std::ranges::replace(all.nodes, node, fresh);
    tree.succeed(*node, fresh);
    try {
      remove_nodes(holder, std::move(all));
    } catch (const Refusal&) {
      tree.end_succession();
      throw;
    }
    tree.end_succession();
  }
}

bool Supervisor::change_solid(const TreeField& field, const Value& value) {
  const Node& node = *field.node;
  const int index = simulation_.solid_of(node);
  if (index < 0) return false;
  auto& model = simulation_.model();
  SolidInfo& info = model.solids[static_cast<std::size_t>(index)];
  const std::string& name = field.name;
  const auto robot = std::ranges::find_if(
      model.robots, [&](const RobotInfo& one) { return !one.removed && one.node == &node; });
  const bool is_robot = robot != model.robots.end();
  const auto text = [&] { return value.strings.empty() ? std::string() : value.strings.front(); };
  const auto set = [&] {
    simulation_.tree().set(field, value);
    return true;
  };
  if (name == "translation" || name == "rotation") {
    // What a joint moves goes on from there once the joint is made anew, with the positions of now.
    const bool follows = follows_joint(info);
    if (follows) sync_subtree(simulation_.tree().node(simulation_.tree().id(info.unit)));
    sync(field.node);
    const auto& parents = simulation_.tree().parents(node);
    const Node* parent = parents.empty() ? nullptr : parents.front();
    const Value before = simulation_.tree().value(field);
    Vec3 scale;
    world_pose(parent, &scale);
    set();
    Pose X_PS = written_pose(wbt::NodeView(node, simulation_.schemas()));
    X_PS.p = scale.cwiseProduct(X_PS.p);
    const Pose X_WS = world_pose(parent) * X_PS;
    if (!follows && simulation_.move_solid(index, X_WS)) {
      if (info.body != physics::kWorldBody) {
        written_poses_[&node] = model.physics->pose(info.body) * info.X_BS;
      }
      return true;
    }
    const auto back = [this, field, before] { simulation_.tree().set(field, before); };
    rebuild(
        *info.unit, [] {}, back);
    return true;
  }
  if (name == "linearVelocity" || name == "angularVelocity") {
    const Vec3 given(value.numbers.at(0), value.numbers.at(1), value.numbers.at(2));
    if (info.body != physics::kWorldBody && model.physics->mass(info.body) > 0) {
      const bool linear = name == "linearVelocity";
      model.physics->set_velocity(info.body, linear ? given : model.physics->velocity(info.body),
                                  linear ? model.physics->angular_velocity(info.body) : given);
    }
    set();
    if (has_no_force(info)) go_on_resting(index);
    return true;
  }
  if (name == "name") {
    info.name = text();
    if (is_robot) robot->name = text();
    return set();
  }
  if (name == "model") {
    info.model = text();
    if (is_robot) robot->model = text();
    return set();
  }
  if (name == "radarCrossSection") {
    info.radar_cross_section = value.numbers.at(0);
    simulation_.appearance_changed();
    return set();
  }
  if (name == "temperature") {
    info.temperature = value.numbers.at(0);
    simulation_.appearance_changed();
    return set();
  }
  if (name == "recognitionColors") {
    info.recognition_colors.clear();
    for (std::size_t i = 0; i + 2 < value.numbers.size(); i += 3) {
      info.recognition_colors.push_back(
          Vec3(value.numbers[i], value.numbers[i + 1], value.numbers[i + 2]).cast<float>());
    }
    simulation_.appearance_changed();
    return set();
  }
  if (is_robot && change_robot(*robot, name, value)) return set();
  constexpr const char* kWithoutEffect[] = {"description",    "translationStep", "rotationStep",
                                            "locked",         "window",          "remoteControl"};
  if (std::ranges::find(kWithoutEffect, name) != std::end(kWithoutEffect)) return set();
  // What a device's type adds to a Solid.
  const NodeSchema* solid = simulation_.schemas().find("Solid");
  const bool device =
      node.type != "Solid" && !is_robot && !simulation_.schemas().find_field(*solid, name);
  if (device) change_device(field, value);
  return device;
}

void Supervisor::find_contexts(const Node& node, bool looks, std::vector<Context>& out) const {
  const LiveTree& tree = simulation_.tree();
  const auto& model = simulation_.model();
  for (const Node* parent : tree.parents(node)) {
    if (!parent) {
      out.push_back({&node, nullptr, false});
      continue;
    }
    std::string field;
    for (const wbt::Field& one : parent->fields) {
      const bool holds = std::ranges::any_of(
          one.value.nodes, [&](const NodePtr& child) { return child.get() == &node; });
      if (holds) field = one.name;
    }
    if (const int solid = simulation_.solid_of(*parent); solid >= 0) {
      const SolidInfo& info = model.solids[static_cast<std::size_t>(solid)];
      out.push_back({info.unit, parent, looks && field == "children"});
      continue;
    }
    const bool seen = looks && std::ranges::find(kOnlySeen, parent->type) != std::end(kOnlySeen);
    find_contexts(*parent, seen, out);
  }
}

void Supervisor::stand_in(const Node* parent, Addition& what) const {
  what.X_WP = world_pose(parent);
  world_pose(parent, &what.scale);
  const LiveTree& tree = simulation_.tree();
  while (parent) {
    what.old_body_scale *= parent->old_body_scale;
    const auto& around = tree.parents(*parent);
    parent = around.empty() ? nullptr : around.front();
  }
}

Addition Supervisor::again(const Node& unit) const {
  Addition what;
  what.node = &unit;
  const auto& parents = simulation_.tree().parents(unit);
  const Node* parent = parents.empty() ? nullptr : parents.front();
  stand_in(parent, what);
  what.without_solids = !simulation_.schemas().is_a(unit.type, "Solid");
  return what;
}

void Supervisor::rebuild(const Node& unit, const std::function<void()>& change,
                         const std::function<void()>& undo) {
  LiveTree& tree = simulation_.tree();
  const NodePtr node = tree.node(tree.id(&unit));
  if (!node) return;
  Diagnostics diagnostics;
  if (simulation_.rebuild_unit(again(unit), change, undo, diagnostics)) return;
  refuse(diagnostics.to_string());
}

void Supervisor::add_unit(const NodePtr& node) {
  LiveTree& tree = simulation_.tree();
  Addition what;
  what.node = node.get();
  const auto& parents = tree.parents(*node);
  const Node* parent = parents.empty() ? nullptr : parents.front();
  stand_in(parent, what);
  Diagnostics diagnostics;
  if (!simulation_.add_unit(what, diagnostics)) refuse(diagnostics.to_string());
  for (const Diagnostic& one : diagnostics.all()) {
    if (!one.missing.empty()) warn_once(one.message);
  }
}

void Supervisor::forget_shapes(const Node& node) {
  // What was made of the node, and of all that hold it.
  simulation_.shapes().forget(node);
  for (const Node* parent : simulation_.tree().parents(node)) {
    if (parent && simulation_.solid_of(*parent) < 0) forget_shapes(*parent);
  }
}

/// Everything else: what is seen is looked at again, the rest is made anew.
void Supervisor::change_structure(const TreeField& field, const Value& value) {
  LiveTree& tree = simulation_.tree();
  const Value before = tree.value(field);
  const auto set = [&] { tree.set(field, value); };
  const auto undo = [this, field, before] { simulation_.tree().set(field, before); };
  const auto changed = [&](const Value& one, const Value& other) {
    std::vector<NodePtr> out;
    for (const NodePtr& node : one.nodes) {
      const bool kept = std::ranges::find(other.nodes, node) != other.nodes.end();
      if (node && !kept) out.push_back(node);
    }
    return out;
  };
  const auto gone = changed(before, value), come = changed(value, before);
  const auto topmost_solids = [&](const NodePtr& node) {
    std::vector<NodePtr> out;
    for (const NodePtr& one : tree.subtree(node)) {
      const int solid = simulation_.solid_of(*one);
      const bool unit =
          solid >= 0 &&
          simulation_.model().solids[static_cast<std::size_t>(solid)].unit == one.get();
      if (unit) out.push_back(one);
    }
    return out;
  };
  if (field.of_root()) {
    for (const NodePtr& node : gone) {
      for (const NodePtr& solid : topmost_solids(node)) simulation_.remove_unit(*solid);
      simulation_.remove_unit(*node);
      simulation_.scenery_gone(node->type);
    }
    set();
    for (std::size_t i = 0; i < come.size(); ++i) {
      try {
        add_unit(come[i]);
      } catch (const Refusal&) {
        for (std::size_t k = 0; k < i; ++k) {
          for (const NodePtr& solid : topmost_solids(come[k])) simulation_.remove_unit(*solid);
          simulation_.remove_unit(*come[k]);
        }
        undo();
        throw;
      }
    }
    return;
  }
  forget_shapes(*field.node);
  const bool seen =
      std::ranges::all_of(gone, [&](const NodePtr& node) { return only_seen(node); }) &&
      std::ranges::all_of(come, [&](const NodePtr& node) { return only_seen(node); });
  const bool own_looks = std::ranges::find(kOnlySeen, field.node->type) != std::end(kOnlySeen) &&
                         seen && only_seen(field.node);
  std::vector<Context> contexts;
  if (const int solid = simulation_.solid_of(*field.node); solid >= 0) {
    const SolidInfo& info = simulation_.model().solids[static_cast<std::size_t>(solid)];
    contexts.push_back({info.unit, field.node.get(), seen && field.name == "children"});
  } else {
    find_contexts(*field.node, own_looks, contexts);
  }
  // A Group of the world in which Solids stand: they are units of their own.
  const bool in_world = contexts.size() == 1 && !contexts.front().owner;
  if (in_world && !seen) {
    for (const NodePtr& node : gone) {
      for (const NodePtr& solid : topmost_solids(node)) simulation_.remove_unit(*solid);
    }
    set();
    for (const NodePtr& node : come) {
      if (simulation_.schemas().is_a(node->type, "Solid")) {
        try {
          add_unit(node);
        } catch (const Refusal&) {
          undo();
          throw;
        }
      } else if (!only_seen(node)) {
        warn_once("Solids inside of a new Group in a Group are not made: import them one by one");
      }
    }
    return rebuild(
        *contexts.front().unit, [] {}, [] {});
  }
  bool written = false;
  for (const Context& context : contexts) {
    if (context.looks) continue;
    const auto first = [&] {
      if (!written) set();
      written = true;
    };
    if (context.unit) {
      sync_subtree(tree.node(tree.id(context.unit)));
      rebuild(*context.unit, first, undo);
    }
  }
  if (!written) set();
  Diagnostics diagnostics;
  for (const Context& context : contexts) {
    if (context.looks) simulation_.look_again(*context.owner, diagnostics);
  }
  if (!diagnostics.has_errors()) return;
  undo();
  forget_shapes(*field.node);
  Diagnostics ignored;
  for (const Context& context : contexts) {
    if (context.looks) simulation_.look_again(*context.owner, ignored);
  }
  refuse(diagnostics.to_string());
}

}  // namespace protobeam
