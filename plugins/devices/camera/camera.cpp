// Camera: an image, the objects in it, and its segmentation.
//
// Frame: the device's own, +x forward, +y left, +z up. Where nothing is, it shows the Background. All
// pixels are of one instant, the end of the step (a global shutter), unless rowTime is set: then an
// image begins when its period has passed, each row is exposed rowTime after the one above, and the
// image is there at the end of the step in which its last row was.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/libm.h"
#include "base/state_archive.h"
#include "camera_declaration.h"
#include "device/plugin.h"
#include "recognition.h"
#include "recognition_messages.h"
#include "render/color_image.h"
#include "render/image_message.h"
#include "render/optical_frame.h"
#include "response.h"

namespace protobeam {
namespace {

using render::Color;
using render::LitPoints;

struct Focus {
  double distance = 0, length = 0, nearest = 0, farthest = 0;
};

/// Rays along each side of a pixel.
int rays_along(const Fields& fields) {
  if (!fields.boolean("antiAliasing")) return 1;
  return static_cast<int>(std::ceil(std::sqrt(fields.integer("antiAliasingRays")) - 1e-9));
}

/// Levels as soon as the light is there: an image of the light itself would go through memory twice.
class LevelImage final : public render::LightSink {
 public:
  LevelImage(const Response& response, int width, double exposure, std::span<std::uint8_t> image)
      : response_(response), width_(static_cast<std::uint32_t>(width)), exposure_(exposure), image_(image) {}
  void take(const std::uint32_t* pixels, int count, const LitPoints::Floats light[3]) override {
    response_.develop_pixels(pixels, count, light, width_, exposure_, image_);
  }

 private:
  const Response& response_;
  std::uint32_t width_;
  double exposure_;
  std::span<std::uint8_t> image_;
};

class Camera final : public DeviceModel, public KeepsState {
 public:
  explicit Camera(const Fields& fields)
      : image_(render::image_geometry(fields)),
        start_fov_(image_.field_of_view),
        near_(fields.number("near")),
        far_(fields.number("far")),
        exposure_(fields.number("exposure")),
        row_time_(fields.number("rowTime")),
        motion_blur_(fields.number("motionBlur") / 1000),
        side_(rays_along(fields)),
        response_(fields) {
    if (far_ > 0 && far_ <= near_) {
      throw std::invalid_argument("field 'far' of Camera must be greater than near, or 0");
    }
    if (const auto focus = fields.child("focus")) {
      focus_ = {focus->number("focalDistance"), focus->number("focalLength"),
                focus->number("minFocalDistance"), focus->number("maxFocalDistance")};
    }
    min_fov_ = max_fov_ = start_fov_;
    if (const auto zoom = fields.child("zoom")) {
      if (image_.model) throw std::invalid_argument("field 'zoom': a lensModel has no Zoom");
      min_fov_ = zoom->number("minFieldOfView");
      max_fov_ = zoom->number("maxFieldOfView");
      if (min_fov_ > max_fov_) {
        throw std::invalid_argument(
            "field 'zoom' of Camera: minFieldOfView must be at most maxFieldOfView");
      }
    }
    if (const auto recognition = fields.child("recognition")) {
      recognition_ = recognition_of(*recognition);
      segments_ = recognition_->from_start && recognition_->segmentation;
    }
  }

  Pose data_frame() const override { return render::optical_frame(); }
  Properties properties() const override {
    const bool segments = recognition_ && recognition_->segmentation;
    const bool oriented = recognition_ && recognition_->boxes == BoxKind::kOriented;
    Properties out = image_.calibration();
    out.insert({{"width", double(image_.width)},
                {"height", double(image_.height)},
                {"channels", double(channels(response_.format()))},
                {"fov", image_.field_of_view},
                {"minFov", min_fov_},
                {"maxFov", max_fov_},
                {"near", near_},
                {"far", far_},
                {"exposure", exposure_},
                {"focalLength", focus_.length},
                {"focalDistance", focus_.distance},
                {"minFocalDistance", focus_.nearest},
                {"maxFocalDistance", focus_.farthest},
                {"recognition", recognition_ ? 1.0 : 0.0},
                {"maxObjects", recognition_ ? double(recognition_->capacity()) : 0.0},
                {"segmentationWidth", segments ? double(image_.width) : 0.0},
                {"segmentationHeight", segments ? double(image_.height) : 0.0},
                {"maxOrientedBoxes", oriented ? double(recognition_->capacity()) : 0.0}});
    return out;
  }

