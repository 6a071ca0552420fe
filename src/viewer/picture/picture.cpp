#include "viewer/picture/picture.h"

#include <algorithm>
#include <osg/Group>

#include "viewer/layers/layers.h"
#include "viewer/offscreen/offscreen.h"
#include "viewer/overlay/overlay.h"
#include "viewer/scene/world_scene.h"

namespace protobeam::viewer {

namespace {

/// Finer where that is cheap; more than this many pixels a side not every OpenGL has.
int samples_of(const PictureSettings& settings) {
  if (settings.film) return 1;
  constexpr int kMostPixels = 8192, kMostSamples = 3;
  return std::clamp(kMostPixels / std::max(settings.width, settings.height), 1, kMostSamples);
}

}  // namespace

class PictureTaker::Impl {
 public:
  Impl(std::shared_ptr<const SceneDescription> description, const PictureSettings& settings)
      : offscreen_(settings.width, settings.height, samples_of(settings),
                   settings.film ? Edges::kSmooth : Edges::kRaw),
        scene_(description, settings.film ? Quality::kWindow : Quality::kPicture),
        layers_(description, settings.draw),
        overlay_(settings.width, settings.height) {
    root_->addChild(scene_.root());
    root_->addChild(layers_.root());
  }

  void show(const SceneState& state) {
    scene_.update(state);
    layers_.update(state);
  }

  Image take(const render::Camera& camera) {
    const Legend legend = layers_.legend();
    overlay_.set_legend(legend);
    return offscreen_.draw(root_, legend.title.empty() ? nullptr : overlay_.root(), camera);
  }

  std::string renderer() const { return offscreen_.renderer(); }

 private:
  Offscreen offscreen_;
  WorldScene scene_;
  Layers layers_;
  Overlay overlay_;
  osg::ref_ptr<osg::Group> root_ = new osg::Group;
};

PictureTaker::PictureTaker(std::shared_ptr<const SceneDescription> description,
                           const PictureSettings& settings)
    : impl_(std::make_unique<Impl>(std::move(description), settings)) {}
PictureTaker::~PictureTaker() = default;
void PictureTaker::show(const SceneState& state) { impl_->show(state); }
std::string PictureTaker::renderer() const { return impl_->renderer(); }
Image PictureTaker::take(const render::Camera& camera) { return impl_->take(camera); }

}  // namespace protobeam::viewer
