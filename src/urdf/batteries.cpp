#include "urdf/batteries.h"

#include <fmt/format.h>

#include "urdf/drives.h"
#include "urdf/ros_names.h"
#include "urdf/values.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {
namespace {

constexpr double kBatteryPeriod = 20;  // ms, of gz-sim

bool is_off(const Element& child) { return child.text.value == "false" || child.text.value == "0"; }

void note_battery(Import& import, const Element& plugin) {
  for (const char* tag : {"enable_recharge", "recharge_by_topic", "power_draining_topic",
                          "stop_power_draining_topic"}) {
    const Element* child = plugin.child(tag);
    if (child && !is_off(*child))
      import.ignored.add(fmt::format("<{}> of a battery", tag), child->place);
  }
  const Element* at_once = plugin.child("start_draining");
  if (!at_once || is_off(*at_once))
    import.ignored.add("the wait of a battery for the first motion", plugin.place,
                       "it drains from the start");
}

}  // namespace

bool is_battery(const Element& plugin) { return file_has(plugin, "linearbatteryplugin"); }

std::vector<wbt::NodePtr> battery_nodes(Import& import) {
  std::vector<wbt::NodePtr> out;
  for (const Element* plugin : all_plugins(import.robot)) {
    if (!is_battery(*plugin)) continue;
    const std::string name = child_text(*plugin, "battery_name");
    if (name.empty() || !plugin->child("voltage")) {
      import.diagnostics.warning(
          plugin->place, "a battery needs a <battery_name> and a <voltage>; it is left out");
      continue;
    }
    NodeMaker made("LinearBattery", at(*plugin));
    made.text("name", name).number("samplingPeriod", kBatteryPeriod);
    const auto number = [&](const char* field, std::initializer_list<const char*> tags) {
      for (const char* tag : tags) {
        const auto value = child_number(*plugin, tag, import.diagnostics);
        if (!value) continue;
        made.number(field, *value, plugin->child(tag)->place);
        return;
      }
    };
    number("voltage", {"voltage"});
    number("openCircuitVoltage", {"open_circuit_voltage_constant_coef", "voltage"});
    number("openCircuitVoltageSlope", {"open_circuit_voltage_linear_coef"});
    number("capacity", {"capacity"});
    number("initialCharge", {"initial_charge"});
    number("resistance", {"resistance"});
    number("currentTime", {"smooth_current_tau"});
    number("powerLoad", {"power_load"});
    out.push_back(made.take());
    note_battery(import, *plugin);
    const std::string topic = fmt::format("/model/{}/battery/{}/state", import.robot.name, name);
    if (!is_topic(topic)) {
      import.diagnostics.warning(plugin->place, fmt::format("'{}' is no name of a topic", topic));
      continue;
    }
    out.push_back(NodeMaker("Topic", at(*plugin)).text("device", name).text("name", topic).take());
  }
  return out;
}

}  // namespace protobeam::urdf
