#include "urdf/ros2_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "urdf/joints.h"
#include "urdf/ros_names.h"
#include "urdf/sensor_broadcasters.h"

namespace protobeam::urdf {
namespace {

struct Interfaces {
  std::vector<std::string> commands, states;
};

std::string attribute_text(const Element& element, const char* name) {
  const Text* text = element.attribute(name);
  return text ? text->value : "";
}

/// Of the joints, sensors and other parts of a <ros2_control>.
Interfaces interfaces_of(const Element& control) {
  Interfaces out;
  for (const Element& part : control.children) {
    if (part.tag == "hardware") continue;
    const auto add = [&](const char* tag, std::vector<std::string>& to) {
      for (const Element* one : part.all(tag))
        to.push_back(attribute_text(part, "name") + "/" + attribute_text(*one, "name"));
    };
    add("command_interface", out.commands);
    add("state_interface", out.states);
  }
  return out;
}

/// "/r1/arm/wrench" of "arm" at the manager "/r1/controller_manager".
std::string topic_beside(const ManagedController& controller, const std::string& name) {
  const auto slash = controller.manager.rfind('/');
  const std::string space =
      slash == std::string::npos ? "" : controller.manager.substr(0, slash + 1);
  return space + controller.facts.name + "/" + name;
}

}  // namespace

wbt::NodePtr controller_node(const ManagedController& controller, std::vector<std::string> topics) {
  const auto& [facts, manager] = controller;
  NodeMaker made("Ros2Controller", {facts.place, nullptr});
  made.text("name", facts.name).text("type", facts.type);
  if (manager != "controller_manager") made.text("manager", manager);
  const auto add = [&](const char* field, std::vector<std::string> words) {
    if (!words.empty()) made.texts(field, std::move(words));
  };
  add("commands", facts.commands);
  add("states", facts.states);
  add("topics", std::move(topics));
  if (facts.state_rate != 50) made.number("stateRate", facts.state_rate);
  return made.take();
}

std::vector<wbt::NodePtr> hardware_nodes(Import& import, const Sensors& sensors,
                                         const std::vector<ManagedController>& broadcasters) {
  const Robot& robot = import.robot;
  const auto plugins = all_plugins(robot);
  const auto control = std::ranges::find_if(
      plugins, [](const Element* plugin) { return is_control_plugin(*plugin); });
  if (control == plugins.end()) return {};
  std::vector<wbt::NodePtr> out;
  std::vector<std::string> states;
  for (const Element* one : robot.element->all("ros2_control")) {
    Interfaces all = interfaces_of(*one);
    states.insert(states.end(), all.states.begin(), all.states.end());
    NodeMaker made("Ros2Hardware", at(*one));
    made.text("name", attribute_text(*one, "name"));
    if (const std::string type = attribute_text(*one, "type");
        type == "sensor" || type == "actuator")
      made.text("type", type);
    const Element* hardware = one->child("hardware");
    if (hardware) made.text("plugin", child_text(*hardware, "plugin"));
    if (const std::string manager = manager_of(**control); manager != "controller_manager")
      made.text("manager", manager);
    if (!all.commands.empty()) made.texts("commands", std::move(all.commands));
    if (!all.states.empty()) made.texts("states", std::move(all.states));
    out.push_back(made.take());
  }
  for (ManagedController one : broadcasters) {
    if (one.facts.sensor.empty()) {
      one.facts.states = states;
      out.push_back(controller_node(one, {"joint_states"}));
      continue;
    }
    const SensorBroadcaster& kind = *sensor_broadcaster(one.facts.type);
    const std::string& sensor = one.facts.sensor;
    const bool is_there =
        std::ranges::find(kind.sensors, sensors.type_of(sensor)) != kind.sensors.end();
    if (!is_there || (kind.sampled && !import.sampled)) {
      import.diagnostics.warning(
          one.facts.place, fmt::format("the controller '{}' has no effect: there is no {} '{}'",
                                       one.facts.name, kind.device, sensor));
      continue;
    }
    std::string topic = topic_beside(one, kind.topic);
    NodeMaker named("Topic", {one.facts.place, nullptr});
    named.text("device", sensor);
    if (!kind.message.empty()) named.text("message", kind.message);
    out.push_back(named.text("name", topic).take());
    out.push_back(controller_node(one, {topic}));
  }
  return out;
}

void drop_repeated_controllers(std::vector<wbt::NodePtr>& nodes) {
  std::set<std::string> known;
  std::erase_if(nodes, [&](const wbt::NodePtr& node) {
    if (node->type != "Ros2Controller") return false;
    const wbt::Field* manager = node->find("manager");
    const std::string name = node->find("name")->value.strings.at(0);
    return !known.insert((manager ? manager->value.strings.at(0) : "") + " " + name).second;
  });
}

}  // namespace protobeam::urdf
