// An OpenGL context of EGL, without a screen, that OSG can draw with.
#pragma once

#include <memory>
#include <osg/GraphicsContext>
#include <string>

namespace protobeam::viewer {

class EglDisplay;

/// Draws into a framebuffer object of a fixed size. The context is current only inside of OSG's
/// calls and of those between makeCurrent() and releaseContext().
class EglGraphics : public osg::GraphicsContext {
 public:
  EglGraphics(int width, int height);  ///< throws NoGraphics
  /// Makes RGB pixels, [height][width] from below, what has been drawn; between makeCurrent() and
  /// releaseContext().
  void write(const unsigned char* rgb) const;

  const std::string& renderer() const { return renderer_; }

  bool valid() const override { return context_ != nullptr; }
  bool realizeImplementation() override { return valid(); }
  bool isRealizedImplementation() const override { return valid(); }
  void closeImplementation() override;
  bool makeCurrentImplementation() override;
  bool makeContextCurrentImplementation(osg::GraphicsContext*) override { return false; }
  bool releaseContextImplementation() override;
  void bindPBufferToTextureImplementation(GLenum) override {}
  void swapBuffersImplementation() override {}

 protected:
  ~EglGraphics() override;

 private:
  void make_context();
  void check_size(int width, int height) const;
  void make_framebuffer(int width, int height);

  std::shared_ptr<EglDisplay> display_;
  void* context_ = nullptr;
  void* surface_ = nullptr;
  GLuint framebuffer_ = 0, color_ = 0;
  int width_, height_;
  std::string renderer_;
};

}  // namespace protobeam::viewer
