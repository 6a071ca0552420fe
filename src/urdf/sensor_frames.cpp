#include "urdf/sensor_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "urdf/joints.h"
#include "urdf/ros_names.h"
#include "urdf/sensor_topics.h"

namespace protobeam::urdf {
namespace {

constexpr double kSamePlace = 1e-3;  // m, and of a quaternion

bool is_same(const Pose& X_RA, const Pose& X_RB) {
  const Pose X_AB = X_RA.inverse() * X_RB;
  return X_AB.p.norm() < kSamePlace && X_AB.R.vec().norm() < kSamePlace;
}

/// Of the world, of odometry and of robots (REP-105).
bool is_usual_frame(std::string_view name) {
  constexpr std::array<std::string_view, 6> kUsual{"earth", "world",     "map",
                                                   "odom",  "base_link", "base_footprint"};
  return std::ranges::find(kUsual, name) != kUsual.end();
}

/// Where a link is on what fixed joints join to it.
struct Rigid {
  const Link* root;
  Pose X_RL;
};
Rigid rigid(const Import& import, const Link& link) {
  Rigid out{&link, {}};
  while (out.root->parent_joint >= 0) {
    const Joint& above = import.joint(out.root->parent_joint);
    if (turns_or_slides(above)) break;
    out.X_RL = above.X_PJ * out.X_RL;
    out.root = &import.link(above.parent);
  }
  return out;
}

}  // namespace

std::string frame_of_data(Import& import, const Link& link, const Element& sensor,
                          const std::string& device, const Pose& X_LD,
                          std::vector<wbt::NodePtr>& nodes) {
  std::string name = frame_of(sensor);
  const Robot& robot = import.robot;
  if (name.empty() || name == device) return "";
  const Rigid here = rigid(import, link);
  const Pose X_RD = here.X_RL * X_LD;
  auto named = std::ranges::find(robot.links, name, &Link::name);
  if (named == robot.links.end() && is_topic(name)) {
    // "r1/laser": in fleets names have that of their robot in front.
    const std::string last = name.substr(name.rfind('/') + 1);
    named = std::ranges::find(robot.links, last, &Link::name);
    if (named != robot.links.end()) name = last;
  }
  if (named != robot.links.end()) {
    const bool is_root = &*named == &import.link(robot.root);  // it has another name in ROS
    const Rigid there = rigid(import, *named);
    return !is_root && there.root == here.root && is_same(there.X_RL, X_RD) ? name : "";
  }
  if (is_topic(name) && !is_usual_frame(name) && !import.sensor_names.contains(name)) {
    const auto [frame, added] = import.sensor_frames.try_emplace(name, here.root, X_RD);
    if (added) nodes.push_back(NodeMaker("Solid", at(sensor)).pose(X_LD).text("name", name).take());
    if (frame->second.first == here.root && is_same(frame->second.second, X_RD)) return name;
  }
  import.ignored.add(fmt::format("the frame '{}' of a <sensor>, which is no link,", name),
                     sensor.place, "its data are in a frame with the sensor's name");
  return "";
}

}  // namespace protobeam::urdf
