#include "viewer/offscreen/offscreen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <osg/GL>
#include <osg/observer_ptr>
#include <osgViewer/Viewer>
#include <vector>

#include "render/smooth_edges.h"
#include "viewer/offscreen/egl_graphics.h"
#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {
namespace {

/// OSG computes how near and far the drawn objects are; the camera's own limits override that.
class ClipLimits : public osg::CullSettings::ClampProjectionMatrixCallback {
 public:
  void set(const render::Camera& camera) {
    near_ = std::max(1e-4, camera.near);
    far_ = camera.far;
  }
  bool clampProjectionMatrixImplementation(osg::Matrixf&, double&, double&) const override {
    return false;
  }
  bool clampProjectionMatrixImplementation(osg::Matrixd& projection, double& znear,
                                           double& zfar) const override {
    const bool is_perspective = projection(3, 3) == 0;
    if (!is_perspective) return false;  // a HUD has limits of its own
    znear = std::max(znear * 0.98, near_);
    zfar = std::max(far_ > 0 ? far_ : zfar * 1.02, znear * 1.01);
    projection(2, 2) = -(zfar + znear) / (zfar - znear);
    projection(3, 2) = -2 * zfar * znear / (zfar - znear);
    return true;
  }

 private:
  double near_ = 0.05, far_ = 0;
};

/// Adds up sRGB pictures of equal size. Integers only: the order does not matter.
class PixelMean {
 public:
  PixelMean(int width, int height);
  void add(const std::vector<std::uint8_t>& rgb);
  Image mean() const;  ///< of at least one

 private:
  Image image_;  ///< its size
  std::vector<std::uint32_t> sums_;
  std::uint32_t count_ = 0;
};

constexpr std::uint32_t kWhite = 1 << 20;  // linear light of a full channel

/// IEC 61966-2-1.
std::array<std::uint32_t, 256> linear_light() {
  std::array<std::uint32_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double encoded = static_cast<double>(i) / 255;
    const double linear =
        encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
    table[i] = static_cast<std::uint32_t>(std::lround(linear * kWhite));
  }
  return table;
}

const std::array<std::uint32_t, 256> kLinear = linear_light();

/// From `byte` up to the one whose light is nearest.
std::uint8_t raised(std::uint8_t byte, std::uint32_t light) {
  while (byte < 255 && kLinear[byte] + kLinear[byte + 1u] <= 2 * light) ++byte;
  return byte;
}

constexpr std::uint32_t kStep = 64;  // finer than the steps of bytes

/// The nearest byte for each multiple of kStep.
std::vector<std::uint8_t> first_bytes() {
  std::vector<std::uint8_t> table(kWhite / kStep + 1);
  std::uint8_t byte = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = byte = raised(byte, static_cast<std::uint32_t>(i) * kStep);
  }
  return table;
}

PixelMean::PixelMean(int width, int height) {
  image_.width = width;
  image_.height = height;
  image_.channels = 3;
  sums_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
}

void PixelMean::add(const std::vector<std::uint8_t>& rgb) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += kLinear[rgb[i]];
  ++count_;
}

Image PixelMean::mean() const {
  static const std::vector<std::uint8_t> kFirst = first_bytes();
  Image result = image_;
  result.pixels.resize(sums_.size());
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const std::uint32_t light = (sums_[i] + count_ / 2) / count_;
    result.pixels[i] = raised(kFirst[light / kStep], light);
  }
  return result;
}

}  // namespace

class Offscreen::Impl {
 public:
  Impl(int width, int height, int samples, Edges edges)
      : width_(width),
        height_(height),
        samples_(samples),
        edges_(edges),
        graphics_(make(width, height, samples)) {
    viewer_.setThreadingModel(osgViewer::ViewerBase::SingleThreaded);
    viewer_.setKeyEventSetsDone(0);
    viewer_.setSceneData(scene_);
    osg::Camera* camera = viewer_.getCamera();
    camera->setGraphicsContext(graphics_);
    camera->setViewport(0, 0, width, height);
    camera->setDrawBuffer(GL_COLOR_ATTACHMENT0_EXT);
    camera->setReadBuffer(GL_COLOR_ATTACHMENT0_EXT);
    camera->setClearColor({0, 0, 0, 1});
    camera->setComputeNearFarMode(osg::CullSettings::COMPUTE_NEAR_FAR_USING_PRIMITIVES);
    camera->setNearFarRatio(1e-9);
    camera->setClampProjectionMatrixCallback(limits_);
    camera->setCullingMode(osg::CullSettings::VIEW_FRUSTUM_SIDES_CULLING);
    viewer_.realize();
  }

  ~Impl() {
    // What was drawn may outlive this context and must not keep objects of it.
    graphics_->makeCurrent();
    for (const auto& node : drawn_) {
      osg::ref_ptr<osg::Node> alive;
      if (node.lock(alive)) alive->releaseGLObjects(graphics_->getState());
    }
    graphics_->releaseContext();
    viewer_.getCamera()->setGraphicsContext(nullptr);
    graphics_->close(true);
  }

