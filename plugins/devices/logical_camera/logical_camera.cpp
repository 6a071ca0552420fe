// LogicalCamera: names and poses of the topmost Solids whose origin lies in a frustum.
//
// Frame: the device's own, +x forward, +y left, +z up. Of a Solid at (x, y, z) in it
//
//   near <= x <= far,  |y| <= x tan(horizontalFieldOfView / 2),  |z| <= x tan(...) / aspectRatio
//
// have to be true (gz-sensors, LogicalCameraSensor.cc, and Frustum of gz-math). Nothing hides
// anything, and the robot that carries the device is a model as all others. Models come by their
// names, as Gazebo's do.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/libm.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/topics.h"
#include "message/vision_msgs.h"

namespace protobeam {
namespace {

constexpr std::size_t kMostModels = 256;        // in a sample; the first ones by name
constexpr std::size_t kLongestModelName = 128;  // bytes with its end

enum Channel : std::size_t { kModelPoses, kModelNames, kModelCount };

struct ModelRecord {
  double position[3];
  double orientation[4];  // x, y, z, w
};
static_assert(sizeof(ModelRecord) == 56);

DeviceType declaration() {
  using enum FieldType;
  const auto number = [](const char* name, const char* unit) {
    return Component{name, ElementType::kFloat64, unit};
  };
  return {
      .node = {"LogicalCamera",
               "Device",
               "Names and poses of the topmost Solids in its view, whatever is between.",
               {{"name", kString, "\"logical camera\"", "", {}, "name for the controller"},
                {"near", kFloat, "0", "m", Range::at_least(0), "least distance ahead"},
                {"far", kFloat, "1", "m", Range::positive(), "greatest distance ahead"},
                {"horizontalFieldOfView", kFloat, "1", "rad", Range::between(1e-6, 3.14159),
                 "whole angle, left to right"},
                {"aspectRatio", kFloat, "1", "", Range::positive(), "width / height of its view"}}},
      .channels = {{"models",
                    ElementType::kRecord,
                    {kMostModels},
                    "",
                    "device",
                    "0",
                    "the first `count`, by name",
                    {number("positionX", "m"), number("positionY", "m"), number("positionZ", "m"),
                     number("orientationX", ""), number("orientationY", ""),
                     number("orientationZ", ""), number("orientationW", "")}},
                   {"names",
                    ElementType::kUint8,
                    {kMostModels, kLongestModelName},
                    "",
                    "",
                    "",
                    "field name of each, text"},
                   {"count", ElementType::kInt32, {}, "", "", "", "models in view"}},
      .inputs = {Input::kModels},
  };
}

class LogicalCamera final : public DeviceModel, public Stateless {
 public:
  explicit LogicalCamera(const Fields& fields)
      : near_(fields.number("near")),
        far_(fields.number("far")),
        width_(libm::tan(fields.number("horizontalFieldOfView") / 2)),
        height_(width_ / fields.number("aspectRatio")) {
    if (!(near_ < far_)) {
      throw std::invalid_argument(fmt::format(
          "field 'near' of LogicalCamera must be less than far ({}), got {}", far_, near_));
    }
  }

  void sample(const SampleInput& in, Sample& out) override {
    const Pose X_SW = in.X_WS.inverse();
    std::vector<ModelPose> found;
    for (const ModelPose& model : in.models) {
      const Vec3 p = X_SW * model.X_WM.p;
      if (p.x() >= near_ && p.x() <= far_ && std::abs(p.y()) <= p.x() * width_ &&
          std::abs(p.z()) <= p.x() * height_)
        found.push_back(model);
    }
    std::ranges::stable_sort(found, {}, &ModelPose::name);
    found.resize(std::min(found.size(), kMostModels));
    const auto records = out.channel<ModelRecord>(kModelPoses);
    const auto names = out.channel<std::uint8_t>(kModelNames);
    std::ranges::fill(records, ModelRecord{});
    std::ranges::fill(names, std::uint8_t{0});
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Pose X = X_SW * found[i].X_WM;
      records[i] = {{X.p.x(), X.p.y(), X.p.z()}, {X.R.x(), X.R.y(), X.R.z(), X.R.w()}};
      const std::string_view name = found[i].name.substr(0, kLongestModelName - 1);
      std::memcpy(&names[i * kLongestModelName], name.data(), name.size());
    }
    out.channel<std::int32_t>(kModelCount)[0] = static_cast<std::int32_t>(found.size());
  }

  /// Gazebo's LogicalCameraImage has no message in ROS; a model is a class here, and its box a
  /// point.
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::Detection3DArray>("models", "", [this](const TopicInput& in) {
      message::Detection3DArray out;
      out.header = in.header;
      const auto count = static_cast<std::size_t>(channel<std::int32_t>(in.data, kModelCount)[0]);
      const auto records = channel<ModelRecord>(in.data, kModelPoses).first(count);
      const auto names = channel<std::uint8_t>(in.data, kModelNames);
      for (std::size_t i = 0; i < count; ++i) {
        const ModelRecord& record = records[i];
        message::Detection3D one;
        one.header = in.header;
        const double* const p = record.position;
        one.bbox.center.position = xyz<message::Point>(Vec3(p[0], p[1], p[2]));
        message::Quaternion& turn = one.bbox.center.orientation;
        turn.x = record.orientation[0], turn.y = record.orientation[1];
        turn.z = record.orientation[2], turn.w = record.orientation[3];
        message::ObjectHypothesisWithPose& what = one.results.emplace_back();
        const auto name = names.subspan(i * kLongestModelName, kLongestModelName);
        what.hypothesis.class_id.assign(name.begin(), std::ranges::find(name, std::uint8_t{0}));
        what.score = what.hypothesis.score = 1;
        what.pose.pose = one.bbox.center;
        one.id = what.hypothesis.class_id;
        out.detections.push_back(std::move(one));
      }
      return out;
    })};
  }

 private:
  double near_, far_;
  double width_, height_;  ///< tangents of half the view
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::LogicalCamera)
