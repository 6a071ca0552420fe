#include "physics/mesh_shape.h"

#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>

#include <cstddef>

namespace protobeam::physics {
namespace {

/// Numbers triangles one higher.
class NumberedFromOne final : public btTriangleCallback {
 public:
  explicit NumberedFromOne(btTriangleCallback& take) : take_(take) {}
  void processTriangle(btVector3* corners, int part, int triangle) override {
    take_.processTriangle(corners, part, triangle + 1);
  }

 private:
  btTriangleCallback& take_;
};

/// One triangle to Bullet's function, which asks for what lies around each: all of the mesh does,
/// under other numbers than the triangle's own, 0. Of itself it knows the corners.
class OneTriangle final : public btBvhTriangleMeshShape {
 public:
  OneTriangle(btTriangleMesh& one, const MeshShape& whole)
      : btBvhTriangleMeshShape(&one, false, false), whole_(whole) {}
  void processAllTriangles(btTriangleCallback* take, const btVector3& low,
                           const btVector3& high) const override {
    NumberedFromOne numbered(*take);
    whole_.processAllTriangles(&numbered, low, high);
  }

 private:
  const MeshShape& whole_;
};

}  // namespace

MeshShape::MeshShape(btTriangleMesh& triangles)
    : btBvhTriangleMeshShape(&triangles, false),
      triangles_(triangles),
      known_(static_cast<std::size_t>(triangles.getNumTriangles())) {
  setMargin(0);
  setTriangleInfoMap(&edges_);
}

btVector3 MeshShape::corner(int i) const {
  const btIndexedMesh& mesh = triangles_.getIndexedMeshArray()[0];
  const auto* p = reinterpret_cast<const btScalar*>(mesh.m_vertexBase +
                                                    std::ptrdiff_t{i} * mesh.m_vertexStride);
  return {p[0], p[1], p[2]};
}

void MeshShape::find_edges_of(int triangle) {
  // Where two meshes meet, Bullet's number may be that of the other's triangle.
  const auto place = static_cast<std::size_t>(triangle);
  if (triangle < 0 || place >= known_.size() || known_[place]) return;
  known_[place] = true;
  btTriangleMesh corners(true, false);
  corners.addTriangle(corner(3 * triangle), corner(3 * triangle + 1), corner(3 * triangle + 2));
  OneTriangle one(corners, *this);
  btTriangleInfoMap edges;
  btGenerateInternalEdgeInfo(&one, &edges);
  if (const btTriangleInfo* found = edges.find(0)) edges_.insert(triangle, *found);
}

}  // namespace protobeam::physics
