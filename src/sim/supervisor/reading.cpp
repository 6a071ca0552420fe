// What supervisors read: nodes, fields with the values of now, poses, contacts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/turn.h"
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

bool same(const Pose& a, const Pose& b) { return a.p == b.p && a.R.coeffs() == b.R.coeffs(); }

double cross(const Vec2& o, const Vec2& a, const Vec2& b) {
  return (a - o).x() * (b - o).y() - (a - o).y() * (b - o).x();
}

/// Inside the convex hull of the points, or on its edge.
bool inside_hull(std::vector<Vec2> points, const Vec2& p) {
  std::stable_sort(points.begin(), points.end(), [](const Vec2& a, const Vec2& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return false;
  // Andrew's monotone chain: the lower half, then the upper one.
  std::vector<Vec2> hull;
  const auto chain = [&](auto first, auto last) {
    const std::size_t begin = hull.size();
    for (auto q = first; q != last; ++q) {
      while (hull.size() >= begin + 2 && cross(hull[hull.size() - 2], hull.back(), *q) <= 0) {
        hull.pop_back();
      }
      hull.push_back(*q);
    }
    hull.pop_back();
  };
  chain(points.begin(), points.end());
  chain(points.rbegin(), points.rend());
  for (std::size_t i = 0; i < hull.size(); ++i) {
    if (cross(hull[i], hull[(i + 1) % hull.size()], p) < 0) return false;
  }
  return hull.size() >= 3;
}

}  // namespace

Value number_value(const Node& node, std::vector<double> numbers) {
  Value out;
  out.kind = Value::Kind::kNumbers;
  out.place = node.place;
  out.offsets = std::vector<std::uint32_t>(numbers.size(), node.place.offset);
  out.numbers = std::move(numbers);
  return out;
}

NodePtr Supervisor::node(const Request& request) const {
  if (request.node == LiveTree::kRoot) refuse("the root has no such thing");
  NodePtr found = simulation_.tree().node(request.node);
  if (!found) refuse("the node is not there any more");
  return found;
}

TreeField Supervisor::field(const Request& request) const {
  if (!simulation_.tree().exists(request.node)) refuse("the field's node is not there any more");
  const auto found = simulation_.tree().field(request.node, request.field);
  if (!found) refuse("the node has no such field");
  return *found;
}

TreeField Supervisor::field_to_change(const Request& request) const {
  TreeField found = field(request);
  if (!simulation_.tree().is_shown(request.node, request.field)) {
    refuse(fmt::format(
        "field '{}' is inside of a PROTO, where it can be read only: change the PROTO's parameter",
        found.name));
  }
  return found;
}

int Supervisor::solid(const Request& request) const {
  const NodePtr of = node(request);
  const int found = simulation_.solid_of(*of);
  if (found < 0) refuse(fmt::format("a {} is no Solid of the world", of->type));
  return found;
}

bool Supervisor::is_pose(const Node& node) const {
  return simulation_.schemas().is_a(node.type, "Pose");
}

Pose Supervisor::world_pose(const Node* node, Vec3* scale) const {
  const LiveTree& tree = simulation_.tree();
  std::vector<const Node*> path;  // to the node, from below what the simulation knows
  Pose X;
  for (const Node* at = node; at;
       at = tree.parents(*at).empty() ? nullptr : tree.parents(*at).front()) {
    const int solid = simulation_.solid_of(*at);
    if (solid >= 0 && !scale) {
      const SolidInfo& info = simulation_.model().solids[static_cast<std::size_t>(solid)];
      X = info.body == physics::kWorldBody
              ? info.X_BS
              : simulation_.model().physics->pose(info.body) * info.X_BS;
      break;
    }
    if (is_pose(*at)) path.push_back(at);
  }
  Vec3 s = Vec3::Ones();
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    const wbt::NodeView view(**at, simulation_.schemas());
    X = X * Pose{view.rotation("rotation"), s.cwiseProduct(view.vec3("translation"))};
    if (view.has("scale")) s = s.cwiseProduct(view.vec3("scale"));
  }
  if (scale) *scale = s;
  return X;
}

