#include "viewer/window/x_window.h"

#include <X11/XKBlib.h>
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <osgViewer/api/X11/GraphicsWindowX11>
#include <thread>

#include "viewer/offscreen/osg_util.h"
#include "viewer/settings.h"

namespace protobeam::viewer {
namespace {

// Xlib's handlers get no pointer of ours, and there is one window at a time.
std::atomic<bool> display_lost{false};

/// A request that failed (a window that is gone, a focus that may not be taken) is no reason to end
/// the process, as Xlib does.
int log_error(Display* display, XErrorEvent* event) {
  char text[128] = "";
  XGetErrorText(display, event->error_code, text, sizeof text);
  spdlog::debug("X error: {} (request {})", text, int{event->request_code});
  return 0;
}

int note_loss(Display*) {
  display_lost = true;
  return 0;
}

/// Xlib calls exit() after note_loss() unless it has another way out (libX11 1.7).
void stay(Display*, void*) {}

struct Disconnect {
  void operator()(Display* display) const { XCloseDisplay(display); }
};
using Connection = std::unique_ptr<Display, Disconnect>;

/// From the question whether there is a display until the window has connections of its own. An X
/// server restarts when its last client leaves, and refuses new ones meanwhile.
Connection& first_connection() {
  static Connection connection;
  return connection;
}

/// For XCheckIfEvent(): looks at each waiting event in its place, and takes MapNotify out of the
/// queue. OSG would wait there until the window can be seen, which one in a minimised frame cannot.
Bool take_map_notify(Display*, XEvent* event, XPointer mapped) {
  if (event->type == MapNotify || event->type == UnmapNotify) {
    *reinterpret_cast<bool*>(mapped) = event->type == MapNotify;
  }
  // OSG lets go of all keys on FocusOut, but not while a window manager has grabbed the keyboard.
  if (event->type == FocusOut && event->xfocus.mode == NotifyWhileGrabbed) {
    event->xfocus.mode = NotifyNormal;
  }
  return event->type == MapNotify;
}

osg::ref_ptr<osg::GraphicsContext::Traits> traits_of(const std::string& title, int width,
                                                     int height) {
  osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
  traits->readDISPLAY();
  traits->setUndefinedScreenDetailsToDefaultScreen();
  unsigned screen_width = 0, screen_height = 0;
  if (auto* system = osg::GraphicsContext::getWindowingSystemInterface()) {
    system->getScreenResolution(*traits, screen_width, screen_height);
  }
  traits->x = std::max(0, (static_cast<int>(screen_width) - width) / 2);
  traits->y = std::max(0, (static_cast<int>(screen_height) - height) / 2);
  traits->width = width;
  traits->height = height;
  traits->windowName = title;
  traits->windowDecoration = true;
  traits->doubleBuffer = true;
  traits->vsync = false;  // the window paces itself, and must not wait for a hidden screen
  return traits;
}

}  // namespace

std::string why_no_display() {
  const char* name = std::getenv("DISPLAY");
  if (!name || !*name) return "DISPLAY is not set";
  Connection& connection = first_connection();
  // The last client of somebody else may have left just now.
  for (int attempt = 0; !connection && attempt < 3; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(150));
    connection.reset(XOpenDisplay(nullptr));
  }
  return connection ? "" : "cannot connect to '" + std::string(name) + "'";
}

class XGraphicsWindow : public osgViewer::GraphicsWindowX11 {
 public:
  explicit XGraphicsWindow(osg::GraphicsContext::Traits* traits) : GraphicsWindowX11(traits) {
    if (!valid()) return;
    for (Display* display : {_display, _eventDisplay}) {
      XSetIOErrorExitHandler(display, stay, nullptr);
    }
    // A held key says that it is pressed, again and again, but not that it is released.
    XkbSetDetectableAutoRepeat(_eventDisplay, True, nullptr);
    char name[] = "protobeam", kind[] = "Protobeam";
    XClassHint hint{name, kind};
    XSetClassHint(_display, _window, &hint);
    const long process = getpid();
    XChangeProperty(_display, _window, XInternAtom(_display, "_NET_WM_PID", False), XA_CARDINAL, 32,
                    PropModeReplace, reinterpret_cast<const unsigned char*>(&process), 1);
  }

