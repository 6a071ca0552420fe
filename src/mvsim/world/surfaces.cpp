#include "mvsim/world/surfaces.h"

#include <algorithm>
#include <cmath>

namespace protobeam::mvsim {
using wbt::NodeMaker;

namespace {

constexpr std::size_t kMostMaterials = 40;

}  // namespace

bool Surfaces::has_room_for(const Surface& surface) const {
  return materials_.size() < kMostMaterials || materials_.count(surface) > 0;
}

std::string Surfaces::material(const Surface& surface) {
  const auto known = materials_.find(surface);
  if (known != materials_.end()) return known->second;
  if (materials_.size() >= kMostMaterials) return materials_.begin()->second;
  return materials_[surface] = "block " + std::to_string(materials_.size() + 1);
}

std::vector<wbt::NodePtr> Surfaces::contact_rules(const wbt::Origin& origin) const {
  std::vector<wbt::NodePtr> rules;
  const auto rule = [&](const std::string& a, const std::string& b, double friction,
                        double restitution) {
    rules.push_back(NodeMaker("ContactProperties", origin)
                        .text("material1", a)
                        .text("material2", b)
                        .numbers("coulombFriction", {friction})
                        .number("bounce", restitution)
                        .number("bounceVelocity", 1)
                        .take());
  };
  // Bodies mix as Box2D does: friction by the geometric mean, restitution by the greater one. A
  // chassis is smooth; what holds a vehicle are its tyres.
  constexpr double kChassisRestitution = 0.01;
  rule(kVehicleMaterial, kVehicleMaterial, 0, kChassisRestitution);
  rule(kVehicleMaterial, kGroundMaterial, 0, 0);
  for (auto a = materials_.begin(); a != materials_.end(); ++a) {
    rule(kVehicleMaterial, a->second, 0, std::max(kChassisRestitution, a->first.restitution));
    if (moves_) rule(kGroundMaterial, a->second, a->first.ground_friction, 0);
    for (auto b = a; b != materials_.end(); ++b) {
      rule(a->second, b->second, std::sqrt(a->first.friction * b->first.friction),
           std::max(a->first.restitution, b->first.restitution));
    }
  }
  return rules;
}

}  // namespace protobeam::mvsim