void Supervisor::write(const NodePtr& node, std::string_view field, Value value) {
  LiveTree& tree = simulation_.tree();
  const TreeField own = tree.field_of(node, field);
  if (!own.spec) return;
  // A parameter that has given the value goes along, so that the text of the world says the same.
  const wbt::Field* written = node->find(field);
  const auto from = written ? written->from.instance.lock() : nullptr;
  if (from) {
    TreeField parameter;
    parameter.node = node;
    parameter.instance = from;
    parameter.parameter = written->from.parameter;
    parameter.name = field;
    parameter.type = own.type;
    for (auto outer = from; outer;) {
      tree.set(parameter, value);
      const auto& link = outer->links[static_cast<std::size_t>(parameter.parameter)];
      outer = link.instance.lock();
      parameter.instance = outer;
      parameter.parameter = link.parameter;
    }
  }
  tree.set(own, std::move(value));
}

void Supervisor::write_pose(const NodePtr& node, const Pose& X_WN) {
  const auto& parents = simulation_.tree().parents(*node);
  const Node* parent = parents.empty() ? nullptr : parents.front();
  Vec3 scale;
  world_pose(parent, &scale);
  const Pose X_PN = world_pose(parent).inverse() * X_WN;
  const Vec3 p = X_PN.p.cwiseQuotient(scale);
  const auto turn = axis_and_angle(X_PN.R.normalized());
  // Without a rotation the axis means nothing: z, as Webots' default.
  const Vec3 axis = turn.angle() == 0 ? Vec3::UnitZ() : turn.axis();
  if (!p.allFinite() || !axis.allFinite()) return;
  write(node, "translation", number_value(*node, {p.x(), p.y(), p.z()}));
  write(node, "rotation", number_value(*node, {axis.x(), axis.y(), axis.z(), turn.angle()}));
  written_poses_[node.get()] = X_WN;
}

void Supervisor::sync(const NodePtr& node) {
  const WorldModel& model = simulation_.model();
  if (const int index = simulation_.solid_of(*node); index >= 0) {
    const SolidInfo& info = model.solids[static_cast<std::size_t>(index)];
    if (info.robot >= 0) {
      sync_custom_data(node);
      sync_battery(node);
    }
    const bool welded =
        info.parent >= 0 && model.solids[static_cast<std::size_t>(info.parent)].body == info.body;
    if (info.body == physics::kWorldBody || welded) return;
    const Pose X_WS = model.physics->pose(info.body) * info.X_BS;
    // What moves with its parent has the same place in it.
    const auto& parents = simulation_.tree().parents(*node);
    const Pose X_PS = world_pose(parents.empty() ? nullptr : parents.front()).inverse() * X_WS;
    const auto known = written_poses_.find(node.get());
    if (known != written_poses_.end() && same(known->second, X_WS)) return;
    if (known == written_poses_.end()) {
      const wbt::NodeView view(*node, simulation_.schemas());
      const Pose written{view.rotation("rotation"), view.vec3("translation")};
      const bool rests = (written.p - X_PS.p).norm() < 1e-12 * (1 + written.p.norm()) &&
                         (written.R.conjugate() * X_PS.R).vec().norm() < 5e-13;
      if (rests) {
        written_poses_[node.get()] = X_WS;
        return;
      }
    }
    write_pose(node, X_WS);
    return;
  }
  // JointParameters: of which joint, and of which of its axes.
  if (!simulation_.schemas().is_a(node->type, "JointParameters") &&
      !simulation_.schemas().is_a(node->type, "BallJointParameters")) {
    return;
  }
  for (const Node* parent : simulation_.tree().parents(*node)) {
    for (std::size_t j = 0; parent && j < model.joints.size(); ++j) {
      if (model.joints[j].node != parent) continue;
      int axis = 0;
      for (const char* field : {"jointParameters", "jointParameters2", "jointParameters3"}) {
        const wbt::Field* holder = parent->find(field);
        const bool here =
            holder && !holder->value.nodes.empty() && holder->value.nodes.front() == node;
        const TreeField position = simulation_.tree().field_of(node, "position");
        if (here && position.spec && axis < static_cast<int>(model.joints[j].axes_P.size())) {
          const double now = model.physics->joint_position(static_cast<int>(j), axis);
          const Value& before = simulation_.tree().value(position);
          const bool differs = before.numbers.empty() || std::abs(before.numbers[0] - now) > 1e-12;
          if (differs && std::isfinite(now)) write(node, "position", number_value(*node, {now}));
        }
        ++axis;
      }
    }
  }
}

