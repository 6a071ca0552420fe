// Camera: a colour image.
//
// Frame: the device's own, +x forward, +y left, +z up. Where nothing is, it shows the Background. All pixels
// are of one instant, the end of the step (a global shutter).
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "device/plugin.h"
#include "render/color_image.h"

namespace protobeam {
namespace {

using render::Color;

FieldSpec without_effect(FieldSpec spec) {
  spec.not_simulated = true;
  return spec;
}

DeviceType declaration() {
  using enum FieldType;
  const Range not_negative = Range::at_least(0);
  return {
      .node =
          {"Camera",
           "Device",
           "A colour camera.",
           {{"name", kString, "\"camera\"", "", {}, "Name"},
            {"fieldOfView", kFloat, "0.7854", "rad", Range::between(0.001, 2 * kPi),
             "Horizontal; less than pi when planar"},
            {"width", kInt32, "64", "", Range::between(1, 16384), "Pixels of a row"},
            {"height", kInt32, "64", "", Range::between(1, 16384), "Rows"},
            {"projection", kString, "\"planar\"", "", {}, "How rays leave it",
             "planar|cylindrical|spherical"},
            {"spherical", kBool, "FALSE", "", {}, "Before R2023a: projection \"cylindrical\""},
            {"near", kFloat, "0.01", "m", not_negative,
             "What is nearer to the plane x = 0 does not exist for it"},
            {"far", kFloat, "0", "m", not_negative, "What is farther is not seen; 0: no limit"},
            {"exposure", kFloat, "1", "", not_negative,
             "Light is multiplied by it; the response is that of Webots' cameras"},
            {"antiAliasing", kBool, "FALSE", "", {}, "Nine rays a pixel instead of one"},
            without_effect({"ambientOcclusionRadius", kFloat, "0", "m", not_negative, "Soft shadows"}),
            without_effect({"bloomThreshold", kFloat, "-1", "", {}, "Glow of bright pixels"}),
            without_effect({"motionBlur", kFloat, "0", "ms", not_negative, "Of the image"}),
            {"noise", kFloat, "0", "", not_negative,
             "Standard deviation of each colour of a pixel, in parts of the brightest"},
            without_effect({"noiseMaskUrl", kString, "\"\"", "", {}, "Noise of a picture"}),
            {"lens", kNode, "NULL", "", {}, "Distortion of the image", "Lens"},
            {"focus", kNode, "NULL", "", {}, "What it is focused on", "Focus"},
            {"zoom", kNode, "NULL", "", {}, "Which fields of view can be set", "Zoom"},
            without_effect({"recognition", kNode, "NULL", "", {}, "Objects in the image", "Recognition"}),
            without_effect({"lensFlare", kNode, "NULL", "", {}, "Reflections within the lens", "LensFlare"}),
            without_effect({"type", kString, "\"color\"", "", {}, "Before R2021a"}),
            without_effect({"compositor", kString, "\"\"", "", {}, "Before R2020a"}),
            without_effect({"windowPosition", kVec2f, "0 0", "", {}, "Before R2020a"}),
            without_effect({"pixelSize", kFloat, "1", "", {}, "Before R2020a"}),
            without_effect({"colorNoise", kFloat, "0", "", {}, "Before R2020a"})}},
      .channels = {{"image",
                    ElementType::kUint8,
                    {"height", "width", 4},
                    "",
                    "device",
                    "",
                    "blue, green, red, alpha (255) of each pixel, sRGB, rows from the top"}},
      .commands = {{"fov", {{"fov", "rad", Range::positive()}}, "Sets the horizontal field of view"},
                   {"exposure", {{"exposure", "", not_negative}}, "Sets the exposure"},
                   {"focal distance", {{"distance", "m", not_negative}}, "Sets the focus"}},
      .properties = {{"width", "", "pixels of a row"},
                     {"height", "", "rows"},
                     {"fov", "rad", "horizontal field of view at the start"},
                     {"minFov", "rad", "narrowest that can be set"},
                     {"maxFov", "rad", "widest that can be set"},
                     {"near", "m", "nearest distance that is seen"},
                     {"far", "m", "farthest; 0: no limit"},
                     {"exposure", "", "exposure at the start"},
                     {"focalLength", "m", "of the lens; 0: unknown"},
                     {"focalDistance", "m", "focus at the start"},
                     {"minFocalDistance", "m", "nearest focus"},
                     {"maxFocalDistance", "m", "farthest focus"}},
      .inputs = {Input::kVisibleRays, Input::kAppearance},
      .webots_node = 38,
  };
}

struct Focus {
  double distance = 0, length = 0, nearest = 0, farthest = 0;
};

class Camera final : public DeviceModel {
 public:
  explicit Camera(const Fields& fields)
      : image_(render::image_geometry(fields)),
        start_fov_(image_.field_of_view),
        near_(fields.number("near")),
        far_(fields.number("far")),
        exposure_(fields.number("exposure")),
        noise_(fields.number("noise")),
        side_(fields.boolean("antiAliasing") ? 3 : 1) {
    if (far_ > 0 && far_ <= near_) {
      throw std::invalid_argument("field 'far' of Camera must be greater than near, or 0");
    }
    if (const auto focus = fields.child("focus")) {
      focus_ = {focus->number("focalDistance"), focus->number("focalLength"),
                focus->number("minFocalDistance"), focus->number("maxFocalDistance")};
    }
    min_fov_ = max_fov_ = start_fov_;
    if (const auto zoom = fields.child("zoom")) {
      min_fov_ = zoom->number("minFieldOfView");
      max_fov_ = zoom->number("maxFieldOfView");
      if (min_fov_ > max_fov_) {
        throw std::invalid_argument("field 'zoom' of Camera: minFieldOfView must be at most maxFieldOfView");
      }
    }
  }