  std::vector<DeviceTopic> topics(const TopicRequest& request) const override;

  std::string command(std::size_t index, std::span<const double> numbers,
                      std::string_view) override {
    const double value = numbers[0];
    const auto outside = [value](const char* what, const char* unit, double low, double high) {
      return std::string(what) + " " + std::to_string(value) + " " + unit + " is outside of [" +
             std::to_string(low) + ", " + std::to_string(high) + "]";
    };
    switch (index) {
      case kSetFov:
        if (value < min_fov_ || value > max_fov_) {
          return outside("field of view", "rad", min_fov_, max_fov_);
        }
        image_.field_of_view = value;
        imager_.reset();
        recognizer_.reset();
        return "";
      case kSetExposure:
        exposure_ = value;
        return "";
      case kSetFocus:
        if (value < focus_.nearest || value > focus_.farthest) {
          return outside("focal distance", "m", focus_.nearest, focus_.farthest);
        }
        return "";
      case kRecognize:
        if (!recognition_) return "the camera has no Recognition node";
        recognition_period_ = value;
        next_recognition_.reset();
        return "";
      case kSetImagePeriod:
        image_period_ = value;
        next_image_.reset();
        return "";
      default:
        if (!recognition_ || !recognition_->segmentation) {
          return "the camera's Recognition node has no segmentation";
        }
        segments_ = value != 0;
        return "";
    }
  }

  /// What Recognition says counts for the next image, as in Webots; what programs set, too.
  bool change(const Fields& fields, std::string_view name) override {
    if (name == "recognition") {
      const auto recognition = fields.child(name);
      if (!recognition || !recognition_) return false;
      RecognitionSettings settings = recognition_of(*recognition);
      const auto* segments = layout().find("segmentation");
      if (settings.segmentation && (!segments || segments->count() == 0)) return false;
      if (settings.capacity() != recognition_->capacity()) return false;
      // Streams and channels depend on these.
      if (settings.boxes != recognition_->boxes || settings.colors != recognition_->colors)
        return false;
      recognition_ = settings;
      segments_ = segments_ && settings.segmentation;
      recognizer_.reset();
      return true;
    }
    if (name == "exposure") {
      exposure_ = fields.number(name);
      return true;
    }
    if (name != "fieldOfView") return false;
    image_ = render::image_geometry(fields);
    start_fov_ = image_.field_of_view;
    if (!fields.child("zoom")) min_fov_ = max_fov_ = start_fov_;
    imager_.reset();
    recognizer_.reset();
    return true;
  }

  bool every_step() const override { return row_time_ > 0; }
  bool frame_complete() const override { return complete_; }
  bool sample_changed() const override { return complete_ || recognized_; }
  void reset() override {
    begin_.reset();
    next_image_.reset();
    next_recognition_.reset();
    has_last_ = false;
  }

  void release() override { image_period_ = 0; }  // the next program has periods of its own

  /// Black, as Webots' are (WbCamera::initializeImageSharedMemory): opaque where there is an alpha.
  void blank(Sample& out) const override {
    const auto opaque = [](std::span<std::uint8_t> image) {
      for (std::size_t i = 3; i < image.size(); i += 4) image[i] = 255;
    };
    if (response_.format() == PixelFormat::kBgra8) opaque(out.channel<std::uint8_t>(kImage));
    opaque(out.channel<std::uint8_t>(kSegmentation));
  }