void Supervisor::sync_subtree(const NodePtr& node) {
  for (const NodePtr& one : simulation_.tree().subtree(node)) sync(one);
}

void Supervisor::sync_all() {
  for (const NodePtr& node : std::vector<NodePtr>(simulation_.loaded().nodes)) {
    if (node) sync_subtree(node);
  }
}

std::vector<int> Supervisor::solids_within(int solid) const {
  const auto& solids = simulation_.model().solids;
  std::vector<int> out;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    if (solids[i].removed || solids[i].unit != solids[static_cast<std::size_t>(solid)].unit)
      continue;
    for (int at = static_cast<int>(i); at >= 0; at = solids[static_cast<std::size_t>(at)].parent) {
      if (at != solid) continue;
      out.push_back(static_cast<int>(i));
      break;
    }
  }
  return out;
}

std::vector<double> Supervisor::contacts(int solid, bool descendants) const {
  const auto& solids = simulation_.model().solids;
  const std::vector<int> of = descendants ? solids_within(solid) : std::vector<int>{solid};
  std::vector<double> out;
  for (const physics::Contact& contact : simulation_.model().physics->contacts()) {
    for (const int owner : {contact.owner_a, contact.owner_b}) {
      if (!std::ranges::binary_search(of, owner)) continue;
      const Node* node = solids[static_cast<std::size_t>(owner)].node;
      for (const double number : {contact.point_W.x(), contact.point_W.y(), contact.point_W.z(),
                                  static_cast<double>(simulation_.tree().id(node))}) {
        out.push_back(number);
      }
    }
  }
  return out;
}

Vec3 Supervisor::center_of_mass(int solid) const {
  const WorldModel& model = simulation_.model();
  const auto info = [&](int index) -> const SolidInfo& {
    return model.solids[static_cast<std::size_t>(index)];
  };
  // What is a part of a body counts with its own mass, not with that of the rest of the body.
  const SolidInfo& top = info(solid);
  const bool part = top.parent >= 0 && info(top.parent).body == top.body;
  std::vector<physics::BodyId> bodies;
  double mass = 0;
  Vec3 moment = Vec3::Zero();
  for (const int index : solids_within(solid)) {
    const physics::BodyId body = info(index).body;
    if (body == physics::kWorldBody || !(model.physics->mass(body) > 0)) continue;
    if (part && body == top.body) {
      mass += info(index).mass;
      moment += info(index).mass * (model.physics->pose(body) * info(index).centre_B);
      continue;
    }
    if (std::ranges::find(bodies, body) != bodies.end()) continue;
    bodies.push_back(body);
    const physics::RigidState state = model.physics->rigid_state(body);
    mass += state.mass;
    moment += state.mass * state.centre_W;
  }
  return mass > 0 ? Vec3(moment / mass) : Vec3(Vec3::Zero());
}

/// Its centre of mass is above the area between its contact points.
bool Supervisor::statically_balanced(int solid) const {
  const Vec3 up = simulation_.model().up;
  const Vec3 first = up.unitOrthogonal(), second = up.cross(first);
  const auto flat = [&](const Vec3& p) { return Vec2(first.dot(p), second.dot(p)); };
  const std::vector<double> all = contacts(solid, true);
  std::vector<Vec2> points;
  for (std::size_t i = 0; i + 3 < all.size(); i += 4) {
    points.push_back(flat({all[i], all[i + 1], all[i + 2]}));
  }
  return inside_hull(std::move(points), flat(center_of_mass(solid)));
}

