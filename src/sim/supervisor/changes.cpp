// What supervisors change: elements of fields, nodes that come and go, velocities, states.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"
#include "sim/simulation.h"
#include "sim/supervisor/supervisor.h"
#include "wbt/document.h"
#include "wbt/values.h"

namespace protobeam {
namespace {

using link::SupervisorOp;
using wbt::Node;
using wbt::NodePtr;
using wbt::Value;

constexpr std::size_t kMostElements = 10'000'000;
/// Of one node's text.
constexpr std::size_t kMostText = 64u << 20;

/// Value, offsets and all, of so many elements.
void place_elements(Value& value, const Place& place) {
  value.place = place;
  const std::size_t count =
      std::max({value.numbers.size(), value.strings.size(), value.nodes.size()});
  value.offsets = std::vector<std::uint32_t>(count, place.offset);
}

Vec3 vec3(const std::vector<double>& numbers, std::size_t first = 0) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

/// "guest" of "guest(3)".
std::string without_number(const std::string& name) {
  const std::size_t open = name.rfind('(');
  if (open == std::string::npos || open == 0 || open + 2 >= name.size() || name.back() != ')')
    return name;
  const bool number = name.find_first_not_of("0123456789", open + 1) == name.size() - 1;
  return number ? name.substr(0, open) : name;
}

}  // namespace

Value Supervisor::value_for(const TreeField& field, const Request& request) const {
  const FieldType type = single(field.type);
  Value out;
  if (type == FieldType::kNode) refuse("a node comes by its text");
  if (type == FieldType::kString) {
    if (request.text.size() > kMostText) refuse("the text is too long");
    out.kind = Value::Kind::kStrings;
    out.strings = {request.text};
  } else {
    out.kind = type == FieldType::kBool ? Value::Kind::kBools : Value::Kind::kNumbers;
    out.numbers = request.numbers;
    if (out.numbers.size() != static_cast<std::size_t>(components(type))) {
      refuse(fmt::format("field '{}' is {}: it takes {} numbers", field.name, to_string(field.type),
                         components(type)));
    }
  }
  return out;
}

Value Supervisor::with_element(const TreeField& field, int index, const Value& element,
                               bool insert) {
  Value all = simulation_.tree().value(field);
  const auto size = static_cast<std::size_t>(std::max(1, components(field.type)));
  const auto count = static_cast<int>(wbt::element_count(all, field.type));
  const bool multi = is_multi(field.type);
  const int asked = index;
  if (!multi && insert) refuse(fmt::format("field '{}' is no list", field.name));
  if (!multi) index = 0;
  // From the end: -1 is the last one, or behind it.
  if (multi && index < 0) index += count + (insert ? 1 : 0);
  if (index < 0 || index > count || (!insert && multi && index == count)) {
    refuse(
        fmt::format("index {} of field '{}' is outside its {} elements", asked, field.name, count));
  }
  if (static_cast<std::size_t>(count) >= kMostElements) refuse("the list is too long");
  const auto at = static_cast<std::ptrdiff_t>(index);
  const auto put = [&](auto& list, const auto& from, std::size_t width) {
    if (from.empty()) return;
    const auto first = list.begin() + at * static_cast<std::ptrdiff_t>(width);
    if (insert || list.empty()) {
      list.insert(first, from.begin(), from.end());
    } else {
      std::copy(from.begin(), from.end(), first);
    }
  };
  all.kind = element.kind;
  all.bracketed = multi;
  put(all.numbers.edit(), element.numbers, size);
  put(all.strings, element.strings, 1);
  put(all.nodes, element.nodes, 1);
  const Place place = field.node ? field.node->place : Place{};
  place_elements(all, all.place.valid() ? all.place : place);
  return all;
}

Value Supervisor::without_element(const TreeField& field, int index) const {
  Value all = simulation_.tree().value(field);
  const auto size = static_cast<std::ptrdiff_t>(std::max(1, components(field.type)));
  const auto count = static_cast<int>(wbt::element_count(all, field.type));
  if (!is_multi(field.type)) refuse(fmt::format("field '{}' is no list", field.name));
  const int asked = index;
  if (index < 0) index += count;
  if (index < 0 || index >= count) {
    refuse(
        fmt::format("index {} of field '{}' is outside its {} elements", asked, field.name, count));
  }
  const std::ptrdiff_t at = index;
  const auto cut = [&](auto& list, std::ptrdiff_t width) {
    if (!list.empty()) list.erase(list.begin() + at * width, list.begin() + (at + 1) * width);
  };
  cut(all.numbers.edit(), size);
  cut(all.strings, 1);
  cut(all.nodes, 1);
  all.bracketed = true;
  if (count == 1) all.kind = Value::Kind::kEmpty;
  place_elements(all, all.place);
  return all;
}

bool Supervisor::change_field(const Request& request) {
  switch (request.op) {
    case SupervisorOp::kSetField:
    case SupervisorOp::kInsertField: {
      const TreeField of = field_to_change(request);
      change(of, with_element(of, request.index, value_for(of, request),
                              request.op == SupervisorOp::kInsertField));
      return true;
    }
    case SupervisorOp::kRemoveElement: {
      const TreeField of = field_to_change(request);
      Value rest = without_element(of, request.index);
      if (single(of.type) == FieldType::kNode) {
        remove_nodes(of, std::move(rest));
      } else {
        change(of, std::move(rest));
      }
      return true;
    }
    case SupervisorOp::kRemoveValue: {
      const TreeField of = field_to_change(request);
      if (of.type != FieldType::kNode) refuse(fmt::format("field '{}' is no SFNode", of.name));
      Value nothing;
      nothing.kind = Value::Kind::kNodes;
      nothing.nodes = {nullptr};
      place_elements(nothing, of.node->place);
      remove_nodes(of, std::move(nothing));
      return true;
    }
    case SupervisorOp::kImportNode:
      import_node(field_to_change(request), request.index, request.text);
      return true;
    case SupervisorOp::kRemoveNode: {
      if (request.node == LiveTree::kRoot) refuse("the root stays");
      const std::string why = remove_node(request.node);
      if (!why.empty()) refuse(why);
      return true;
    }
    default:
      return false;
  }
}

std::string Supervisor::remove_node(int id) {
  LiveTree& tree = simulation_.tree();
  const NodePtr gone = tree.node(id);
  if (!gone) return "the node is not there any more";
  if (gone->type == "WorldInfo" || gone->type == "Viewpoint") {
    return fmt::format("a {} stays in its world", gone->type);
  }
  try {
    const Node* parent = tree.parents(*gone).front();
    TreeField holder;
    if (!parent) {
      holder = *tree.field(LiveTree::kRoot, {link::FieldAddress::kOwn, 0, 0});
    } else {
      for (const wbt::Field& field : parent->fields) {
        const auto& nodes = field.value.nodes;
        if (std::ranges::find(nodes, gone) == nodes.end()) continue;
        holder = tree.field_of(tree.node(tree.id(parent)), field.name);
      }
      if (!holder.spec) return "the PROTO that reads it in its template cannot be made without it";
    }
    Value rest = tree.value(holder);
    if (is_multi(holder.type)) {
      std::erase(rest.nodes, gone);
      if (rest.nodes.empty()) rest.kind = Value::Kind::kEmpty;
    } else {
      rest.nodes = {nullptr};
    }
    place_elements(rest, rest.place);
    remove_nodes(holder, std::move(rest));
  } catch (const Refusal& refusal) {
    return refusal.why;
  }
  return "";
}

void Supervisor::remove_nodes(const TreeField& field, Value rest) {
  // Held until nothing points to them any more.
  const std::vector<NodePtr> before = simulation_.tree().nodes(field);
  change(field, std::move(rest));
  for (const NodePtr& node : before) {
    if (simulation_.tree().id(node.get()) != LiveTree::kNone) continue;
    for (const NodePtr& one : simulation_.tree().subtree(node)) {
      simulation_.shapes().forget(*one);
      written_poses_.erase(one.get());
    }
  }
  simulation_.shapes().forget_unused_files();
}

void Supervisor::import_node(const TreeField& field, int position, const std::string& text) {
  if (single(field.type) != FieldType::kNode)
    refuse(fmt::format("field '{}' holds no nodes", field.name));
  if (text.size() > kMostText) refuse("the text is too long");
  // A parameter says which nodes it takes by the fields that it sets.
  TreeField of = field;
  if (field.instance) {
    const auto linked = simulation_.tree().linked(*field.instance, field.parameter);
    if (!linked.empty()) of = linked.front();
  }
  Diagnostics diagnostics;
  const std::string owner = of.of_root() ? "" : of.instance ? "Group" : of.node->type;
  auto nodes = simulation_.read_nodes(text, owner, of.instance ? "children" : of.name, diagnostics);
  if (diagnostics.has_errors()) refuse(diagnostics.to_string());
  if (nodes.empty()) {
    const auto& why = diagnostics.all();
    refuse("the text holds no node that is simulated" +
           (why.empty() ? std::string() : ": " + why.front().message));
  }
  const LiveTree& tree = simulation_.tree();
  if (!is_multi(field.type)) {
    if (nodes.size() != 1) refuse(fmt::format("field '{}' takes one node", field.name));
    if (!tree.nodes(field).empty())
      refuse(fmt::format("field '{}' is not empty: remove its node before", field.name));
  }
  Value all = tree.value(field);
  if (!is_multi(field.type)) {
    all.nodes = {nodes.front()};
  } else {
    const auto count = static_cast<int>(all.nodes.size());
    const int asked = position;
    if (position < 0) position += count + 1;
    if (position < 0 || position > count) {
      refuse(fmt::format("position {} in field '{}' is outside its {} nodes", asked, field.name,
                         count));
    }
    all.nodes.insert(all.nodes.begin() + position, nodes.begin(), nodes.end());
  }
  all.kind = Value::Kind::kNodes;
  all.bracketed = is_multi(field.type);
  place_elements(all, nodes.front()->place);
  for (const NodePtr& node : nodes) {
    for (const NodePtr& one : tree.subtree(node)) {
      if (simulation_.schemas().is_a(one->type, "Robot")) give_own_name(*one);
    }
  }
  change(field, std::move(all));
}

/// As in Webots (WbSolid::resolveNameClashIfNeeded): a number that the name has already is another
/// one then.
void Supervisor::give_own_name(wbt::Node& robot) {
  const auto taken = [&](const std::string& name) {
    return std::ranges::any_of(simulation_.model().robots, [&](const RobotInfo& other) {
      return !other.removed && other.name == name;
    });
  };
  const std::string name = wbt::NodeView(robot, simulation_.schemas()).string("name");
  if (!taken(name)) return;
  wbt::Field own;
  own.name = "name";
  own.place = own.value.place = robot.place;
  own.value.kind = Value::Kind::kStrings;
  own.value.offsets = {robot.place.offset};
  const std::string bare = without_number(name);
  for (int copy = 1; own.value.strings.empty() || taken(own.value.strings[0]); ++copy)
    own.value.strings = {fmt::format("{}({})", bare, copy)};
  warn_once(fmt::format("there is a robot \"{}\" already: this one is \"{}\"", name,
                        own.value.strings[0]));
  if (wbt::Field* written = robot.find("name")) {
    written->value = std::move(own.value);
  } else {
    robot.fields.push_back(std::move(own));
  }
}

bool Supervisor::change_node(const Request& request) {
  auto& model = simulation_.model();
  const auto& n = request.numbers;
  const auto wants = [&](std::size_t count) {
    if (n.size() != count) refuse(fmt::format("it takes {} numbers", count));
  };
  const auto dynamic_body = [&] {
    const SolidInfo& info = model.solids[static_cast<std::size_t>(solid(request))];
    const bool dynamic = info.body != physics::kWorldBody && model.physics->mass(info.body) > 0;
    if (!dynamic) refuse(fmt::format("'{}' has no Physics: no force moves it", info.name));
    return info.body;
  };
  const auto in_world = [&](const Vec3& v) -> Vec3 {
    return request.index != 0 ? world_pose(node(request).get()).R * v : v;
  };
  switch (request.op) {
    case SupervisorOp::kSetVelocity: {
      wants(6);
      const int index = solid(request);
      if (has_no_force(model.solids[static_cast<std::size_t>(index)])) {
        set_resting_velocity(index, vec3(n), vec3(n, 3));
        return true;
      }
      const physics::BodyId body = dynamic_body();
      // Of the centre of mass, as Webots counts; the simulation's is that of the body's origin.
      const physics::RigidState state = model.physics->rigid_state(body);
      const Vec3 w = vec3(n, 3);
      model.physics->set_velocity(body, vec3(n) + w.cross(state.X_WB.p - state.centre_W), w);
      return true;
    }
    case SupervisorOp::kAddForce: {
      wants(3);
      const physics::BodyId body = dynamic_body();
      // At the centre of mass, of a part of a body at its own (Webots, WbSupervisorUtilities.cpp).
      const int index = solid(request);
      const SolidInfo& info = model.solids[static_cast<std::size_t>(index)];
      const bool part = info.parent >= 0 && info.mass > 0 &&
                        model.solids[static_cast<std::size_t>(info.parent)].body == body;
      model.physics->apply_force(
          body, in_world(vec3(n)),
          part ? center_of_mass(index) : model.physics->rigid_state(body).centre_W);
      return true;
    }
    case SupervisorOp::kAddForceWithOffset: {
      wants(6);
      const physics::BodyId body = dynamic_body();
      // From the Solid's own origin, wherever its centre of mass is (Webots,
      // WbSupervisorUtilities::handleMessage).
      const Vec3 p_W = world_pose(node(request).get()) * vec3(n, 3);
      model.physics->apply_force(body, in_world(vec3(n)), p_W);
      return true;
    }
    case SupervisorOp::kAddTorque: {
      wants(3);
      model.physics->apply_torque(dynamic_body(), in_world(vec3(n)));
      return true;
    }
    case SupervisorOp::kResetPhysics:
      solid(request);
      reset_physics(node(request).get());
      return true;
    case SupervisorOp::kSetJointPosition:
      wants(1);
      set_joint_position(*node(request), request.index, n[0]);
      return true;
    case SupervisorOp::kSaveState:
      save_state(node(request), request.text);
      return true;
    case SupervisorOp::kLoadState:
      load_state(node(request), request.text);
      return true;
    case SupervisorOp::kRestartController: {
      const NodePtr robot = node(request);
      for (const RobotInfo& info : model.robots) {
        if (info.removed || info.node != robot.get()) continue;
        simulation_.restart_controller_soon(info.index);
        return true;
      }
      refuse(fmt::format("a {} has no controller", robot->type));
    }
    case SupervisorOp::kSetVisibility: {
      wants(1);
      const NodePtr seen = node(request), from = simulation_.tree().node(request.index);
      if (from && from->type == "Viewpoint") {
        warn_once("set_visibility() of a Viewpoint does nothing: viewers show everything");
        return true;
      }
      for (RobotInfo& robot : model.robots) {
        for (Device& device : robot.devices) {
          if (!from || device.node != from.get()) continue;
          std::erase(device.unseen, seen.get());
          if (n[0] == 0) device.unseen.push_back(seen.get());
          simulation_.visibility_changed();
          return true;
        }
      }
      refuse("'from' is no device that sees");
    }
    case SupervisorOp::kMoveViewpoint: {
      const NodePtr target = node(request);
      if (!is_pose(*target)) refuse("only a Pose, Transform or Solid has a place");
      if (!model.viewpoint) refuse("the world has no Viewpoint");
      // As far away as before, and looking the same way.
      Viewpoint& view = *model.viewpoint;
      const Vec3 p = world_pose(target.get()).p, ahead = view.X_WV.R * Vec3::UnitX();
      const double distance = std::max(1.0, (p - view.X_WV.p).norm());
      view.X_WV.p = p - distance * ahead;
      for (const NodePtr& top : simulation_.loaded().nodes) {
        if (!top || top->type != "Viewpoint") continue;
        Value position;
        position.kind = Value::Kind::kNumbers;
        position.numbers = {view.X_WV.p.x(), view.X_WV.p.y(), view.X_WV.p.z()};
        place_elements(position, top->place);
        write(top, "position", std::move(position));
      }
      return true;
    }
    default:
      return false;
  }
}

void Supervisor::reset_physics(const Node* node) {
  auto& model = simulation_.model();
  const int top = node ? simulation_.solid_of(*node) : -1;
  const auto all = top < 0 ? std::vector<int>{} : solids_within(top);
  for (std::size_t i = 0; i < model.solids.size(); ++i) {
    const SolidInfo& info = model.solids[i];
    if (info.removed || info.body == physics::kWorldBody) continue;
    if (node && !std::ranges::binary_search(all, static_cast<int>(i))) continue;
    model.physics->clear_forces(info.body);
    model.physics->set_velocity(info.body, Vec3::Zero(), Vec3::Zero());
  }
}

void Supervisor::save_state(const NodePtr& node, const std::string& name) {
  constexpr std::size_t kMostStates = 10'000;
  if (states_.size() >= kMostStates) refuse("there are too many saved states");
  sync_subtree(node);
  SavedState saved;
  LiveTree& tree = simulation_.tree();
  for (const NodePtr& one : tree.subtree(node)) {
    for (const char* field : {"translation", "rotation", "position"}) {
      const TreeField of = tree.field_of(one, field);
      const bool wanted = of.spec && (is_pose(*one) || of.type == FieldType::kFloat);
      if (wanted) saved.fields.push_back({one, field, tree.value(of)});
    }
    const int solid = simulation_.solid_of(*one);
    if (solid < 0) continue;
    const SolidInfo& info = simulation_.model().solids[static_cast<std::size_t>(solid)];
    if (info.body == physics::kWorldBody) continue;
    saved.velocities.push_back({one, simulation_.model().physics->velocity(info.body),
                                simulation_.model().physics->angular_velocity(info.body)});
  }
  states_[{tree.id(node.get()), name}] = std::move(saved);
}

void Supervisor::load_state(const NodePtr& node, const std::string& name) {
  LiveTree& tree = simulation_.tree();
  auto& physics = *simulation_.model().physics;
  const auto known = states_.find({tree.id(node.get()), name});
  SavedState initial;
  if (known == states_.end()) {
    if (name != "__init__") refuse(fmt::format("no state \"{}\" of the node was saved", name));
    for (const NodePtr& one : tree.subtree(node)) {
      for (const char* field : {"translation", "rotation", "position"}) {
        const TreeField of = tree.field_of(one, field);
        const bool wanted = of.spec && (is_pose(*one) || of.type == FieldType::kFloat);
        if (wanted) initial.fields.push_back({one, field, tree.original(of)});
      }
      if (simulation_.solid_of(*one) < 0) continue;
      const wbt::NodeView view(*one, simulation_.schemas());
      initial.velocities.push_back(
          {one, view.vec3("linearVelocity"), view.vec3("angularVelocity")});
    }
  }
  const SavedState& saved = known == states_.end() ? initial : known->second;
  // Parents before what hangs on them: both in one go, translation and rotation.
  for (const SavedField& one : saved.fields) {
    const NodePtr there = one.node.lock();
    if (!there || tree.id(there.get()) == LiveTree::kNone) continue;
    change(tree.field_of(there, one.field), one.value);
    if (const auto joint = joint_of(*there)) reset_motor(*joint, one.value.numbers.at(0));
  }
  for (const SavedVelocity& one : saved.velocities) {
    const NodePtr there = one.node.lock();
    const int solid = there ? simulation_.solid_of(*there) : -1;
    if (solid < 0) continue;
    const SolidInfo& info = simulation_.model().solids[static_cast<std::size_t>(solid)];
    if (info.body == physics::kWorldBody) continue;
    physics.clear_forces(info.body);
    physics.set_velocity(info.body, one.v_WB, one.w_WB);
  }
}

}  // namespace protobeam