  void sample(const SampleInput& in, Sample& out) override {
    complete_ = row_time_ == 0 && image_is_due(in);
    recognized_ = found_objects_ = segmented_ = false;
    if (!in.visible || !in.appearance) return;
    if (!imager_) {
      imager_.emplace(image_, side_, near_, far_,
                      row_time_ > 0 ? render::RayOrder::kRows : render::RayOrder::kTiles,
                      render::Housing(in.fixed_shapes.get()));
      // Rows that were exposed before the state was saved, or the field of view changed, stay.
      if (keeps_light() && light_.size() != pixels()) light_.assign(pixels(), Color::Zero());
    }
    if (row_time_ > 0) {
      expose_rows(in, out);
      return;
    }
    if (!complete_) return recognize(in, out, false);
    if (keeps_light()) {
      imager_->render(*in.visible, *in.appearance, in.X_WS, light_);
      expose(in, out);
    } else {
      expose_at_once(in, out);
    }
    finish(in, in.time, out);
  }

  void visit_state(StateArchive& archive) override {
    archive(image_.field_of_view, exposure_, light_, last_, has_last_, complete_, begin_,
            next_image_, row_, recognition_period_, next_recognition_, segments_, image_period_,
            recognized_);
    const auto is_image = [this](const std::vector<Color>& light) {
      return light.size() == pixels();
    };
    archive.expect(light_.empty() || is_image(light_), "an image of another size");
    archive.expect(!has_last_ || is_image(last_), "a last image of another size");
    archive.expect(row_ >= 0 && row_ <= image_.height, "a row below its image");
    const auto is_time = [](const std::optional<double>& time) {
      constexpr double kMost = 1e12;  // s
      return !time || std::abs(*time) < kMost;
    };
    archive.expect(is_time(begin_) && is_time(next_image_) && is_time(next_recognition_),
                   "an image at a time beyond all runs");
    archive.expect(image_period_ <= 0 || (image_period_ >= 1e-6 && is_time(image_period_)),
                   "images with a period that its camera cannot have");
    const double fov = image_.field_of_view;
    archive.expect(fov == start_fov_ || (fov >= min_fov_ && fov <= max_fov_),
                   "a field of view that its camera cannot have");
    archive.expect(recognition_ || recognition_period_ == 0,
                   "objects that its camera does not look for");
    archive.expect((recognition_ && recognition_->segmentation) || !segments_,
                   "segments that its camera does not have");
    if (!archive.restores()) return;
    imager_.reset();
    recognizer_.reset();
  }

 private:
  /// The rows whose time lies in this step; images follow each other within it if need be.
  void expose_rows(const SampleInput& in, Sample& out) {
    constexpr double kRounding = 1e-9;  // s, of sums of steps
    constexpr double kManyPeriods = 1e6;  // that pass while an image is read out
    if (!next_image_) next_image_ = in.time - in.step + image_period(in);
    // Images that were due while it was not sampled, without power say, are lost.
    if (const double behind = in.time - in.step - kRounding - *next_image_; behind > 0)
      *next_image_ += std::ceil(behind / image_period(in)) * image_period(in);
    while (true) {
      if (!begin_) {
        if (*next_image_ > in.time + kRounding) return;
        begin_ = *next_image_;
        row_ = 0;
        // One that is not read out by then has no place.
        const double readout = row_time_ * (image_.height - 1), period = image_period(in);
        if (readout > kManyPeriods * period) {
          *next_image_ = *begin_ + readout + period;
        } else {
          do {
            *next_image_ += period;
          } while (*next_image_ < *begin_ + readout);
        }
      }
      const int first = row_;
      times_.clear();
      for (; row_ < image_.height; ++row_) {
        const double time = *begin_ + row_ * row_time_;
        if (time > in.time + kRounding) break;
        times_.push_back(static_cast<float>(std::clamp(1 - (in.time - time) / in.step, 0.0, 1.0)));
      }
      if (!times_.empty()) {
        const render::CameraMotion motion{in.X_WS, in.X_WS_before.value_or(in.X_WS)};
        imager_->render_rows(*in.visible, *in.appearance, motion, first, times_, light_);
      }
      if (row_ < image_.height) return;
      expose(in, out);
      finish(in, *begin_, out);
      begin_.reset();
      complete_ = true;
    }
  }

