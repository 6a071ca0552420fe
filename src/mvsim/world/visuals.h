// What is seen of things: <visual> with its model file.
#pragma once

#include <optional>
#include <vector>

#include "geometry/geometry.h"
#include "mvsim/world/import.h"

namespace protobeam::mvsim {

struct Visual {
  std::string name;
  std::filesystem::path file;  ///< absolute
  Pose X;                      ///< of the model in what it belongs to
  Quat R_level;                ///< its rotation without the yaw
  double scale = 1;
  wbt::NodePtr model;
  wbt::NodePtr node;  ///< the model in its place; null when it belongs to something else now
};

/// What <visual> has for a name when none is written.
inline constexpr const char* kVisualName = "group";

/// The model at another place than its own.
wbt::NodePtr placed(const Visual& visual, const Pose& X);

/// Those of the element's <visual> that have a model and are not switched off. A model that is not
/// there is a warning.
std::vector<Visual> visuals_of(Import& import, const Element& owner);
/// The same, or the plain shape when none is left.
std::vector<wbt::NodePtr> seen(const std::vector<Visual>& visuals, wbt::NodePtr plain);
/// All points of the models; an error at `origin` for a file that cannot be read.
std::vector<Vec3> points_of(Import& import, const std::vector<Visual>& visuals,
                            const Origin& origin);
/// Corners of the models' surfaces between two heights, cut off there; nothing, with an error at
/// `origin`, when a file cannot be read.
std::optional<std::vector<Vec3>> points_between(Import& import, const std::vector<Visual>& visuals,
                                                double low, double high, const Origin& origin);

}  // namespace protobeam::mvsim