  Image draw(osg::Node* world, osg::Node* over, const render::Camera& camera) {
    limits_->set(camera);
    viewer_.getCamera()->setViewMatrix(view_matrix(camera.X_WC));
    if (edges_ == Edges::kRaw) return draw_together({world, over}, camera);
    Image picture = draw_together({world}, camera);
    render::smooth_edges(picture);
    if (!over) return picture;
    write(picture);
    viewer_.getCamera()->setClearMask(GL_DEPTH_BUFFER_BIT);
    picture = draw_together({over}, camera);
    viewer_.getCamera()->setClearMask(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    return picture;
  }

  const std::string& renderer() const { return graphics_->renderer(); }

 private:
  static osg::ref_ptr<EglGraphics> make(int width, int height, int samples) {
    if (width < 1 || height < 1 || samples < 1 || samples > 8) {
      throw std::invalid_argument(
          "a picture has at least 1 x 1 pixels of 1 to 8 samples a side, not " +
          std::to_string(width) + " x " + std::to_string(height) + " of " +
          std::to_string(samples));
    }
    quiet_osg();
    return new EglGraphics(width, height);
  }

  Image draw_together(std::initializer_list<osg::Node*> nodes, const render::Camera& camera) {
    for (osg::Node* node : nodes) {
      if (!node) continue;
      remember(node);
      scene_->addChild(node);
    }
    const Image picture = samples_ == 1 ? draw_once(camera, 0, 0) : draw_samples(camera);
    scene_->removeChildren(0, scene_->getNumChildren());
    return picture;
  }

  void remember(osg::Node* node) {
    std::erase_if(drawn_, [&](const auto& known) { return !known.valid() || known == node; });
    drawn_.emplace_back(node);
  }

  /// Supersampling: draws with different offsets within the pixels. Lines, points and texts keep
  /// their widths in pixels, which one large drawing would not do.
  Image draw_samples(const render::Camera& camera) {
    PixelMean mean(width_, height_);
    for (int i = 0; i < samples_ * samples_; ++i) {
      const double right = (i % samples_ + 0.5) / samples_ - 0.5;
      const double up = (i / samples_ + 0.5) / samples_ - 0.5;
      mean.add(draw_once(camera, right, up).pixels);
    }
    return mean.mean();
  }

  /// With an offset of `right` and `up` from the pixels' centres, in pixels.
  Image draw_once(const render::Camera& camera, double right, double up) {
    const double aspect = static_cast<double>(width_) / height_;
    osg::Matrixd projection;
    projection.makePerspective(camera.vertical_fov * 180 / kPi, aspect, 0.1, 100);
    projection.postMultTranslate(osg::Vec3d(-2 * right / width_, -2 * up / height_, 0));
    viewer_.getCamera()->setProjectionMatrix(projection);
    // The same moment each time: pictures do not depend on the clock.
    viewer_.frame(0);
    return read();
  }

  Image read() {
    Image image{width_, height_, 3, {}};
    image.pixels.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 3);
    graphics_->makeCurrent();
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, image.pixels.data());
    graphics_->releaseContext();
    turn_over(image);
    return image;
  }

  /// Makes `image` what has been drawn.
  void write(Image image) {
    turn_over(image);
    graphics_->makeCurrent();
    graphics_->write(image.pixels.data());
    graphics_->releaseContext();
  }

  /// OpenGL counts rows from below.
  static void turn_over(Image& image) {
    const std::size_t row = static_cast<std::size_t>(image.width) * 3;
    const auto rows = static_cast<std::size_t>(image.height);
    for (std::size_t y = 0; y < rows / 2; ++y) {
      std::swap_ranges(image.pixels.data() + y * row, image.pixels.data() + (y + 1) * row,
                       image.pixels.data() + (rows - 1 - y) * row);
    }
  }

  int width_, height_, samples_;
  Edges edges_;
  osg::ref_ptr<EglGraphics> graphics_;
  osg::ref_ptr<osg::Group> scene_ = new osg::Group;
  osg::ref_ptr<ClipLimits> limits_ = new ClipLimits;
  std::vector<osg::observer_ptr<osg::Node>> drawn_;
  osgViewer::Viewer viewer_;
};

Offscreen::Offscreen(int width, int height, int samples, Edges edges)
    : impl_(std::make_unique<Impl>(width, height, samples, edges)) {}
Offscreen::~Offscreen() = default;

Image Offscreen::draw(osg::Node* world, osg::Node* over, const render::Camera& camera) {
  return impl_->draw(world, over, camera);
}

std::string Offscreen::renderer() const { return impl_->renderer(); }

}  // namespace protobeam::viewer
