// <vehicle> as a Robot with a drive, shapes and sensors.
#pragma once

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

wbt::NodePtr vehicle_node(Import& import, const Element& vehicle);

/// <dynamics> and <friction> as one of the node types that extend VehicleDrive.
wbt::NodePtr drive_node(Import& import, const Element& vehicle, const Element& dynamics);

/// What of a <dynamics> has defaults that depend on its class.
enum class DriveKind { kDifferential, kAckermann, kDrivetrain };
DriveKind drive_kind(const Element& dynamics);

/// The wheels in the order that the drive asks for.
std::vector<wbt::NodePtr> wheel_nodes(Import& import, const Element& dynamics);
/// <controller>; a vehicle without one gets set-points of torque.
wbt::NodePtr controller_node(Import& import, const Element& dynamics);
/// <friction>, or the default one.
wbt::NodePtr tyre_node(Import& import, const Element& vehicle);

}  // namespace protobeam::mvsim
