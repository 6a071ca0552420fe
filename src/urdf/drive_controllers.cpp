#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "urdf/controllers.h"
#include "urdf/ros_names.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {
namespace {

/// Controllers that steer name the right one first, or any.
void by_side(const Import& import, const std::vector<const Joint*>& driving, Wheels& out) {
  const auto across = [&](const Joint* joint) { return start_in_root(import.robot, *joint).y(); };
  double middle = 0;
  for (const Joint* joint : driving) middle += across(joint) / static_cast<double>(driving.size());
  for (const Joint* joint : driving)
    (across(joint) < middle ? out.right : out.left).push_back(joint);
  std::ranges::stable_sort(out.steering, std::greater(), across);
}

/// How well a controller is one of this robot: 0 without its wheels, 2 where they have the radius
/// that it says, as far as that is known.
int fit(const Import& import, const WheelController& controller) {
  const auto find = [&](const std::string& name) {
    return std::ranges::find(import.robot.joints, name, &Joint::name);
  };
  bool right_size = true, any = false;
  for (const auto* names :
       {&controller.left, &controller.right, &controller.driving, &controller.steering}) {
    for (const std::string& name : *names) {
      const auto joint = find(name);
      if (joint == import.robot.joints.end()) return 0;
      any = true;
      const auto shape = shape_radius(import, *joint);
      const bool rolls = names != &controller.steering;
      if (rolls && shape && controller.radius > 0)
        right_size = right_size && agree(controller.radius, *shape);
    }
  }
  return !any ? 0 : right_size ? 2 : 1;
}

/// Its topics behind its name, and the usual ones of twists: launch files name one or the other.
void add_topics(const WheelController& controller, const Element& plugin, Wheels& out) {
  for (const auto& [message, name, type] : controller.topics) {
    const std::string own = ros_topic(plugin, controller.facts.name + name.substr(1));
    if (is_topic(own)) out.topics.push_back({message, own, type});
  }
  if (!controller.topics.empty()) out.topics.push_back({"cmd_vel", "cmd_vel", ""});
  if (!controller.tells_transform) out.topics.push_back({"odom_tf", "", "", false});
}

/// A prefix with the namespace of the plugin's manager in the place of ~, as Topics have it.
std::string frame_prefix_of(const WheelController& controller, const Element& plugin) {
  std::string prefix = controller.frame_prefix;
  if (prefix.starts_with("/~")) prefix.erase(0, 1);
  if (!prefix.starts_with('~')) return prefix;
  const std::string manager = manager_of(plugin);
  const auto slash = manager.rfind('/');
  const std::string space = slash == std::string::npos ? "" : manager.substr(0, slash);
  std::string below = prefix.substr(1);
  if (!space.empty() && !space.starts_with('/')) below = "/" + space + below;
  return (space.starts_with('/') ? space : "~") + below;
}

Wheels wheels_of(Import& import, const WheelController& controller, const Element& plugin,
                 const Place& place) {
  Wheels out;
  out.who = fmt::format("the controller '{}'", controller.facts.name);
  out.place = place;
  const auto joints = [&](const std::vector<std::string>& names, std::vector<const Joint*>& all,
                          bool wheels = true) {
    for (const std::string& name : names) {
      if (const auto* joint = joint_named(import, name, place, out.who, wheels))
        all.push_back(joint);
    }
  };
  joints(controller.left, out.left);
  joints(controller.right, out.right);
  if (controller.kind == WheelController::Kind::kMecanum) out.kind = Wheels::Kind::kMecanum;
  const bool tricycle = controller.kind == WheelController::Kind::kTricycle;
  if (tricycle || controller.kind == WheelController::Kind::kSteering) {
    out.kind = tricycle ? Wheels::Kind::kTricycle : Wheels::Kind::kAckermann;
    std::vector<const Joint*> driving;
    joints(controller.driving, driving);
    joints(controller.steering, out.steering, false);
    by_side(import, driving, out);
  }
  const auto positive = [](double number) {
    return number > 0 ? std::optional(number) : std::nullopt;
  };
  out.steering_separation = positive(controller.steering_separation);
  out.separation = positive(controller.separation);
  out.wheelbase = positive(controller.wheelbase);
  out.radius = positive(controller.radius);
  out.steering_limit = positive(controller.steering_limit);
  out.acceleration = positive(controller.acceleration);
  out.bounds = controller.bounds;
  out.timeout = controller.timeout;
  out.odometry_rate = positive(controller.odometry_rate);
  out.frames = {controller.odometry_frame, controller.base_frame,
                frame_prefix_of(controller, plugin)};
  add_topics(controller, plugin, out);
  return out;
}

}  // namespace

std::string manager_of(const Element& plugin) {
  std::string name = child_text(plugin, "controller_manager_name");
  if (name.empty()) name = child_text(plugin, "controller_manager_node_name");
  return ros_topic(plugin, name.empty() ? "controller_manager" : name);
}

std::optional<Wheels> wheels_of_controllers(Import& import, const Element& plugin,
                                            std::vector<Forwarder>& forwarders,
                                            std::vector<ManagedController>& broadcasters) {
  const std::string manager = manager_of(plugin);
  std::vector<std::pair<WheelController, Place>> all;
  std::vector<std::pair<std::filesystem::path, Place>> files;
  for (const Element* parameters : plugin.all("parameters")) {
    if (auto file = import.resources.find_installed(parameters->text, import.diagnostics))
      files.emplace_back(std::move(*file), parameters->place);
  }
  for (const std::filesystem::path& file : import.options.controllers)
    files.emplace_back(file, plugin.place);
  for (const auto& [file, place] : files) {
    RobotControllers both =
        robot_controllers_of(file, import.options.limits.file_bytes, import.diagnostics);
    for (WheelController& one : both.wheels) all.emplace_back(std::move(one), place);
    for (ForwardController& one : both.forwards) {
      const char* const own = one.interface == "trajectory" ? "/joint_trajectory"
                              : one.interface == "gripper"  ? "/gripper_cmd"
                                                            : "/commands";
      std::string topic = ros_topic(plugin, one.facts.name + own);
      forwarders.push_back({std::move(one.joints),
                            std::move(one.interface),
                            std::move(topic),
                            std::move(one.type),
                            std::move(one.rules),
                            {std::move(one.facts), manager}});
    }
    for (ControllerFacts& one : both.broadcasters)
      broadcasters.push_back({std::move(one), manager});
  }
  if (all.empty()) return std::nullopt;
  const auto taken =
      std::ranges::max_element(all, {}, [&](const auto& one) { return fit(import, one.first); });
  for (const auto& one : all) {
    if (&one == &*taken) continue;
    import.diagnostics.warning(
        one.first.facts.place,
        fmt::format("the controller '{}' has no effect: '{}' drives the robot",
                    one.first.facts.name, taken->first.facts.name));
  }
  Wheels out = wheels_of(import, taken->first, plugin, taken->second);
  out.controller = {taken->first.facts, manager};
  return out;
}

}  // namespace protobeam::urdf
