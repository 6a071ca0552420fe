#include "sim/scene/solid_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/libm.h"

namespace protobeam::scene {
namespace {

const SceneDescription::Solid& solid_of(const SceneDescription& description, int solid) {
  return description.solids[static_cast<std::size_t>(solid)];
}

/// Without a sign before nothing.
std::string decimal(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);
  return text;
}

std::string three(const Vec3& v, int decimals, const char* unit) {
  return fmt::format("{}  {}  {} {}", decimal(v.x(), decimals), decimal(v.y(), decimals),
                     decimal(v.z(), decimals), unit);
}

}  // namespace

SolidPath path_of(const SceneDescription& description, int solid) {
  SolidPath path;
  for (; solid >= 0; solid = solid_of(description, solid).parent) {
    path.push_back(solid_of(description, solid).name);
  }
  return path;
}

bool is_inside(const SceneDescription& description, int solid, int outer) {
  for (; solid >= 0; solid = solid_of(description, solid).parent) {
    if (solid == outer) return true;
  }
  return false;
}

int find_solid(const SceneDescription& description, const SolidPath& path) {
  if (path.empty()) return -1;
  const int count = static_cast<int>(description.solids.size());
  for (int i = 0; i < count; ++i) {
    if (path_of(description, i) == path) return i;
  }
  return find_solid(description, path.front());
}

int find_solid(const SceneDescription& description, const std::string& name) {
  for (const int robot : description.robot_solids) {
    if (robot >= 0 && solid_of(description, robot).name == name) return robot;
  }
  for (std::size_t i = 0; i < description.solids.size(); ++i) {
    if (description.solids[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

Vec3 roll_pitch_yaw(const Quat& R) {
  const Mat3 m = R.toRotationMatrix();
  return {libm::atan2(m(2, 1), m(2, 2)), libm::asin(std::clamp(-m(2, 0), -1.0, 1.0)),
          libm::atan2(m(1, 0), m(0, 0))};
}

Facts facts_of(const SceneDescription& description, const SceneState& state, int solid) {
  const SceneDescription::Solid& facts = solid_of(description, solid);
  const SolidState& solid_state = state.solids[static_cast<std::size_t>(solid)];
  Facts rows;
  rows.emplace_back(
      "type", facts.proto.empty() ? facts.type : fmt::format("{} ({})", facts.proto, facts.type));
  if (facts.robot >= 0) {
    rows.emplace_back("robot", description.robots[static_cast<std::size_t>(facts.robot)]);
  }
  rows.emplace_back("position", three(solid_state.X_WS.p, 3, "m"));
  rows.emplace_back("roll, pitch, yaw",
                    three(roll_pitch_yaw(solid_state.X_WS.R) * (180 / kPi), 1, "deg"));
  if (facts.body == physics::kWorldBody) {
    rows.emplace_back("mass", "none, it never moves");
  } else {
    rows.emplace_back("speed", decimal(solid_state.v_WS.norm(), 3) + " m/s");
    rows.emplace_back("angular speed", decimal(solid_state.w_WS.norm(), 3) + " rad/s");
    // Solids that are fixed to each other are one body.
    rows.emplace_back("body mass", fmt::format("{:.6g} kg", facts.body_mass));
  }
  if (facts.place.valid()) {
    const int line = facts.place.source->locate(facts.place.offset).line;
    rows.emplace_back("written at", fmt::format("{}:{}", facts.place.source->name(), line));
  }
  return rows;
}

}  // namespace protobeam::scene
