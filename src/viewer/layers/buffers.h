// Vertex buffers that are filled again and again.
#pragma once

#include <cstddef>
#include <osg/Geometry>

namespace protobeam::viewer {

/// For a geometry that has its arrays, whose contents will change: buffers that are written anew,
/// no display list, bounds that set_bounds() gives.
void prepare_for_change(osg::Geometry& geometry);

/// The bounds are ours: OSG would look at every vertex, also at those beyond the count.
void set_bounds(osg::Geometry& geometry, const osg::BoundingBox& box);

void set_count(osg::DrawArrays& draw, std::size_t first, std::size_t count);

/// Makes `array` hold at least `count`. It grows by a quarter more, so that contents of about the
/// same size find their buffer in place.
template <typename Array>
void make_room(Array& array, std::size_t count) {
  if (array.size() < count) array.resize(count + count / 4);
}

}  // namespace protobeam::viewer
