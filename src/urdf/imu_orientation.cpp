#include "urdf/imu_orientation.h"

#include <fmt/format.h>

#include "urdf/ros_names.h"
#include "urdf/values.h"

namespace protobeam::urdf {
namespace {

bool is_true(const std::string& text) { return text == "true" || text == "1"; }

/// Of gazebo_ros_pkgs, which tell the orientation in the world unless they are told not to
/// (gazebo_ros_imu_sensor.cpp). Null without one.
const Element* ros_plugin(const Element& sensor) {
  for (const Element* plugin : sensor.all("plugin")) {
    const Text* file = plugin->attribute("filename");
    if (file && file->value.find("imu") != std::string::npos) return plugin;
  }
  return nullptr;
}

}  // namespace

// As gz-sensors has it (ImuSensor::SetWorldFrameOrientation): without a <localization> the
// orientation is relative to that at the start.
void add_imu_orientation(Import& import, const Element& sensor, NodeMaker& made) {
  const std::string enabled = [&] {
    const Element* one = sensor.find({"imu", "enable_orientation"});
    return one ? one->text.value : std::string("true");
  }();
  if (enabled == "false" || enabled == "0") {
    made.flag("measureOrientation", false);
    return;
  }
  if (const Element* plugin = ros_plugin(sensor)) {
    for (const char* tag : {"initial_orientation_as_reference", "initialOrientationAsReference"}) {
      if (is_true(child_text(*plugin, tag))) made.flag("orientationFromStart", true);
    }
    return;
  }
  const Element* reference = sensor.find({"imu", "orientation_reference_frame"});
  const std::string frame = reference ? child_text(*reference, "localization") : "";
  if (frame == "ENU") return;
  if (frame == "NED") {
    made.rotation("orientationReference", wbt::rotation_of(kPi / 2, 0, kPi));
    return;
  }
  if (frame == "NWU") {
    made.rotation("orientationReference", wbt::rotation_of(kPi / 2, 0, 0));
    return;
  }
  const Element* custom = reference ? reference->child("custom_rpy") : nullptr;
  const Text* parent = custom ? custom->attribute("parent_frame") : nullptr;
  if (frame == "CUSTOM" && parent && parent->value == "world") {
    const auto rpy = numbers_of(custom->text, 3, "<custom_rpy>", import.diagnostics);
    if (rpy)
      made.rotation("orientationReference", wbt::rotation_of((*rpy)[2], (*rpy)[1], (*rpy)[0]));
    return;
  }
  if (reference)
    import.ignored.add(
        "an <orientation_reference_frame> that is none of ENU, NED, NWU, and CUSTOM "
        "of parent_frame 'world'",
        reference->place, "the orientation is relative to that at the start");
  made.flag("orientationFromStart", true);
}

}  // namespace protobeam::urdf
