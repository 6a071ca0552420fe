// The panels of the overlay. Each draws itself into a canvas, inside a screen of any size; where
// there is no space it draws less, or nothing.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "render/picture_label.h"
#include "viewer/layers/layers.h"
#include "viewer/overlay/canvas.h"

namespace protobeam::viewer {

struct Screen {
  int width = 0, height = 0;  ///< pixels
};

inline const int kMargin = 10;        ///< pixels between panels and to the edges
inline const int kStatusHeight = 24;  ///< pixels

void draw_status(Canvas& canvas, const Fonts& fonts, Screen screen, const std::string& line);
void draw_note(Canvas& canvas, const Fonts& fonts, Screen screen, const std::string& line);
void draw_panel(Canvas& canvas, const Fonts& fonts, Screen screen, const std::string& title,
                const std::vector<std::pair<std::string, std::string>>& rows);
void draw_legend(Canvas& canvas, const Fonts& fonts, Screen screen, const Legend& legend);
void draw_labels(Canvas& canvas, const Fonts& fonts, Screen screen,
                 std::span<const render::PictureLabel> labels);
void draw_help(Canvas& canvas, const Fonts& fonts, Screen screen);
void draw_problem(Canvas& canvas, const Fonts& fonts, Screen screen, const std::string& text);

/// Round numbers (1, 2 or 5 times a power of ten apart) within low..high, at most `most` of them.
struct Ticks {
  std::vector<double> values;
  int decimals = 0;
};
Ticks round_ticks(double low, double high, int most, bool whole);

/// Diagnostics as lines of at most `columns` characters. Messages wrap between words; a line of the
/// text and its caret line are cut alike, so that the caret is visible and below its column.
std::vector<std::string> problem_lines(const std::string& text, int columns);

}  // namespace protobeam::viewer
