// Under what names the data of <gazebo> sensors are published.
#pragma once

#include <string>

#include "xml/element.h"

namespace protobeam::urdf {

using xml::Element;
using xml::Text;

struct SensorTopic {
  std::string name;
  /// What says it: the <plugin> of gazebo_ros_pkgs in the sensor; null: <topic> of the sensor, with
  /// which Gazebo names clouds NAME/points, and pictures of an RGBD camera NAME/image and
  /// NAME/depth_image.
  const Element* plugin = nullptr;
  std::string camera_info;  ///< of a camera whose plugin says that, too
};

/// Of a <sensor>; empty where it says none, or none that ROS could have.
SensorTopic topic_of(const Element& sensor);

/// It is a plugin of Gazebo Classic that lets its sensor work, as all do here.
bool only_runs(const Element& plugin);

/// The frame in which the text says that the data of a sensor are, as `<frame_name>` of its plugin
/// or
/// `<gz_frame_id>`; "" when it does not.
std::string frame_of(const Element& sensor);

}  // namespace protobeam::urdf
