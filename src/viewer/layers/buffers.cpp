#include "viewer/layers/buffers.h"

namespace protobeam::viewer {

void prepare_for_change(osg::Geometry& geometry) {
  geometry.setDataVariance(osg::Object::DYNAMIC);
  geometry.setUseDisplayList(false);
  geometry.setUseVertexBufferObjects(true);
  geometry.getOrCreateVertexBufferObject()->setUsage(GL_DYNAMIC_DRAW);
  // Asked for bounds, this one adds none to the initial ones.
  geometry.setComputeBoundingBoxCallback(new osg::Drawable::ComputeBoundingBoxCallback);
}

void set_bounds(osg::Geometry& geometry, const osg::BoundingBox& box) {
  geometry.setInitialBound(box);
}

void set_count(osg::DrawArrays& draw, std::size_t first, std::size_t count) {
  draw.setFirst(static_cast<GLint>(first));
  draw.setCount(static_cast<GLsizei>(count));
}

}  // namespace protobeam::viewer
