#include "sim/vehicle/vehicle_host.h"

namespace protobeam {

VehicleHost::VehicleHost(VehicleSpec spec, Vehicle vehicle)
    : spec_(std::move(spec)),
      vehicle_(std::move(vehicle)),
      wheels_(vehicle_.layout().wheels.size()) {}

VehicleHost::~VehicleHost() = default;

void VehicleHost::attach(physics::World& world, physics::BodyId body,
                         const std::vector<std::unique_ptr<GroundRegion>>& regions) {
  world_ = &world;
  body_ = body;
  regions_ = &regions;
}

std::string VehicleHost::command(const DriveCommand& command) {
  return vehicle_.command(command, time_);
}

void VehicleHost::reset() { vehicle_.reset(); }

Pose VehicleHost::X_WV() const { return world_->pose(body_) * spec_.X_BV; }

Vec3 VehicleHost::velocity_V() const {
  const Vec3 arm_W = world_->pose(body_).R * spec_.X_BV.p;
  return X_WV().R.conjugate() *
         (world_->velocity(body_) + world_->angular_velocity(body_).cross(arm_W));
}

Vec3 VehicleHost::angular_velocity_V() const {
  return X_WV().R.conjugate() * world_->angular_velocity(body_);
}

Twist VehicleHost::twist() const {
  const Vec3 v_V = velocity_V();
  return {v_V.x(), v_V.y(), angular_velocity_V().z()};
}

Pose VehicleHost::hub_pose_V(std::size_t i) const {
  const Vec3 p_V = vehicle_.layout().wheels[i].position_V + Vec3(0, 0, wheels_[i].compression);
  return {axis_angle(Vec3::UnitZ(), vehicle_.wheels()[i].yaw), p_V};
}

Pose VehicleHost::wheel_pose_V(std::size_t i) const {
  return hub_pose_V(i) * Pose::rotation(axis_angle(Vec3::UnitY(), vehicle_.wheels()[i].angle));
}

void VehicleHost::substep(double time, double) { time_ = time; }

void VehicleHost::after_step(double time) { time_ = time; }

}  // namespace protobeam
