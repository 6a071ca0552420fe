// What the triangles of a mesh enclose.
#pragma once

#include "geometry/geometry.h"

namespace protobeam {

/// Positive when they face outwards.
inline double signed_volume(const Mesh& mesh) {
  double volume = 0;
  for (const auto& t : mesh.triangles) {
    volume += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6;
  }
  return volume;
}

}  // namespace protobeam
