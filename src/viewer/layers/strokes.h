// The node that draws strokes, and vertex buffers that are rewritten.
#pragma once

#include <cstddef>
#include <osg/Geometry>
#include <osg/MatrixTransform>
#include <vector>

#include "sim/scene/strokes.h"

namespace protobeam::viewer {

/// Draws strokes. Its vertices are relative to one of them: floats do for worlds far from their
/// origin. Buffers are used again from one moment to the next.
class StrokesNode {
 public:
  StrokesNode();
  osg::Node* root() { return transform_; }
  void show(const scene::Strokes& strokes);

 private:
  osg::ref_ptr<osg::MatrixTransform> transform_ = new osg::MatrixTransform;
  osg::ref_ptr<osg::Geometry> geometry_ = new osg::Geometry;
  osg::ref_ptr<osg::Vec3Array> vertices_ = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec4ubArray> colors_ = new osg::Vec4ubArray(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::DrawArrays> lines_ = new osg::DrawArrays(GL_LINES);
  osg::ref_ptr<osg::DrawArrays> dots_ = new osg::DrawArrays(GL_POINTS);
};

/// For a geometry that has its arrays, whose contents will change: buffers that are rewritten,
/// no display list, bounds that set_bounds() gives.
void prepare_for_change(osg::Geometry& geometry);

/// Given bounds: OSG would read every vertex, also those beyond the count.
void set_bounds(osg::Geometry& geometry, const osg::BoundingBox& box);

void set_count(osg::DrawArrays& draw, std::size_t first, std::size_t count);

/// Makes `array` hold at least `count`. It grows by a quarter more, so that contents of about the
/// same size keep their buffer.
template <typename Array>
void grow(Array& array, std::size_t count) {
  if (array.size() < count) array.resize(count + count / 4);
}

}  // namespace protobeam::viewer
