// Worlds from a few words of SDF.
#pragma once

#include <fmt/format.h>

#include <string>

#include "sdf/to_webots.h"
#include "tests/unit/urdf/robot_text.h"

namespace protobeam::sdf {

/// Steps of 5 ms, g = 9.81 m/s^2.
inline std::string world(const std::string& text) {
  return "<sdf version=\"1.9\"><world name=\"w\"><gravity>0 0 -9.81</gravity>\n" + text +
         "<physics><max_step_size>0.005</max_step_size></physics></world></sdf>\n";
}
inline std::string model(const std::string& name, const std::string& text) {
  return fmt::format("<model name=\"{}\">{}</model>\n", name, text);
}
/// A link of a mass, in its place.
inline std::string heavy(const std::string& name, double mass, const std::string& pose,
                         const std::string& more = {}) {
  return fmt::format(
      "<link name=\"{}\"><pose>{}</pose><inertial><mass>{}</mass><inertia><ixx>0.01</ixx><iyy>0.02"
      "</iyy><izz>0.025</izz></inertia></inertial>{}</link>\n",
      name, pose, mass, more);
}
inline std::string hinge(const std::string& name, const std::string& parent,
                         const std::string& child, const std::string& axis,
                         const std::string& pose = "0 0 0 0 0 0",
                         const std::string& type = "revolute") {
  return fmt::format(
      "<joint name=\"{}\" type=\"{}\"><pose>{}</pose><parent>{}</parent><child>{}</child><axis>{}"
      "</axis></joint>\n",
      name, type, pose, parent, child, axis);
}

class WorldTest : public urdf::RobotTest {
 protected:
  std::optional<wbt::Document> read(const std::string& text) override {
    diagnostics_ = {};
    return read_world_text(text, folder_.path() / "w.sdf", options_, {}, diagnostics_);
  }
  std::string at(const std::string& path) const { return (folder_.path() / path).string(); }
};

}  // namespace protobeam::sdf
