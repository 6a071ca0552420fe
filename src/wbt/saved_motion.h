// Where a world that was saved while it ran has what is inside of PROTOs, and how it moved: Webots
// writes it as hidden fields of the instance (WbHiddenKinematicParameters), `hidden position_1_0
// 0.3`.
#pragma once

#include "base/field_table.h"
#include "wbt/node.h"

namespace protobeam::wbt {

/// Gives the hidden fields of `raw`, an instance of a PROTO, to what was made of it. The first
/// number of each counts Solids, devices among them: 0 is the instance, then the Solids in it, each
/// before those that it holds and those in its joints at their place. The second one counts the
/// joints of that Solid.
///   translation_1, rotation_1, linearVelocity_1, angularVelocity_1    of a Solid
///   position_1_0, position2_1_0, position3_1_0                        of an axis of a joint
/// What names nothing is left.
void apply_saved_motion(const Node& raw, const SchemaRegistry& schemas, const NodePtr& made);

}  // namespace protobeam::wbt
