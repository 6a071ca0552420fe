// The shader programs of a scene.
#pragma once

#include <string>

#include <osg/Program>

#include "sim/watch/world_look.h"

namespace protobeam::viewer {

/// What the shaders are made for: a line is `#define NAME` or `#define NAME VALUE`.
struct ShaderOptions {
  bool soft_shadows = false;
  int sky_taps = 0;  ///< 0: all see the whole sky
  bool has_sun = true;
  bool sky_cube = false;
  Fog fog;
};

constexpr double kExposure = 0.48;

osg::ref_ptr<osg::Program> surface_program(const ShaderOptions& options, bool textured);
osg::ref_ptr<osg::Program> ground_program(const ShaderOptions& options);
osg::ref_ptr<osg::Program> sky_program(const ShaderOptions& options);
/// Of depth maps.
osg::ref_ptr<osg::Program> depth_program();

}  // namespace protobeam::viewer
