// RgbdCamera: a depth image and a colour image, each with a lens and a place of its own.
//
// Frame: that of the depth imager, +x forward, +y left, +z up; colorTranslation and colorRotation
// place the other one in it. Each imager looks out of the shapes that are fixed to it and around it, as
// a Camera does. Depth is the distance from the plane x = 0 in steps of depthResolution, 0 where
// there is none (as 16UC1 images of ROS have it).
//
// depthModel says how depths come about:
//   ideal           those of the rays through the pixels, with depthNoise
//   stereo_formula  of a stereo camera: an error of Z^2 subpixel / (focal length baseline), none
//                   nearer than minDepth, at edges, and where the right imager does not see
//   stereo          both infrared images with the pattern of a projector are rendered and matched
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/libm.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "infrared_pair.h"
#include "prefixed_fields.h"
#include "render/camera_levels.h"
#include "render/color_image.h"
#include "render/image_message.h"
#include "render/near_limits.h"
#include "rgbd_messages.h"
#include "render/optical_frame.h"
#include "stereo_depth.h"

namespace protobeam {
namespace {

using render::Color;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

enum Channel : std::size_t { kDepth, kColor };
enum Stream : std::uint32_t { kDepthNoise, kColorNoise };

std::vector<FieldSpec> imager_fields(bool depth) {
  using enum FieldType;
  const auto name = [depth](const char* of_depth, const char* of_color) {
    return depth ? of_depth : of_color;
  };
  return {{name("depthWidth", "colorWidth"), kInt32, "640", "", Range::between(2, 16384),
           "Pixels of a row"},
          {name("depthHeight", "colorHeight"), kInt32, "480", "", Range::between(2, 16384), "Rows"},
          {name("depthFieldOfView", "colorFieldOfView"), kFloat, "1.2", "rad",
           Range::between(0.01, 3.1), "Horizontal, when there are no intrinsics"},
          {name("depthIntrinsics", "colorIntrinsics"), kMFFloat, "[ ]", "", {},
           "fx fy cx cy in pixels, the middle of the first pixel is 0 0"},
          {name("depthDistortion", "colorDistortion"), kMFFloat, "[ ]", "", {},
           "k1 k2 p1 p2 ... of OpenCV"}};
}

DeviceType declaration() {
  using enum FieldType;
  const Range not_negative = Range::at_least(0);
  std::vector<FieldSpec> fields = {
      {"name", kString, "\"rgbd camera\"", "", {}, "Name"},
      {"senseDepth", kBool, "TRUE", "", {}, "There is a depth image"},
      {"senseColor", kBool, "TRUE", "", {}, "There is a colour image"},
      {"minDepth", kFloat, "0.1", "m", not_negative, "Nearest depth"},
      {"maxDepth", kFloat, "15", "m", Range::positive(), "Farthest depth"},
      {"depthResolution", kFloat, "0.001", "m", Range::positive(), "Step of a depth"},
      {"depthNoise", kFloat, "0", "m", not_negative, "Standard deviation of a depth, with model ideal"},
      {"depthModel", kString, "\"ideal\"", "", {}, "How depths come about",
       "ideal|stereo_formula|stereo"},
      {"baseline", kFloat, "0.05", "m", Range::positive(),
       "From the left to the right infrared imager, which is at -y"},
      {"subpixel", kFloat, "0.08", "", not_negative,
       "Standard deviation of a disparity in pixels, with stereo_formula"},
      {"edgeWindow", kInt32, "5", "", Range::between(1, 63),
       "Pixels about an edge in which stereo_formula has no depth; 1: none"},
      {"projector", kFloat, "2", "", not_negative,
       "Light of the dots that the projector throws on a surface 1 m away, with stereo; 0: none"},
      {"infraredNoise", kFloat, "1.5", "", not_negative,
       "Standard deviation of a level of the infrared images, of 255"},
      {"colorTranslation", kVec3f, "0 0 0", "m", {}, "Of the colour imager"},
      {"colorRotation", kRotation, "0 0 1 0", "", {}, "Of the colour imager"},
      {"colorNear", kFloat, "0.01", "m", not_negative, "What is nearer does not exist for it"},
      {"colorFar", kFloat, "0", "m", not_negative, "What is farther is not seen; 0: no limit"},
      {"colorNoise", kFloat, "0", "", not_negative,
       "Standard deviation of each colour, in parts of the brightest"},
      {"exposure", kFloat, "1", "", not_negative, "Light is multiplied by it"}};
  for (const bool depth : {true, false}) {
    const auto more = imager_fields(depth);
    fields.insert(fields.end(), more.begin(), more.end());
  }
  return {
      .node = {"RgbdCamera", "Device", "Depth and colour images.", std::move(fields)},
      .channels = {{"depth", ElementType::kUint16, {"depthHeight", "depthWidth"},
                    "of depthResolution", "device", "0", "depth of each pixel, rows from the top"},
                   {"color", ElementType::kUint8, {"colorHeight", "colorWidth", 4}, "", "device", "",
                    "blue, green, red, alpha (255) of each pixel, rows from the top"}},
      .properties = {{"depthWidth", "", "pixels of a row; 0: no depth image"},
                     {"depthHeight", "", "its rows"},
                     {"colorWidth", "", "pixels of a row; 0: no colour image"},
                     {"colorHeight", "", "its rows"},
                     {"depthResolution", "m", "step of a depth"},
                     {"minDepth", "m", "nearest depth"},
                     {"maxDepth", "m", "farthest depth"},
                     {"depthIntrinsics", "", "fx fy cx cy of the depth image"},
                     {"colorIntrinsics", "", "fx fy cx cy of the colour image"}},
      .inputs = {Input::kVisibleRays, Input::kAppearance, Input::kHousing},
      .concurrent = true,
      .webots_node = 1004,
  };
}

class RgbdCamera final : public DeviceModel, public KeepsState {
 public:
  explicit RgbdCamera(const Fields& fields)
      : sense_depth_(fields.boolean("senseDepth")),
        sense_color_(fields.boolean("senseColor")),
        min_depth_(fields.number("minDepth")),
        max_depth_(fields.number("maxDepth")),
        resolution_(fields.number("depthResolution")),
        noise_(fields.number("depthNoise")),
        model_(fields.string("depthModel")),
        X_SC_{fields.rotation("colorRotation"), fields.vec3("colorTranslation")},
        color_near_(fields.number("colorNear")),
        color_far_(fields.number("colorFar")),
        color_noise_(fields.number("colorNoise")),
        exposure_(fields.number("exposure")),
        depth_(imager_of(fields, "depth")),
        color_(imager_of(fields, "color")),
        rays_(depth_) {
    if (!(max_depth_ > min_depth_)) {
      throw std::invalid_argument("field 'maxDepth' of RgbdCamera must be greater than minDepth (" +
                                  std::to_string(min_depth_) + ")");
    }
    if (max_depth_ / resolution_ > 65535) {
      throw std::invalid_argument("field 'depthResolution' is too small: maxDepth would need " +
                                  std::to_string(max_depth_ / resolution_) +
                                  " steps, and a pixel has 65535");
    }
    if (color_far_ > 0 && color_far_ <= color_near_) {
      throw std::invalid_argument("field 'colorFar' of RgbdCamera must be greater than colorNear, or 0");
    }
    const StereoFigures figures{depth_.model->fx, fields.number("baseline"),
                                fields.number("subpixel"), min_depth_,
                                fields.integer("edgeWindow")};
    if (model_ == "stereo_formula") formula_.emplace(figures, depth_);
    if (model_ == "stereo") {
      pair_.emplace(figures, depth_, fields.number("projector"), fields.number("infraredNoise"));
    }
    baseline_ = figures.baseline;
  }

