// How the plugins that make up a vehicle introduce themselves: tyres, drives, controllers. One
// shared object holds one node type, as for sensors.
#pragma once

#include <memory>

#include "base/fields.h"
#include "base/plugin.h"
#include "vehicle/drive.h"
#include "vehicle/drive_controller.h"
#include "vehicle/tyre.h"

namespace protobeam {

// Each make() throws std::invalid_argument with a message for the user when fields are out of range
// or contradict each other or the vehicle.

struct TyrePlugin : Plugin {
  static constexpr const char* kKind = "tyre";
  std::unique_ptr<Tyre> (*make)(const Fields& fields) = nullptr;
};

struct DrivePlugin : Plugin {
  static constexpr const char* kKind = "drive";
  std::unique_ptr<Drive> (*make)(const Fields& fields, VehicleLayout layout) = nullptr;
};

struct ControllerPlugin : Plugin {
  static constexpr const char* kKind = "controller";
  /// The controller keeps a reference to the drive.
  std::unique_ptr<DriveController> (*make)(const Fields& fields, const Drive& drive) = nullptr;
};

}  // namespace protobeam

/// At the end of a plugin's source file, outside namespaces: NODE_SCHEMA is a NodeSchema whose base
/// is "Tyre", CLASS a Tyre with a constructor from const Fields&.
#define PROTOBEAM_TYRE_PLUGIN(NODE_SCHEMA, CLASS)                                   \
  PROTOBEAM_EXPORT_PLUGIN(                                                          \
      ::protobeam::TyrePlugin, NODE_SCHEMA,                                         \
      [](const ::protobeam::Fields& fields) -> std::unique_ptr<::protobeam::Tyre> { \
        return std::make_unique<CLASS>(fields);                                     \
      })

/// The same for a Drive with a constructor from const Fields& and VehicleLayout; base
/// "VehicleDrive".
#define PROTOBEAM_DRIVE_PLUGIN(NODE_SCHEMA, CLASS)                                   \
  PROTOBEAM_EXPORT_PLUGIN(                                                           \
      ::protobeam::DrivePlugin, NODE_SCHEMA,                                         \
      [](const ::protobeam::Fields& fields,                                          \
         ::protobeam::VehicleLayout layout) -> std::unique_ptr<::protobeam::Drive> { \
        return std::make_unique<CLASS>(fields, std::move(layout));                   \
      })

/// The same for a DriveController with a constructor from const Fields& and const Drive&; base
/// "DriveController".
#define PROTOBEAM_CONTROLLER_PLUGIN(NODE_SCHEMA, CLASS)                                      \
  PROTOBEAM_EXPORT_PLUGIN(                                                                   \
      ::protobeam::ControllerPlugin, NODE_SCHEMA,                                            \
      [](const ::protobeam::Fields& fields,                                                  \
         const ::protobeam::Drive& drive) -> std::unique_ptr<::protobeam::DriveController> { \
        return std::make_unique<CLASS>(fields, drive);                                       \
      })
