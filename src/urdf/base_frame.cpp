#include "urdf/base_frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "urdf/ros_names.h"

namespace protobeam::urdf {
namespace {

constexpr const char* kWorld = "map";
constexpr const char* kUsualOdometry = "odom";
constexpr const char* kUsualBase = "base_link";
constexpr const char* kFootprint = "base_footprint";

/// As tf2 takes it.
std::string without_slash(const std::string& name) {
  return name.starts_with('/') ? name.substr(1) : name;
}

/// What of a prefix is no namespace of the robot.
std::string without_tilde(std::string prefix) {
  if (prefix.starts_with('~')) prefix.erase(0, prefix.starts_with("~/") ? 2 : 1);
  while (prefix.ends_with('/')) prefix.pop_back();
  return prefix;
}

/// The link and all above it are fixed to the root.
bool is_fixed(const Robot& robot, int link) {
  for (const Joint* joint = robot.parent_joint(link); joint; joint = robot.parent_joint(link)) {
    if (joint->moves()) return false;
    link = joint->parent;
  }
  return true;
}

}  // namespace

FrameNames frame_names(Import& import, const SaidFrames& said, const Place& place) {
  const Robot& robot = import.robot;
  const auto link_of = [&](const std::string& name) {
    const auto found = std::ranges::find(robot.links, name, &Link::name);
    return found == robot.links.end() ? -1 : static_cast<int>(found - robot.links.begin());
  };
  const auto useless = [&](const std::string& name, const std::string& why) {
    import.diagnostics.warning(
        place, fmt::format("the frame '{}' of odometry has no effect: {}", name, why));
  };
  FrameNames out;
  const std::string root = import.link(robot.root).name;
  const int base_link = link_of(kUsualBase);
  const std::string base = without_slash(said.base);
  const int driven = link_of(base);
  const bool free =
      root != kWorld && root != kUsualOdometry && root != kUsualBase && is_topic(root);
  const bool above_base = base_link >= 0 && base_link != robot.root;
  if (free && (root == kFootprint || base == root || above_base))
    out.root = root;
  else if (link_of(kFootprint) < 0 && (base == kFootprint || above_base))
    out.root = kFootprint;
  if (!base.empty() && base != kUsualBase && driven < 0 && base != out.root)
    useless(base, "there is no such link");
  if (driven >= 0 && driven != robot.root) {
    if (is_fixed(robot, driven) && is_topic(base))
      out.child = base;
    else
      useless(base, "the link moves against the robot");
  }
  out.prefix = said.prefix;
  const std::string below = without_tilde(said.prefix);
  if (!below.empty() && !is_topic(below)) {
    import.diagnostics.warning(
        place,
        fmt::format("the prefix '{}' of frames has no effect: it is no name of ROS", said.prefix));
    out.prefix.clear();
  }
  const std::string odometry = without_slash(said.odometry);
  if (odometry.empty() || odometry == kUsualOdometry) return out;
  if (odometry != kWorld && is_topic(odometry))
    out.odometry = odometry;
  else
    useless(odometry, odometry == kWorld ? "it is the world" : "it is no name of ROS");
  return out;
}

}  // namespace protobeam::urdf