  Pose data_frame() const override { return render::optical_frame(); }
  Properties properties() const override {
    const auto intrinsics = [](const render::ImageGeometry& image) {
      return std::vector<double>{image.model->fx, image.model->fy, image.model->cx, image.model->cy};
    };
    return {{"depthWidth", sense_depth_ ? double(depth_.width) : 0.0},
            {"depthHeight", sense_depth_ ? double(depth_.height) : 0.0},
            {"colorWidth", sense_color_ ? double(color_.width) : 0.0},
            {"colorHeight", sense_color_ ? double(color_.height) : 0.0},
            {"depthResolution", resolution_},
            {"minDepth", min_depth_},
            {"maxDepth", max_depth_},
            {"depthIntrinsics", intrinsics(depth_)},
            {"colorIntrinsics", intrinsics(color_)}};
  }
  std::size_t points() const override { return points_; }
  std::vector<DeviceFrame> frames() const override {
    return {{"", data_frame()}, {"_color", X_SC_ * data_frame()}};
  }
  std::vector<DeviceTopic> topics(const TopicRequest& request) const override;

  void sample(const SampleInput& in, Sample& out) override {
    points_ = 0;
    if (!in.visible || !in.appearance) return;
    if (in.fixed_shapes != fixed_shapes_) look_out_of(in.fixed_shapes);
    if (sense_depth_) {
      find_depths(in);
      write_depths(out.channel<std::uint16_t>(kDepth));
    }
    if (sense_color_) take_color(in, out.channel<std::uint8_t>(kColor));
  }

