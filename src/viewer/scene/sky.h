// What is behind everything, and the light that comes from there.
#pragma once

#include <osg/Geometry>
#include <osg/StateSet>

#include "viewer/scene/light_set.h"
#include "viewer/scene/programs.h"

namespace protobeam::viewer {

/// Drawn after all that is opaque, so that only what is seen of it costs time.
constexpr int kSkyBin = 8, kGroundBin = 9;

bool has_sky_cube(const Background& background);

/// A drawable of its own kind: it fills the view.
osg::ref_ptr<osg::Geometry> make_sky(const ShaderOptions& options);

/// Uniforms and textures of the sky for all programs.
void give_sky_to(osg::StateSet& state, const Background& background, const LightSet& lights);

}  // namespace protobeam::viewer