Value Supervisor::element(const TreeField& field, int index) const {
  const Value& all = simulation_.tree().value(field);
  const auto size = static_cast<std::size_t>(std::max(1, components(field.type)));
  const std::size_t count = wbt::element_count(all, field.type);
  const int asked = index;
  if (!is_multi(field.type)) index = 0;
  if (index < 0) index += static_cast<int>(count);
  if (index < 0 || static_cast<std::size_t>(index) >= count) {
    refuse(
        fmt::format("index {} of field '{}' is outside its {} elements", asked, field.name, count));
  }
  const auto at = static_cast<std::size_t>(index);
  Value out;
  out.kind = all.kind;
  if (!all.strings.empty()) out.strings = {all.strings[at]};
  if (!all.nodes.empty()) out.nodes = {all.nodes[at]};
  for (std::size_t k = 0; k < size && !all.numbers.empty(); ++k) {
    out.numbers.push_back(all.numbers[at * size + k]);
  }
  return out;
}

const RobotInfo& Supervisor::self(int robot) const {
  const auto& robots = simulation_.model().robots;
  const auto index = static_cast<std::size_t>(robot);
  if (index >= robots.size() || robots[index].removed)
    refuse("the supervisor's own robot is no longer in the world");
  return robots[index];
}

bool Supervisor::answer_node(int robot, const Request& request, Answer& out) {
  LiveTree& tree = simulation_.tree();
  const auto& model = simulation_.model();
  const auto id = [&](int found) { out.numbers = {static_cast<double>(found)}; };
  switch (request.op) {
    case SupervisorOp::kNodeSelf: {
      id(tree.id(self(robot).node));
      return true;
    }
    case SupervisorOp::kNodeFromDef:
      id(request.node < 0 ? tree.from_def(request.text)
                          : tree.from_proto_def(request.node, request.text));
      return true;
    case SupervisorOp::kNodeFromId:
      id(tree.exists(request.node) ? request.node : LiveTree::kNone);
      return true;
    case SupervisorOp::kNodeFromDevice: {
      const auto& devices = self(robot).devices;
      const bool there =
          request.index > 0 && static_cast<std::size_t>(request.index) <= devices.size();
      const Node* of = there ? devices[static_cast<std::size_t>(request.index) - 1].node : nullptr;
      if (request.index == 0) of = self(robot).node;  // its own tag (Webots' reference)
      const int found = tree.id(of);
      id(tree.in_world_text(found) ? found : LiveTree::kNone);
      return true;
    }
    case SupervisorOp::kNodeInfo: {
      if (request.node == LiveTree::kRoot) {
        out.text = "\nGroup\nGroup";
        out.numbers = {-1, 0, 1, 1};
        return true;
      }
      const NodePtr of = node(request);
      out.text = of->def + "\n" + (of->proto.empty() ? of->type : of->proto) + "\n" + of->type;
      const auto count = [&](std::uint8_t space) {
        return static_cast<double>(tree.field_names(request.node, {space, 0, 0}).size());
      };
      out.numbers = {static_cast<double>(tree.parent(request.node)), of->instance ? 1.0 : 0.0,
                     count(link::FieldAddress::kOwn), count(link::FieldAddress::kBase)};
      return true;
    }
    case SupervisorOp::kNodePose: {
      const NodePtr of = request.node == LiveTree::kRoot ? nullptr : node(request);
      const NodePtr from = tree.node(request.index);
      if ((of && !is_pose(*of)) || (from && !is_pose(*from))) {
        refuse("only a Pose, Transform or Solid has a pose");
      }
      const Pose X = world_pose(from.get()).inverse() * world_pose(of.get());
      const Mat3 R = X.R.toRotationMatrix();
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) out.numbers.push_back(R(row, column));
        out.numbers.push_back(X.p[row]);
      }
      for (const double number : {0, 0, 0, 1}) out.numbers.push_back(number);
      return true;
    }
    case SupervisorOp::kNodeVelocity: {
      const SolidInfo& info = model.solids[static_cast<std::size_t>(solid(request))];
      Vec3 v, w;
      if (info.body == physics::kWorldBody) {
        std::tie(v, w) = resting_velocity(solid(request));
      } else {
        const bool dynamic = model.physics->mass(info.body) > 0;
        w = model.physics->angular_velocity(info.body);
        v = dynamic ? model.physics->rigid_state(info.body).v_W
                    : model.physics->velocity(info.body);
      }
      out.numbers = {v.x(), v.y(), v.z(), w.x(), w.y(), w.z()};
      return true;
    }
    case SupervisorOp::kNodeCenterOfMass: {
      const Vec3 c = center_of_mass(solid(request));
      out.numbers = {c.x(), c.y(), c.z()};
      return true;
    }
    case SupervisorOp::kNodeContacts:
      out.numbers = contacts(solid(request), request.index != 0);
      return true;
    case SupervisorOp::kNodeStaticBalance: {
      const int of = solid(request);
      if (model.solids[static_cast<std::size_t>(of)].parent >= 0) {
        refuse("only a Solid that stands in no other one is in balance or not");
      }
      out.numbers = {statically_balanced(of) ? 1.0 : 0.0};
      return true;
    }
    case SupervisorOp::kNodeExport: {
      const NodePtr of = node(request);
      sync_subtree(of);
      out.text = wbt::to_source_text({of});
      return true;
    }
    default:
      return false;
  }
}

