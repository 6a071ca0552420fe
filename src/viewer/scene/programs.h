// The shader programs of a scene.
#pragma once

#include <osg/Program>
#include <string>

#include "sim/scene/scene_description.h"

namespace protobeam::viewer {

/// Features of the shaders. Without a GPU, only code that is left out costs nothing.
struct ShaderOptions {
  bool soft_shadows = false;
  int sky_taps = 0;  ///< 0: all see the whole sky
  bool has_sun = true;
  int lights = 0;  ///< besides the sun
  bool sky_cube = false;
  Fog fog;
};

constexpr double kExposure = 0.57;

osg::ref_ptr<osg::Program> surface_program(const ShaderOptions& options, bool textured);
osg::ref_ptr<osg::Program> ground_program(const ShaderOptions& options);
osg::ref_ptr<osg::Program> sky_program(const ShaderOptions& options);
/// Of depth maps.
osg::ref_ptr<osg::Program> depth_program();

}  // namespace protobeam::viewer

// The sources of the shaders, in GLSL 1.30. A program's fragment shader is kLighting and its own
// main(). Names that end in _W are in world coordinates, others in eye coordinates.
namespace protobeam::viewer::shaders {

extern const char* const kLighting;
extern const char* const kSurfaceVertex;
extern const char* const kSurfaceFragment;
extern const char* const kGroundVertex;
extern const char* const kGroundFragment;
extern const char* const kSkyVertex;
extern const char* const kSkyFragment;
extern const char* const kDepthVertex;
extern const char* const kDepthFragment;

}  // namespace protobeam::viewer::shaders
