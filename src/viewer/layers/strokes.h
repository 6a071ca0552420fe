// Coloured lines and dots of one moment, in world coordinates, and the node that draws them.
#pragma once

#include <osg/Geometry>
#include <osg/MatrixTransform>
#include <osg/Vec4ub>
#include <vector>

#include "base/math.h"

namespace protobeam::viewer {

class Strokes {
 public:
  struct End {
    Vec3 p;
    osg::Vec4ub colour;
  };

  void clear();
  /// What is not finite is left out.
  void line(const Vec3& a, const Vec3& b, const osg::Vec4ub& colour);
  void dot(const Vec3& p, const osg::Vec4ub& colour);

  const std::vector<End>& line_ends() const { return line_ends_; }  ///< two a line
  const std::vector<End>& dots() const { return dots_; }

 private:
  std::vector<End> line_ends_, dots_;
};

/// Draws strokes. Its vertices are relative to one of them: floats do for worlds far from their
/// origin. Buffers are used again from one moment to the next.
class StrokesNode {
 public:
  StrokesNode();
  osg::Node* root() { return transform_; }
  void show(const Strokes& strokes);

 private:
  osg::ref_ptr<osg::MatrixTransform> transform_ = new osg::MatrixTransform;
  osg::ref_ptr<osg::Geometry> geometry_ = new osg::Geometry;
  osg::ref_ptr<osg::Vec3Array> vertices_ = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec4ubArray> colours_ = new osg::Vec4ubArray(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::DrawArrays> lines_ = new osg::DrawArrays(GL_LINES);
  osg::ref_ptr<osg::DrawArrays> dots_ = new osg::DrawArrays(GL_POINTS);
};

}  // namespace protobeam::viewer
