// Shapes as triangles for display: fine enough to look smooth, with the normals of the true
// surface.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/geometry.h"

namespace protobeam {

/// Corners with equal index have equal attributes.
struct SurfaceMesh {
  std::vector<Vec3> positions;
  std::vector<Eigen::Vector3f> normals;
  std::vector<Eigen::Vector2f> uvs;  ///< (0, 0) is the lower left corner of the picture
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

SurfaceMesh surface_mesh(const Geometry& geometry);

}  // namespace protobeam