  void visit_state(StateArchive& archive) override { archive(points_); }

 private:
  static render::ImageGeometry imager_of(const Fields& fields, const char* prefix) {
    return render::image_geometry(PrefixedFields(fields, prefix));
  }

  /// Each imager has shapes around it or not.
  void look_out_of(std::shared_ptr<const std::vector<FixedShape>> shapes) {
    fixed_shapes_ = std::move(shapes);
    imager_.reset();
    depth_limits_.reset();
    if (pair_) pair_->set_fixed_shapes(fixed_shapes_.get());
    const render::Housing left(fixed_shapes_.get());
    if (!left.empty()) depth_limits_.emplace(rays_, depth_, 0, left);
    right_housing_ = render::Housing(fixed_shapes_.get(), Pose::translation({0, -baseline_, 0}));
  }

  void find_depths(const SampleInput& in) {
    const auto count = static_cast<std::size_t>(depth_.width) * static_cast<std::size_t>(depth_.height);
    depths_.assign(count, kInfinity);
    NoiseKey key = in.noise;
    key.stream = kDepthNoise;
    if (pair_) {
      pair_->find_depths(*in.visible, *in.appearance, in.X_WS, key, depths_);
      return;
    }
    shadowed_.assign(count, 0);
    RayBatch batch = rays_.batch(*in.visible, in.X_WS);
    if (depth_limits_) depth_limits_->give(batch);
    in.visible->cast(batch, [&](const RayBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        const std::size_t ray = block.first + i;
        depths_[rays_.pixel[ray]] = block.range[i] * rays_.dx[ray];
      }
      if (formula_ && right_housing_.empty()) find_shadows(in, block);
    });
    if (formula_ && !right_housing_.empty()) find_shadows_outside(in);
    if (formula_) {
      formula_->apply(shadowed_, key, depths_);
    } else if (noise_ > 0) {
      std::vector<float> noise(count);
      fill_gaussian(key, 0, noise);
      for (std::size_t i = 0; i < count; ++i) depths_[i] += static_cast<float>(noise_) * noise[i];
    }
  }

