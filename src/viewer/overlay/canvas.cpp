#include "viewer/overlay/canvas.h"

namespace protobeam::viewer {

Canvas::Canvas()
    : node_(new osg::Group),
      boxes_(new osg::Geometry),
      corners_(new osg::Vec3Array),
      colours_(new osg::Vec4Array(osg::Array::BIND_PER_VERTEX)) {
  boxes_->setDataVariance(osg::Object::DYNAMIC);
  boxes_->setUseDisplayList(false);
  boxes_->setUseVertexBufferObjects(true);
  boxes_->setVertexArray(corners_);
  boxes_->setColorArray(colours_);
}

void Canvas::clear() {
  node_->removeChildren(0, node_->getNumChildren());
  corners_->clear();
  colours_->clear();
  used_ = 0;
}

void Canvas::box(const Rect& rect, const Colour& colour) { box(rect, colour, colour); }

void Canvas::box(const Rect& r, const Colour& left, const Colour& right) {
  const auto corner = [&](int x, int y, const Colour& colour) {
    corners_->push_back(osg::Vec3(static_cast<float>(x), static_cast<float>(y), 0));
    colours_->push_back(colour);
  };
  corner(r.x0, r.y0, left);
  corner(r.x1, r.y0, right);
  corner(r.x1, r.y1, right);
  corner(r.x0, r.y0, left);
  corner(r.x1, r.y1, right);
  corner(r.x0, r.y1, left);
}

void Canvas::sheet(const Rect& r, const Colour& paper, const Colour& edge) {
  box(r, paper);
  box({r.x0, r.y0, r.x1, r.y0 + 1}, edge);
  box({r.x0, r.y1 - 1, r.x1, r.y1}, edge);
  box({r.x0, r.y0 + 1, r.x0 + 1, r.y1 - 1}, edge);
  box({r.x1 - 1, r.y0 + 1, r.x1, r.y1 - 1}, edge);
}

void Canvas::text(const Fonts& fonts, int x, int y, const std::string& line,
                  const TextStyle& style) {
  if (line.empty()) return;
  if (used_ == texts_.size()) {
    osg::ref_ptr<osgText::Text> text = new osgText::Text;
    text->setDataVariance(osg::Object::DYNAMIC);
    text->setKerningType(osgText::KERNING_NONE);
    text->setAlignment(osgText::Text::LEFT_BASE_LINE);
    texts_.push_back(std::move(text));
  }
  osgText::Text& text = *texts_[used_++];
  const auto size = static_cast<unsigned>(style.size);
  if (text.getFont() != fonts.font(style.face)) text.setFont(fonts.font(style.face));
  text.setFontResolution(size, size);
  text.setCharacterSize(static_cast<float>(style.size));
  text.setColor(style.colour);
  text.setPosition(osg::Vec3(static_cast<float>(x), static_cast<float>(y), 0));
  text.setText(line, osgText::String::ENCODING_UTF8);
}

void Canvas::done() {
  if (!corners_->empty()) {
    corners_->dirty();
    colours_->dirty();
    boxes_->removePrimitiveSet(0, boxes_->getNumPrimitiveSets());
    boxes_->addPrimitiveSet(
        new osg::DrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(corners_->size())));
    boxes_->dirtyBound();
    node_->addChild(boxes_);
  }
  for (std::size_t i = 0; i < used_; ++i) node_->addChild(texts_[i]);
}

}  // namespace protobeam::viewer
