#include "app/movie.h"

#include <fmt/format.h>

#include <exception>

#include "app/log.h"
#include "render/picture_label.h"

namespace protobeam {
namespace {

constexpr int kMostPixels = 8192;  // of a side
constexpr double kPicturesPerSecond = 25;

/// What Webots calls the default caption.
void draw_caption(Image& picture, int acceleration) {
  render::PictureLabel caption;
  caption.text = acceleration > 1 ? fmt::format("Protobeam {}x", acceleration) : "Protobeam";
  caption.size = 0.04;
  caption.color = {1, 1, 1};
  const double width = render::width_of(caption, picture.height);
  caption.x = 1 - width / picture.width;
  caption.y = 0.02;
  render::draw_labels(picture, {{caption}});
}

}  // namespace

std::string Movie::start(const MovieOrder& order) {
  if (file_) return "movie recording has already been started";
  status_ = Status::kWriteError;
  if (order.width > kMostPixels || order.height > kMostPixels) {
    return fmt::format("a movie has {0} x {0} pixels at most", kMostPixels);
  }
  try {
    file_.emplace(order.file, order.width, order.height, kPicturesPerSecond, order.quality);
  } catch (const std::exception& problem) {
    return problem.what();
  }
  order_ = order;
  steps_ = pictures_ = 0;
  status_ = Status::kRecording;
  return "";
}

std::string Movie::stop() { return file_ ? end("", Status::kReady) : ""; }

void Movie::after_step() {
  if (!file_) return;
  try {
    take_pictures();
  } catch (const std::exception& problem) {
    log_error(end(problem.what(), Status::kEncodingError));
  }
}

void Movie::take_pictures() {
  // The first picture shows what the first step has made of the world, each further one the first
  // step at or after its own time.
  const double now = static_cast<double>(steps_++) * simulation_.model().basic_time_step;
  std::optional<Image> picture;
  while (static_cast<double>(pictures_) / kPicturesPerSecond * order_.acceleration <= now + 1e-9) {
    if (!picture) {
      const auto generations = WorldGenerations::of(simulation_);
      if (known_ != generations) {
        photographer_.reset();
        photographer_.emplace(simulation_, PhotographerSettings{.draw = {},
                                                                .width = order_.width,
                                                                .height = order_.height,
                                                                .film = true,
                                                                .opengl = opengl_,
                                                                .followed_at = followed_at_});
        known_ = generations;
      }
      picture = photographer_->take("viewpoint");
      if (order_.caption) draw_caption(*picture, order_.acceleration);
    }
    file_->add(picture->pixels);
    ++pictures_;
  }
}

void Movie::finish() {
  if (!file_) return;
  const std::string why = stop();
  if (!why.empty()) log_error(why);
}

/// Gives `why` back, or what else went wrong.
std::string Movie::end(std::string why, Status status) {
  status_ = status;
  if (why.empty()) {
    try {
      file_->finish();
      log_note(fmt::format("movie {}: {} pictures", order_.file.string(), pictures_));
    } catch (const std::exception& problem) {
      status_ = Status::kEncodingError;
      why = problem.what();
    }
  }
  file_.reset();
  photographer_.reset();
  known_.reset();
  return why;
}

}  // namespace protobeam