  void set_title(const std::string& title) {
    if (display_lost || !_display) return;
    setWindowName(title);
    // XStoreName() knows Latin 1 only.
    XChangeProperty(_display, _window, XInternAtom(_display, "_NET_WM_NAME", False),
                    XInternAtom(_display, "UTF8_STRING", False), 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(title.data()),
                    static_cast<int>(title.size()));
    XFlush(_display);
  }

  bool checkEvents() override {
    if (display_lost || !_realized) return false;
    XEvent event;
    while (XCheckIfEvent(_eventDisplay, &event, take_map_notify,
                         reinterpret_cast<XPointer>(&mapped_))) {
      requestRedraw();
    }
    // Window managers send it to the connection that made the window, which OSG reads only after
    // it drew.
    while (XCheckTypedWindowEvent(_display, _window, ClientMessage, &event)) {
      if (static_cast<Atom>(event.xclient.data.l[0]) == _deleteWindow) {
        getEventQueue()->closeWindow();
      }
    }
    return !display_lost && GraphicsWindowX11::checkEvents();
  }

  void wait(double seconds) {
    if (display_lost || !_display || !_eventDisplay) return;
    if (XEventsQueued(_eventDisplay, QueuedAfterFlush) > 0 ||
        XEventsQueued(_display, QueuedAfterFlush) > 0 || display_lost) {
      return;
    }
    pollfd connections[] = {{ConnectionNumber(_eventDisplay), POLLIN, 0},
                            {ConnectionNumber(_display), POLLIN, 0}};
    poll(connections, 2, static_cast<int>(seconds * 1000 + 0.999));
  }

  bool visible() const { return mapped_ && _realized && _traits->width > 0 && _traits->height > 0; }

  // With the display gone, its connections are neither used nor closed: each call would fail.
  bool makeCurrentImplementation() override {
    return !display_lost && GraphicsWindowX11::makeCurrentImplementation();
  }
  bool releaseContextImplementation() override {
    return !display_lost && GraphicsWindowX11::releaseContextImplementation();
  }
  void swapBuffersImplementation() override {
    if (!display_lost) GraphicsWindowX11::swapBuffersImplementation();
  }
  void closeImplementation() override {
    if (!display_lost) {
      GraphicsWindowX11::closeImplementation();
      return;
    }
    _eventDisplay = _display = nullptr;
    _window = _parent = 0;
    _context = nullptr;
    _visualInfo = nullptr;
    _initialized = _realized = _valid = false;
  }

 protected:
  ~XGraphicsWindow() override { close(true); }

 private:
  bool mapped_ = true;
};

XWindow::XWindow(const std::string& title, int width, int height) {
  quiet_osg();
  if (const std::string why = why_no_display(); !why.empty()) {
    throw NoGraphics("no window opens: " + why);
  }
  display_lost = false;
  XSetErrorHandler(log_error);
  XSetIOErrorHandler(note_loss);
  window_ = new XGraphicsWindow(traits_of(title, width, height));
  if (!window_->valid()) {
    window_ = nullptr;
    XSetErrorHandler(nullptr);
    XSetIOErrorHandler(nullptr);
    throw NoGraphics("no window opens: the X display has no OpenGL (GLX) to offer");
  }
  first_connection().reset();
  window_->set_title(title);
}

XWindow::~XWindow() {
  window_->close();
  window_ = nullptr;
  // The dead connections of a lost display stay open, and must stay without consequences.
  if (display_lost) return;
  XSetErrorHandler(nullptr);
  XSetIOErrorHandler(nullptr);
}

osgViewer::GraphicsWindow* XWindow::graphics() const { return window_.get(); }
void XWindow::set_title(const std::string& title) { window_->set_title(title); }
void XWindow::take_events() { window_->checkEvents(); }
void XWindow::wait(double seconds) { window_->wait(seconds); }
bool XWindow::visible() const { return window_->visible(); }
bool XWindow::lost() const { return display_lost; }

}  // namespace protobeam::viewer
