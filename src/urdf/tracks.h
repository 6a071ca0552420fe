// Links over whose shapes belts run, as Gazebo's TrackController has them: Tracks.
#pragma once

#include <string>
#include <vector>

#include "urdf/drives.h"
#include "urdf/import.h"

namespace protobeam::urdf {

/// It runs a belt over the shapes of a link.
bool is_track_controller(const Element& plugin);
/// Gives the links that these plugins name their tracks; a warning for those that are not there.
void add_tracks(Robot& robot, const std::vector<const Element*>& plugins, Diagnostics& diagnostics);

/// The name of the motor of a link's belt.
std::string track_motor(const Link& link);
/// The Track of a link that has one, around its boundingObject.
wbt::NodePtr track_node(Import& import, const Link& link, wbt::NodePtr bounding_object,
                        const std::string& contact_material);
/// What hears the speeds of belts, but of those that the robot drives by.
std::vector<wbt::NodePtr> track_topics(Import& import, const Drives& drives);

}  // namespace protobeam::urdf
