#include "urdf/tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "urdf/ros_names.h"
#include "urdf/values.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {
namespace {

constexpr double kUnlimited = 1e6;  // m/s, N

/// The greater one of <min_...> and <max_...>; -1 without both.
double greatest(Import& import, const Element& plugin, const char* what) {
  double out = -1;
  for (const char* end : {"min", "max"}) {
    const std::string tag = fmt::format("{}_{}", end, what);
    if (const auto number = child_number(plugin, tag.c_str(), import.diagnostics))
      out = std::max(out, std::abs(*number));
  }
  return out;
}

}  // namespace

bool is_track_controller(const Element& plugin) { return file_has(plugin, "track_controller"); }

void add_tracks(Robot& robot, const std::vector<const Element*>& plugins,
                Diagnostics& diagnostics) {
  for (const Element* plugin : plugins) {
    if (!is_track_controller(*plugin)) continue;
    const std::string name = child_text(*plugin, "link");
    const auto link = std::ranges::find(robot.links, name, &Link::name);
    if (link != robot.links.end()) {
      link->track = plugin;
      continue;
    }
    std::vector<std::string> known;
    for (const Link& one : robot.links) known.push_back(one.name);
    diagnostics.warning(plugin->place,
                        fmt::format("there is no link '{}' over which a track could run", name),
                        did_you_mean(name, known));
  }
}

std::string track_motor(const Link& link) { return link.name + " track"; }

wbt::NodePtr track_node(Import& import, const Link& link, wbt::NodePtr bounding_object,
                        const std::string& contact_material) {
  const Element& plugin = *link.track;
  for (const char* tag : {"track_orientation", "max_command_age", "min_jerk", "max_jerk"}) {
    const Element* child = plugin.child(tag);
    if (child && child->text.value.find_first_not_of(" 0.") != std::string::npos)
      import.ignored.add(fmt::format("<{}> of Gazebo's <plugin> for tracks", tag), child->place);
  }
  const wbt::Origin origin{plugin.place, nullptr};
  NodeMaker motor("LinearMotor", origin);
  motor.text("name", track_motor(link)).number("maxForce", kUnlimited);
  const double speed = greatest(import, plugin, "velocity");
  motor.number("maxVelocity", speed >= 0 ? speed : kUnlimited);
  if (const double most = greatest(import, plugin, "acceleration"); most > 0)
    motor.number("acceleration", most);
  NodeMaker made("Track", origin);
  made.text("name", "track").nodes("device", {motor.take()});
  if (!contact_material.empty()) made.text("contactMaterial", contact_material);
  return made.node("boundingObject", std::move(bounding_object)).take();
}

std::vector<wbt::NodePtr> track_topics(Import& import, const Drives& drives) {
  std::vector<wbt::NodePtr> out;
  for (const Link& link : import.robot.links) {
    if (!link.track || drives.drives_track(link)) continue;
    const wbt::Origin origin{link.track->place, nullptr};
    const std::string servo = link.name + " track_cmd_vel";
    out.push_back(NodeMaker("JointServo", origin)
                      .text("name", servo)
                      .texts("motors", {track_motor(link)})
                      .text("quantity", "velocity")
                      .text("by", "velocity")
                      .take());
    std::string topic = child_text(*link.track, "velocity_topic");
    if (topic.empty())
      topic = fmt::format("/model/{}/link/{}/track_cmd_vel", import.robot.name, link.name);
    for (auto at = topic.find("::"); at != std::string::npos; at = topic.find("::"))
      topic.replace(at, 2, "/");
    if (!is_topic(topic)) {
      import.diagnostics.warning(link.track->place,
                                 fmt::format("'{}' is no name of a topic", topic));
      continue;
    }
    out.push_back(NodeMaker("Topic", origin)
                      .text("device", servo)
                      .text("message", "set_point")
                      .text("name", topic)
                      .take());
  }
  return out;
}

}  // namespace protobeam::urdf
