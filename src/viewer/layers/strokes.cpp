#include "viewer/layers/strokes.h"

#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {

StrokesNode::StrokesNode() {
  colors_->setNormalize(true);
  geometry_->setVertexArray(vertices_);
  geometry_->setColorArray(colors_);
  geometry_->addPrimitiveSet(lines_);
  geometry_->addPrimitiveSet(dots_);
  prepare_for_change(*geometry_);
  transform_->setDataVariance(osg::Object::DYNAMIC);
  transform_->addChild(geometry_);
}

void StrokesNode::show(const scene::Strokes& strokes) {
  const std::size_t ends = strokes.line_ends().size(), dots = strokes.dots().size();
  set_count(*lines_, 0, ends);
  set_count(*dots_, ends, dots);
  osg::BoundingBox box;
  if (ends + dots > 0) {
    const Vec3 origin = ends > 0 ? strokes.line_ends().front().p : strokes.dots().front().p;
    transform_->setMatrix(osg::Matrixd::translate(osg_vector(origin)));
    grow(*vertices_, ends + dots);
    grow(*colors_, ends + dots);
    std::size_t i = 0;
    for (const auto* list : {&strokes.line_ends(), &strokes.dots()}) {
      for (const scene::Strokes::End& end : *list) {
        (*vertices_)[i] = osg_vector(end.p - origin);
        (*colors_)[i] = osg::Vec4ub(end.color[0], end.color[1], end.color[2], end.color[3]);
        box.expandBy((*vertices_)[i++]);
      }
    }
    vertices_->dirty();
    colors_->dirty();
  }
  set_bounds(*geometry_, box);
}

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
