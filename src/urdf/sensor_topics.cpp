#include "urdf/sensor_topics.h"

#include <algorithm>

namespace protobeam::urdf {
namespace {

bool is_word(std::string_view word) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !word.empty() && letter(word.front()) &&
         std::ranges::all_of(word, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// Words with slashes between them, and perhaps one in front.
bool is_topic(std::string_view name) {
  if (name.starts_with('/')) name.remove_prefix(1);
  for (;;) {
    const auto slash = name.find('/');
    if (!is_word(name.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

std::string text_of(const Element& owner, std::string_view tag) {
  const Element* child = owner.child(tag);
  return child ? child->text.value : "";
}

/// `~/out:=NAME` of <remapping> or <argument>, as gazebo_ros::Node of ROS 2 reads it.
std::string remapped(const Element& ros) {
  for (const char* tag : {"remapping", "argument"}) {
    for (const Element* one : ros.all(tag)) {
      const std::string& text = one->text.value;
      const auto sign = text.find(":=");
      if (sign != std::string::npos && text.substr(0, sign) == "~/out")
        return text.substr(sign + 2);
    }
  }
  return "";
}

std::string in_namespace(std::string space, const std::string& name) {
  if (name.empty() || name.starts_with('/')) return name;
  while (space.ends_with('/')) space.pop_back();
  return space.empty() ? name : space + "/" + name;
}

}  // namespace

SensorTopic topic_of(const Element& sensor) {
  for (const Element* plugin : sensor.all("plugin")) {
    const Element* ros = plugin->child("ros");
    const std::string name =
        ros ? in_namespace(text_of(*ros, "namespace"), remapped(*ros))
            : in_namespace(text_of(*plugin, "robotNamespace"), text_of(*plugin, "topicName"));
    if (is_topic(name)) return {name, plugin};
  }
  const std::string name = text_of(sensor, "topic");
  return name != "__default_topic__" && is_topic(name) ? SensorTopic{name} : SensorTopic{};
}

}  // namespace protobeam::urdf
