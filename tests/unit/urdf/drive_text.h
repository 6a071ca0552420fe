// Carts and cars from a few words of URDF, and what drives them.
#pragma once

#include <string>
#include <vector>

#include "tests/unit/urdf/robot_text.h"

namespace protobeam::urdf {

/// A wheel of 0.1 m, as Xacro files write them: a cylinder along z, laid down.
inline std::string wheel(const std::string& name, double x, double y) {
  return fmt::format(R"(
<link name="{0}_wheel"><inertial><mass value="0.3"/><inertia ixx="1e-3" iyy="1e-3" izz="1.5e-3"
  ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><cylinder radius="0.1" length="0.03"/></geometry></collision></link>
<joint name="{0}_joint" type="continuous"><parent link="base_link"/><child link="{0}_wheel"/>
  <origin xyz="{1} {2} 0" rpy="-1.5707963 0 0"/><axis xyz="0 0 1"/></joint>)",
                     name, x, y);
}

/// A base on two wheels and a ball ahead, below a base_footprint.
inline std::string cart(const std::string& gazebo) {
  return robot(R"(<link name="base_footprint"/>)" +
               std::string(R"(<joint name="up" type="fixed"><parent link="base_footprint"/>
  <child link="base_link"/><origin xyz="0 0 0.1"/></joint>
<link name="base_link"><inertial><origin xyz="0.02 0 0"/><mass value="5"/><inertia ixx="0.05" iyy="0.05"
  izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><origin xyz="0 0 0.05"/><geometry><box size="0.3 0.2 0.1"/></geometry></collision>
  <collision><origin xyz="0.15 0 -0.05"/><geometry><sphere radius="0.05"/></geometry></collision>
</link>)") + wheel("left", 0, 0.2) +
               wheel("right", 0, -0.2) + gazebo);
}

inline std::string plugin(const std::string& file, const std::string& rest) {
  return "<gazebo><plugin filename=\"" + file + "\" name=\"p\">" + rest + "</plugin></gazebo>\n";
}

class DriveTest : public RobotTest {
 protected:
  std::vector<std::string> texts(const wbt::Node& node, const char* field) {
    const wbt::Field* found = node.find(field);
    return found ? found->value.strings : std::vector<std::string>{};
  }
  /// Each Topic: message, name, type, and "off" without.
  std::vector<std::string> topics(const wbt::Document& world) {
    std::vector<std::string> out;
    for (const wbt::NodePtr& one : node(world, "Robot").find("children")->value.nodes) {
      if (one->type != "Topic" || texts(*one, "message").at(0) == "tf") continue;  // FramesTest
      std::string text;
      for (const char* field : {"message", "name", "type"})
        for (const std::string& word : texts(*one, field)) text += (text.empty() ? "" : " ") + word;
      if (one->find("enabled")) text += " off";
      out.push_back(text);
    }
    return out;
  }
  /// What frames are called: of the root, of odometry, whose pose that tells; "-" where nothing is
  /// said.
  std::vector<std::string> frames(const wbt::Document& world) {
    std::vector<std::string> out(3, "-");
    for (const wbt::NodePtr& one : node(world, "Robot").find("children")->value.nodes) {
      if (one->type != "Topic") continue;
      const std::string message = texts(*one, "message").at(0);
      const auto frame = texts(*one, "frame"), child = texts(*one, "childFrame");
      if (message == "tf" && !frame.empty()) out[0] = frame[0];
      if (message == "odom" && !frame.empty()) out[1] = frame[0];
      if (message == "odom" && !child.empty()) out[2] = child[0];
    }
    return out;
  }
  /// The diff_drive_controller `base` with these parameters, and perhaps more in the file.
  std::optional<wbt::Document> controlled(const std::string& parameters,
                                          const std::string& more = {},
                                          const std::string& ros = {}) {
    folder_.write("c.yaml",
                  "base: {ros__parameters: {type: diff_drive_controller/DiffDriveController, "
                  "left_wheel_names: [left_joint], right_wheel_names: [right_joint], " +
                      parameters + "}}\n" + more);
    return read(cart(plugin("gz_ros2_control-system", ros + "<parameters>c.yaml</parameters>")));
  }
};

/// A car with a wheelbase of 0.5 m; knuckles 0.36 m apart steer by up to 0.6 rad.
inline std::string car(const std::string& gazebo) {
  std::string knuckles;
  for (const auto& [side, y] : {std::pair("left", 0.18), std::pair("right", -0.18)}) {
    knuckles += fmt::format(
        R"(
<link name="{0}_knuckle"><inertial><mass value="0.2"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3"
  ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="{0}_steering" type="revolute"><parent link="base_link"/><child link="{0}_knuckle"/>
  <origin xyz="0.5 {1} 0"/><axis xyz="0 0 1"/><limit lower="-0.6" upper="0.6" effort="20" velocity="4"/></joint>)",
        side, y);
    std::string front = wheel(std::string("front_") + side, 0, 0);
    const std::string base = "base_link";
    knuckles += front.replace(front.find(base), base.size(), std::string(side) + "_knuckle");
  }
  return cart(knuckles + gazebo);
}

}  // namespace protobeam::urdf
