// How plugins of gazebo_ros call their topics.
#pragma once

#include <string>
#include <string_view>

#include "xml/element.h"

namespace protobeam::urdf {

/// Words with slashes between them, and perhaps one in front.
bool is_topic(std::string_view name);

/// `name` behind a namespace, unless it is a whole one.
std::string in_namespace(std::string space, const std::string& name);

/// What `FROM:=TO` of <remapping> or <argument> of a <ros> makes of `name`; "" when there is none
/// for it. FROM may be a whole name.
std::string remapped(const xml::Element& ros, const std::string& name);

/// The topic that a node of a <plugin> calls `name`: by the remappings and the namespace of its
/// <ros>, or by its <robotNamespace> of ROS 1.
std::string ros_topic(const xml::Element& plugin, const std::string& name);

/// The text of a child, "" without one.
std::string child_text(const xml::Element& owner, std::string_view tag);

}  // namespace protobeam::urdf