  std::size_t pixels() const {
    return static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height);
  }
  /// Levels depend on more than the light in this step.
  bool keeps_light() const {
    return row_time_ > 0 || motion_blur_ > 0 || !response_.is_everywhere_the_same();
  }

  /// Black, where the lens sees nothing.
  void show_nothing(std::span<std::uint8_t> image) const {
    const LitPoints::Floats dark[3] = {};
    for (std::uint32_t pixel = 0; pixel < pixels(); ++pixel) {
      response_.develop_pixels(&pixel, 1, dark, static_cast<std::uint32_t>(image_.width), exposure_, image);
    }
  }

  /// Pieces of some rows: numbers of their first pixels, and how many they are.
  void in_pieces(RayScene& scene, const std::function<void(std::size_t, std::size_t)>& work) const {
    const std::size_t piece = 32 * static_cast<std::size_t>(image_.width);
    scene.share((pixels() + piece - 1) / piece, [&](std::size_t number) {
      work(number * piece, std::min(piece, pixels() - number * piece));
    });
  }

  /// An image without one of the light itself.
  void expose_at_once(const SampleInput& in, Sample& out) {
    const auto image = out.channel<std::uint8_t>(kImage);
    if (!imager_->sees_all()) show_nothing(image);
    LevelImage levels(response_, image_.width, exposure_, image);
    imager_->render(*in.visible, *in.appearance, in.X_WS, levels);
    const auto bytes = static_cast<std::size_t>(channels(response_.format()));
    in_pieces(*in.visible, [&](std::size_t first, std::size_t count) {
      response_.add_noise(image.subspan(first * bytes, count * bytes),
                          static_cast<std::size_t>(image_.width), first, in.noise);
    });
  }

  /// From the light to an image.
  void expose(const SampleInput& in, Sample& out) {
    if (motion_blur_ > 0) blur(image_period(in));
    develop(*in.visible, in.noise, out.channel<std::uint8_t>(kImage));
  }

  /// What there is beside it.
  void finish(const SampleInput& in, double time, Sample& out) {
    out.channel<double>(kStamp)[0] = time;
    recognize(in, out, true);
  }

  /// Objects and their segments have a period of their own; without one, segments come with images.
  void recognize(const SampleInput& in, Sample& out, bool with_image) {
    const bool objects =
        recognition_is_due(in) || (with_image && recognition_ && recognition_->from_start);
    found_objects_ = objects;
    recognized_ = objects || (segments_ && !(recognition_period_ > 0));
    if (!recognized_) return;
    if (!recognizer_) {
      recognizer_.emplace(*recognition_, image_, near_,
                          render::Housing(in.fixed_shapes.get()));
    }
    recognizer_->recognize(in, objects, segments_, out);
    segmented_ = segments_;
  }

  void develop(RayScene& scene, const NoiseKey& key, std::span<std::uint8_t> image) const {
    const auto bytes = static_cast<std::size_t>(channels(response_.format()));
    in_pieces(scene, [&](std::size_t first, std::size_t count) {
      response_.develop(std::span(light_).subspan(first, count), static_cast<std::size_t>(image_.width),
                        first, exposure_, key, image.subspan(first * bytes, count * bytes));
    });
  }

  double image_period(const SampleInput& in) const {
    return image_period_ > 0 ? image_period_ : in.period;
  }
  bool image_is_due(const SampleInput& in) {
    return !(image_period_ > 0) || is_due(in, image_period_, next_image_);
  }
  bool recognition_is_due(const SampleInput& in) {
    return recognition_period_ > 0 && is_due(in, recognition_period_, next_recognition_);
  }
  /// For the first time one period after the sample before, and then with that period.
  static bool is_due(const SampleInput& in, double period, std::optional<double>& next) {
    if (!next) next = in.time - in.period + period;
    if (in.time < *next - in.step / 2) return false;
    next = in.time + period;
    return true;
  }

