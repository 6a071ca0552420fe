#include "app/photographer.h"

#include <optional>

#include "app/log.h"
#include "app/ray_picture.h"
#include "render/picture_label.h"
#include "sim/scene/camera_choice.h"
#include "sim/scene/scene_observer.h"
#ifdef PROTOBEAM_HAS_VIEWER
#include "viewer/picture/picture.h"
#endif

namespace protobeam {

class Photographer::Impl {
 public:
  Impl(const Simulation& simulation, const PhotographerSettings& settings)
      : settings_(settings),
        description_(describe_scene(simulation)),
        observer_(simulation, *description_),
        followed_at_(settings.followed_at
                         ? settings.followed_at
                         : followed_position(*description_, *observer_.state(simulation))) {
#ifdef PROTOBEAM_HAS_VIEWER
    if (settings.opengl && start_opengl()) return;
#endif
    how_ = "ray-cast";
  }

  render::Camera camera(const Simulation& simulation, const std::string& name) const {
    const auto state = observer_.state(simulation);
    render::Camera chosen =
        choose_camera(name, *description_, *state, double(settings_.width) / settings_.height);
    if (name == "viewpoint" && followed_at_) {
      chosen.X_WC.p +=
          followed_position(*description_, *state).value_or(*followed_at_) - *followed_at_;
    }
    return chosen;
  }

  void note(const Simulation& simulation) {
    observer_.record_sweeps(simulation);
#ifdef PROTOBEAM_HAS_VIEWER
    // Past sweeps and trails are made of what was shown.
    const auto& draw = settings_.draw;
    if (taker_ && (draw.trails || draw.past_sweeps > 0)) taker_->show(*observer_.state(simulation));
#endif
  }

  Image take(Simulation& simulation, const std::string& camera_name) {
    const render::Camera from = camera(simulation, camera_name);
#ifdef PROTOBEAM_HAS_VIEWER
    if (taker_) {
      const auto state = observer_.state(simulation);
      taker_->show(*state);
      Image picture = taker_->take(from);
      render::draw_labels(picture, state->labels);
      return picture;
    }
#endif
    render::PictureSize size;
    size.width = settings_.width;
    size.height = settings_.height;
    if (settings_.film) size.samples = 2;
    // In a film the same height has the same colour throughout.
    std::optional<render::ColorScale> heights;
    if (settings_.draw.clouds) heights = render::ColorScale{0, 4};
    return ray_picture(simulation, from, size, heights);
  }

  const std::string& how() const { return how_; }

 private:
#ifdef PROTOBEAM_HAS_VIEWER
  bool start_opengl() {
    try {
      taker_ = std::make_unique<viewer::PictureTaker>(
          description_, viewer::PictureSettings{settings_.draw, settings_.width, settings_.height,
                                                settings_.film});
    } catch (const viewer::NoGraphics& reason) {
      log_note(std::string(reason.what()) +
               ": the picture is ray-cast, with points but without lines");
      return false;
    }
    how_ = "drawn by " + taker_->renderer();
    return true;
  }
#endif

  PhotographerSettings settings_;
  std::shared_ptr<const SceneDescription> description_;
  SceneObserver observer_;
  std::optional<Vec3> followed_at_;
#ifdef PROTOBEAM_HAS_VIEWER
  std::unique_ptr<viewer::PictureTaker> taker_;
#endif
  std::string how_;
};

Photographer::Photographer(Simulation& simulation, const PhotographerSettings& settings)
    : impl_(std::make_unique<Impl>(simulation, settings)), simulation_(simulation) {}
Photographer::~Photographer() = default;
void Photographer::check_camera(const std::string& camera) const {
  impl_->camera(simulation_, camera);
}
void Photographer::note() { impl_->note(simulation_); }
Image Photographer::take(const std::string& camera) { return impl_->take(simulation_, camera); }
std::string Photographer::how() const { return impl_->how(); }

}  // namespace protobeam
