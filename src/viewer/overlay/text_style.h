// How text looks on the overlay: faces, colours, and how wide a text is.
#pragma once

#include <filesystem>
#include <osg/Vec4>
#include <osg/ref_ptr>
#include <osgText/Font>
#include <span>
#include <string>
#include <vector>

namespace protobeam::viewer {

using Colour = osg::Vec4;
inline const Colour kPaper{0.055f, 0.065f, 0.085f, 0.80f};       ///< behind texts
inline const Colour kThickPaper{0.055f, 0.065f, 0.085f, 0.95f};  ///< where something may lie below
inline const Colour kRule{1, 1, 1, 0.14f};
inline const Colour kInk{0.93f, 0.94f, 0.96f, 1};
inline const Colour kFaint{0.62f, 0.67f, 0.73f, 1};
inline const Colour kAccent{0.47f, 0.78f, 1.0f, 1};
inline const Colour kAlarm{1.0f, 0.50f, 0.42f, 1};
inline const Colour kCaution{1.0f, 0.80f, 0.36f, 1};

enum class Face { kSans, kBold, kMono };

struct TextStyle {
  Face face = Face::kSans;
  int size = 13;  ///< pixels
  Colour colour = kInk;
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

}  // namespace protobeam::viewer
