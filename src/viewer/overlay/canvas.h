// Boxes and lines of text in pixels, y upwards: what the parts of the overlay are made of.
#pragma once

#include <osg/Geometry>
#include <osg/Group>
#include <osgText/Text>
#include <string>
#include <vector>

#include "viewer/overlay/text_style.h"

namespace protobeam::viewer {

/// Pixels; x0 <= x1, y0 <= y1.
struct Rect {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  int width() const { return x1 - x0; }
  int height() const { return y1 - y0; }
};

/// Draw between clear() and done(). Boxes lie below texts; later boxes above earlier ones.
class Canvas {
 public:
  Canvas();
  osg::Group* node() { return node_.get(); }

  void clear();
  void box(const Rect& rect, const Colour& colour);
  void box(const Rect& rect, const Colour& left, const Colour& right);
  /// A dark sheet with a thin edge.
  void sheet(const Rect& rect, const Colour& paper = kPaper, const Colour& edge = kRule);
  /// One line that starts at x, on the base line y.
  void text(const Fonts& fonts, int x, int y, const std::string& line, const TextStyle& style);
  void done();

 private:
  osg::ref_ptr<osg::Group> node_;
  osg::ref_ptr<osg::Geometry> boxes_;
  osg::ref_ptr<osg::Vec3Array> corners_;
  osg::ref_ptr<osg::Vec4Array> colours_;
  std::vector<osg::ref_ptr<osgText::Text>> texts_;  ///< kept, so that their buffers are
  std::size_t used_ = 0;
};

}  // namespace protobeam::viewer