bool Supervisor::answer_field(const Request& request, Answer& out) {
  LiveTree& tree = simulation_.tree();
  switch (request.op) {
    case SupervisorOp::kFieldByName: {
      if (!tree.exists(request.node)) refuse("the node is not there any more");
      const auto names = tree.field_names(request.node, request.field);
      const auto found = std::ranges::find(names, request.text);
      out.numbers = {found == names.end() ? -1.0 : static_cast<double>(found - names.begin())};
      return true;
    }
    case SupervisorOp::kFieldInfo: {
      const TreeField of = field(request);
      out.text = of.name;
      out.numbers = {static_cast<double>(of.type)};
      return true;
    }
    case SupervisorOp::kFieldCount: {
      const TreeField of = field(request);
      out.numbers = {is_multi(of.type)
                         ? static_cast<double>(wbt::element_count(tree.value(of), of.type))
                         : -1.0};
      return true;
    }
    case SupervisorOp::kFieldValue: {
      const TreeField of = field(request);
      // What its value follows from: the node itself, or those that the parameter sets.
      if (of.instance) {
        for (const TreeField& one : tree.linked(*of.instance, of.parameter)) sync(one.node);
      } else if (of.node) {
        sync(of.node);
      }
      const Value value = element(of, request.index);
      out.numbers = value.numbers;
      if (!value.strings.empty()) out.text = value.strings.front();
      if (single(of.type) == FieldType::kNode) {
        const bool there = !value.nodes.empty() && value.nodes.front();
        out.numbers = {static_cast<double>(there ? tree.id(value.nodes.front().get()) : -1)};
      }
      return true;
    }
    case SupervisorOp::kActualField: {
      field(request);
      const auto [node, address] = tree.shown_field(request.node, request.field);
      out.numbers = {static_cast<double>(node), static_cast<double>(address.space),
                     static_cast<double>(address.level), static_cast<double>(address.index)};
      return true;
    }
    case SupervisorOp::kProtoInfo: {
      const auto proto = tree.proto(request.node, request.field.level);
      if (!proto) {
        out.numbers = {-1, 0};
        return true;
      }
      out.text = proto->document->proto->name;
      out.numbers = {proto->base ? 1.0 : 0.0,
                     static_cast<double>(proto->document->proto->parameters.size())};
      return true;
    }
    default:
      return false;
  }
}

}  // namespace protobeam
