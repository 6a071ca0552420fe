// What happens where the bodies of a world touch each other: materials and rules for their pairs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wbt/node_maker.h"

namespace protobeam::mvsim {

/// Of all that carries: floors, terrains and the unseen ground.
inline constexpr const char* kGroundMaterial = "ground";
inline constexpr const char* kVehicleMaterial = "vehicle";

/// As MVSim's bodies have them.
struct Surface {
  double ground_friction = 0;  ///< of what slides over the ground
  double friction = 0, restitution = 0;
  auto operator<=>(const Surface&) const = default;
};

class Surfaces {
 public:
  /// The material of bodies with that surface, or of the first one when there are too many.
  std::string material(const Surface& surface);
  bool has_room_for(const Surface& surface) const;
  /// Some block moves over the ground.
  void set_moves() { moves_ = true; }

  /// Rules for all pairs of materials that the world has.
  std::vector<wbt::NodePtr> contact_rules(const wbt::Origin& origin) const;

 private:
  std::map<Surface, std::string> materials_;
  bool moves_ = false;
};

}  // namespace protobeam::mvsim
