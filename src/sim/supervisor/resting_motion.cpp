// Solids without Physics that their text or a supervisor gives a velocity. No force moves them
// and nothing stops them: each step takes them as far as the velocity says, in the frame P of their
// parent (Webots, src/webots/nodes/WbSolid.cpp). The velocity is in their fields, as there. Those
// at the end of a joint go on turning or sliding by it.
#include <algorithm>
#include <cstddef>

#include "base/turn.h"
#include "sim/simulation.h"
#include "sim/supervisor/supervisor.h"

namespace protobeam {

using wbt::Node;
using wbt::NodePtr;

namespace {

wbt::Value vector_value(const Node& node, const Vec3& v) {
  return number_value(node, {v.x(), v.y(), v.z()});
}

}  // namespace

bool Supervisor::follows_joint(const SolidInfo& solid) const {
  if (solid.body == physics::kWorldBody || simulation_.model().physics->mass(solid.body) > 0)
    return false;
  const Node* one = solid.node;
  do {
    const auto& parents = simulation_.tree().parents(*one);
    one = parents.empty() ? nullptr : parents.front();
  } while (one && one->type == "Slot");
  return one && one->type.ends_with("Joint");
}

bool Supervisor::has_no_force(const SolidInfo& solid) const {
  return solid.body == physics::kWorldBody || follows_joint(solid);
}

void Supervisor::set_resting_velocity(int solid, const Vec3& v_P, const Vec3& w_P) {
  const SolidInfo& info = simulation_.model().solids[static_cast<std::size_t>(solid)];
  const NodePtr node = simulation_.tree().node(simulation_.tree().id(info.node));
  write(node, "linearVelocity", vector_value(*node, v_P));
  write(node, "angularVelocity", vector_value(*node, w_P));
  std::erase_if(gliding_, [&](const auto& one) { return one.expired() || one.lock() == node; });
  if (!v_P.isZero(0) || !w_P.isZero(0)) gliding_.push_back(node);
}

void Supervisor::go_on_resting(int solid) {
  const Node& node = *simulation_.model().solids[static_cast<std::size_t>(solid)].node;
  const wbt::NodeView view(node, simulation_.schemas());
  set_resting_velocity(solid, view.vec3("linearVelocity"), view.vec3("angularVelocity"));
}

void Supervisor::begin_resting_motion() {
  gliding_.clear();
  for (const SolidInfo& info : simulation_.model().solids) begin_resting_motion(info);
}

void Supervisor::begin_resting_motion(const SolidInfo& info) {
  if (info.removed || !info.node || !has_no_force(info)) return;
  const wbt::NodeView view(*info.node, simulation_.schemas());
  const bool moves =
      view.has("linearVelocity") && view.has("physics") && !view.node("physics") &&
      (!view.vec3("linearVelocity").isZero(0) || !view.vec3("angularVelocity").isZero(0));
  if (!moves) return;
  const NodePtr node = simulation_.tree().node(simulation_.tree().id(info.node));
  // One that was built anew moves already.
  std::erase_if(gliding_, [&](const auto& one) { return one.lock() == node; });
  gliding_.push_back(node);
}

std::pair<Vec3, Vec3> Supervisor::own_velocity(const Node& node) const {
  const bool glides =
      std::ranges::any_of(gliding_, [&](const auto& one) { return one.lock().get() == &node; });
  const int solid = glides ? simulation_.solid_of(node) : -1;
  const bool rests =
      solid >= 0 && has_no_force(simulation_.model().solids[static_cast<std::size_t>(solid)]);
  if (!rests) return {Vec3::Zero(), Vec3::Zero()};
  const wbt::NodeView view(node, simulation_.schemas());
  return {view.vec3("linearVelocity"), view.vec3("angularVelocity")};
}

std::pair<Vec3, Vec3> Supervisor::resting_velocity(int solid) const {
  const auto& solids = simulation_.model().solids;
  const Vec3 p_WS = solids[static_cast<std::size_t>(solid)].X_BS.p;
  Vec3 v_W = Vec3::Zero(), w_W = Vec3::Zero();
  // What it stands in takes it along.
  for (int i = solid; i >= 0; i = solids[static_cast<std::size_t>(i)].parent) {
    const SolidInfo& info = solids[static_cast<std::size_t>(i)];
    const auto [v_P, w_P] = own_velocity(*info.node);
    const auto& parents = simulation_.tree().parents(*info.node);
    const Quat R_WP = world_pose(parents.empty() ? nullptr : parents.front()).R;
    const Vec3 own_w_W = R_WP * w_P;
    w_W += own_w_W;
    v_W += R_WP * v_P + own_w_W.cross(p_WS - info.X_BS.p);
  }
  return {v_W, w_W};
}

void Supervisor::move_resting_solids(double step) {
  std::vector<std::weak_ptr<Node>> going;
  const std::vector<std::weak_ptr<Node>> all = gliding_;  // what is built anew may add to it
  for (const auto& one : all) {
    const NodePtr node = one.lock();
    if (!node) continue;
    const auto [v_P, w_P] = own_velocity(*node);
    if (v_P.isZero(0) && w_P.isZero(0)) continue;  // so it is after a reset of the world, too
    const int solid = simulation_.solid_of(*node);
    const SolidInfo& info = simulation_.model().solids[static_cast<std::size_t>(solid)];
    const bool follows = follows_joint(info);
    if (follows) sync_subtree(simulation_.tree().node(simulation_.tree().id(info.unit)));
    const wbt::NodeView view(*node, simulation_.schemas());
    write(node, "translation", vector_value(*node, view.vec3("translation") + step * v_P));
    if (!w_P.isZero(0)) {
      const Quat R_PS = axis_angle(w_P.normalized(), step * w_P.norm()) * view.rotation("rotation");
      const auto turn = axis_and_angle(R_PS.normalized());
      const Vec3 axis = turn.axis();
      write(node, "rotation", number_value(*node, {axis.x(), axis.y(), axis.z(), turn.angle()}));
    }
    const auto& parents = simulation_.tree().parents(*node);
    const Node* parent = parents.empty() ? nullptr : parents.front();
    Vec3 scale;
    world_pose(parent, &scale);
    const wbt::NodeView moved(*node, simulation_.schemas());
    const Pose X_PS{moved.rotation("rotation"), scale.cwiseProduct(moved.vec3("translation"))};
    try {
      // What hangs on it by joints comes along only when it is built anew.
      if (follows || !simulation_.move_solid(solid, world_pose(parent) * X_PS))
        rebuild(
            *info.unit, [] {}, [] {});
      going.push_back(one);
    } catch (const Refusal&) {  // it stays where it is for good
    }
  }
  for (const auto& one : gliding_) {
    const auto same = [&](const auto& other) { return other.lock() == one.lock(); };
    if (std::ranges::none_of(all, same)) going.push_back(one);
  }
  gliding_ = std::move(going);
}

}  // namespace protobeam
