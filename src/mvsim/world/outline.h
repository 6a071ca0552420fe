// Outlines on the ground and the prisms over them.
#pragma once

#include <optional>
#include <vector>

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

using Outline = std::vector<Vec2>;

struct Prism {
  Outline outline;
  double low = 0, high = 1;  ///< m, z
};

/// m^2; positive when the corners run against the clock.
double signed_area(const Outline& outline);
/// Against the clock.
Outline convex_hull(std::vector<Vec2> points);
/// The <shape> of an element as written; nothing, with an error, for one without an area.
std::optional<Outline> written_outline(Import& import, const Element& owner);
/// Closed, its faces outwards.
wbt::NodePtr prism_node(const Prism& prism, const Origin& origin);
/// A closed surface over an outline in the x-z plane, drawn from y = low to y = high.
wbt::NodePtr extruded_along_y(const Outline& outline, double low, double high,
                              const Origin& origin);

}  // namespace protobeam::mvsim
