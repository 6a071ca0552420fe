#include "sim/collision_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace protobeam {
namespace {

// Of the angle between a contact's normal and the vertical.
constexpr double kStands = 0.70710678;  // 45 deg: slopes and rounded edges are stood on
constexpr double kRolls = 0.25881905;   // 75 deg: a wheel climbs a kerb that is lower than its axle

bool limited(const wbt::NodeView& joint, const char* parameters, const char* device) {
  if (const wbt::NodePtr node = joint.node(parameters)) {
    const wbt::NodeView fields(*node, joint.schemas());
    if (fields.number("minStop") != fields.number("maxStop")) return true;
  }
  for (const wbt::NodePtr& node : joint.nodes(device)) {
    if (!node) continue;
    const wbt::NodeView fields(*node, joint.schemas());
    if (fields.has("minPosition") && fields.number("minPosition") < fields.number("maxPosition"))
      return true;
  }
  return false;
}

/// A hinge that turns round and round, as a wheel's or a caster's.
bool spins(const wbt::NodeView& joint) {
  const auto has = [&](const char* parameters, const char* device) {
    return joint.has(parameters) && joint.has(device);
  };
  return (has("jointParameters", "device") && !limited(joint, "jointParameters", "device")) ||
         (has("jointParameters2", "device2") && !limited(joint, "jointParameters2", "device2"));
}

/// The Solid at the end of a joint; null for a SolidReference.
const wbt::Node* end_of(const wbt::Node& joint, const SchemaRegistry& schemas) {
  const wbt::Node* node = &joint;
  while (node) {
    const wbt::NodeView fields(*node, schemas);
    if (!fields.has("endPoint")) return node;
    const wbt::NodePtr next = fields.node("endPoint");
    node = next.get();  // the tree holds it
  }
  return nullptr;
}

}  // namespace

void CollisionLog::learn_parts() {
  const WorldModel& model = simulation_.model();
  const SchemaRegistry& schemas = simulation_.schemas();
  known_.clear();
  parts_.assign(static_cast<std::size_t>(model.physics->body_count()), Part::kLimb);
  for (const RobotInfo& robot : model.robots) {
    if (robot.removed || robot.solid < 0) continue;
    const SolidInfo& solid = model.solids[static_cast<std::size_t>(robot.solid)];
    if (solid.body >= 0) parts_[static_cast<std::size_t>(solid.body)] = Part::kTrunk;
  }
  std::map<const wbt::Node*, physics::BodyId> bodies;
  for (const SolidInfo& solid : model.solids) {
    if (!solid.removed && solid.body >= 0) bodies.emplace(solid.node, solid.body);
  }
  for (const JointInfo& joint : model.joints) {
    const bool hinge =
        joint.kind == physics::JointKind::kHinge || joint.kind == physics::JointKind::kHinge2;
    if (!hinge || !joint.node || !spins(wbt::NodeView(*joint.node, schemas))) continue;
    const auto body = bodies.find(end_of(*joint.node, schemas));
    if (body != bodies.end()) parts_[static_cast<std::size_t>(body->second)] = Part::kWheel;
  }
}

CollisionLog::Part CollisionLog::part(int solid) const {
  const physics::BodyId body = simulation_.model().solids[static_cast<std::size_t>(solid)].body;
  return body < 0 ? Part::kTrunk : parts_[static_cast<std::size_t>(body)];
}

bool CollisionLog::movable(int solid) const {
  const WorldModel& model = simulation_.model();
  const physics::BodyId body = model.solids[static_cast<std::size_t>(solid)].body;
  return body >= 0 && model.physics->mass(body) > 0;
}

/// `up`: the upward part of the normal from the other's surface to the robot's own.
bool CollisionLog::is_normal(int own, int other, double up) const {
  const auto& solids = simulation_.model().solids;
  const Part kind = part(own);
  if (up >= (kind == Part::kWheel ? kRolls : kStands)) return true;  // it stands there
  if (solids[static_cast<std::size_t>(other)].robot >= 0 || !movable(other)) return false;
  if (up <= -kStands) return true;  // it carries the other
  // Grippers, forks and ploughs handle things, and what never moves is furniture: conveyors.
  return kind == Part::kLimb || solids[static_cast<std::size_t>(own)].body < 0;
}

