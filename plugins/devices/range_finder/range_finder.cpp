// RangeFinder: a depth image.
//
// Frame: the device's own, +x forward, +y left, +z up. A planar image holds the distance from the plane
// x = 0, the others the distance from the device. What is nearer than minRange hides what is behind it
// and reads infinity, as does what is farther than maxRange, or nothing (Webots reference, RangeFinder).
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/values.h"
#include "render/image_message.h"
#include "render/near_limits.h"
#include "render/projection.h"
#include "render/optical_frame.h"

namespace protobeam {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<FieldSpec> fields_of_node() {
  using enum FieldType;
  std::vector<FieldSpec> fields = {
      {"name", kString, "\"range-finder\"", "", {}, "Name"},
      {"minRange", kFloat, "0.01", "m", Range::at_least(0), "Nearest depth that is measured"},
      {"maxRange", kFloat, "1", "m", Range::positive(), "Farthest depth that is measured"},
      without_effect({"motionBlur", kFloat, "0", "ms", Range::at_least(0), "Of the image"}),
      {"noise", kFloat, "0", "", Range::at_least(0), "Standard deviation of a depth, in maxRange"},
      {"resolution", kFloat, "-1", "m", Range::positive().or_special(-1),
       "Depths are rounded to its multiples; -1: they are not"},
      without_effect({"compositor", kString, "\"\"", "", {}, "Before R2021a"}),
      without_effect({"windowPosition", kVec2f, "0 0", "", {}, "Before R2021a"}),
      without_effect({"pixelSize", kFloat, "1", "", {}, "Before R2021a"})};
  const auto shared = render::image_fields();
  fields.insert(fields.begin() + 1, shared.begin(), shared.end());
  return fields;
}

DeviceType declaration() {
  return {
      .node = {"RangeFinder", "Device", "A depth camera: the distance of what each pixel sees.",
               fields_of_node()},
      .channels = {{"range",
                    ElementType::kFloat32,
                    {"height", "width"},
                    "m",
                    "device",
                    "inf",
                    "depth of each pixel, rows from the top"}},
      .properties = {{"width", "", "pixels of a row"},
                     {"height", "", "rows"},
                     {"fov", "rad", "horizontal field of view"},
                     {"minRange", "m", "nearest depth"},
                     {"maxRange", "m", "farthest depth"},
                     {"lens", "", "pinhole, Lens, cylindrical or spherical, or the lensModel"},
                     {"intrinsics", "", "fx fy cx cy of a lensModel, pixels"},
                     {"distortion", "", "coefficients of a lensModel"}},
      .inputs = {Input::kVisibleRays, Input::kHousing},
      .concurrent = true,
      .webots_node = 55,
  };
}

class RangeFinder final : public DeviceModel, public KeepsState {
 public:
  explicit RangeFinder(const Fields& fields)
      : image_(render::image_geometry(fields)),
        min_range_(fields.number("minRange")),
        max_range_(fields.number("maxRange")),
        noise_(fields.number("noise") * max_range_),
        resolution_(fields.number("resolution")),
        rays_(image_) {
    if (!(min_range_ < max_range_)) {
      throw std::invalid_argument("field 'minRange' of RangeFinder must be less than maxRange (" +
                                  std::to_string(max_range_) + "), got " + std::to_string(min_range_));
    }
    planar_ = image_.is_planar();
    near_ = fields.number("near");
  }

  Pose data_frame() const override { return render::optical_frame(); }
  Properties properties() const override {
    Properties out = image_.calibration();
    out.insert({{"width", double(image_.width)},
                {"height", double(image_.height)},
                {"fov", image_.field_of_view},
                {"minRange", min_range_},
                {"maxRange", max_range_}});
    return out;
  }
  std::size_t points() const override { return points_; }
  /// Depths as 32FC1, +inf where there is nothing (REP-117).
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::Image>("image", "/image_raw",
                                     [this](const TopicInput& in) {
                                       return render::plane_message(in.header, image_.width,
                                                                    image_.height, "32FC1",
                                                                    channel<float>(in.data, 0));
                                     }),
            topic_of<message::CameraInfo>("camera_info", "/camera_info", [this](const TopicInput& in) {
              return render::camera_info(image_, in.header);
            })};
  }

  void sample(const SampleInput& in, Sample& out) override {
    const auto depth = out.channel<float>(0);
    std::fill(depth.begin(), depth.end(), kInfinity);
    points_ = 0;
    if (!in.visible) return;
    RayBatch batch = rays_.batch(*in.visible, in.X_WS);
    if (!near_limits_) {
      near_limits_.emplace(rays_, image_, near_, render::Housing(in.fixed_shapes.get()));
    }
    near_limits_->give(batch);
    in.visible->cast(batch, [&](const RayBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        const std::size_t ray = block.first + i;
        depth[rays_.pixel[ray]] = measured(block.range[i], rays_.dx[ray], rays_.pixel[ray], in.noise);
      }
    });
    for (const float d : depth) points_ += d < kInfinity ? 1 : 0;
  }

  void visit_state(StateArchive& archive) override { archive(points_); }

 private:
  float measured(float range, float forward, std::uint32_t pixel, const NoiseKey& noise) const {
    double depth = planar_ ? double{range} * forward : range;
    if (!(depth >= min_range_ && depth <= max_range_)) return kInfinity;
    if (noise_ > 0) depth = std::max(0.0, depth + noise_ * gaussian(noise, pixel));
    if (resolution_ > 0) depth = std::round(depth / resolution_) * resolution_;
    return static_cast<float>(depth);
  }

  render::ImageGeometry image_;
  double min_range_, max_range_, noise_, resolution_;
  render::PixelRays rays_;
  double near_;
  std::optional<render::NearLimits> near_limits_;
  bool planar_ = true;
  std::size_t points_ = 0;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::RangeFinder)
