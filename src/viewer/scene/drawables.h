// Shapes that move together as few drawables: those of one Solid that look alike are one.
#pragma once

#include <map>
#include <memory>
#include <osg/Array>
#include <osg/BoundingBox>
#include <osg/Image>
#include <osg/MatrixTransform>
#include <osg/PrimitiveSet>
#include <osg/StateSet>
#include <tuple>
#include <vector>

#include "geometry/material.h"
#include "geometry/surface_mesh.h"
#include "sim/scene/scene_description.h"

namespace protobeam::viewer {

/// Units of textures in the shaders.
enum TextureUnit { kBaseColorUnit, kSunMapUnit, kSkyMapUnit, kSkyCubeUnit };

/// Attributes of a vertex besides OpenGL's own; NVIDIA's drivers alias the first ones to those.
enum VertexAttribute { kEmissiveAttribute = 6, kSurfaceAttribute = 7 };

/// 8-bit RGB or RGBA pixels for OSG; null when the picture is not whole. `bottom_up`: rows as
/// OpenGL counts them.
osg::ref_ptr<osg::Image> osg_image(const Image& image, bool bottom_up);

/// True when light comes through some of it: it is drawn after the rest, far ones first.
bool lets_light_through(const Material& material);

/// One state for each kind of surface, shared by all that are of it.
class SurfaceStates {
 public:
  /// `textured`: the program of surfaces with a picture.
  explicit SurfaceStates(osg::ref_ptr<osg::StateAttribute> textured)
      : textured_(std::move(textured)) {}

  /// Null: nothing beyond what all opaque surfaces have. `closed`: nobody sees the back.
  osg::StateSet* of(const Material& material, bool closed);
  static bool has_texture(const Material& material);

 private:
  struct Kind {
    const Image* picture;
    bool repeat_s, repeat_t, through, closed;
    auto operator<=>(const Kind&) const = default;
  };
  osg::ref_ptr<osg::StateAttribute> textured_;
  std::map<Kind, osg::ref_ptr<osg::StateSet>> states_;
  std::map<std::tuple<const Image*, bool, bool>, osg::ref_ptr<osg::StateAttribute>> textures_;
};

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
  osg::ref_ptr<osg::MatrixTransform> group(const SceneDescription::Group& group,
                                           const std::vector<bool>& casts);
  /// The light that shapes of emitters send out, for who changes it: one colour each.
  using EmittedLights = std::map<const SceneDescription::Shape*, osg::ref_ptr<osg::Vec3Array>>;
  const EmittedLights& emitted() const { return emitted_; }

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
  osg::StateSet* state_of(const SceneDescription::Shape& shape);
  const SurfaceMesh& mesh(const std::shared_ptr<const Geometry>& geometry);
  const SharedArrays& shared(const std::shared_ptr<const Geometry>& geometry);
  osg::ref_ptr<osg::Node> alone(const Part& part, const Vec3& origin_G);
  osg::ref_ptr<osg::Node> merged(const std::vector<Part>& parts, const Vec3& origin_G);

  SurfaceStates& states_;
  std::map<const Geometry*, SurfaceMesh> meshes_;
  std::map<const Geometry*, SharedArrays> shared_;
  EmittedLights emitted_;
};

}  // namespace protobeam::viewer
