#include "recognition_messages.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/math.h"
#include "base/turn.h"
#include "camera_records.h"
#include "device/device_model.h"
#include "label_colors.h"
#include "message/vision_msgs.h"
#include "render/image_message.h"
#include "render/optical_frame.h"

namespace protobeam {
namespace {

/// Channels of a sample.
struct RecognizedObjects {
  std::span<const ObjectRecord> objects;
  std::span<const std::uint8_t> models;    ///< kLongestModel of each
  std::span<const double> oriented_boxes;  ///< six of each; empty without such
};

std::string model_of(const RecognizedObjects& found, std::size_t number) {
  const auto text = found.models.subspan(number * kLongestModel, kLongestModel);
  return {text.begin(), std::ranges::find(text, std::uint8_t{0})};
}

/// Of the camera's axes in its optical ones.
message::Pose optical_pose(const Vec3& p_C, const Quat& R_C) {
  const Pose X = render::optical_frame().inverse() * Pose{R_C, p_C};
  message::Pose out;
  out.position = xyz<message::Point>(X.p);
  out.orientation.x = X.R.x(), out.orientation.y = X.R.y(), out.orientation.z = X.R.z();
  out.orientation.w = X.R.w();
  return out;
}

Quat orientation_of(const ObjectRecord& object) {
  const double* const turn = object.orientation;
  return axis_angle(Vec3(turn[0], turn[1], turn[2]), turn[3]);
}

std::vector<message::ObjectHypothesisWithPose> hypotheses(const ObjectRecord& object,
                                                          const std::string& model) {
  message::ObjectHypothesisWithPose one;
  std::from_chars(model.data(), model.data() + model.size(), one.id);
  one.score = one.hypothesis.score = 1;
  one.hypothesis.class_id = model;
  const double* const p = object.position;
  one.pose.pose = optical_pose(Vec3(p[0], p[1], p[2]), orientation_of(object));
  return {one};
}

message::Detection2DArray detections_2d(const message::Header& header,
                                        const RecognizedObjects& found) {
  message::Detection2DArray out;
  out.header = header;
  for (std::size_t i = 0; i < found.objects.size(); ++i) {
    const ObjectRecord& object = found.objects[i];
    message::Detection2D one;
    one.header = header;
    one.results = hypotheses(object, model_of(found, i));
    one.bbox.size_x = object.size_on_image[0], one.bbox.size_y = object.size_on_image[1];
    // Records have the middle without its half.
    one.bbox.pose.x = object.position_on_image[0] + object.size_on_image[0] % 2 / 2.0;
    one.bbox.pose.y = object.position_on_image[1] + object.size_on_image[1] % 2 / 2.0;
    one.bbox.center.position.x = one.bbox.pose.x, one.bbox.center.position.y = one.bbox.pose.y;
    one.id = std::to_string(object.id);
    out.detections.push_back(std::move(one));
  }
  return out;
}

message::Detection3DArray detections_3d(const message::Header& header,
                                        const RecognizedObjects& found) {
  message::Detection3DArray out;
  out.header = header;
  for (std::size_t i = 0; i < found.objects.size(); ++i) {
    const ObjectRecord& object = found.objects[i];
    const auto box = found.oriented_boxes.subspan(6 * i, 6);
    message::Detection3D one;
    one.header = header;
    one.results = hypotheses(object, model_of(found, i));
    one.bbox.center = optical_pose(Vec3(box[0], box[1], box[2]), orientation_of(object));
    one.bbox.size = xyz<message::Vector3>(Vec3(box[3], box[4], box[5]));
    one.results.front().pose.pose = one.bbox.center;
    one.id = std::to_string(object.id);
    out.detections.push_back(std::move(one));
  }
  return out;
}

message::Image labels_map(const message::Header& header, int width, int height,
                          std::span<const std::uint8_t> bgra, bool instances) {
  std::vector<std::uint8_t> rgb(bgra.size() / 4 * 3);
  for (std::size_t i = 0; i < bgra.size() / 4; ++i) {
    const std::uint32_t label = label_of_color(&bgra[4 * i]);
    std::uint8_t* const to = &rgb[3 * i];
    to[2] = static_cast<std::uint8_t>(label);
    to[1] = instances ? static_cast<std::uint8_t>(label >> 16) : to[2];
    to[0] = instances ? static_cast<std::uint8_t>(label >> 8) : to[2];
  }
  return render::image_message(header, width, height, "rgb8", rgb);
}

DeviceTopic when_new(const bool& is_new, DeviceTopic topic) {
  topic.make = [&is_new, make = std::move(topic.make)](const TopicInput& in) {
    return is_new ? make(in) : std::vector<message::AnyMessage>();
  };
  return topic;
}

}  // namespace

std::vector<DeviceTopic> recognition_topics(const DeviceModel& camera,
                                            const RecognitionSettings& settings, int width,
                                            int height, const RecognitionNews& news) {
  const auto objects = [&camera, most = settings.capacity()](const TopicInput& in) {
    const std::int32_t count = camera.channel<std::int32_t>(in.data, kObjectCount)[0];
    const auto some = static_cast<std::size_t>(std::clamp(count, 0, most));
    return RecognizedObjects{camera.channel<ObjectRecord>(in.data, kObjects).first(some),
                             camera.channel<std::uint8_t>(in.data, kObjectModels),
                             camera.channel<double>(in.data, kOrientedBoxes)};
  };
  const auto detections = [&]<class M>(
                              M (*make)(const message::Header&, const RecognizedObjects&)) {
    return when_new(news.objects,
                    topic_of<M>("detections", "/detections", [objects, make](const TopicInput& in) {
                      return make(in.header, objects(in));
                    }));
  };
  std::vector<DeviceTopic> out;
  out.push_back(settings.boxes == BoxKind::kOriented ? detections(detections_3d)
                                                     : detections(detections_2d));
  if (!settings.segmentation) return out;
  const auto images = [&](const char* name, const char* suffix, auto make) {
    return when_new(news.segments,
                    topic_of<message::Image>(name, suffix, [&camera, make](const TopicInput& in) {
                      return make(in.header, camera.channel<std::uint8_t>(in.data, kSegmentation));
                    }));
  };
  using Pixels = std::span<const std::uint8_t>;
  out.push_back(images("segmentation", "/segmentation",
                       [width, height](const message::Header& header, Pixels bgra) {
                         return render::rgb_message(header, width, height, bgra);
                       }));
  if (settings.colors == SegmentColors::kRecognitionColors) return out;
  const bool instances = settings.colors == SegmentColors::kInstances;
  out.push_back(images("labels", "/labels_map",
                       [width, height, instances](const message::Header& header, Pixels bgra) {
                         return labels_map(header, width, height, bgra, instances);
                       }));
  return out;
}

}  // namespace protobeam