  Properties properties() const override {
    return {{"width", double(image_.width)},
            {"height", double(image_.height)},
            {"fov", start_fov_},
            {"minFov", min_fov_},
            {"maxFov", max_fov_},
            {"near", near_},
            {"far", far_},
            {"exposure", exposure_},
            {"focalLength", focus_.length},
            {"focalDistance", focus_.distance},
            {"minFocalDistance", focus_.nearest},
            {"maxFocalDistance", focus_.farthest}};
  }

  std::string command(std::size_t index, std::span<const double> numbers, std::string_view) override {
    const double value = numbers[0];
    switch (index) {
      case 0:
        if (value < min_fov_ || value > max_fov_) {
          return "field of view " + std::to_string(value) + " rad is outside of [" +
                 std::to_string(min_fov_) + ", " + std::to_string(max_fov_) + "]";
        }
        image_.field_of_view = value;
        imager_.reset();
        return "";
      case 1:
        exposure_ = value;
        return "";
      default:
        if (value < focus_.nearest || value > focus_.farthest) {
          return "focal distance " + std::to_string(value) + " m is outside of [" +
                 std::to_string(focus_.nearest) + ", " + std::to_string(focus_.farthest) + "]";
        }
        return "";
    }
  }

  void sample(const SampleInput& in, Sample& out) override {
    const auto bytes = out.channel<std::uint8_t>(0);
    if (!in.visible || !in.appearance) return;
    if (!imager_) imager_.emplace(image_, side_, near_, far_);
    light_.resize(bytes.size() / 4);
    imager_->render(*in.visible, *in.appearance, in.X_WS, light_);
    render::to_bgra(light_, static_cast<float>(exposure_), bytes);
    if (noise_ > 0) add_noise(in.noise, bytes);
  }

 private:
  void add_noise(const NoiseKey& key, std::span<std::uint8_t> bytes) {
    const std::size_t row = static_cast<std::size_t>(image_.width) * 3;
    std::vector<float> noise(row);
    const auto strength = static_cast<float>(noise_ * 255);
    for (std::size_t y = 0; y < static_cast<std::size_t>(image_.height); ++y) {
      fill_gaussian(key, y * row, noise);
      for (std::size_t i = 0; i < row; ++i) {
        std::uint8_t& byte = bytes[(y * row + i) / 3 * 4 + i % 3];
        byte = static_cast<std::uint8_t>(
            std::clamp(std::round(byte + strength * noise[i]), 0.0f, 255.0f));
      }
    }
  }

  render::ImageGeometry image_;
  double start_fov_, near_, far_, exposure_, noise_;
  double min_fov_ = 0, max_fov_ = 0;
  int side_;
  Focus focus_;
  std::optional<render::ColorImager> imager_;  ///< made with the first image: fields of view change
  std::vector<Color> light_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Camera)
