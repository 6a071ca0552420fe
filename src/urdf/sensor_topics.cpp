#include "urdf/sensor_topics.h"

#include "urdf/ros_names.h"

namespace protobeam::urdf {

SensorTopic topic_of(const Element& sensor) {
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

std::string frame_of(const Element& sensor) {
  std::string out;
  for (const Element* plugin : sensor.all("plugin")) {
    for (const char* tag : {"frame_name", "frameName", "frameId"})
      if (out.empty()) out = child_text(*plugin, tag);
  }
  for (const char* tag : {"gz_frame_id", "ignition_frame_id", "frame_id"})
    if (out.empty()) out = child_text(sensor, tag);
  return out.starts_with('/') ? out.substr(1) : out;  // as tf2 takes it
}

}  // namespace protobeam::urdf
