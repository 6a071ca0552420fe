// Lines for what has no shape: frames, joints, contacts, frusta of cameras, trails of robots; and
// the edges of boundingObjects.
#pragma once

#include <map>
#include <vector>

#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"
#include "sim/scene/strokes.h"

namespace protobeam::scene {

/// Size of the glyphs of each body, m: three quarters of the radius of its boundingObjects,
/// within 0.05 and 1.5 m, so that axes stick out of small and large bodies alike; 0.3 m for a body
/// without shapes.
std::vector<double> glyph_sizes(const SceneDescription& description);

/// Axes of each body (its glyph size), and of each device's and robot's Solid (half of that of its
/// body, at most 0.25 m).
void add_frames(const SceneDescription& description, const std::vector<double>& lengths,
                const SceneState& state, Strokes& strokes);
/// A line along each axis through the anchor, a glyph size of the parent to both sides (0.5 m
/// where that is the world), and a dot. Nothing for fixed joints.
void add_joints(const SceneDescription& description, const std::vector<double>& lengths,
                const SceneState& state, Strokes& strokes);
/// A dot, and an arrow along the normal (see arrow_length): how body_a is pushed, or body_b where
/// nothing moves body_a.
void add_contacts(const SceneDescription& description, const SceneState& state, Strokes& strokes);
/// Edges of what each camera sees, from its min_range to its max_range (3 m where that is
/// unlimited). Beyond 160 degrees the edges lie on spheres around the camera, not on planes.
void add_frusta(const SceneDescription& description, const SceneState& state, Strokes& strokes);

/// The world's own lines.
void add_lines(const SceneDescription& description, const SceneState& state, Strokes& strokes);

/// m, for an impulse in N s: its square root times 0.2, within 0.05 and 1 m. Toys and trucks differ
/// by a factor of a million.
double arrow_length(double impulse);

/// The path of one point. It has at most kMost points: when it is full, every second one is
/// removed, and the spacing doubles.
class Trail {
 public:
  static constexpr std::size_t kMost = 4096;
  static constexpr double kLeastSpacing = 0.02;  ///< m

  /// True if that made it longer. Places that are not finite are ignored.
  bool record(const Vec3& p);
  const std::vector<Vec3>& points() const { return points_; }

 private:
  std::vector<Vec3> points_;
  double spacing_ = kLeastSpacing;
};

/// Edges of each body's boundingObjects, in its frame; those of the world stand still.
std::map<physics::BodyId, Strokes> bounding_objects(const SceneDescription& description);

}  // namespace protobeam::scene