  /// Webots' motion blur: what an image shows fades to 1 % in that time.
  void blur(double period) {
    if (has_last_) {
      const auto kept = static_cast<float>(libm::exp(libm::log(0.01) * period / motion_blur_));
      for (std::size_t i = 0; i < light_.size(); ++i) light_[i] += kept * (last_[i] - light_[i]);
    }
    last_ = light_;
    has_last_ = true;
  }

  render::ImageGeometry image_;
  double start_fov_, near_, far_, exposure_, row_time_, motion_blur_;
  double min_fov_ = 0, max_fov_ = 0;
  int side_;
  Focus focus_;
  Response response_;
  std::optional<render::ColorImager> imager_;  ///< made with the first image: fields of view change
  std::vector<Color> light_, last_;
  bool has_last_ = false, complete_ = true;

  // Of a rolling shutter.
  std::optional<double> begin_;       ///< s, of the image that is being exposed
  std::optional<double> next_image_;  ///< s
  int row_ = 0;                       ///< the next one
  std::vector<float> times_;

  std::optional<RecognitionSettings> recognition_;
  std::optional<Recognizer> recognizer_;
  double recognition_period_ = 0;  ///< s; 0: off
  std::optional<double> next_recognition_;
  double image_period_ = 0;  ///< s; 0: with each sample
  bool recognized_ = false;  ///< in this sample
  bool segments_ = false;
  bool found_objects_ = false, segmented_ = false;  ///< in this sample
};

/// "image" (sensor_msgs/Image, or CompressedImage as JPEG) and "camera_info". Colours are rgb8
/// unless the format bgra8 is asked for. With a Recognition "detections", "segmentation" and
/// "labels", when there is something new.
std::vector<DeviceTopic> Camera::topics(const TopicRequest& request) const {
  const TopicWish wish = request.wish("image", true);
  const auto stamped = [this](const TopicInput& in) {
    message::Header header = in.header;
    const double stamp = channel<double>(in.data, kStamp)[0];
    header.stamp = message::time_of(std::max<std::int64_t>(message::nanoseconds(stamp), 0));
    return header;
  };
  const int bytes = static_cast<int>(channels(response_.format()));
  const std::string format = response_.format() == PixelFormat::kBgra8   ? "bgra8"
                             : response_.format() == PixelFormat::kMono8 ? "mono8"
                                                                         : "bayer_rggb8";
  std::vector<DeviceTopic> out;
  if (wish.type == "sensor_msgs/CompressedImage") {
    out.push_back(topic_of<message::CompressedImage>(
        "image", "/image_raw/compressed", [this, stamped, bytes, format](const TopicInput& in) {
          constexpr int kQuality = 80;  // that of compressed_image_transport
          message::CompressedImage image =
              render::jpeg_message(stamped(in), image_.width, image_.height, bytes,
                                   channel<std::uint8_t>(in.data, kImage), kQuality);
          // One channel that nothing is said of is mono8.
          if (format.starts_with("bayer")) image.format = format + "; jpeg compressed ";
          return image;
        }));
  } else if (format == "bgra8" && wish.format != "bgra8") {
    out.push_back(topic_of<message::Image>("image", "/image_raw", [this, stamped](const TopicInput& in) {
      return render::rgb_message(stamped(in), image_.width, image_.height,
                                 channel<std::uint8_t>(in.data, kImage));
    }));
  } else {
    out.push_back(topic_of<message::Image>(
        "image", "/image_raw", [this, stamped, format](const TopicInput& in) {
          return render::image_message(stamped(in), image_.width, image_.height, format,
                                       channel<std::uint8_t>(in.data, kImage));
        }));
  }
  out.push_back(topic_of<message::CameraInfo>(
      "camera_info", "/camera_info",
      [this, stamped](const TopicInput& in) { return render::camera_info(image_, stamped(in)); }));
  if (recognition_) {
    const RecognitionNews news{found_objects_, segmented_};
    for (DeviceTopic& topic :
         recognition_topics(*this, *recognition_, image_.width, image_.height, news))
      out.push_back(std::move(topic));
  }
  return out;
}

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::camera_declaration(), protobeam::Camera)
