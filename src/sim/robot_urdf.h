// A robot as URDF, for programs that compute with its joints (ROS, kinematics libraries).
#pragma once

#include <string>

namespace protobeam {

class Simulation;

/// Links are the robot's Solids, devices among them, the robot itself is `base_link`; names that
/// occur twice get a number. A link lies at its Solid, that of an endPoint on the joint's anchor,
/// with the joint at 0. A joint has the name of its motor, else of its PositionSensor, and the
/// stops or else the motor's positions as limits; of several axes there is a joint for each, with
/// links without mass between. The mass of what is fixed together is on the first link of it.
/// Boxes, Spheres, Cylinders and Capsules are geometry; meshes and other shapes have no form in
/// URDF that stands without a file. Joints that close loops are left out. `prefix` stands before
/// each name of a link or joint.
std::string robot_urdf(Simulation& simulation, int robot, const std::string& prefix);

}  // namespace protobeam
