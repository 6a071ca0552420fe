// <vehicle> as a Robot with a drive, shapes and sensors.
#pragma once

#include "mvsim/world/import.h"
#include "mvsim/world/visuals.h"

namespace protobeam::mvsim {

wbt::NodePtr vehicle_node(Import& import, const Element& vehicle);

/// <dynamics> and <friction> as one of the node types that extend VehicleDrive. Of `visuals`, those
/// of the vehicle, it takes what is steered with a wheel; null: they do not matter.
wbt::NodePtr drive_node(Import& import, const Element& vehicle, const Element& dynamics,
                        std::vector<Visual>* visuals);

/// What of a <dynamics> has defaults that depend on its class.
enum class DriveKind { kDifferential, kAckermann, kDrivetrain };
DriveKind drive_kind(const Element& dynamics);

/// The wheels in the order that the drive asks for; `visuals` as of drive_node().
std::vector<wbt::NodePtr> wheel_nodes(Import& import, const Element& vehicle,
                                      const Element& dynamics, std::vector<Visual>* visuals);
/// <controller>; a vehicle without one gets set-points of torque.
wbt::NodePtr controller_node(Import& import, const Element& dynamics);
/// <friction>, or the default one.
wbt::NodePtr tyre_node(Import& import, const Element& vehicle);

}  // namespace protobeam::mvsim
