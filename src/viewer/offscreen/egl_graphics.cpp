#include "viewer/offscreen/egl_graphics.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <osg/GLExtensions>
#include <osg/State>
#include <sstream>
#include <vector>

#include "viewer/settings.h"

namespace protobeam::viewer {
namespace {

[[noreturn]] void no_graphics(const std::string& why) {
  throw NoGraphics("no picture can be drawn: " + why);
}

bool has_extension(EGLDisplay display, const char* name) {
  const char* all = eglQueryString(display, EGL_EXTENSIONS);
  std::istringstream names(all ? all : "");
  return std::find(std::istream_iterator<std::string>(names), {}, name) !=
         std::istream_iterator<std::string>();
}

template <class Function>
Function egl_function(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

/// Displays to try, those first that need neither a screen nor a graphics card.
std::vector<EGLDisplay> displays() {
  std::vector<EGLDisplay> result;
  const auto platform_display =
      egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  if (platform_display && has_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
    result.push_back(platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  }
  const auto query_devices = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  if (platform_display && query_devices &&
      has_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device")) {
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint count = 0;
    if (!query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count)) count = 0;
    for (EGLint i = 0; i < count; ++i) {
      result.push_back(
          platform_display(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr));
    }
  }
  result.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
  std::erase(result, EGL_NO_DISPLAY);
  return result;
}

constexpr std::array<EGLint, 11> kConfig = {EGL_SURFACE_TYPE,
                                            EGL_PBUFFER_BIT,
                                            EGL_RENDERABLE_TYPE,
                                            EGL_OPENGL_BIT,
                                            EGL_RED_SIZE,
                                            8,
                                            EGL_GREEN_SIZE,
                                            8,
                                            EGL_BLUE_SIZE,
                                            8,
                                            EGL_NONE};

/// Desktop OpenGL, which is what OSG speaks.
bool find_config(EGLDisplay display, EGLConfig* config) {
  EGLint count = 0;
  return eglBindAPI(EGL_OPENGL_API) &&
         eglChooseConfig(display, kConfig.data(), config, 1, &count) && count > 0;
}

}  // namespace

/// EGL gives the same display to everyone who asks, and ends it for all of them at once: so all
/// contexts share one, and the last one ends it.
class EglDisplay {
 public:
  static std::shared_ptr<EglDisplay> get() {
    static std::mutex mutex;
    static std::weak_ptr<EglDisplay> shared;
    const std::lock_guard lock(mutex);
    std::shared_ptr<EglDisplay> display = shared.lock();
    if (!display) {
      display = std::make_shared<EglDisplay>();
      shared = display;
    }
    return display;
  }

  EglDisplay() {
    for (const EGLDisplay candidate : displays()) {
      if (!eglInitialize(candidate, nullptr, nullptr)) continue;
      if (find_config(candidate, &config)) {
        display = candidate;
        return;
      }
      eglTerminate(candidate);
    }
    no_graphics(
        "EGL finds no driver for OpenGL (Mesa has one for every machine: packages libegl-mesa0 and "
        "libgl1-mesa-dri)");
  }
  ~EglDisplay() {
    if (display != EGL_NO_DISPLAY) eglTerminate(display);
  }
  EglDisplay(const EglDisplay&) = delete;
  EglDisplay& operator=(const EglDisplay&) = delete;

