#include "urdf/sensor_topics.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "urdf/camera_lens.h"
#include "urdf/ros_names.h"

namespace protobeam::urdf {
namespace {

bool file_is_of(const Element& plugin, std::initializer_list<const char*> words) {
  const Text* file = plugin.attribute("filename");
  return file && std::ranges::any_of(words, [&](const char* one) {
           return file->value.find(one) != std::string::npos;
         });
}

bool is_camera_plugin(const Element& plugin) {
  return file_is_of(plugin, {"gazebo_ros_camera", "gazebo_ros_multicamera",
                             "gazebo_ros_depth_camera", "gazebo_ros_openni_kinect"});
}

bool is_camera(std::string_view type) {
  return type == "camera" || is_wide_angle(type) || type.starts_with("depth") ||
         type.starts_with("rgbd");
}

/// As gazebo_ros_pkgs name them: of ROS 2 by the sensor or <camera_name>, of ROS 1 by <cameraName>.
SensorTopic camera_topic(const Element& sensor, const Element& plugin, bool is_depth) {
  const auto text = [&](const char* tag, const std::string& otherwise) {
    const std::string own = child_text(plugin, tag);
    return own.empty() ? otherwise : own;
  };
  const char* const old_tags[] = {"cameraName", "imageTopicName", "cameraInfoTopicName"};
  const bool old =
      std::ranges::any_of(old_tags, [&](const char* tag) { return plugin.child(tag); });
  const Text* name = sensor.attribute("name");
  const std::string camera =
      old ? child_text(plugin, "cameraName") : text("camera_name", name ? name->value : "");
  const auto whole = [&](const char* tag, const char* usual) {
    const std::string topic = in_namespace(camera, old ? text(tag, usual) : std::string(usual));
    return ros_topic(plugin, topic);
  };
  SensorTopic out;
  out.name = is_depth ? whole("depthImageTopicName", "depth/image_raw")
                      : whole("imageTopicName", "image_raw");
  out.camera_info = is_depth ? whole("depthImageCameraInfoTopicName", "depth/camera_info")
                             : whole("cameraInfoTopicName", "camera_info");
  out.plugin = &plugin;
  return is_topic(out.name) && is_topic(out.camera_info) ? out : SensorTopic{};
}

}  // namespace

SensorTopic topic_of(const Element& sensor) {
  const Text* type = sensor.attribute("type");
  for (const Element* plugin : sensor.all("plugin")) {
    if (!type || !is_camera(type->value) || !is_camera_plugin(*plugin)) continue;
    if (SensorTopic topic = camera_topic(sensor, *plugin, type->value.starts_with("depth"));
        topic.plugin)
      return topic;
  }
  for (const Element* plugin : sensor.all("plugin")) {
    const Element* ros = plugin->child("ros");
    const std::string name =
        ros ? in_namespace(child_text(*ros, "namespace"), remapped(*ros, "~/out"))
            : in_namespace(child_text(*plugin, "robotNamespace"), child_text(*plugin, "topicName"));
    if (is_topic(name)) return {name, plugin};
  }
  const std::string name = child_text(sensor, "topic");
  return name != "__default_topic__" && is_topic(name) ? SensorTopic{name} : SensorTopic{};
}

bool only_runs(const Element& plugin) {
  return file_is_of(plugin, {"libRayPlugin", "libGpuRayPlugin", "libContactPlugin",
                             "libCameraPlugin", "libDepthCameraPlugin"});
}

std::string frame_of(const Element& sensor) {
  std::string out;
  // Of pictures' axes, which only cameras have.
  if (const Element* camera = sensor.child("camera")) out = child_text(*camera, "optical_frame_id");
  for (const Element* plugin : sensor.all("plugin")) {
    for (const char* tag : {"frame_name", "frameName", "frameId"})
      if (out.empty()) out = child_text(*plugin, tag);
  }
  for (const char* tag : {"gz_frame_id", "ignition_frame_id", "frame_id"})
    if (out.empty()) out = child_text(sensor, tag);
  return out.starts_with('/') ? out.substr(1) : out;  // as tf2 takes it
}

}  // namespace protobeam::urdf
