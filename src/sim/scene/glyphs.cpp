#include "sim/scene/glyphs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/libm.h"
#include "geometry/edges.h"

namespace protobeam::scene {
namespace {

constexpr Rgba kAxisColors[] = {{235, 50, 45, 255}, {50, 190, 60, 255}, {60, 110, 255, 255}};
constexpr Rgba kJointColor{255, 215, 0, 255};
constexpr Rgba kContactColor{255, 60, 200, 255};
constexpr Rgba kFrustumColor{190, 120, 255, 255};

constexpr Rgba kStillColor{0, 190, 200, 255}, kMovingColor{255, 165, 0, 255};

constexpr double kLengthWithoutShapes = 0.3, kShortest = 0.05, kLongest = 1.5;  // m
constexpr double kLongestDeviceAxis = 0.25;                                     // m
constexpr double kWorldJointReach = 0.5;                                        // m
constexpr double kUnlimitedFrustum = 3;                                         // m
constexpr double kWide = 160 * kPi / 180;                                       // rad
constexpr int kArcPieces = 24;

void add_axes(const Pose& X_WF, double length, Strokes& strokes) {
  for (int axis = 0; axis < 3; ++axis) {
    strokes.line(X_WF.p, X_WF * (Vec3::Unit(axis) * length), kAxisColors[axis]);
  }
}

double length_of(const std::vector<double>& lengths, physics::BodyId body, double otherwise) {
  const double* length = find(lengths, body);
  return length ? *length : otherwise;
}

/// Any unit vector at a right angle.
Vec3 across(const Vec3& unit) { return unit.unitOrthogonal(); }

void add_arrow(const Vec3& from, const Vec3& unit, double length, Strokes& strokes) {
  const Vec3 tip = from + unit * length;
  strokes.line(from, tip, kContactColor);
  const Vec3 side = across(unit), other = unit.cross(side);
  for (const Vec3& to : {side, Vec3(-side), other, Vec3(-other)}) {
    strokes.line(tip, tip - unit * (0.3 * length) + to * (0.12 * length), kContactColor);
  }
}

Vec3 on_plane(double azimuth, double elevation, double distance) {
  return {distance, distance * libm::tan(azimuth), distance * libm::tan(elevation)};
}

Vec3 on_sphere(double azimuth, double elevation, double distance) {
  return distance * Vec3(libm::cos(elevation) * libm::cos(azimuth),
                         libm::cos(elevation) * libm::sin(azimuth), libm::sin(elevation));
}

void add_frustum(const SceneDescription::Device& device, const Pose& X_WC, Strokes& strokes) {
  const double from = std::isfinite(device.min_range) ? std::max(device.min_range, 0.0) : 0;
  const bool limited = std::isfinite(device.max_range) && device.max_range > 0;
  const double to = std::max(from, limited ? device.max_range : kUnlimitedFrustum);
  const double across = std::min(device.fov, 2 * kPi) / 2;
  const double up =
      std::isfinite(device.vertical_fov) ? std::clamp(device.vertical_fov, 0.0, kPi) / 2 : 0;
  const bool wide = 2 * across > kWide || 2 * up > kWide;
  const auto at = [&](double azimuth, double elevation, double distance) {
    return X_WC * (wide ? on_sphere : on_plane)(azimuth, elevation, distance);
  };
  const double corners[][2] = {{across, up}, {-across, up}, {-across, -up}, {across, -up}};
  for (int i = 0; i < 4; ++i) {
    const double* corner = corners[i];
    const double* next = corners[(i + 1) % 4];
    strokes.line(at(corner[0], corner[1], from), at(corner[0], corner[1], to), kFrustumColor);
    const int pieces = wide ? kArcPieces : 1;
    for (const double distance : {from, to}) {
      if (!(distance > 0)) continue;
      for (int piece = 0; piece < pieces; ++piece) {
        const auto point = [&](double t) {
          return at(corner[0] + (next[0] - corner[0]) * t, corner[1] + (next[1] - corner[1]) * t,
                    distance);
        };
        strokes.line(point(piece / double(pieces)), point((piece + 1) / double(pieces)),
                     kFrustumColor);
      }
    }
  }
}

}  // namespace

std::vector<double> glyph_sizes(const SceneDescription& description) {
  std::vector<Bounds> boxes;
  const auto grow = [&boxes](physics::BodyId body) {
    if (body >= 0 && static_cast<std::size_t>(body) >= boxes.size()) {
      boxes.resize(static_cast<std::size_t>(body) + 1);
    }
  };
  for (const SceneDescription::Solid& solid : description.solids) grow(solid.body);
  for (const SceneDescription::Collision& collision : description.collisions) {
    grow(collision.body);
    if (collision.body < 0 || !collision.geometry) continue;
    const Bounds box = bounds(*collision.geometry);
    if (box.empty()) continue;
    Bounds& all = boxes[static_cast<std::size_t>(collision.body)];
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p = collision.X_BS * Vec3(corner & 1 ? box.max.x() : box.min.x(),
                                           corner & 2 ? box.max.y() : box.min.y(),
                                           corner & 4 ? box.max.z() : box.min.z());
      all.min = all.min.cwiseMin(p);
      all.max = all.max.cwiseMax(p);
    }
  }
  std::vector<double> lengths;
  for (const Bounds& box : boxes) {
    const double radius = box.empty() ? 0 : (box.max - box.min).norm() / 2;
    lengths.push_back(box.empty() ? kLengthWithoutShapes
                                  : std::clamp(0.75 * radius, kShortest, kLongest));
  }
  return lengths;
}