  EGLDisplay display = EGL_NO_DISPLAY;
  EGLConfig config = nullptr;
};

EglGraphics::EglGraphics(int width, int height) : display_(EglDisplay::get()), width_(width), height_(height) {
  make_context();

  setState(new osg::State);
  getState()->setGraphicsContext(this);
  getState()->setContextID(osg::GraphicsContext::createNewContextID());
  _traits = new Traits;
  _traits->width = width;
  _traits->height = height;
  _traits->doubleBuffer = false;

  try {
    if (!makeCurrent()) no_graphics("EGL cannot use the OpenGL context that it made");
    renderer_ = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    check_size(width, height);
    make_framebuffer(width, height);
    releaseContext();
  } catch (const NoGraphics&) {
    releaseContext();
    closeImplementation();
    throw;
  }
}

EglGraphics::~EglGraphics() { close(true); }

void EglGraphics::make_context() {
  eglBindAPI(EGL_OPENGL_API);
  context_ = eglCreateContext(display_->display, display_->config, EGL_NO_CONTEXT, nullptr);
  // Nothing is drawn there, but not every driver has contexts without a surface.
  const std::array<EGLint, 5> size = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
  if (context_)
    surface_ = eglCreatePbufferSurface(display_->display, display_->config, size.data());
  if (!surface_) {
    closeImplementation();
    no_graphics("EGL has a driver that makes no OpenGL context");
  }
}

void EglGraphics::check_size(int width, int height) const {
  GLint renderbuffer = 0;
  std::array<GLint, 2> viewport{};
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &renderbuffer);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport.data());
  const int widest = std::min(renderbuffer, viewport[0]);
  const int highest = std::min(renderbuffer, viewport[1]);
  if (width > widest || height > highest) {
    no_graphics(std::to_string(width) + " x " + std::to_string(height) + " pixels are more than " +
                std::to_string(widest) + " x " + std::to_string(highest) + ", the limit of " +
                renderer_);
  }
}

void EglGraphics::make_framebuffer(int width, int height) {
  const auto* gl = getState()->get<osg::GLExtensions>();
  if (!gl->isFrameBufferObjectSupported) no_graphics(renderer_ + " has no framebuffer objects");
  // A texture, which can be written to (write()).
  glGenTextures(1, &color_);
  glBindTexture(GL_TEXTURE_2D, color_);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glBindTexture(GL_TEXTURE_2D, 0);
  GLuint depth = 0;
  gl->glGenRenderbuffers(1, &depth);
  gl->glBindRenderbuffer(GL_RENDERBUFFER_EXT, depth);
  gl->glRenderbufferStorage(GL_RENDERBUFFER_EXT, GL_DEPTH24_STENCIL8_EXT, width, height);

  gl->glGenFramebuffers(1, &framebuffer_);
  gl->glBindFramebuffer(GL_FRAMEBUFFER_EXT, framebuffer_);
  gl->glFramebufferTexture2D(GL_FRAMEBUFFER_EXT, GL_COLOR_ATTACHMENT0_EXT, GL_TEXTURE_2D, color_, 0);
  for (const GLenum attachment : {GL_DEPTH_ATTACHMENT_EXT, GL_STENCIL_ATTACHMENT_EXT}) {
    gl->glFramebufferRenderbuffer(GL_FRAMEBUFFER_EXT, attachment, GL_RENDERBUFFER_EXT, depth);
  }
  if (gl->glCheckFramebufferStatus(GL_FRAMEBUFFER_EXT) != GL_FRAMEBUFFER_COMPLETE_EXT ||
      glGetError() != GL_NO_ERROR) {
    no_graphics(renderer_ + " has no memory for " + std::to_string(width) + " x " +
                std::to_string(height) + " pixels");
  }
  setDefaultFboId(framebuffer_);
}

void EglGraphics::write(const unsigned char* rgb) const {
  GLint bound = 0;  // OSG believes that it still is
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  glBindTexture(GL_TEXTURE_2D, color_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, rgb);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
}

bool EglGraphics::makeCurrentImplementation() {
  eglBindAPI(EGL_OPENGL_API);
  if (!eglMakeCurrent(display_->display, surface_, surface_, context_)) return false;
  if (framebuffer_) {
    getState()->get<osg::GLExtensions>()->glBindFramebuffer(GL_FRAMEBUFFER_EXT, framebuffer_);
  }
  return true;
}

bool EglGraphics::releaseContextImplementation() {
  eglBindAPI(EGL_OPENGL_API);
  return eglMakeCurrent(display_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

// What was made in the context goes with it.
void EglGraphics::closeImplementation() {
  if (surface_) eglDestroySurface(display_->display, surface_);
  if (context_) eglDestroyContext(display_->display, context_);
  surface_ = context_ = nullptr;
}

}  // namespace protobeam::viewer
