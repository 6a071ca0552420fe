// The ground of a world that has none of its own: z = 0 with lines every 1 m and 10 m.
#pragma once

#include <osg/Geometry>
#include <osg/Group>

#include "geometry/geometry.h"
#include "viewer/scene/programs.h"

namespace protobeam::viewer {

/// A drawn shape in the world.
struct PlacedShape {
  const Geometry* geometry;
  Bounds box_W;
};

/// True when the shape lies under much of the world: a floor, or terrain.
bool is_floor(const PlacedShape& shape, const Bounds& world);
/// Floors that are flat and low throw no shadow that anyone could see.
bool is_flat_floor(const PlacedShape& shape, const Bounds& world);

/// Rings around the place below the eye; its frame must be moved there.
osg::ref_ptr<osg::Geometry> make_ground(const ShaderOptions& options);

}  // namespace protobeam::viewer
