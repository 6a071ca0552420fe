#include "urdf/sensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "urdf/drives.h"
#include "urdf/gazebo_looks.h"
#include "urdf/masses.h"
#include "urdf/sensor_devices.h"

namespace protobeam::urdf {
namespace {

/// It says what is done anyway: fixed joints keep their links, and a direction of friction counts
/// with two frictions only, of which Frictions tells.
bool is_needless(const Element& child) {
  const std::string& value = child.text.value;
  const bool no = value == "false" || value == "0";
  if (child.tag == "selfCollide" || child.tag == "self_collide") return no || value.empty();
  return child.tag == "preserveFixedJoint" || child.tag == "disableFixedJointLumping" ||
         child.tag == "provideFeedback" || child.tag == "fdir1";
}

}  // namespace

void note_plugin(Ignored& ignored, const Element& plugin, const char* where) {
  const Text* file = plugin.attribute("filename");
  ignored.add(fmt::format("Gazebo's <plugin> '{}'{}", file ? file->value : "", where),
              plugin.place);
}

Sensors::Sensors(Import& import) {
  std::vector<std::string> links;
  for (const Link& link : import.robot.links) {
    links.push_back(link.name);
    if (!link.sensors.empty()) by_link_[link.name] = link.sensors;
  }
  const std::set<std::string, std::less<>> known(links.begin(), links.end());
  for (const Element* plugin : import.robot.plugins) {
    if (!is_known_plugin(*plugin)) note_plugin(import.ignored, *plugin);
  }
  std::set<std::string, std::less<>> joints;
  for (const Joint& joint : import.robot.joints) {
    joints.insert(joint.name);
    for (const JointSensor& sensor : joint.sensors) add(import.ignored, joint.name, sensor);
  }
  int unknown = 0;
  for (const Element* gazebo : import.robot.element->all("gazebo")) {
    const Text* reference = gazebo->attribute("reference");
    const bool is_link = reference && known.contains(reference->value);
    if (reference && !reference->value.empty() && !is_link && !joints.contains(reference->value)) {
      import.diagnostics.warning(
          reference->place,
          fmt::format("there is no link or joint '{}' for this <gazebo>", reference->value),
          ++unknown <= 20 ? did_you_mean(reference->value, links) : "");
    }
    for (const Element& child : gazebo->children) {
      if (child.tag == "sensor" && is_link) {
        by_link_[reference->value].push_back(&child);
      } else if (child.tag == "sensor" && reference && joints.contains(reference->value)) {
        add(import.ignored, reference->value, {&child, {}, false});
      } else if (child.tag == "plugin" && is_known_plugin(child)) {
        continue;  // Drives
      } else if (is_link && (child.tag == "mu1" || child.tag == "mu2")) {
        continue;  // Frictions
      } else if (is_link && is_about_gravity(child)) {
        continue;  // RobotTree
      } else if (is_link && child.tag == "material") {
        if (const std::string script = gazebo_script(child);
            !script.empty() && !gazebo_look(script))
          import.ignored.add(fmt::format("the <material> '{}' of <gazebo>", script), child.place,
                             near_gazebo_look(script));
      } else if (is_link && child.tag == "visual") {
        for (const Element& one : child.children) {
          if (one.tag != "material")
            import.ignored.add(fmt::format("<{}> of <visual> of <gazebo>", one.tag), one.place);
        }
      } else if (child.tag == "plugin") {
        note_plugin(import.ignored, child);
      } else if (!is_needless(child)) {
        import.ignored.add(fmt::format("<{}> of <gazebo>", child.tag), child.place);
      }
    }
  }
  const auto note_name = [&](const Element& sensor) {
    if (const Text* name = sensor.attribute("name")) import.sensor_names.insert(name->value);
  };
  for (const auto& [link, all] : by_link_)
    for (const Element* sensor : all) note_name(*sensor);
  for (const auto& [joint, all] : by_joint_)
    for (const JointSensor& sensor : all) note_name(*sensor.element);
}

void Sensors::add(Ignored& ignored, const std::string& joint, const JointSensor& sensor) {
  const Text* type = sensor.element->attribute("type");
  if (type && type->value == "force_torque") {
    by_joint_[joint].push_back(sensor);
  } else {
    ignored.add(fmt::format("a <sensor> of type '{}' in a joint", type ? type->value : ""),
                sensor.element->place);
  }
}

std::vector<wbt::NodePtr> Sensors::of(Import& import, const Link& link) const {
  std::vector<wbt::NodePtr> out;
  const auto add_all = [&](std::vector<wbt::NodePtr> nodes) {
    std::ranges::move(nodes, std::back_inserter(out));
  };
  if (const auto mine = by_link_.find(link.name); mine != by_link_.end()) {
    for (const Element* sensor : mine->second) add_all(sensor_devices(import, link, *sensor));
  }
  if (link.parent_joint < 0) return out;
  if (const auto mine = by_joint_.find(import.joint(link.parent_joint).name);
      mine != by_joint_.end()) {
    for (const JointSensor& sensor : mine->second)
      add_all(joint_sensor_devices(import, link, sensor));
  }
  return out;
}

std::string Sensors::type_of(const std::string& name) const {
  const auto type = [&](const Element& sensor) -> std::string {
    const Text *its = sensor.attribute("name"), *what = sensor.attribute("type");
    return its && what && its->value == name ? what->value : "";
  };
  for (const auto& [link, all] : by_link_)
    for (const Element* sensor : all)
      if (std::string found = type(*sensor); !found.empty()) return found;
  for (const auto& [joint, all] : by_joint_)
    for (const JointSensor& sensor : all)
      if (std::string found = type(*sensor.element); !found.empty()) return found;
  return "";
}

}  // namespace protobeam::urdf
