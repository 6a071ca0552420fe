// What the panels of the overlay are drawn with, in pixels, y upwards: fonts, boxes, lines of text.
#pragma once

#include <filesystem>
#include <osg/Geometry>
#include <osg/Group>
#include <osg/Vec4>
#include <osg/ref_ptr>
#include <osgText/Font>
#include <osgText/Text>
#include <span>
#include <string>
#include <vector>

namespace protobeam::viewer {

inline const osg::Vec4 kPaper{0.055f, 0.065f, 0.085f, 0.80f};  ///< behind texts
inline const osg::Vec4 kThickPaper{0.055f, 0.065f, 0.085f,
                                   0.95f};  ///< where something may lie below
inline const osg::Vec4 kRule{1, 1, 1, 0.14f};
inline const osg::Vec4 kInk{0.93f, 0.94f, 0.96f, 1};
inline const osg::Vec4 kFaint{0.62f, 0.67f, 0.73f, 1};
inline const osg::Vec4 kAccent{0.47f, 0.78f, 1.0f, 1};
inline const osg::Vec4 kAlarm{1.0f, 0.50f, 0.42f, 1};
inline const osg::Vec4 kCaution{1.0f, 0.80f, 0.36f, 1};

enum class Face { kSans, kBold, kMono };

struct TextStyle {
  Face face = Face::kSans;
  int size = 13;  ///< pixels
  osg::Vec4 color = kInk;
};
inline const int kLineHeight = 18;  ///< pixels, of texts of size 13

/// Folders where distributions put the DejaVu fonts.
std::span<const std::filesystem::path> font_folders();

/// Each set of fonts has its own: the glyphs' textures belong to one graphics context.
class Fonts {
 public:
  /// Warns on stderr, once, when a font is in none of `folders`; OSG's coarse font stands in.
  explicit Fonts(std::span<const std::filesystem::path> folders = font_folders());

  osgText::Font* font(Face face) const;
  bool found() const { return found_; }
  int width(const std::string& text, const TextStyle& style) const;
  /// The text, or as much of it as `width` holds with "…" at its end (`middle`: inside, so that
  /// the end of a path stays).
  std::string fitted(const std::string& text, const TextStyle& style, int width,
                     bool middle = false) const;

 private:
  osg::ref_ptr<osgText::Font> sans_, bold_, mono_;
  bool found_ = true;
};

/// Valid UTF-8 without control characters: what is neither becomes U+FFFD or a space.
std::string printable(const std::string& text);
/// The characters of valid UTF-8.
std::vector<std::string> characters(const std::string& text);

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
  void box(const Rect& rect, const osg::Vec4& color);
  void box(const Rect& rect, const osg::Vec4& left, const osg::Vec4& right);
  /// A dark sheet with a thin edge.
  void sheet(const Rect& rect, const osg::Vec4& paper = kPaper, const osg::Vec4& edge = kRule);
  /// One line that starts at x, on the base line y.
  void text(const Fonts& fonts, int x, int y, const std::string& line, const TextStyle& style);
  void done();

 private:
  osg::ref_ptr<osg::Group> node_;
  osg::ref_ptr<osg::Geometry> boxes_;
  osg::ref_ptr<osg::Vec3Array> corners_;
  osg::ref_ptr<osg::Vec4Array> colors_;
  std::vector<osg::ref_ptr<osgText::Text>> texts_;  ///< kept, so that their buffers are
  std::size_t used_ = 0;
};

}  // namespace protobeam::viewer
