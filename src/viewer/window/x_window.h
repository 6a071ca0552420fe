// A window of X11 with OpenGL, and what X11 needs besides OSG: errors that do not end the process,
// close requests while nothing is drawn, keys that are released when the focus is lost.
#pragma once

#include <osg/ref_ptr>
#include <osgViewer/GraphicsWindow>
#include <string>

namespace protobeam::viewer {

/// Why there is no X display: "DISPLAY is not set", "cannot connect to ':99'"; "": there is one.
std::string why_no_display();

class XGraphicsWindow;

class XWindow {
 public:
  /// Throws NoGraphics. One at a time: Xlib's error handlers belong to the process.
  XWindow(const std::string& title, int width, int height);
  ~XWindow();
  XWindow(const XWindow&) = delete;
  XWindow& operator=(const XWindow&) = delete;

  osgViewer::GraphicsWindow* graphics() const;
  void set_title(const std::string& title);
  /// Moves what happened into the event queue of graphics().
  void take_events();
  /// Waits until something happens, but not longer.
  void wait(double seconds);
  bool visible() const;  ///< not minimised, and larger than nothing
  /// The display went away. From then on nothing may be drawn.
  bool lost() const;

 private:
  osg::ref_ptr<XGraphicsWindow> window_;
};

}  // namespace protobeam::viewer
