// Signs for things that have no shape: frames, joints, contacts, what cameras see.
#pragma once

#include <vector>

#include "sim/watch/world_frame.h"
#include "sim/watch/world_look.h"
#include "viewer/layers/strokes.h"

namespace protobeam::viewer {

/// How large the signs of each body are, m: three quarters of the radius of its boundingObjects,
/// within 0.05 and 1.5 m, so that axes stick out of small and large bodies alike; 0.3 m for a body
/// without shapes.
std::vector<double> sign_lengths(const WorldLook& look);

/// Axes of each body (its sign length), and of each device's and robot's Solid (half of that of its
/// body, at most 0.25 m).
void add_frames(const WorldLook& look, const std::vector<double>& lengths, const WorldFrame& frame,
                Strokes& strokes);
/// A line along each axis through the anchor, a sign length of the parent to both sides (0.5 m
/// where that is the world), and a dot. Nothing for fixed joints.
void add_joints(const WorldLook& look, const std::vector<double>& lengths, const WorldFrame& frame,
                Strokes& strokes);
/// A dot, and an arrow along the normal (see arrow_length): how body_a is pushed, or body_b where
/// nothing moves body_a.
void add_contacts(const WorldLook& look, const WorldFrame& frame, Strokes& strokes);
/// Edges of what each camera sees, from its min_range to its max_range (3 m where that is
/// unlimited). Beyond 160 degrees the edges lie on spheres around the camera, not on planes.
void add_frusta(const WorldLook& look, const WorldFrame& frame, Strokes& strokes);

/// The world's own lines.
void add_lines(const WorldLook& look, const WorldFrame& frame, Strokes& strokes);

/// m, for an impulse in N s: its square root times 0.2, within 0.05 and 1 m. Toys and trucks differ
/// by a factor of a million.
double arrow_length(double impulse);

}  // namespace protobeam::viewer
