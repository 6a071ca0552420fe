#include "viewer/layers/glyphs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "viewer/layers/lookup.h"

namespace protobeam::viewer {
namespace {

const osg::Vec4ub kAxisColours[] = {{235, 50, 45, 255}, {50, 190, 60, 255}, {60, 110, 255, 255}};
const osg::Vec4ub kJointColour(255, 215, 0, 255);
const osg::Vec4ub kContactColour(255, 60, 200, 255);
const osg::Vec4ub kFrustumColour(190, 120, 255, 255);

constexpr double kLengthWithoutShapes = 0.3, kShortest = 0.05, kLongest = 1.5;  // m
constexpr double kLongestDeviceAxis = 0.25;                                     // m
constexpr double kWorldJointReach = 0.5;                                        // m
constexpr double kUnlimitedFrustum = 3;                                         // m
constexpr double kWide = 160 * kPi / 180;                                       // rad
constexpr int kArcPieces = 24;

void add_axes(const Pose& X_WF, double length, Strokes& strokes) {
  for (int axis = 0; axis < 3; ++axis) {
    strokes.line(X_WF.p, X_WF * (Vec3::Unit(axis) * length), kAxisColours[axis]);
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
  strokes.line(from, tip, kContactColour);
  const Vec3 side = across(unit), other = unit.cross(side);
  for (const Vec3& to : {side, Vec3(-side), other, Vec3(-other)}) {
    strokes.line(tip, tip - unit * (0.3 * length) + to * (0.12 * length), kContactColour);
  }
}

Vec3 on_plane(double azimuth, double elevation, double distance) {
  return {distance, distance * std::tan(azimuth), distance * std::tan(elevation)};
}

Vec3 on_sphere(double azimuth, double elevation, double distance) {
  return distance * Vec3(std::cos(elevation) * std::cos(azimuth),
                         std::cos(elevation) * std::sin(azimuth), std::sin(elevation));
}

void add_frustum(const WorldLook::Device& device, const Pose& X_WC, Strokes& strokes) {
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
    strokes.line(at(corner[0], corner[1], from), at(corner[0], corner[1], to), kFrustumColour);
    const int pieces = wide ? kArcPieces : 1;
    for (const double distance : {from, to}) {
      if (!(distance > 0)) continue;
      for (int piece = 0; piece < pieces; ++piece) {
        const auto point = [&](double t) {
          return at(corner[0] + (next[0] - corner[0]) * t, corner[1] + (next[1] - corner[1]) * t,
                    distance);
        };
        strokes.line(point(piece / double(pieces)), point((piece + 1) / double(pieces)),
                     kFrustumColour);
      }
    }
  }
}

}  // namespace

std::vector<double> sign_lengths(const WorldLook& look) {
  std::vector<Bounds> boxes;
  const auto make_room = [&boxes](physics::BodyId body) {
    if (body >= 0 && static_cast<std::size_t>(body) >= boxes.size()) {
      boxes.resize(static_cast<std::size_t>(body) + 1);
    }
  };
  for (const WorldLook::Solid& solid : look.solids) make_room(solid.body);
  for (const WorldLook::Collision& collision : look.collisions) {
    make_room(collision.body);
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

void add_lines(const WorldLook& look, const WorldFrame& frame, Strokes& strokes) {
  for (const LineSet& set : look.lines) {
    Pose X_WB;
    if (set.body != physics::kWorldBody) {
      const Pose* body = find(frame.bodies, set.body);
      if (!body) continue;
      X_WB = *body;
    }
    const auto level = [&](int channel) {
      // From linear light to what a picture holds (IEC 61966-2-1, the power alone).
      const float light = std::clamp(set.color[channel], 0.0f, 1.0f);
      return static_cast<unsigned char>(std::lround(255 * std::pow(light, 1 / 2.2f)));
    };
    const osg::Vec4ub colour(level(0), level(1), level(2), 255);
    for (std::size_t i = 0; i + 1 < set.ends_B.size(); i += 2) {
      strokes.line(X_WB * set.ends_B[i], X_WB * set.ends_B[i + 1], colour);
    }
  }
}

double arrow_length(double impulse) {
  return std::clamp(0.2 * std::sqrt(std::max(impulse, 0.0)), kShortest, 1.0);
}

void add_frames(const WorldLook& look, const std::vector<double>& lengths, const WorldFrame& frame,
                Strokes& strokes) {
  for (std::size_t body = 0; body < frame.bodies.size(); ++body) {
    add_axes(frame.bodies[body],
             length_of(lengths, static_cast<physics::BodyId>(body), kLengthWithoutShapes), strokes);
  }
  std::vector<int> solids = look.robot_solids;
  for (const WorldLook::Device& device : look.devices) solids.push_back(device.solid);
  std::sort(solids.begin(), solids.end());
  solids.erase(std::unique(solids.begin(), solids.end()), solids.end());
  for (const int solid : solids) {
    const SolidState* state = find(frame.solids, solid);
    const WorldLook::Solid* info = find(look.solids, solid);
    if (!state || !info) continue;
    const double length = length_of(lengths, info->body, 2 * kLongestDeviceAxis);
    add_axes(state->X_WS, std::min(length / 2, kLongestDeviceAxis), strokes);
  }
}

void add_joints(const WorldLook& look, const std::vector<double>& lengths, const WorldFrame& frame,
                Strokes& strokes) {
  for (const WorldLook::Joint& joint : look.joints) {
    if (joint.kind == physics::JointKind::kFixed) continue;
    Pose X_WP;
    if (joint.parent != physics::kWorldBody) {
      const Pose* parent = find(frame.bodies, joint.parent);
      if (!parent) continue;
      X_WP = *parent;
    }
    const Vec3 anchor = X_WP * joint.anchor_P;
    const double reach = length_of(lengths, joint.parent, kWorldJointReach);
    for (const Vec3& axis : joint.axes_P) {
      const Vec3 along = X_WP.R * axis * reach;
      strokes.line(anchor - along, anchor + along, kJointColour);
    }
    strokes.dot(anchor, kJointColour);
  }
}

void add_contacts(const WorldLook& look, const WorldFrame& frame, Strokes& strokes) {
  for (const physics::Contact& contact : frame.contacts) {
    strokes.dot(contact.point_W, kContactColour);
    if (contact.impulse > 0 && contact.normal_W.norm() > 0) {
      const WorldLook::Solid* pushed = find(look.solids, contact.owner_a);
      const double sign = pushed && pushed->body_mass > 0 ? 1 : -1;
      add_arrow(contact.point_W, sign * contact.normal_W.normalized(),
                arrow_length(contact.impulse), strokes);
    }
  }
}

void add_frusta(const WorldLook& look, const WorldFrame& frame, Strokes& strokes) {
  for (const WorldLook::Device& device : look.devices) {
    if (device.layers != 0 || !(device.fov > 0)) continue;
    if (const SolidState* state = find(frame.solids, device.solid)) {
      add_frustum(device, state->X_WS, strokes);
    }
  }
}

}  // namespace protobeam::viewer
