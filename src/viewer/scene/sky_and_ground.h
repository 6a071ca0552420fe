// The background of a world: its sky and the ground below it.
#pragma once

#include <osg/Geometry>
#include <osg/Group>
#include <osg/StateSet>

#include "geometry/geometry.h"
#include "viewer/scene/light_set.h"
#include "viewer/scene/programs.h"

namespace protobeam::viewer {

/// Drawn after all that is opaque, so that only what is seen of it costs time.
constexpr int kSkyBin = 8, kGroundBin = 9;

bool has_sky_cube(const Background& background);

/// A drawable of its own kind: it fills the view.
osg::ref_ptr<osg::Geometry> make_sky(const ShaderOptions& options);

/// Uniforms and textures of the sky for all programs.
void set_sky_uniforms(osg::StateSet& state, const Background& background, const LightSet& lights,
                      const Vec3& up);

/// A drawn shape in a frame whose z points up.
struct PlacedShape {
  const Geometry* geometry;
  Bounds box;
};

/// True when the shape is below much of the world, which fills a box in the same frame: a floor, or
/// terrain.
bool is_floor(const PlacedShape& shape, const Bounds& world);
/// Floors that are flat and low throw no shadow that anyone could see.
bool is_flat_floor(const PlacedShape& shape, const Bounds& world);

/// Rings around the point below the camera; its frame must be moved there, z up.
osg::ref_ptr<osg::Geometry> make_ground(const ShaderOptions& options);

}  // namespace protobeam::viewer
