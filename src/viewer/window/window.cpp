#include "viewer/window/window.h"

#include "viewer/offscreen/offscreen.h"
#include "viewer/window/session.h"
#include "viewer/window/x_window.h"

namespace protobeam::viewer {
namespace {

/// "" when pictures can be drawn without a display.
std::string why_no_pictures() {
  try {
    const Offscreen probe(1, 1, 1);
    return "";
  } catch (const NoGraphics& trouble) {
    return trouble.what();
  }
}

}  // namespace

std::string why_no_window() {
  const std::string no_display = why_no_display();
  if (no_display.empty()) return "";
  const std::string start = "no window opens: no X display (" + no_display + ")";
  const std::string no_pictures = why_no_pictures();
  if (!no_pictures.empty()) return start + ", and no EGL either (" + no_pictures + ")";
  return start + "; EGL cannot open one, but `snapshot` makes pictures with it";
}

WindowReport show(Watch& watch, const WindowSettings& settings) {
  return Session(watch, settings).run();
}

}  // namespace protobeam::viewer
