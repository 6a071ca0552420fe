// A URDF as the document that Webots' text would give: nodes with their places in the URDF.
// Expansion, checks and messages are then those of every world.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/diagnostics.h"
#include "urdf/robot.h"
#include "wbt/document.h"

namespace protobeam::urdf {

/// A PROTO of that name. `folder`: what addresses of files are relative to; empty: they are
/// absolute. Warnings say what of the robot is not simulated. Nothing after errors.
std::optional<wbt::Document> to_proto(const Robot& robot, const std::string& name,
                                      const Options& options, const std::filesystem::path& folder,
                                      Diagnostics& diagnostics);

/// A world with a plain and the robot on it: its lowest point touches the ground (that of a robot
/// whose root is the link `world` is where the text has it).
std::optional<wbt::Document> to_world(const Robot& robot, const Options& options,
                                      const std::filesystem::path& folder,
                                      Diagnostics& diagnostics);

/// Something that comes into a world: one Robot or Solid, and what it says of its contacts.
struct Model {
  wbt::Document document;
  wbt::Document contact_properties;  ///< nodes of that type; materials have names by what they are
};

/// The robot alone; its sensors work from the start. Nothing after errors.
std::optional<Model> to_model(const Robot& robot, const Options& options, Diagnostics& diagnostics);

/// A document without nodes, of a text with that element at its top.
wbt::Document new_document(const std::filesystem::path& file, const Element& root);

/// What a robot or model without a world stands on; messages about it point at the element.
wbt::NodePtr plain(const Element& whose);

}  // namespace protobeam::urdf
