// What all steps from SDF to nodes of Webots' language share.
#pragma once

#include <array>
#include <compare>
#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdf/frames.h"
#include "urdf/import.h"

namespace protobeam::sdf {

using urdf::at;
using wbt::NodeMaker;
using wbt::NodePtr;

/// Where on the Earth the world is.
struct Geography {
  const Element* element = nullptr;    ///< null: the text does not say
  double latitude = 0, longitude = 0;  ///< degrees
  double elevation = 0;                ///< m
  double heading = 0;                  ///< rad, from east to the x axis
  std::optional<Vec3> magnetic_field;  ///< T, in east, north and up
  double temperature = 288.15;         ///< K, of the air at z = 0
};

/// What a <surface> says of friction and bouncing.
struct Surface {
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();
  double along = 1, across = 1;            ///< coefficients along the direction and across
  double slip_along = 0, slip_across = 0;  ///< m/(N s)
  std::array<double, 3> direction{};       ///< in the shape; 0: all are the same
  double bounce = 0;                       ///< share of the speed that is left
  double bounce_speed = kInfinite;         ///< m/s, from which it bounces; infinite: not said

  bool directed() const { return along != across || slip_along != slip_across; }
  auto operator<=>(const Surface&) const = default;
};

/// What a buoyancy plugin of a world says.
struct Water {
  std::string fluid;  ///< its name; "": there is none
  /// Names of models and links, `model::link`, that it carries; empty: all.
  std::vector<std::string> enabled;

  /// Of a link, "model::link".
  bool carries(const std::string& name) const;
};

/// A fixed joint between two links that messages make and break.
struct DetachableJoint {
  const Element* plugin = nullptr;
  std::string parent, child;  ///< "model::link"
  int number = 0;             ///< from 1 in the world
};

struct Context {
  const Options& options;
  const std::filesystem::path& file;    ///< of the world
  const std::filesystem::path& folder;  ///< as in urdf::Import
  std::shared_ptr<const Element> sdf;
  const Frames& frames;
  Resources& resources;
  Ignored& ignored;
  Diagnostics& diagnostics;
  double step = 0.001;                         ///< s, of the world
  bool classic = true;                         ///< no plugin says that it is for Gazebo
  std::map<Surface, std::string> materials{};  ///< contactMaterials
  Geography geography{};
  Water water{};
  std::vector<DetachableJoint> detachable_joints{};
  std::map<unsigned long, Place> masks{};     ///< <collide_bitmask>, each with a place
  std::deque<Element> made{};                 ///< elements with other poses than they are written

  /// Of a <visual>, <collision>, <sensor> or <light> in its link.
  Pose pose(const Element& element);
};

/// The number that is the text of a child, within the bounds, else an error and `otherwise`.
double number_in(Context& context, const Element& element, std::string_view tag, double otherwise,
                 double least = -1e16, double most = 1e16);
/// Three numbers that are the text of a child.
Vec3 vec3_in(Context& context, const Element& element, std::string_view tag, const Vec3& otherwise);
/// "true" or "1".
bool flag_in(const Element& element, std::string_view tag, bool otherwise);
/// The colour that is the text of a child, of 3 or 4 numbers; nothing without one.
std::optional<Vec3> colour_in(Context& context, const Element& element, std::string_view tag,
                              double* alpha = nullptr);
/// A plugin of the <world> or <model> is of Gazebo, not of Gazebo Classic.
bool is_of_gazebo(const Element& owner);
/// The name of an element; "" without one.
std::string name_of(const Element& element);

}  // namespace protobeam::sdf
