#include "recognition_messages.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "base/math.h"
#include "base/turn.h"
#include "device/topics.h"
#include "label_colors.h"
#include "render/image_message.h"
#include "render/optical_frame.h"

namespace protobeam {
namespace {

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

}  // namespace

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

}  // namespace protobeam
