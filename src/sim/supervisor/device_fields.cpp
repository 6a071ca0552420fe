// What changes of devices' fields do while the world runs.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/simulation.h"
#include "sim/supervisor/supervisor.h"

namespace protobeam {

using wbt::Node;
using wbt::Value;

/// The device that is made of the node, or of one that holds it, as a Camera its Recognition.
std::optional<Supervisor::DeviceField> Supervisor::device_field(const Node& node,
                                                                const std::string& field) {
  for (RobotInfo& robot : simulation_.model().robots) {
    if (robot.removed) continue;
    const auto found = std::ranges::find(robot.devices, &node, &Device::node);
    if (found != robot.devices.end()) return DeviceField{&*found, field};
  }
  if (simulation_.solid_of(node) >= 0) return std::nullopt;
  for (const Node* parent : simulation_.tree().parents(node)) {
    if (!parent) continue;
    for (const wbt::Field& one : parent->fields) {
      const auto holds = [&](const wbt::NodePtr& child) { return child.get() == &node; };
      if (std::ranges::any_of(one.value.nodes, holds)) return device_field(*parent, one.name);
    }
  }
  return std::nullopt;
}

/// As in Webots the value counts from the next sample on: the device takes it, or its robot is made
/// anew with it.
void Supervisor::change_device(const TreeField& field, const Value& value) {
  LiveTree& tree = simulation_.tree();
  const Value before = tree.value(field);
  const auto undo = [&] { tree.set(field, before); };
  tree.set(field, value);
  const auto found = device_field(*field.node, field.name);
  const auto waits = [&] {
    warn_once(
        fmt::format("field '{}' of {} cannot change while the world runs: it counts when the "
                    "world is loaded again",
                    field.name, field.node->type));
  };
  if (!found) return waits();
  Device& device = *found->device;
  try {
    const wbt::NodeView fields(*device.node, simulation_.schemas());
    if (device.model->change(fields, found->name)) {
      device.model->renew_facts();
      device.facts_changed = true;
      return;
    }
  } catch (const std::invalid_argument& problem) {
    undo();
    refuse(problem.what());
  }
  // What moves things would begin afresh.
  const DeviceType& type = device.model->type();
  if (type.forces || std::string_view(type.api) == "Motor" || !device.unit) return waits();
  sync_subtree(tree.node(tree.id(device.unit)));
  Addition what = again(*device.unit);
  what.same_samples = true;
  Diagnostics diagnostics;
  if (simulation_.rebuild_unit(
          what, [] {}, undo, diagnostics)) {
    return;
  }
  if (diagnostics.has_errors()) refuse(diagnostics.to_string());
  refuse(fmt::format("field '{}' of {} cannot change while the world runs", field.name,
                     field.node->type));
}

}  // namespace protobeam
