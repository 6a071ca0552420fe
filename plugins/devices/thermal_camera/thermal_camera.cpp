// ThermalCamera: an image of temperatures.
//
// Frame: the device's own, +x forward, +y left, +z up. A pixel has the temperature of the Solid
// around the shape that its ray meets, or else the ambient one:
//
//   level = round(clamp(T + noise, minTemperature, maxTemperature) / resolution)
//
// at most what bitDepth has room for, as gz-sensors' ThermalCameraSensor.cc. Surfaces are black
// bodies: they mirror nothing, and the air between absorbs nothing. Gazebo varies the ambient
// temperature by the colour of what has none of its own; here it is the same everywhere.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/state_archive.h"
#include "device/plugin.h"
#include "render/image_message.h"
#include "render/near_limits.h"
#include "render/optical_frame.h"
#include "render/projection.h"

namespace protobeam {
namespace {

constexpr double kHottest = 65535;  // K, of fields

std::vector<FieldSpec> thermal_fields() {
  using enum FieldType;
  const Range kelvin = Range::between(0, kHottest);
  std::vector<FieldSpec> fields = {
      {"name", kString, "\"thermal camera\"", "", {}, "Name"},
      {"far", kFloat, "0", "m", Range::at_least(0), "What is farther is not seen; 0: no limit"},
      {"ambientTemperature", kFloat, "288.15", "K", kelvin,
       "Of the background, and of what has no temperature"},
      {"minTemperature", kFloat, "0", "K", kelvin, "Least temperature of an image"},
      {"maxTemperature", kFloat, "655.35", "K", kelvin, "Greatest temperature of an image"},
      {"resolution", kFloat, "0.01", "K", Range::at_least(1e-6), "From one level to the next"},
      {"noise", kFloat, "0", "K", Range::at_least(0), "Standard deviation of each pixel"},
      {"bitDepth", kInt32, "16", "", Range::between(8, 16),
       "Of a level; up to 8 messages are mono8"}};
  const auto shared = render::image_fields();
  fields.insert(fields.begin() + 1, shared.begin(), shared.end());
  return fields;
}

DeviceType declaration() {
  return {
      .node = {"ThermalCamera", "Device", "A camera of temperatures.", thermal_fields()},
      .channels = {{"image",
                    ElementType::kUint16,
                    {"height", "width"},
                    "",
                    "device",
                    "",
                    "level of each pixel: its temperature in resolution K; rows from the top"}},
      .properties = {{"width", "", "pixels of a row"},
                     {"height", "", "rows"},
                     {"fov", "rad", "horizontal field of view"},
                     {"resolution", "K", "from one level to the next"},
                     {"lens", "", "pinhole, Lens, cylindrical or spherical, or the lensModel"},
                     {"intrinsics", "", "fx fy cx cy of a lensModel, pixels"},
                     {"distortion", "", "coefficients of a lensModel"}},
      .inputs = {Input::kVisibleRays, Input::kAppearance, Input::kHousing},
      .concurrent = true,
  };
}

class ThermalCamera final : public DeviceModel, public Stateless {
 public:
  explicit ThermalCamera(const Fields& fields)
      : image_(render::image_geometry(fields)),
        near_(fields.number("near")),
        far_(fields.number("far")),
        ambient_(fields.number("ambientTemperature")),
        least_(fields.number("minTemperature")),
        most_(fields.number("maxTemperature")),
        resolution_(fields.number("resolution")),
        noise_(fields.number("noise")),
        bits_(fields.integer("bitDepth")),
        rays_(image_) {
    if (!(least_ <= most_)) {
      throw std::invalid_argument(
          fmt::format("field 'minTemperature' of ThermalCamera must be at most maxTemperature "
                      "({}), got {}",
                      most_, least_));
    }
    if (far_ > 0 && far_ <= near_) {
      throw std::invalid_argument(
          fmt::format("field 'far' of ThermalCamera must be greater than near ({}), or 0, got {}",
                      near_, far_));
    }
  }

  Pose data_frame() const override { return render::optical_frame(); }
  Properties properties() const override {
    Properties out = image_.calibration();
    out.insert({{"width", double(image_.width)},
                {"height", double(image_.height)},
                {"fov", image_.field_of_view},
                {"resolution", resolution_}});
    return out;
  }

  /// mono16, as ros_gz_bridge has it, or mono8.
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {
        topic_of<message::Image>(
            "image", "/image_raw",
            [this](const TopicInput& in) {
              const auto levels = channel<std::uint16_t>(in.data, 0);
              if (bits_ > 8) {
                return render::plane_message(in.header, image_.width, image_.height, "mono16",
                                             levels);
              }
              const std::vector<std::uint8_t> bytes(levels.begin(), levels.end());
              return render::image_message(in.header, image_.width, image_.height, "mono8", bytes);
            }),
        topic_of<message::CameraInfo>("camera_info", "/camera_info", [this](const TopicInput& in) {
          return render::camera_info(image_, in.header);
        })};
  }

  void sample(const SampleInput& in, Sample& out) override {
    kelvin_.assign(static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height),
                   ambient_);
    if (in.visible && in.appearance) look(in);
    const auto image = out.channel<std::uint16_t>(0);
    for (std::size_t pixel = 0; pixel < image.size(); ++pixel)
      image[pixel] = level(kelvin_[pixel], static_cast<std::uint32_t>(pixel), in.noise);
  }

 private:
  void look(const SampleInput& in) {
    RayBatch batch = rays_.batch(*in.visible, in.X_WS);
    if (!near_limits_)
      near_limits_.emplace(rays_, image_, near_, render::Housing(in.fixed_shapes.get()));
    near_limits_->give(batch);
    batch.hits = true;
    in.visible->cast(batch, [&](const RayBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        if (block.instance[i] == kNoHit) continue;
        const std::size_t ray = block.first + i;
        const double depth =
            image_.is_planar() ? double{block.range[i]} * rays_.dx[ray] : block.range[i];
        if (far_ > 0 && depth > far_) continue;
        const double own = temperature(*in.appearance, block.instance[i], block.shape[i]);
        if (own > 0) kelvin_[rays_.pixel[ray]] = own;
      }
    });
  }

  static double temperature(const Appearance& appearance, std::uint32_t instance,
                            std::uint32_t shape) {
    if (instance >= appearance.instances.size()) return 0;
    const auto& shapes = appearance.instances[instance].shapes;
    return shape < shapes.size() ? shapes[shape].temperature : 0;
  }

  std::uint16_t level(double kelvin, std::uint32_t pixel, const NoiseKey& noise) const {
    if (noise_ > 0) kelvin += noise_ * gaussian(noise, pixel);
    const double steps = std::floor(std::clamp(kelvin, least_, most_) / resolution_ + 0.5);
    return static_cast<std::uint16_t>(std::min(steps, static_cast<double>((1 << bits_) - 1)));
  }

  render::ImageGeometry image_;
  double near_, far_, ambient_, least_, most_, resolution_, noise_;
  int bits_;
  render::PixelRays rays_;
  std::optional<render::NearLimits> near_limits_;
  std::vector<double> kelvin_;  ///< of each pixel, in this sample
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::ThermalCamera)
