// <block> as Solids, and what happens where they touch.
#pragma once

#include <map>

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

inline constexpr const char* kGroundMaterial = "ground";
inline constexpr const char* kVehicleMaterial = "vehicle";

class Blocks {
 public:
  explicit Blocks(Import& import) : import_(import) {}

  wbt::NodePtr node(const Element& block);
  /// Rules for all pairs of materials that blocks and vehicles have.
  std::vector<wbt::NodePtr> contact_rules(const Origin& origin) const;
  /// Some block falls: the world needs a ground.
  bool any_moves() const { return any_moves_; }

 private:
  /// As MVSim's bodies have them.
  struct Surface {
    double ground_friction, friction, restitution;
    auto operator<=>(const Surface&) const = default;
  };
  std::string material(const Surface& surface, const Element& block);

  Import& import_;
  std::map<Surface, std::string> materials_;
  bool any_moves_ = false;
};

}  // namespace protobeam::mvsim
