// Shapes that move together as few drawables: those of one Solid that look alike are one.
#pragma once

#include <map>
#include <memory>
#include <osg/Array>
#include <osg/BoundingBox>
#include <osg/MatrixTransform>
#include <osg/PrimitiveSet>
#include <vector>

#include "sim/watch/world_look.h"
#include "viewer/scene/materials.h"
#include "viewer/scene/surface_mesh.h"

namespace protobeam::viewer {

/// Bits of node masks: what casts shadows and never moves, or does.
constexpr unsigned kStillCaster = 0x1, kMovingCaster = 0x2;

/// The drawn shapes of one Solid, as far as they are near each other. Its frame is the group's,
/// moved to their middle, so that single precision suffices however large the world is.
class SolidNode : public osg::MatrixTransform {
 public:
  SolidNode(int solid, const Vec3& origin_G);
  int solid() const { return solid_; }

 private:
  int solid_;
};

class Drawables {
 public:
  explicit Drawables(SurfaceStates& states) : states_(states) {}

  /// `casts`: by shape of the group, whether it throws shadows.
  osg::ref_ptr<osg::MatrixTransform> group(const WorldLook::Group& group,
                                           const std::vector<bool>& casts);

 private:
  struct Part;
  /// Triangles of a large shape that are near each other.
  struct Piece {
    osg::ref_ptr<osg::DrawElementsUInt> triangles = new osg::DrawElementsUInt(GL_TRIANGLES);
    osg::BoundingBox box;
  };
  /// The vertices of a large shape, for all drawables that show it.
  struct SharedArrays {
    Vec3 origin_S;
    osg::ref_ptr<osg::Vec3Array> positions, normals;
    std::vector<Piece> pieces;
  };
  osg::StateSet* state_of(const WorldLook::Shape& shape);
  const SurfaceMesh& mesh(const std::shared_ptr<const Geometry>& geometry);
  const SharedArrays& shared(const std::shared_ptr<const Geometry>& geometry);
  osg::ref_ptr<osg::Node> alone(const Part& part, const Vec3& origin_G);
  osg::ref_ptr<osg::Node> merged(const std::vector<Part>& parts, const Vec3& origin_G);

  SurfaceStates& states_;
  std::map<const Geometry*, SurfaceMesh> meshes_;
  std::map<const Geometry*, SharedArrays> shared_;
};

}  // namespace protobeam::viewer
