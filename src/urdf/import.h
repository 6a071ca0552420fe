// What all steps from a robot to nodes of Webots' language share.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "urdf/resources.h"
#include "urdf/robot.h"
#include "wbt/node_maker.h"

namespace protobeam::urdf {

using wbt::NodeMaker;

inline wbt::Origin at(const Element& element) { return {element.place, nullptr}; }

/// What is in the text and has no effect: one warning for each kind, with its first place and a
/// count.
class Ignored {
 public:
  void add(const std::string& what, const Place& place, const std::string& instead = {});
  void add(const Ignored& others);
  void report(Diagnostics& diagnostics) const;

 private:
  struct Entry {
    std::string what, instead;
    Place first;
    int count = 1;
  };
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> known_;
};

/// The materials of the robot: those under <robot>, then those that visuals define, by name. What
/// <gazebo> says of a link's looks overrides them, as in Gazebo.
class Materials {
 public:
  Materials(const Robot& robot, Diagnostics& diagnostics);
  /// What defines the material of a visual; null without one.
  const Element* of(const Link& link, const Element& visual, Diagnostics& diagnostics) const;
  /// It is one of <gazebo>.
  bool is_gazebos(const Element& material) const;
  /// The DEF name of a material, and whether it was asked for before.
  std::pair<std::string, bool> def_name(const Element& material);
  const std::vector<std::string>& defined() const { return defined_; }

 private:
  std::map<std::string, const Element*, std::less<>> by_name_;
  std::map<std::string, const Element*, std::less<>> gazebos_;  ///< by links
  std::map<const Element*, std::string> names_;
  std::vector<std::string> defined_;
};

/// How a text in that folder names a file; empty: by its whole path.
std::string url_from(const std::filesystem::path& folder, const std::filesystem::path& file);

struct Import {
  const Robot& robot;
  const Options& options;
  /// Files are named relative to it; empty: by their whole path.
  std::filesystem::path folder;
  Diagnostics& diagnostics;
  /// Sensors work from the start, at their <update_rate>: no controller will enable them.
  bool sampled = false;
  Resources resources{robot.file, options};
  Materials materials{robot, diagnostics};
  Ignored ignored{};
  /// The world's contactMaterial without friction; "": it has none.
  std::string smooth_material{};
  /// contactMaterials are called after their friction, not after links: others are in the world.
  bool materials_by_friction = false;
  std::optional<Vec3> magnetic_field{};  ///< T, of the world, in east, north and up
  double elevation = 0;                  ///< m, of the world's origin
  double ambient_temperature = 288.15;   ///< K
  std::set<std::string, std::less<>> sensor_names{};
  /// Those that sensors name and no link has, each where it is on what is fixed to that link.
  std::map<std::string, std::pair<const Link*, Pose>, std::less<>> sensor_frames{};

  const Link& link(int index) const { return robot.links[static_cast<std::size_t>(index)]; }
  const Joint& joint(int index) const { return robot.joints[static_cast<std::size_t>(index)]; }
  /// How the text that is made names a file.
  std::string url(const std::filesystem::path& file) const { return url_from(folder, file); }
};

}  // namespace protobeam::urdf
