// Rigid links between bodies that may end, and belts that run over bodies.
#include <algorithm>
#include <stdexcept>

#include "physics/world_impl.h"

namespace protobeam::physics {

LinkId World::Impl::link(BodyId a, BodyId b) {
  const auto yields = [&](BodyId id) { return id != kWorldBody && body(id).dynamic(); };
  if (a == b || (!yields(a) && !yields(b))) return -1;
  // The child of a constraint yields.
  const bool swapped = !yields(b);
  const BodyId parent = swapped ? b : a, child = swapped ? a : b;
  const bool to_world = parent == kWorldBody;
  JointSpec spec;
  spec.name = "link";
  spec.kind = JointKind::kFixed;
  spec.parent = parent;
  spec.child = child;
  spec.X_PC0 = (to_world ? Pose{} : pose(parent)).inverse() * pose(child);
  Body& moved = body(child);
  btRigidBody& held = to_world ? *ground : *body(parent).rigid;
  const Pose X_AP = to_world ? Pose{} : body(parent).X_KB;
  Link link{a, b, nullptr, swapped ? -1.0 : 1.0, false};
  link.constraint =
      std::make_unique<JointConstraint>(spec, held, X_AP, *moved.rigid, moved.X_KB);
  link.constraint->set_rules(h, this->spec.erp);
  stepper->addConstraint(link.constraint.get(), true);
  if (!to_world) {
    link.apart = neighbours.insert(std::minmax(a, b)).second;
    forget_pairs(child);
  }
  wake(a);
  wake(b);
  links.emplace(next_link, std::move(link));
  return next_link++;
}

void World::Impl::unlink(LinkId id) {
  const auto found = links.find(id);
  if (found == links.end()) return;
  Link& link = found->second;
  stepper->removeConstraint(link.constraint.get());
  if (link.apart) {
    neighbours.erase(std::minmax(link.a, link.b));
    forget_pairs(link.b);
  }
  wake(link.a);
  wake(link.b);
  links.erase(found);
}

std::vector<BodyId> World::Impl::assembly(BodyId first) const {
  if (first == kWorldBody || !body(first).dynamic()) return {};
  std::vector<BodyId> all{first};
  bool held = false;
  const auto follow = [&](BodyId from, BodyId one, BodyId other) {
    if (one != from && other != from) return;
    const BodyId to = one == from ? other : one;
    if (to == kWorldBody || !body(to).dynamic()) {
      // A child that moves as its joint says follows by itself.
      held = held || to == kWorldBody || body(to).kinematic_joint < 0;
      return;
    }
    if (std::find(all.begin(), all.end(), to) == all.end()) all.push_back(to);
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const BodyId from = all[i];
    for (const Joint& joint : joints) follow(from, joint.parent, joint.child);
    for (const auto& [id, link] : links) follow(from, link.a, link.b);
  }
  if (held) all.clear();
  return all;
}

bool World::Impl::move_assembly(BodyId first, const Pose& X_WB) {
  const std::vector<BodyId> all = assembly(first);
  if (all.empty() || !X_WB.p.allFinite()) return false;
  const Pose X_change = X_WB * pose(first).inverse();
  std::vector<Pose> poses;
  for (const BodyId id : all) poses.push_back(X_change * pose(id));
  for (std::size_t i = 0; i < all.size(); ++i) set_pose(all[i], poses[i]);
  return true;
}

void World::Impl::set_belt(BodyId id, int owner, const Vec3& belt_B) {
  if (!belt_B.allFinite()) return;
  bool changed = false;
  for (ShapeTag& tag : body(id).tags) {
    if (tag.owner != owner) continue;
    changed = changed || tag.belt_B != belt_B;
    tag.belt_B = belt_B;
  }
  // What lies on a belt that runs does not fall asleep there, nor does what runs on its own.
  if (!changed && belt_B.isZero(0)) return;
  floors_known = floors_known && !(changed && body(id).motion == Motion::kStatic);
  wake(id);
  wake_neighbours(id);
}

}  // namespace protobeam::physics
