// Meshes of many small triangles, for measurements.
#pragma once

#include <vector>

#include "geometry/geometry.h"

namespace protobeam::bench {

/// A figure of about `triangles` triangles on a round base, 2 m high, 0.5 m across, its foot at the
/// origin: turned on a lathe, with folds that run around it. `kind`: others have other folds.
Mesh statue(int triangles, int kind);

struct PlacedMesh {
  Mesh mesh;
  Pose X_WM;
};

/// `count` of them, each of its own kind, 4 m apart in a square about the origin, and last the
/// ground. One that would stand at the origin stands aside.
std::vector<PlacedMesh> statue_field(int count, int triangles);

}  // namespace protobeam::bench