  /// Whether the right imager sees what each ray has met.
  void find_shadows(const SampleInput& in, const RayBlock& block) {
    constexpr std::size_t kPart = 256;
    float ox[kPart], oy[kPart], oz[kPart], dx[kPart], dy[kPart], dz[kPart], far[kPart];
    std::uint32_t pixel[kPart];
    std::uint8_t blocked[kPart];
    const Vec3 right = in.X_WS.R * Vec3(0, -baseline_, 0);
    std::size_t n = 0;
    const auto flush = [&] {
      SightLines lines;
      lines.origin_W = in.X_WS.p;
      lines.ox = ox, lines.oy = oy, lines.oz = oz;
      lines.dx = dx, lines.dy = dy, lines.dz = dz;
      lines.far = far;
      lines.count = n;
      if (n > 0) in.visible->find_blocked(lines, blocked);
      for (std::size_t k = 0; k < n; ++k) shadowed_[pixel[k]] = blocked[k];
      n = 0;
    };
    for (std::size_t i = 0; i < block.count; ++i) {
      if (!(block.range[i] < kInfinity)) continue;
      const std::size_t ray = block.first + i;
      const Vec3 point =
          in.X_WS.R * (double{block.range[i]} * Vec3(rays_.dx[ray], rays_.dy[ray], rays_.dz[ray]));
      // From the right imager.
      const Vec3 way = point - right;
      const double length = way.norm(), free = nearly(length);
      if (!(free > 0)) continue;
      ox[n] = static_cast<float>(right.x()), oy[n] = static_cast<float>(right.y());
      oz[n] = static_cast<float>(right.z());
      dx[n] = static_cast<float>(way.x() / length), dy[n] = static_cast<float>(way.y() / length);
      dz[n] = static_cast<float>(way.z() / length);
      far[n] = static_cast<float>(free);
      pixel[n] = rays_.pixel[ray];
      if (++n == kPart) flush();
    }
    flush();
  }

  /// The same for all of them, where the right imager is in a housing.
  void find_shadows_outside(const SampleInput& in) {
    std::vector<float> dx, dy, dz, free;
    std::vector<std::uint32_t> pixel;
    for (std::size_t ray = 0; ray < rays_.count(); ++ray) {
      const float depth = depths_[rays_.pixel[ray]];
      if (!(depth < kInfinity)) continue;
      const Vec3 point =
          double{depth / rays_.dx[ray]} * Vec3(rays_.dx[ray], rays_.dy[ray], rays_.dz[ray]);
      const Vec3 way = point + Vec3(0, baseline_, 0);
      const double length = way.norm(), most = nearly(length);
      if (!(most > 0)) continue;
      dx.push_back(static_cast<float>(way.x() / length));
      dy.push_back(static_cast<float>(way.y() / length));
      dz.push_back(static_cast<float>(way.z() / length));
      free.push_back(static_cast<float>(most));
      pixel.push_back(rays_.pixel[ray]);
    }
    RayBatch batch;
    batch.X_WS = in.X_WS * Pose::translation({0, -baseline_, 0});
    batch.dx = dx.data(), batch.dy = dy.data(), batch.dz = dz.data();
    batch.count = dx.size();
    std::vector<float> near(dx.size(), 0.0f);
    right_housing_.leave(batch, near);
    batch.near = near.data();
    in.visible->cast(batch, [&](const RayBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        const std::size_t line = block.first + i;
        shadowed_[pixel[line]] = block.range[i] < free[line] ? 1 : 0;
      }
    });
  }

  /// Not quite up to a point that is so far away, m.
  static double nearly(double length) { return length - 1e-3 - 1e-4 * length; }

