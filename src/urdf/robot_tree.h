// A robot as one tree of nodes.
#pragma once

#include <string>
#include <vector>

#include "urdf/drives.h"
#include "urdf/frictions.h"
#include "urdf/import.h"
#include "urdf/joints.h"
#include "urdf/link_forces.h"
#include "urdf/masses.h"
#include "urdf/sensors.h"

namespace protobeam::urdf {

class RobotTree {
 public:
  explicit RobotTree(Import& import);

  /// Adds to a Robot or Solid what the links say.
  wbt::NodePtr run(NodeMaker robot);
  bool fixed_to_world() const { return masses_.fixed_to_world; }
  bool drives() const { return !drives_.nodes().empty(); }
  bool any_smooth() const { return frictions_.any_smooth(); }
  std::vector<wbt::NodePtr> contact_properties() const { return frictions_.contact_properties(); }

 private:
  /// Collision shapes of one contactMaterial.
  struct Surface {
    std::string material;
    std::vector<const Shape*> shapes;
  };

  wbt::NodePtr solid(int index);
  void contents(NodeMaker& made, int index);
  /// A Solid has one contactMaterial: shapes of others than the first are Solids in it, without
  /// Physics.
  std::vector<Surface> surfaces_of(int link);
  static std::string part_name(const Link& link, const Surface& surface);
  void collide(NodeMaker& made, const Link& link, const Surface& surface);
  wbt::NodePtr physics(int index);

  Import& import_;
  Masses masses_;
  Drives drives_;
  Frictions frictions_;
  Control control_;
  LinkForces forces_;
  Sensors sensors_;
};

}  // namespace protobeam::urdf
