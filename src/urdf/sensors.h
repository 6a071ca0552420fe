// The sensors that <gazebo reference="link"> elements describe.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "urdf/import.h"

namespace protobeam::urdf {

/// A plugin that has no effect; `where`: " of a <sensor>".
void note_plugin(Ignored& ignored, const Element& plugin, const char* where = "");

class Sensors {
 public:
  /// Looks at all <gazebo> elements; what has no effect goes into import.ignored.
  explicit Sensors(Import& import);
  /// The devices of a link, in its frame.
  std::vector<wbt::NodePtr> of(Import& import, const Link& link) const;
  /// Of the sensor of that name, as its text has it; "" when there is none.
  std::string type_of(const std::string& name) const;

 private:
  /// The sensor of a joint.
  void add(Ignored& ignored, const std::string& joint, const JointSensor& sensor);

  std::map<std::string, std::vector<const Element*>, std::less<>> by_link_;
  std::map<std::string, std::vector<JointSensor>, std::less<>> by_joint_;
};

}  // namespace protobeam::urdf