bool CollisionLog::is_normal(const physics::Contact& contact) const {
  const WorldModel& model = simulation_.model();
  const double up = contact.normal_W.dot(model.up);
  const auto robot = [&](int solid) { return model.solids[static_cast<std::size_t>(solid)].robot; };
  return (robot(contact.owner_a) >= 0 && is_normal(contact.owner_a, contact.owner_b, up)) ||
         (robot(contact.owner_b) >= 0 && is_normal(contact.owner_b, contact.owner_a, -up));
}

void CollisionLog::after_step() {
  const WorldModel& model = simulation_.model();
  const std::int64_t step = simulation_.step_number();
  const bool begins = step <= last_step_ || last_step_ < 0;  // or begins again
  last_step_ = step;
  if (begins) {
    for (Record& record : records_) record.last_step = -1;
  }
  const auto parted = static_cast<std::int64_t>(std::ceil(kParted / model.basic_time_step - 1e-9));
  for (const physics::Contact& contact : model.physics->contacts()) {
    const int a = contact.owner_a, b = contact.owner_b;
    if (a < 0 || b < 0) continue;
    const int robot_a = model.solids[static_cast<std::size_t>(a)].robot;
    const int robot_b = model.solids[static_cast<std::size_t>(b)].robot;
    if (robot_a == robot_b) continue;  // of one robot, or of none
    if (generation_ != simulation_.generation()) {
      generation_ = simulation_.generation();
      learn_parts();
    }
    if (is_normal(contact)) continue;
    Record& record = records_[record_of(a, b)];
    if (record.last_step == step) continue;
    const bool touches_again = record.last_step < 0 || step - record.last_step > parted;
    if (touches_again) record.from_the_start = begins;
    record.last_step = step;
    if (record.from_the_start) continue;
    if (touches_again) ++record.collision.times;
    if (record.steps++ == 0) record.collision.first = simulation_.time();
    record.collision.duration = static_cast<double>(record.steps) * model.basic_time_step;
  }
}

/// Names outlive the numbers of Solids, which are given again when some have gone.
std::size_t CollisionLog::record_of(int a, int b) {
  const auto found = known_.find({a, b});
  if (found != known_.end()) return found->second;
  const WorldModel& model = simulation_.model();
  const auto solid = [&](int i) -> const SolidInfo& {
    return model.solids[static_cast<std::size_t>(i)];
  };
  const auto robot = [&](int i) -> const RobotInfo& {
    return model.robots[static_cast<std::size_t>(solid(i).robot)];
  };
  const auto drives = [&](int i) { return solid(i).robot >= 0 && movable(robot(i).solid); };
  // The one that moves by itself has touched the other; of two such, the first in the world.
  int own = a, other = b;
  if (solid(b).robot >= 0 && (solid(a).robot < 0 || (drives(b) && !drives(a)) ||
                              (drives(a) == drives(b) && solid(b).robot < solid(a).robot))) {
    std::swap(own, other);
  }
  Collision names;
  names.robot = robot(own).name;
  names.touched = solid(other).name;
  if (solid(other).robot >= 0) {
    // A robot that is one thing has its name; one that moves several (traffic) that of the thing.
    if (drives(other) || robot(other).solid == other) {
      names.touched = robot(other).name;
    } else {
      names.of_robot = robot(other).name;
    }
  }
  const auto same = [&](const Record& record) {
    const Collision& c = record.collision;
    return std::tie(c.robot, c.touched, c.of_robot) ==
           std::tie(names.robot, names.touched, names.of_robot);
  };
  const auto record = std::ranges::find_if(records_, same);
  const auto index = static_cast<std::size_t>(record - records_.begin());
  if (record == records_.end()) {
    records_.emplace_back();
    records_.back().collision = std::move(names);
    records_.back().last_step = -1;
  }
  known_.emplace(std::pair(a, b), index);
  return index;
}

std::vector<Collision> CollisionLog::collisions() const {
  std::vector<Collision> out;
  for (const Record& record : records_) {
    if (record.collision.times > 0) out.push_back(record.collision);
  }
  std::ranges::stable_sort(out, {}, &Collision::first);
  return out;
}

std::string describe(const Collision& collision) {
  const std::string times =
      collision.times == 1 ? "once" : fmt::format("{} times", collision.times);
  const std::string touched =
      collision.of_robot.empty() ? fmt::format("'{}'", collision.touched)
                                 : fmt::format("'{}' of {}", collision.touched, collision.of_robot);
  return fmt::format("{} touched {} at {:.2f} s ({}, {:.2f} s)", collision.robot, touched,
                     collision.first, times, collision.duration);
}

}  // namespace protobeam
