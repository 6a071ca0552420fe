// PROTOs of the catalogue, loaded as a robot carries them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "tests/unit/support/constants.h"
#include "tests/unit/support/paths.h"
#include "tests/unit/support/plugin.h"
#include "wbt/load.h"

namespace protobeam::catalogue {

namespace fs = std::filesystem;
using wbt::Node;
using wbt::NodePtr;
using wbt::NodeView;

inline SchemaRegistry& schemas() {
  static SchemaRegistry registry = [] {
    SchemaRegistry all;
    wbt::add_core_schemas(all);
    all.add(load_sensor_plugin("Lidar").schema);
    return all;
  }();
  return registry;
}

struct Loaded {
  wbt::LoadedWorld world;
  std::string messages;
};

/// A robot that carries one lidar, written as `text` ("IbeoLux { fastModel TRUE }").
inline Loaded load(const std::string& text) {
  const fs::path file =
      fs::temp_directory_path() / ("protobeam-catalogue-" + std::to_string(getpid()) + ".wbt");
  const std::string proto = text.substr(0, text.find(' '));
  std::ofstream(file) << "#VRML_SIM R2025a utf8\nEXTERNPROTO \"webots://" << proto
                      << ".proto\"\nWorldInfo {\n}\nRobot {\n  children [\n    " << text
                      << "\n  ]\n}\n";
  wbt::LoadOptions options;
  options.schemas = &schemas();
  options.proto_path = {fs::path(source_dir()) / "protos"};
  Diagnostics diagnostics;
  Loaded loaded;
  loaded.world = wbt::load_world(file, options, diagnostics);
  loaded.messages = diagnostics.to_string();
  fs::remove(file);
  return loaded;
}

/// Calls `visit` for a node and all below it, with the pose of the frame that it stands in.
inline void walk(const NodePtr& node, const Pose& X_WF,
                 const std::function<void(const NodePtr&, const Pose&)>& visit) {
  if (!node) return;
  visit(node, X_WF);
  Pose X_WN = X_WF;
  if (schemas().is_a(node->type, "Pose")) {
    const NodeView view(*node, schemas());
    X_WN = X_WF * Pose{view.rotation("rotation"), view.vec3("translation")};
  }
  for (const auto& field : node->fields) {
    for (const NodePtr& child : field.value.nodes) walk(child, X_WN, visit);
  }
}

inline NodePtr find(const wbt::LoadedWorld& world, const std::string& type) {
  NodePtr found;
  for (const NodePtr& root : world.nodes) {
    walk(root, {}, [&](const NodePtr& node, const Pose&) {
      if (!found && node->type == type) found = node;
    });
  }
  return found;
}

}  // namespace protobeam::catalogue
