#include "web/scene_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace protobeam::web {
namespace {

constexpr double kFar = 1000;  ///< m
/// A lamp of Webots has an attenuation of three numbers, one of glTF the inverse square: they are
/// as bright as each other at this distance (m).
constexpr double kLampDistance = 3;

}  // namespace

Vec3 file_origin(const SceneDescription& description) {
  const Bounds& box = description.bounds;
  const Vec3 middle = box.empty() ? Vec3::Zero() : Vec3((box.min + box.max) / 2);
  return middle.allFinite() && middle.norm() > kFar ? Vec3(middle.array().round()) : Vec3::Zero();
}

Quat file_turn(const SceneDescription& description) { return gltf::Document::turn(description.up); }

/// glTF's unit: a white surface is white under a light of pi lux; in a world under one of 1.
gltf::Light file_light(const Light& light, const Quat& R_NB) {
  gltf::Light out;
  out.kind = static_cast<gltf::Light::Kind>(light.kind);
  out.color = light.color;
  out.intensity = kPi * static_cast<double>(light.intensity);
  out.direction = R_NB * light.direction_B;
  if (!(out.direction.norm() > 0)) out.direction = -Vec3::UnitZ();
  if (light.kind == Light::Kind::kDirectional) return out;
  const Vec3& a = light.attenuation;
  const double weaker = a.x() + a.y() * kLampDistance + a.z() * kLampDistance * kLampDistance;
  out.intensity *= kLampDistance * kLampDistance / std::max(weaker, 1e-3);
  out.range = light.radius;
  out.outer_angle = light.cut_off_angle;
  out.inner_angle = std::min(light.beam_width, light.cut_off_angle);
  return out;
}

bool is_still(const Light& light) { return light.emitter < 0 && light.intensity > 0; }

std::string css_color(const Eigen::Vector3f& color) {
  const auto byte = [](float c) { return std::lround(255 * std::clamp(c, 0.0F, 1.0F)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color.x()), byte(color.y()), byte(color.z()));
}

std::string group_name(const SceneDescription& description, const SceneDescription::Group& group) {
  const auto& solids = description.solids;
  const auto depth = [&](int solid) {
    int out = 0;
    for (const auto* at = find(solids, solid); at; at = find(solids, at->parent)) ++out;
    return out;
  };
  int outermost = -1;
  for (const SceneDescription::Shape& shape : group.shapes) {
    if (shape.solid >= 0 && (outermost < 0 || depth(shape.solid) < depth(outermost)))
      outermost = shape.solid;
  }
  const auto* solid = find(solids, outermost);
  return solid && !solid->name.empty() ? solid->name : "object";
}

std::string NodeNames::unique(std::string name) {
  for (char& c : name) {
    if (std::string_view("[].:/\\").find(c) != std::string_view::npos) c = '_';
  }
  const int count = ++counts_[name];
  return count == 1 ? name : unique(fmt::format("{} {}", name, count));
}

std::string page_title(const SceneDescription& description) {
  return description.title.empty() ? description.file.stem().string() : description.title;
}

}  // namespace protobeam::web
