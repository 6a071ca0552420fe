// A robot as URDF, for programs that compute with its joints or show it (ROS, kinematics
// libraries).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "geometry/geometry.h"

namespace protobeam {

class RobotLinks;
class Simulation;

/// The address of a file with that shape, "" for none.
using MeshFile = std::function<std::string(const std::shared_ptr<const Geometry>&)>;

/// A link lies at its Solid, that of an endPoint on the joint's anchor, with the joint at 0. A
/// joint has the name of its motor, else of its PositionSensor, and the stops or else the motor's
/// positions as limits; of several axes there is a joint for each, with links without mass between.
/// Wheels of vehicles have joints for their suspension, steering and spin. The mass of what is
/// fixed together is on the first link of it. Boxes, Spheres, Cylinders and Capsules are geometry;
/// other shapes are in files or left out. Joints that close loops are left out.
std::string robot_urdf(const Simulation& simulation, int robot, const RobotLinks& links,
                       const MeshFile& mesh_file = nullptr);

/// With the names of the world: names that occur twice get a number. `prefix` stands before each
/// name of a link or joint.
std::string robot_urdf(const Simulation& simulation, int robot, const std::string& prefix);

}  // namespace protobeam
