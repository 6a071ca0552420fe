#include "publish/robot_state.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/libm.h"
#include "geometry/geometry.h"
#include "publish/robot_topics.h"
#include "publish/topic_names.h"
#include "sim/ground_map.h"
#include "sim/sample_inputs.h"

namespace protobeam {
namespace {

double cross(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// Andrew's monotone chain (A. M. Andrew, "Another efficient algorithm for convex hulls in two
/// dimensions", Information Processing Letters 9, 1979). Counter-clockwise.
std::vector<Vec2> convex_hull(std::vector<Vec2> points) {
  const auto less = [](const Vec2& a, const Vec2& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  };
  std::ranges::stable_sort(points, less);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<Vec2> hull;
  const auto half = [&hull](auto first, auto last) {
    const std::size_t begin = hull.size();
    for (auto it = first; it != last; ++it) {
      while (hull.size() >= begin + 2 && cross(hull[hull.size() - 2], hull.back(), *it) <= 0) {
        hull.pop_back();
      }
      hull.push_back(*it);
    }
    hull.pop_back();  // the first of the other half
  };
  half(points.begin(), points.end());
  half(points.rbegin(), points.rend());
  return hull;
}

std::vector<FrameOnRobot> frames_on(const RobotInfo& robot, physics::BodyId body) {
  std::vector<FrameOnRobot> frames;
  for (const Device& device : robot.devices) {
    if (device.solid < 0) continue;  // those of joints have no place of their own
    for (const DeviceFrame& frame : device.model->frames())
      frames.push_back(
          {frame_of(robot, device) + frame.suffix, &device, frame.X_SF, device.body != body});
  }
  return frames;
}

/// A drive that is on a part only, as on a trailer, is not where the robot is.
const VehicleHost* vehicle_of(const Simulation& simulation, const RobotInfo& robot,
                              physics::BodyId body) {
  const VehicleHost* vehicle = simulation.find_vehicle(robot.name);
  return vehicle && vehicle->robot() == robot.index && vehicle->body() == body ? vehicle : nullptr;
}

}  // namespace

message::Vector3 vector_message(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

message::Pose pose_message(const Pose& X) {
  return {{X.p.x(), X.p.y(), X.p.z()}, {X.R.x(), X.R.y(), X.R.z(), X.R.w()}};
}

message::Transform transform_message(const Pose& X) {
  return {vector_message(X.p), {X.R.x(), X.R.y(), X.R.z(), X.R.w()}};
}

message::TransformStamped transform_stamped(const message::Header& header, const std::string& child,
                                            const Pose& X) {
  return {header, child, transform_message(X)};
}

RobotState::RobotState(const Simulation& simulation, const RobotInfo& robot, std::string prefix)
    : simulation_(simulation),
      robot_(robot),
      prefix_(std::move(prefix)),
      base_frame_(base_frame_of(robot)),
      has_footprint_(base_frame_ != kFootprintFrame && !has_part(kFootprintFrame)),
      vehicle_(vehicle_of(simulation, robot, body())),
      frames_(frames_on(robot, body())),
      links_(simulation, robot.index, link_names()) {
  std::set<std::string> named = {base_frame_};
  for (const FrameOnRobot& frame : frames_) named.insert(frame.name);
  for (const RobotLink& link : links_.links()) {
    if (!named.contains(link.name)) other_links_.push_back(&link);
  }
}

std::string robot_description(const Simulation& simulation, const RobotInfo& robot,
                              const MeshFile& mesh_file) {
  const RobotState state(simulation, robot);
  return robot_urdf(simulation, robot.index, state.links(), mesh_file);
}

std::string RobotState::in_messages(const std::string& frame) const {
  return with_prefix(prefix_, frame);
}

LinkNames RobotState::link_names() const {
  const WorldModel& model = simulation_.model();
  LinkNames names;
  names.spell = ros_name;
  names.base = base_frame_;
  names.taken = {kMapFrame, kOdometryFrame};
  if (has_footprint_) names.taken.emplace_back(kFootprintFrame);
  names.X_SB = X_WS().inverse() * X_WB();
  for (const FrameOnRobot& frame : frames_) {
    const SolidInfo& solid = model.solids[static_cast<std::size_t>(frame.device->solid)];
    names.frames.push_back(
        {frame.name, frame.device->solid,
         pose_of(model, solid).inverse() * simulation_.pose_of(*frame.device) * frame.X_DF});
  }
  // For who looks for it nevertheless.
  if (base_frame_ != kBaseFrame && !has_part(kBaseFrame))
    names.frames.push_back({kBaseFrame, robot_.solid, names.X_SB});
  return names;
}

bool RobotState::has_part(const std::string& name) const {
  const auto& solids = simulation_.model().solids;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const SolidInfo& solid = solids[i];
    if (solid.robot != robot_.index || solid.removed || static_cast<int>(i) == robot_.solid ||
        ros_name(solid.name) != name)
      continue;
    const auto is_it = [&](const Device& device) { return device.solid == static_cast<int>(i); };
    if (std::ranges::none_of(robot_.devices, is_it)) return true;
  }
  return false;
}

physics::BodyId RobotState::body() const {
  return simulation_.model().solids[static_cast<std::size_t>(robot_.solid)].body;
}

Pose RobotState::X_WS() const {
  const WorldModel& model = simulation_.model();
  return pose_of(model, model.solids[static_cast<std::size_t>(robot_.solid)]);
}

Pose RobotState::X_WB() const { return vehicle_ ? vehicle_->X_WV() : X_WS(); }

Vec3 RobotState::v_WB_B() const {
  if (vehicle_) return vehicle_->velocity_V();
  if (body() == physics::kWorldBody) return Vec3::Zero();
  const Pose X = X_WB();
  return X.R.conjugate() * simulation_.model().physics->point_velocity(body(), X.p);
}

Vec3 RobotState::w_WB_B() const {
  if (vehicle_) return vehicle_->angular_velocity_V();
  if (body() == physics::kWorldBody) return Vec3::Zero();
  return X_WB().R.conjugate() * simulation_.model().physics->angular_velocity(body());
}

Pose RobotState::X_BF(const FrameOnRobot& frame) const {
  return X_WB().inverse() * simulation_.pose_of(*frame.device) * frame.X_DF;
}

Pose RobotState::footprint_B() const {
  // At the origin of base_link, which vehicles have on the ground. M has z up, W and B may have y
  // up.
  const Quat R_WM = axes_of_maps(simulation_.model()), R_WB = X_WB().R;
  const Mat3 R = (R_WM.conjugate() * R_WB * R_WM).toRotationMatrix();
  const Quat heading_M = axis_angle(Vec3::UnitZ(), libm::atan2(R(1, 0), R(0, 0)));
  return Pose::rotation(R_WB.conjugate() * R_WM * heading_M * R_WM.conjugate());
}

std::vector<Vec2> RobotState::outline_B() const {
  if (body() == physics::kWorldBody) return {};
  const Pose X_BW = X_WB().inverse();
  const Pose X_WBody = simulation_.model().physics->pose(body());
  std::vector<Vec2> corners;
  for (const CollisionInfo& shape : simulation_.model().collisions) {
    if (shape.body != body()) continue;
    const Bounds box = bounds(*shape.geometry);
    const Pose X = X_BW * X_WBody * shape.X_BS;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3 p;
      for (int axis = 0; axis < 3; ++axis) p[axis] = corner >> axis & 1 ? box.max[axis] : box.min[axis];
      corners.push_back((X * p).head<2>());
    }
  }
  return convex_hull(std::move(corners));
}

}  // namespace protobeam
