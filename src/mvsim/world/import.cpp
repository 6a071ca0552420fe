#include "mvsim/world/import.h"

#include <system_error>

#include "base/address.h"

namespace protobeam::mvsim {
namespace fs = std::filesystem;

void Unsimulated::add(const std::string& what, const Origin& where, const std::string& instead) {
  const auto [known, is_new] = known_.try_emplace(what, entries_.size());
  if (is_new) {
    entries_.push_back({what, instead, where});
  } else {
    ++entries_[known->second].count;
  }
}

void Unsimulated::children(const Element& element, std::initializer_list<const char*> tags,
                           const std::string& instead) {
  for (const char* tag : tags) {
    for (const Element* child : element.all(tag)) {
      const Text* enabled = child->attribute("enabled");
      if (enabled && (enabled->value == "false" || enabled->value == "0")) continue;
      add(std::string("<").append(tag) + "> of <" + element.tag + ">", *child, instead);
    }
  }
}

void Unsimulated::publish(const Element& element) {
  children(
      element, {"publish"},
      "--publish and --record have poses of robots and sensors, under the names of MVSim's ROS "
      "node");
}

void Unsimulated::report() const {
  for (const Entry& entry : entries_) {
    std::string message = entry.what + " is not simulated";
    if (entry.count > 1) message += " (" + std::to_string(entry.count) + " times)";
    diagnostics_.warning(entry.first.place, message, entry.instead, entry.first.chain);
  }
}

std::string Import::url(const fs::path& file) const {
  if (folder.empty() || is_address(file.native())) return file.string();
  std::error_code failed;
  const fs::path base = fs::weakly_canonical(folder, failed);
  const fs::path relative = failed ? fs::path() : file.lexically_relative(base);
  return relative.empty() ? file.string() : relative.string();
}

void numbers(const Reader& reader, std::initializer_list<Setting> settings, NodeMaker& made) {
  for (const Setting& one : settings) {
    const auto value = reader.number(one.tag, 0);
    if (value.written) made.number(one.field, value, value.place);
  }
}

Pose pose_of(const Pose3d& pose) {
  return {rotation_of(pose.yaw, pose.pitch, pose.roll), {pose.x, pose.y, pose.z}};
}

StartPose start_pose(Import& import, const Element& entity) {
  const Reader reader = import.children(entity);
  // With both, <init_pose> counts (Simulable.cpp, parseSimulable).
  if (const auto pose = reader.pose2d("init_pose")) {
    const Pose2d& p = pose->value;
    return {{rotation_of(p.yaw, 0, 0), {p.x, p.y, 0}}, pose->place, false};
  }
  if (const auto pose = reader.pose3d("init_pose3d")) {
    return {pose_of(pose->value), pose->place, true};
  }
  if (!reader.find("init_pose") && !reader.find("init_pose3d")) {
    reader.error(entity.place, "<" + entity.tag + "> wants an <init_pose>",
                 "write <init_pose>X Y YAW_DEGREES</init_pose> inside of it");
  }
  return {{}, entity.place, false};
}

void put_on_ground(Import& import, const Element& entity, std::span<const Vec2> feet, double reach,
                   double climb, StartPose& start) {
  if (entity.child("skip_elevation_adjust")) return;
  start.X = import.terrain.standing(start.X, feet, reach, climb);
}

Pose sensor_pose(Import& import, const Element& sensor, const Pose& fallback) {
  const Reader reader = import.children(sensor);
  Pose out = fallback;
  // MVSim reads values in the order of the text, each one over those before.
  for (const Element& child : sensor.children) {
    if (child.tag == "pose_3d") {
      if (const auto pose = reader.pose3d("pose_3d")) out = pose_of(pose->value);
    } else if (child.tag == "pose") {
      if (const auto pose = reader.pose2d("pose")) {
        out = {rotation_of(pose->value.yaw, 0, 0), {pose->value.x, pose->value.y, 0}};
      }
    }
  }
  return out;
}

Vec3 rgb(const Color& color) { return Vec3(color.red, color.green, color.blue) / 255; }

wbt::NodePtr appearance(const Color& color, const Origin& origin) {
  // MVSim's light is that of Phong, with all of the ambient light and no highlights.
  NodeMaker material("Material", origin);
  material.number("ambientIntensity", 1).vec3("diffuseColor", rgb(color)).number("shininess", 0);
  if (color.alpha != 255) material.number("transparency", 1 - color.alpha / 255.0);
  return NodeMaker("Appearance", origin).node("material", material.take()).take();
}

wbt::NodePtr shape(wbt::NodePtr geometry, const Color& color, const Origin& origin) {
  return NodeMaker("Shape", origin)
      .node("appearance", appearance(color, origin))
      .node("geometry", std::move(geometry))
      .take();
}

wbt::NodePtr drawing(wbt::NodePtr geometry, const Color& color, const Origin& origin) {
  // Black is no light of its own: then the diffuse colour counts.
  wbt::NodePtr material = NodeMaker("Material", origin)
                              .vec3("diffuseColor", rgb(color))
                              .vec3("emissiveColor", rgb(color))
                              .take();
  return NodeMaker("Shape", origin)
      .node("appearance",
            NodeMaker("Appearance", origin).node("material", std::move(material)).take())
      .node("geometry", std::move(geometry))
      .take();
}

wbt::NodePtr posed(wbt::NodePtr node, const Pose& X, const Origin& origin) {
  if (!node || (X.p == Vec3::Zero() && X.R.isApprox(Quat::Identity(), 0))) return node;
  return NodeMaker("Pose", origin).pose(X).nodes("children", {std::move(node)}).take();
}

}  // namespace protobeam::mvsim
