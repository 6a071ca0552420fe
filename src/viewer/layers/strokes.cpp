#include "viewer/layers/strokes.h"

#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {

void Strokes::clear() {
  line_ends_.clear();
  dots_.clear();
}

void Strokes::line(const Vec3& a, const Vec3& b, const osg::Vec4ub& color) {
  if (!a.allFinite() || !b.allFinite()) return;
  line_ends_.push_back({a, color});
  line_ends_.push_back({b, color});
}

void Strokes::dot(const Vec3& p, const osg::Vec4ub& color) {
  if (p.allFinite()) dots_.push_back({p, color});
}

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

void StrokesNode::show(const Strokes& strokes) {
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
      for (const Strokes::End& end : *list) {
        (*vertices_)[i] = osg_vector(end.p - origin);
        (*colors_)[i] = end.color;
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
