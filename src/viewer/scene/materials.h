// What surfaces carry into the shaders: colours with each corner, pictures as textures.
#pragma once

#include <map>
#include <memory>
#include <osg/Image>
#include <osg/StateSet>
#include <tuple>

#include "geometry/material.h"

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

}  // namespace protobeam::viewer
