// Vehicles out of the built plugins, for tests.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "tests/unit/support/plugin.h"
#include "vehicle/plugin.h"
#include "vehicle/schemas.h"
#include "vehicle/vehicle.h"

namespace protobeam {

/// Text of a node: its type and the fields that are written.
struct NodeText {
  std::string type;
  std::map<std::string, std::string> fields = {};
};

/// A plugin's schema with the fields of the type that it extends, as the loader sees it.
inline NodeSchema with_base(NodeSchema schema) {
  for (const NodeSchema& base : vehicle_schemas()) {
    if (std::string(base.name) != schema.base) continue;
    schema.fields.insert(schema.fields.end(), base.fields.begin(), base.fields.end());
  }
  return schema;
}

inline std::unique_ptr<Tyre> make_tyre(const NodeText& node) {
  const auto& plugin = load_plugin<TyrePlugin>(node.type);
  return plugin.make(TestFields(with_base(plugin.schema), node.fields));
}

inline std::unique_ptr<Drive> make_drive(const NodeText& node, VehicleLayout layout) {
  const auto& plugin = load_plugin<DrivePlugin>(node.type);
  return plugin.make(TestFields(with_base(plugin.schema), node.fields), std::move(layout));
}

inline std::unique_ptr<DriveController> make_controller(const NodeText& node, const Drive& drive) {
  const auto& plugin = load_plugin<ControllerPlugin>(node.type);
  return plugin.make(TestFields(with_base(plugin.schema), node.fields), drive);
}

inline Vehicle make_vehicle(const NodeText& drive_node, const NodeText& tyre_node,
                            const NodeText& controller_node, VehicleLayout layout) {
  auto drive = make_drive(drive_node, std::move(layout));
  auto controller = make_controller(controller_node, *drive);
  return Vehicle(std::move(drive), make_tyre(tyre_node), std::move(controller));
}

/// A wheel with the inertia of a disc.
inline Wheel disc(double x, double y, double mass, double width, double diameter) {
  return {{x, y, diameter / 2}, 0, mass, width, diameter, disc_inertia(mass, diameter / 2)};
}

}  // namespace protobeam
