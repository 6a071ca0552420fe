// From Shape nodes to geometry and materials. Files are read once.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "geometry/geometry.h"
#include "geometry/material.h"
#include "wbt/node.h"

namespace protobeam {

struct BuiltShape {
  std::shared_ptr<const Geometry> geometry;
  std::shared_ptr<const Material> material;
  Pose X_NG;  ///< of the geometry in the Shape's frame
};

/// Converts geometry, appearance and file nodes; the same node or file gives the same pointer.
/// Mistakes go to the diagnostics at the node's place: a mesh that is missing is an error, a
/// texture that is missing a warning.
class ShapeFactory {
 public:
  explicit ShapeFactory(const SchemaRegistry& schemas) : schemas_(schemas) {}

  /// Where mistakes go from now on.
  void report_to(Diagnostics& diagnostics) { diagnostics_ = &diagnostics; }
  /// The node or something in it has changed, or it is gone: nothing made of it is given again.
  void forget(const wbt::Node& node);
  /// The same of all nodes; files that were read stay.
  void forget_nodes();
  /// Something has left the world: files that nothing was made of the last time either, and nothing
  /// is now, are forgotten. So what comes again finds its files, and those of what came once go.
  void forget_unused_files();
  /// What is not there or cannot be read is told again where it is named again: who was told did
  /// not go on without it.
  void forget_failures();

  /// Box, Sphere, Mesh, ...; null for nodes that are no solid geometry (line sets) or are broken.
  std::shared_ptr<const Geometry> geometry(const wbt::Node& node);
  /// The same, scaled along the axes.
  std::shared_ptr<const Geometry> geometry(const wbt::Node& node, const Vec3& scale);
  /// Appearance or PBRAppearance; null gives the default grey.
  std::shared_ptr<const Material> material(const wbt::Node* node);
  /// The visible parts of a Shape or CadShape; empty when nothing of it can be seen.
  std::vector<BuiltShape> shape(const wbt::Node& node, const Vec3& scale);

  /// The picture that a node's url field names; null for none.
  std::shared_ptr<const Image> image(const wbt::Node& node, std::string_view url);

 private:
  /// The pictures of a PBRAppearance beside that of its colour; null for none.
  std::shared_ptr<const MaterialMaps> maps(const wbt::NodeView& view);
  bool missing(const wbt::Node& node, const std::filesystem::path& file);
  /// Of the memory for worlds; until the node is forgotten.
  bool affordable(const wbt::Node& node, std::string_view field, double bytes);
  std::shared_ptr<const Geometry> make_geometry(const wbt::Node& node);
  // map_shapes.cpp: ElevationImage, OccupancyGrid
  std::shared_ptr<const Geometry> elevation_image(const wbt::Node& node);
  std::shared_ptr<const Geometry> occupancy_grid(const wbt::Node& node);
  /// The file that a url field names, relative to the file in which the url was written.
  std::filesystem::path resolve(const wbt::Node& node, std::string_view field) const;
  /// As that, with a warning for an empty name: Webots shows nothing then.
  std::filesystem::path seen_file(const wbt::Node& node, std::string_view field);

  const SchemaRegistry& schemas_;
  Diagnostics* diagnostics_ = nullptr;
  std::map<const wbt::Node*, std::shared_ptr<const Geometry>> geometries_;
  std::map<std::pair<const wbt::Node*, std::array<double, 3>>, std::shared_ptr<const Geometry>>
      scaled_;
  std::map<const wbt::Node*, double> taken_;  ///< bytes of the memory for worlds
  std::map<const wbt::Node*, std::shared_ptr<const Material>> materials_;
  template <class Contents>
  struct File {
    Contents contents;
    double bytes = 0;         ///< of the memory for worlds
    bool was_unused = false;  ///< when something left the world the last time
  };
  std::map<std::string, File<std::shared_ptr<const Geometry>>> mesh_files_;
  std::map<std::string, File<std::shared_ptr<const Image>>> image_files_;
  std::map<std::string, File<std::vector<BuiltShape>>> models_;
  std::set<std::string> missing_;
};

}  // namespace protobeam
