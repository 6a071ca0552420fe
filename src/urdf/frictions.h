// Frictions of links, which Gazebo has in <gazebo reference="link"><mu1>.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "urdf/drives.h"
#include "urdf/import.h"

namespace protobeam::urdf {

/// Of worlds only: a PROTO leaves them to the ContactProperties of the world in which it stands.
class Frictions {
 public:
  Frictions(Import& import, const Drives& drives);
  /// The contactMaterial of a link's collision shape; "" without one.
  std::string material_of(const Link& link, const Shape& shape) const {
    if (const auto smooth = smooth_.find(link.name); smooth != smooth_.end()) return smooth->second;
    const auto own = of_link_.find(link.name);
    return own == of_link_.end() ? shape.contact_material : name(*own);
  }
  /// Some links have the Import's material without friction.
  bool any_smooth() const { return !smooth_.empty(); }
  /// Of each such link with all else. Gazebo takes the lower one of two frictions, and its ground's
  /// is 100 (gazebo/worlds/empty.world, models/ground_plane).
  std::vector<wbt::NodePtr> contact_properties() const;

 private:
  struct Friction {
    double coulomb = 1;
    const Element* element = nullptr;
  };
  using OfLink = std::map<std::string, Friction, std::less<>>;
  std::string name(const OfLink::value_type& link) const;

  bool by_friction_;
  OfLink of_link_;
  std::map<std::string, std::string, std::less<>> smooth_;  ///< materials of links
};

}  // namespace protobeam::urdf
