#include "urdf/multicamera.h"

#include <algorithm>

#include "urdf/ros_names.h"

namespace protobeam::urdf {
namespace {

std::string attribute_of(const Element& element, const char* name) {
  const Text* text = element.attribute(name);
  return text ? text->value : "";
}

void set_attribute(Element& element, const char* name, const std::string& value) {
  std::erase_if(element.attributes, [&](const xml::Attribute& one) { return one.name == name; });
  element.attributes.push_back({name, element.place, {value, element.place, false}});
}

void set_text(Element& element, const char* tag, const std::string& value) {
  std::erase_if(element.children, [&](const Element& child) { return child.tag == tag; });
  element.children.push_back({tag, element.place, {}, {value, element.place, false}, {}});
}

/// `sensor`: its name, `camera`: that of one of its cameras.
void rename_topics(Element& plugin, const std::string& sensor, const std::string& camera) {
  const bool old = plugin.child("cameraName") != nullptr;
  const std::string said = child_text(plugin, old ? "cameraName" : "camera_name");
  set_text(plugin, old ? "cameraName" : "camera_name",
           in_namespace(said.empty() ? sensor : said, camera));
}

}  // namespace

std::vector<Element> single_cameras(Import& import, const Element& sensor) {
  std::vector<Element> out;
  const std::string name = attribute_of(sensor, "name");
  for (const Element* camera : sensor.all("camera")) {
    Element one = sensor;
    std::erase_if(one.children, [](const Element& child) { return child.tag == "camera"; });
    one.children.push_back(*camera);
    const std::string own = attribute_of(*camera, "name");
    set_attribute(one, "type", "camera");
    if (!own.empty()) set_attribute(one, "name", name + "_" + own);
    if (const std::string topic = child_text(sensor, "topic"); !topic.empty() && !own.empty())
      set_text(one, "topic", in_namespace(topic, own));
    for (Element& plugin : one.children) {
      if (plugin.tag != "plugin") continue;
      if (!own.empty()) rename_topics(plugin, name, own);
      if (const Element* baseline = plugin.child("hackBaseline");
          baseline && out.empty() && baseline->text.value != "0")
        import.ignored.add("<hackBaseline> of a <plugin> of cameras", baseline->place);
      if (out.empty()) continue;
      // The frame is that of the first.
      const std::string right = child_text(plugin, "rightFrameName");
      std::erase_if(plugin.children, [](const Element& child) {
        return child.tag == "frameName" || child.tag == "frame_name";
      });
      if (!right.empty()) set_text(plugin, "frameName", right);
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace protobeam::urdf
