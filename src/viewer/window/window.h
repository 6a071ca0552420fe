// The window: shows a world that another thread runs, and sends its commands.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "sim/scene/viewer_bridge.h"
#include "viewer/settings.h"

namespace protobeam::viewer {

struct WindowSettings {
  DrawSettings draw;
  int width = 1280, height = 720;
  std::filesystem::path screenshots = ".";  ///< where `P` writes view-001.png and view-001.json
  bool keep_running = false;  ///< closing the window detaches from the run instead of ending it
  std::function<bool()> interrupted;  ///< asked each frame: true closes the window
};

/// One sentence why there can be no window ("no X display: DISPLAY is not set"), or "".
std::string why_no_window();

/// Shows the world until the window is closed or the run is over. Returns the frames drawn and the
/// seconds that took. Call it on the main thread. Throws NoGraphics when no window opens.
struct WindowReport {
  std::uint64_t frames = 0;
  double seconds = 0;
};
WindowReport show(ViewerBridge& bridge, const WindowSettings& settings);

}  // namespace protobeam::viewer
