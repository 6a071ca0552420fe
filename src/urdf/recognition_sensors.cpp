#include "urdf/recognition_sensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "urdf/ros_names.h"
#include "urdf/values.h"

namespace protobeam::urdf {
namespace {

/// A word of Gazebo, and what Recognition calls it.
using Word = std::pair<const char*, const char*>;

/// gz-sensors, BoundingBoxCameraSensor.cc.
constexpr Word kBoxes[] = {
    {"2d", "visible"},   {"visible_2d", "visible"}, {"visible_box_2d", "visible"},
    {"full_2d", "full"}, {"full_box_2d", "full"},   {"3d", "oriented"}};
/// gz-sensors, SegmentationCameraSensor.cc, which takes capitals, too.
constexpr Word kSegments[] = {
    {"semantic", "labels"}, {"instance", "instances"}, {"panoptic", "instances"}};

/// What the text of a child means; the first one without it, nothing with an error.
template <std::size_t N>
const char* meaning(Import& import, const Element& camera, const char* tag,
                    const Word (&words)[N]) {
  const Element* child = camera.child(tag);
  if (!child) return words[0].second;
  std::string text = child->text.value;
  if (std::string_view(tag) == "segmentation_type")
    for (char& c : text)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  std::vector<std::string> known;
  for (const Word& word : words) {
    if (text == word.first) return word.second;
    known.emplace_back(word.first);
  }
  std::string list;
  for (const std::string& word : known) list += (list.empty() ? "" : ", ") + word;
  import.diagnostics.error(
      child->text.place,
      fmt::format("<{}> must be one of {}, got '{}'", tag, list, child->text.value),
      did_you_mean(text, known));
  return nullptr;
}

bool is_on(const std::string& text) { return text == "true" || text == "1"; }

}  // namespace

bool is_boundingbox_camera(std::string_view type) {
  return type == "boundingbox_camera" || type == "boundingbox";
}

bool is_segmentation_camera(std::string_view type) {
  return type == "segmentation_camera" || type == "segmentation";
}

bool add_recognition(Import& import, const Element& sensor, const Element& camera, double far,
                     NodeMaker& made) {
  const bool segments = is_segmentation_camera(sensor.attribute("type")->value);
  const char* const kind = segments ? meaning(import, camera, "segmentation_type", kSegments)
                                    : meaning(import, camera, "box_type", kBoxes);
  if (!kind) return false;
  if (const Element* save = camera.child("save")) {
    const Text* enabled = save->attribute("enabled");
    if (enabled && is_on(enabled->value))
      import.ignored.add("<save> of a <camera>", save->place, "see --record and --out of run");
  }
  if (is_on(child_text(camera, "triggered")))
    import.ignored.add("<triggered> of a <camera>", camera.child("triggered")->place,
                       "it takes images at its rate");
  NodeMaker recognition("Recognition", at(camera));
  recognition.number("maxRange", far).number("occlusion", 2).flag("fromStart", true);
  if (segments) {
    recognition.flag("segmentation", true).text("segmentationColors", kind);
  } else {
    recognition.text("boxes", kind);
  }
  made.node("recognition", recognition.take());
  return true;
}

bool add_frustum(Import& import, const Element& camera, NodeMaker& made) {
  bool good = true;
  // SDFormat's defaults.
  const auto number = [&](const char* tag, double otherwise, bool (*is_good)(double),
                          const char* bounds) {
    const double value = child_number(camera, tag, import.diagnostics).value_or(otherwise);
    if (is_good(value)) return value;
    good = false;
    import.diagnostics.error(camera.child(tag)->text.place,
                             fmt::format("<{}> must be {}, got {}", tag, bounds, value));
    return otherwise;
  };
  const auto positive = [](double value) { return value > 0; };
  const double near = number(
      "near", 0, [](double value) { return value >= 0; }, "at least 0 m");
  const double far = number("far", 1, positive, "greater than 0 m");
  const double angle = number(
      "horizontal_fov", 1, [](double value) { return value >= 0.001 && value < 3.1415; },
      "at least 0.001 and less than pi rad");
  const double ratio = number("aspect_ratio", 1, positive, "greater than 0");
  if (good && !(near < far)) {
    good = false;
    import.diagnostics.error(
        camera.place,
        fmt::format("<near> and <far> of a <logical_camera> must be ascending, got {} "
                    "and {}",
                    near, far));
  }
  made.number("near", near).number("far", far);
  made.number("horizontalFieldOfView", angle).number("aspectRatio", ratio);
  return good;
}

std::vector<RecognitionTopic> recognition_topics(std::string_view type, const std::string& topic) {
  if (is_segmentation_camera(type)) {
    return {{"segmentation", topic + "/colored_map"},
            {"labels", topic + "/labels_map"},
            {"camera_info", topic + "/camera_info"}};
  }
  return {{"detections", topic}, {"image", topic + "_image"}};
}

}  // namespace protobeam::urdf
