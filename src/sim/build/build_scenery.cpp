// View, sky, weather, lights.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

#include "sim/build/tree_builder.h"

namespace protobeam {
using wbt::Node;
using wbt::NodePtr;
using wbt::NodeView;

namespace {

using Picture = std::shared_ptr<const Image>;

/// By a quarter, as it is seen.
Picture turned_left(const Picture& picture) {
  if (!picture || picture->pixels.empty()) return picture;
  const Image& from = *picture;
  auto to = std::make_shared<Image>();
  to->width = from.height;
  to->height = from.width;
  to->channels = from.channels;
  to->pixels.reserve(from.pixels.size());
  const auto channels = static_cast<std::ptrdiff_t>(from.channels);
  for (int row = 0; row < to->height; ++row) {
    for (int column = 0; column < to->width; ++column) {
      const std::ptrdiff_t pixel =
          static_cast<std::ptrdiff_t>(column) * from.width + from.width - 1 - row;
      const auto begin = from.pixels.begin() + pixel * channels;
      to->pixels.insert(to->pixels.end(), begin, begin + channels);
    }
  }
  return to;
}

/// Sides in the order of Background::sides, turned to the left by a quarter about the vertical.
void turn_left(std::array<Picture, 6>& sides) {
  auto& [right, left, top, bottom, front, back] = sides;
  sides = {back,  front, turned_left(turned_left(turned_left(top))), turned_left(bottom),
           right, left};
}

}  // namespace

void TreeBuilder::publishing(const Node& node, const Frame& frame) {
  if (node.type == "Topic") {
    auto& topics = frame.robot < 0 ? model_.publishing.topics
                                   : model_.robots[static_cast<std::size_t>(frame.robot)].topics;
    topics.push_back(topic_settings(view(node)));
  } else if (node.type == "Publishing") {
    auto topics = std::move(model_.publishing.topics);
    model_.publishing = publish_settings(view(node));
    for (const NodePtr& topic : view(node).nodes("topics")) {
      if (topic) topics.push_back(topic_settings(view(*topic)));
    }
    model_.publishing.topics = std::move(topics);
    for (const NodePtr& one : view(node).nodes("namedPoses")) {
      if (!one) continue;
      if (const auto problem = problem_with(view(*one), model_.publishing.named_poses))
        error(*one, problem->field, problem->text);
      model_.publishing.named_poses.push_back(named_pose_settings(view(*one)));
    }
  } else {
    model_.outputs.push_back(&node);
  }
}

void TreeBuilder::controlled(const Node& node, const Frame& frame) {
  if (frame.robot < 0) {
    error(node, "", fmt::format("a {} stands among the children of a robot", node.type));
    return;
  }
  RobotInfo& robot = model_.robots[static_cast<std::size_t>(frame.robot)];
  if (node.type == "Ros2Hardware") {
    robot.ros2_hardware.push_back(hardware_settings(view(node)));
    return;
  }
  ControllerSettings made = controller_settings(view(node));
  const auto same = [&](const ControllerSettings& one) {
    return one.name == made.name && one.manager == made.manager;
  };
  if (made.name.empty())
    error(node, "name", "a Ros2Controller needs a name");
  else if (std::ranges::any_of(robot.ros2_controllers, same))
    error(node, "name",
          fmt::format("robot '{}' has a second Ros2Controller '{}'", robot.name, made.name));
  else
    robot.ros2_controllers.push_back(std::move(made));
}

void TreeBuilder::scenery(const Node& node) {
  const NodeView fields = view(node);
  if (node.type == "Viewpoint") {
    model_.viewpoint = Viewpoint{{fields.rotation("orientation"), fields.vec3("position")},
                                 fields.number("fieldOfView"),
                                 fields.number("near"),
                                 fields.number("far"),
                                 fields.string("follow")};
  } else if (node.type == "Fog") {
    const std::string kind = fields.string("fogType");
    model_.fog = {kind == "LINEAR"        ? Fog::Kind::kLinear
                  : kind == "EXPONENTIAL" ? Fog::Kind::kExponential
                                          : Fog::Kind::kExponential2,
                  fields.vec3("color").cast<float>(), fields.number("visibilityRange")};
  } else if (node.type == "Atmosphere") {
    if (atmosphere_) {
      error(node, "", "the world has a second Atmosphere; keep one of them");
      return;
    }
    atmosphere_ = true;
    model_.atmosphere = {fields.number("visibility"), fields.number("rainRate"),
                         fields.number("snowRate"), fields.number("dustDensity")};
  } else {
    Background& background = model_.background;
    background.given = true;
    const auto sky = fields.numbers("skyColor");
    if (sky.size() >= 3) background.sky = Vec3(sky[0], sky[1], sky[2]).cast<float>();
    background.luminosity = static_cast<float>(fields.number("luminosity"));
    constexpr const char* kSides[] = {"rightUrl",  "leftUrl",  "topUrl",
                                      "bottomUrl", "frontUrl", "backUrl"};
    for (std::size_t i = 0; i < std::size(kSides); ++i) {
      background.sides[i] = shapes_.image(node, kSides[i]);
    }
    const int turns = fields.integer("quarterTurns") % 4;
    for (int i = 0; i < (turns + 4) % 4; ++i) turn_left(background.sides);
  }
}

void TreeBuilder::light(const Node& node, const Frame& frame) {
  // Parallel light is the world's, whoever holds it.
  const bool emitted = frame.emitter >= 0 && node.type != "DirectionalLight";
  if (only_looks_ || (!view(node).boolean("on") && !emitted)) return;
  // Until the bodies are made, a body is a draft number.
  model_.lights.push_back(light_from(view(node), frame.draft, frame.X_BF, frame.scale));
  model_.lights.back().unit = unit_;
  if (emitted) model_.lights.back().emitter = frame.emitter;
}

Light light_from(const NodeView& fields, physics::BodyId body, const Pose& X_BF,
                 const Vec3& scale) {
  const std::string_view type = fields.node_type();
  Light light;
  light.node = &fields.get();
  light.kind = type == "DirectionalLight" ? Light::Kind::kDirectional
               : type == "PointLight"     ? Light::Kind::kPoint
                                          : Light::Kind::kSpot;
  light.color = fields.vec3("color").cast<float>();
  light.intensity = static_cast<float>(fields.number("intensity"));
  light.ambient = static_cast<float>(fields.number("ambientIntensity"));
  light.casts_shadows = fields.boolean("castShadows");
  if (light.kind == Light::Kind::kDirectional) {
    // Parallel light is the world's: Webots does not turn it with its parent.
    light.direction_B = fields.vec3("direction");
  } else {
    light.body = body;
    light.location_B = X_BF * scale.cwiseProduct(fields.vec3("location"));
    light.attenuation = fields.vec3("attenuation");
    light.radius = fields.number("radius");
  }
  if (light.kind == Light::Kind::kSpot) {
    light.direction_B = X_BF.R * fields.vec3("direction");
    light.beam_width = fields.number("beamWidth");
    light.cut_off_angle = fields.number("cutOffAngle");
  }
  return light;
}

std::optional<Sun> sun_of(const std::vector<Light>& lights) {
  for (const Light& light : lights) {
    const double length = light.direction_B.norm();
    if (light.kind != Light::Kind::kDirectional || !(length > 0)) continue;
    return Sun{-light.direction_B / length, double{light.intensity}};
  }
  return std::nullopt;
}

}  // namespace protobeam
