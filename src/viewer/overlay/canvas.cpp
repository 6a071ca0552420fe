#include "viewer/overlay/canvas.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <osgDB/Options>
#include <osgText/String>

namespace protobeam::viewer {
namespace {

osg::ref_ptr<osgText::Font> load(const char* file, std::span<const std::filesystem::path> folders) {
  for (const std::filesystem::path& folder : folders) {
    std::error_code none;
    if (!std::filesystem::exists(folder / file, none)) continue;
    // Not from OSG's cache, whose textures may belong to a destroyed context.
    osg::ref_ptr<osgDB::Options> options = new osgDB::Options;
    options->setObjectCacheHint(osgDB::Options::CACHE_NONE);
    auto font = osgText::readRefFontFile((folder / file).string(), options);
    if (!font) continue;
    // Texels are pixels here: nothing to smooth. (Mesa's anisotropic filter is a blur.)
    font->setMinFilterHint(osg::Texture::NEAREST);
    font->setMagFilterHint(osg::Texture::NEAREST);
    font->setMaxAnisotropy(1);
    return font;
  }
  return nullptr;
}

/// Bytes of the character at `text[at]`, 0 when that is not valid UTF-8.
std::size_t character_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80                    ? 1
                             : lead >= 0xc2 && lead <= 0xdf ? 2
                             : lead >= 0xe0 && lead <= 0xef ? 3
                             : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                            : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Too long for what they say, halves of UTF-16 pairs, beyond Unicode.
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
      (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f)) {
    return 0;
  }
  return length;
}

}  // namespace

std::span<const std::filesystem::path> font_folders() {
  static const std::filesystem::path folders[] = {
      "/usr/share/fonts/truetype/dejavu",    // Debian, Ubuntu
      "/usr/share/fonts/TTF",                // Arch
      "/usr/share/fonts/dejavu-sans-fonts",  // Fedora
      "/usr/share/fonts/dejavu-sans-mono-fonts",
      "/usr/share/fonts/dejavu",
  };
  return folders;
}

Fonts::Fonts(std::span<const std::filesystem::path> folders)
    : sans_(load("DejaVuSans.ttf", folders)),
      bold_(load("DejaVuSans-Bold.ttf", folders)),
      mono_(load("DejaVuSansMono.ttf", folders)) {
  found_ = sans_ && bold_ && mono_;
  if (found_) return;
  static bool warned = false;
  if (!warned) {
    std::fputs(
        "protobeam: warning: no DejaVu fonts: texts in the viewer are coarse; they come with the "
        "package fonts-dejavu-core\n",
        stderr);
    warned = true;
  }
  const auto built_in = osgText::Font::getDefaultFont();
  for (auto* font : {&sans_, &bold_, &mono_}) {
    if (!*font) *font = built_in;
  }
}

osgText::Font* Fonts::font(Face face) const {
  switch (face) {
    case Face::kSans:
      return sans_.get();
    case Face::kBold:
      return bold_.get();
    case Face::kMono:
      return mono_.get();
  }
  return nullptr;
}

int Fonts::width(const std::string& text, const TextStyle& style) const {
  const auto size = static_cast<unsigned>(style.size);
  const osgText::String string(text, osgText::String::ENCODING_UTF8);
  double width = 0;
  for (const unsigned code : string) {
    const osgText::Glyph* glyph = font(style.face)->getGlyph({size, size}, code);
    if (glyph) width += static_cast<double>(glyph->getHorizontalAdvance()) * style.size;
  }
  return static_cast<int>(std::ceil(width));
}

std::string Fonts::fitted(const std::string& text, const TextStyle& style, int width,
                          bool middle) const {
  if (this->width(text, style) <= width) return text;
  const std::vector<std::string> all = characters(text);
  std::string best;
  // So many characters stay; bisection, since more characters are never narrower.
  for (std::size_t low = 0, high = all.size(); low < high;) {
    const std::size_t keep = (low + high) / 2;
    const std::size_t tail = middle ? (2 * keep) / 3 : 0;
    std::string candidate;
    for (std::size_t i = 0; i < keep - tail; ++i) candidate += all[i];
    candidate += "…";
    for (std::size_t i = all.size() - tail; i < all.size(); ++i) candidate += all[i];
    if (this->width(candidate, style) <= width) {
      best = std::move(candidate);
      low = keep + 1;
    } else {
      high = keep;
    }
  }
  return best;
}

std::string printable(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (length == 0) {
      out += "\xef\xbf\xbd";
      ++i;
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f) {
      out += ' ';
    } else {
      out.append(text, i, length);
    }
    i += length;
  }
  return out;
}

std::vector<std::string> characters(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = std::max<std::size_t>(1, character_length(text, i));
    out.push_back(text.substr(i, length));
    i += length;
  }
  return out;
}

Canvas::Canvas()
    : node_(new osg::Group),
      boxes_(new osg::Geometry),
      corners_(new osg::Vec3Array),
      colors_(new osg::Vec4Array(osg::Array::BIND_PER_VERTEX)) {
  boxes_->setDataVariance(osg::Object::DYNAMIC);
  boxes_->setUseDisplayList(false);
  boxes_->setUseVertexBufferObjects(true);
  boxes_->setVertexArray(corners_);
  boxes_->setColorArray(colors_);
}

void Canvas::clear() {
  node_->removeChildren(0, node_->getNumChildren());
  corners_->clear();
  colors_->clear();
  used_ = 0;
}

void Canvas::box(const Rect& rect, const osg::Vec4& color) { box(rect, color, color); }

void Canvas::box(const Rect& r, const osg::Vec4& left, const osg::Vec4& right) {
  const auto corner = [&](int x, int y, const osg::Vec4& color) {
    corners_->push_back(osg::Vec3(static_cast<float>(x), static_cast<float>(y), 0));
    colors_->push_back(color);
  };
  corner(r.x0, r.y0, left);
  corner(r.x1, r.y0, right);
  corner(r.x1, r.y1, right);
  corner(r.x0, r.y0, left);
  corner(r.x1, r.y1, right);
  corner(r.x0, r.y1, left);
}

void Canvas::sheet(const Rect& r, const osg::Vec4& paper, const osg::Vec4& edge) {
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
  text.setColor(style.color);
  text.setPosition(osg::Vec3(static_cast<float>(x), static_cast<float>(y), 0));
  text.setText(line, osgText::String::ENCODING_UTF8);
}

void Canvas::done() {
  if (!corners_->empty()) {
    corners_->dirty();
    colors_->dirty();
    boxes_->removePrimitiveSet(0, boxes_->getNumPrimitiveSets());
    boxes_->addPrimitiveSet(
        new osg::DrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(corners_->size())));
    boxes_->dirtyBound();
    node_->addChild(boxes_);
  }
  for (std::size_t i = 0; i < used_; ++i) node_->addChild(texts_[i]);
}

}  // namespace protobeam::viewer