  void write_depths(std::span<std::uint16_t> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const float depth = depths_[i];
      const bool none = !(depth >= min_depth_ && depth <= max_depth_);
      out[i] = none ? std::uint16_t{0}
                    : static_cast<std::uint16_t>(std::floor(depth / resolution_ + 0.5));
      points_ += out[i] != 0 ? 1 : 0;
    }
  }

  void take_color(const SampleInput& in, std::span<std::uint8_t> out) {
    if (!imager_) {
      imager_.emplace(color_, 1, color_near_, color_far_, render::RayOrder::kTiles,
                      render::Housing(fixed_shapes_.get(), X_SC_));
    }
    light_.resize(out.size() / 4);
    imager_->render(*in.visible, *in.appearance, in.X_WS * X_SC_, light_);
    const render::CameraLevels& levels = render::camera_levels();
    for (std::size_t i = 0; i < light_.size(); ++i) {
      for (int c = 0; c < 3; ++c) {
        out[4 * i + static_cast<std::size_t>(c)] =
            levels(static_cast<float>(exposure_) * light_[i][2 - c]);
      }
      out[4 * i + 3] = 255;
    }
    if (color_noise_ > 0) add_noise(in.noise, out);
  }

  void add_noise(NoiseKey key, std::span<std::uint8_t> image) const {
    key.stream = kColorNoise;
    std::vector<float> noise(image.size() / 4 * 3);
    fill_gaussian(key, 0, noise);
    for (std::size_t i = 0; i < noise.size(); ++i) {
      std::uint8_t& level = image[i / 3 * 4 + i % 3];
      level = render::to_byte(static_cast<float>(level) / 255.0f +
                              static_cast<float>(color_noise_) * noise[i]);
    }
  }

  bool sense_depth_, sense_color_;
  double min_depth_, max_depth_, resolution_, noise_;
  std::string model_;
  Pose X_SC_;
  double color_near_, color_far_, color_noise_, exposure_, baseline_ = 0;
  render::ImageGeometry depth_, color_;
  render::PixelRays rays_;
  std::optional<StereoDepth> formula_;
  std::optional<InfraredPair> pair_;
  std::optional<render::ColorImager> imager_;
  std::shared_ptr<const std::vector<FixedShape>> fixed_shapes_;
  std::optional<render::NearLimits> depth_limits_;  ///< when the depth imager is in a housing
  render::Housing right_housing_;
  std::vector<float> depths_;  ///< m, by pixel
  std::vector<std::uint8_t> shadowed_;
  std::vector<Color> light_;
  std::size_t points_ = 0;
};

/// "image" and "image_camera_info", "depth" (16UC1, millimetres, 0 for none) and
/// "depth_camera_info", "points" (format "xyzrgb" has colours).
std::vector<DeviceTopic> RgbdCamera::topics(const TopicRequest& request) const {
  const auto of_color = [](const TopicInput& in) {
    message::Header header = in.header;
    header.frame_id += "_color";
    return header;
  };
  std::vector<DeviceTopic> out;
  if (sense_color_) {
    out.push_back(topic_of<message::Image>("image", "_image", [this, of_color](const TopicInput& in) {
      return render::rgb_message(of_color(in), color_.width, color_.height,
                                 channel<std::uint8_t>(in.data, kColor));
    }));
    out.push_back(topic_of<message::CameraInfo>(
        "image_camera_info", "_image_camera_info",
        [this, of_color](const TopicInput& in) { return render::camera_info(color_, of_color(in)); }));
  }
  if (!sense_depth_) return out;
  out.push_back(topic_of<message::Image>("depth", "_depth", [this](const TopicInput& in) {
    const auto steps = channel<std::uint16_t>(in.data, kDepth);
    if (resolution_ == 0.001)
      return render::plane_message(in.header, depth_.width, depth_.height, "16UC1", steps);
    const std::vector<std::uint16_t> depths = in_millimetres(steps, resolution_);
    return render::plane_message(in.header, depth_.width, depth_.height, "16UC1",
                                 std::span<const std::uint16_t>(depths));
  }));
  out.push_back(topic_of<message::CameraInfo>(
      "depth_camera_info", "_depth_camera_info",
      [this](const TopicInput& in) { return render::camera_info(depth_, in.header); }));
  const bool colored = sense_color_ && request.wish("points").format == "xyzrgb";
  out.push_back(topic_of<message::PointCloud2>(
      "points", "_points", [this, colored](const TopicInput& in) {
        DepthView view{depth_, channel<std::uint16_t>(in.data, kDepth), resolution_, color_, {}, {}};
        if (colored) view.bgra = channel<std::uint8_t>(in.data, kColor);
        view.X_CD = (X_SC_ * data_frame()).inverse() * data_frame();
        return depth_points(in.header, view);
      }));
  return out;
}

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::RgbdCamera)