void add_lines(const SceneDescription& description, const SceneState& state, Strokes& strokes) {
  for (const LineSet& set : description.lines) {
    Pose X_WB;
    if (set.body != physics::kWorldBody) {
      const Pose* body = find(state.bodies, set.body);
      if (!body) continue;
      X_WB = *body;
    }
    const auto shown = [](const Eigen::Vector3f& light) {
      const auto level = [&](int channel) {
        // From linear light to what a picture holds (IEC 61966-2-1, the power alone).
        const float clamped = std::clamp(light[channel], 0.0f, 1.0f);
        return static_cast<std::uint8_t>(std::lround(255 * libm::pow(clamped, 1 / 2.2f)));
      };
      return Rgba{level(0), level(1), level(2), 255};
    };
    const Rgba color = shown(set.color);
    for (std::size_t i = 0; i < set.dots_B.size(); ++i) {
      strokes.dot(X_WB * set.dots_B[i], set.dot_colors.empty() ? color : shown(set.dot_colors[i]));
    }
    for (std::size_t i = 0; i + 1 < set.ends_B.size(); i += 2) {
      strokes.line(X_WB * set.ends_B[i], X_WB * set.ends_B[i + 1], color);
    }
  }
}

double arrow_length(double impulse) {
  return std::clamp(0.2 * std::sqrt(std::max(impulse, 0.0)), kShortest, 1.0);
}

void add_frames(const SceneDescription& description, const std::vector<double>& lengths,
                const SceneState& state, Strokes& strokes) {
  for (std::size_t body = 0; body < state.bodies.size(); ++body) {
    add_axes(state.bodies[body],
             length_of(lengths, static_cast<physics::BodyId>(body), kLengthWithoutShapes), strokes);
  }
  std::vector<int> solids = description.robot_solids;
  for (const SceneDescription::Device& device : description.devices) solids.push_back(device.solid);
  std::stable_sort(solids.begin(), solids.end());
  solids.erase(std::unique(solids.begin(), solids.end()), solids.end());
  for (const int solid : solids) {
    const SolidState* solid_state = find(state.solids, solid);
    const SceneDescription::Solid* info = find(description.solids, solid);
    if (!solid_state || !info) continue;
    const double length = length_of(lengths, info->body, 2 * kLongestDeviceAxis);
    add_axes(solid_state->X_WS, std::min(length / 2, kLongestDeviceAxis), strokes);
  }
}

void add_joints(const SceneDescription& description, const std::vector<double>& lengths,
                const SceneState& state, Strokes& strokes) {
  for (const SceneDescription::Joint& joint : description.joints) {
    if (joint.kind == physics::JointKind::kFixed) continue;
    Pose X_WP;
    if (joint.parent != physics::kWorldBody) {
      const Pose* parent = find(state.bodies, joint.parent);
      if (!parent) continue;
      X_WP = *parent;
    }
    const Vec3 anchor = X_WP * joint.anchor_P;
    const double reach = length_of(lengths, joint.parent, kWorldJointReach);
    for (const Vec3& axis : joint.axes_P) {
      const Vec3 along = X_WP.R * axis * reach;
      strokes.line(anchor - along, anchor + along, kJointColor);
    }
    strokes.dot(anchor, kJointColor);
  }
}

void add_contacts(const SceneDescription& description, const SceneState& state, Strokes& strokes) {
  for (const physics::Contact& contact : state.contacts) {
    strokes.dot(contact.point_W, kContactColor);
    if (contact.impulse > 0 && contact.normal_W.norm() > 0) {
      const SceneDescription::Solid* pushed = find(description.solids, contact.owner_a);
      const double sign = pushed && pushed->body_mass > 0 ? 1 : -1;
      add_arrow(contact.point_W, sign * contact.normal_W.normalized(),
                arrow_length(contact.impulse), strokes);
    }
  }
}

void add_frusta(const SceneDescription& description, const SceneState& state, Strokes& strokes) {
  for (const SceneDescription::Device& device : description.devices) {
    if (device.layers != 0 || !(device.fov > 0)) continue;
    if (const SolidState* solid_state = find(state.solids, device.solid)) {
      add_frustum(device, solid_state->X_WS, strokes);
    }
  }
}

std::map<physics::BodyId, Strokes> bounding_objects(const SceneDescription& description) {
  std::map<physics::BodyId, Strokes> out;
  for (const SceneDescription::Collision& collision : description.collisions) {
    if (!collision.geometry) continue;
    const bool still = collision.body == physics::kWorldBody;
    const std::vector<Vec3> ends = edges_of(*collision.geometry);
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
      out[collision.body].line(collision.X_BS * ends[i], collision.X_BS * ends[i + 1],
                               still ? kStillColor : kMovingColor);
    }
  }
  return out;
}

bool Trail::record(const Vec3& p) {
  if (!p.allFinite()) return false;
  if (!points_.empty() && (p - points_.back()).norm() < spacing_) return false;
  if (points_.size() == kMost) {
    for (std::size_t i = 0; i < kMost / 2; ++i) points_[i] = points_[2 * i];
    points_.resize(kMost / 2);
    spacing_ *= 2;
  }
  points_.push_back(p);
  return true;
}

}  // namespace protobeam::scene
