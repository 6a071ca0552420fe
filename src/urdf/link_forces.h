// Plugins of Gazebo that push at links: airfoils, rotors and the resistance of water.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "urdf/import.h"
#include "urdf/joints.h"

namespace protobeam::urdf {

/// lift-drag-system and LiftDragPlugin, thruster-system, multicopter-motor-model-system and
/// gazebo_motor_model, hydrodynamics-system and VRX' SimpleHydrodynamics.
bool is_link_force(const Element& plugin);
/// The joint that such a plugin turns; "": it turns none.
std::string rotor_joint(const Element& plugin);

class LinkForces {
 public:
  /// A warning for each plugin whose links or joints are not there.
  LinkForces(Import& import, const Control& control);

  /// LiftDrags, Rotors and Hydrodynamics, for the children of the link's Solid.
  std::vector<wbt::NodePtr> of(int link) const;
  /// Topics of the Rotors, for the children of the Robot.
  std::vector<wbt::NodePtr> topics() const { return topics_; }

 private:
  void add_airfoil(const Element& plugin);
  void add_thruster(const Element& plugin);
  void add_rotor(const Element& plugin);
  void add_water(const Element& plugin);
  /// -1 with a warning.
  int link_named(const Element& plugin, const char* tag) const;
  /// One that a motor turns; null with a warning.
  const Joint* joint_of(const Element& plugin) const;
  double number(const Element& plugin, const char* tag, double otherwise) const;
  Vec3 vec3(const Element& plugin, const char* tag, const Vec3& otherwise) const;
  void note(const Element& plugin, std::initializer_list<const char*> tags) const;
  void add_topic(const Element& plugin, const std::string& device, const char* message,
                 std::string name);

  Import& import_;
  const Control& control_;
  std::map<int, std::vector<double>> added_mass_;    ///< of links, that no Hydrodynamics has yet
  std::vector<std::pair<int, wbt::NodePtr>> nodes_;  ///< with their links
  std::vector<wbt::NodePtr> topics_;
};

}  // namespace protobeam::urdf
