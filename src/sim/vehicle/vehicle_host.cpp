#include "sim/vehicle/vehicle_host.h"

#include "sim/vehicle/vehicle_host_impl.h"

namespace protobeam {

VehicleHost::VehicleHost(VehicleSpec spec, Vehicle vehicle)
    : impl_(std::make_unique<Impl>(std::move(spec), std::move(vehicle))) {}

VehicleHost::~VehicleHost() = default;

void VehicleHost::attach(physics::World& world, physics::BodyId body, const Vec3& gravity_W,
                         const PropertyRegions& regions) {
  impl_->attach(world, body, gravity_W, regions);
}

const std::string& VehicleHost::name() const { return impl_->spec_.name; }
int VehicleHost::robot() const { return impl_->spec_.robot; }
int VehicleHost::device() const { return impl_->spec_.device; }
physics::BodyId VehicleHost::body() const { return impl_->body_; }
const Vehicle& VehicleHost::vehicle() const { return impl_->vehicle_; }
std::span<const WheelInWorld> VehicleHost::wheels() const { return impl_->wheels_; }
Twist VehicleHost::odometry() const { return impl_->vehicle_.odometry(); }
bool VehicleHost::collided() const { return impl_->collided_; }
const std::string& VehicleHost::broken() const { return impl_->broken_; }

std::string VehicleHost::command(const DriveCommand& command) {
  return impl_->vehicle_.command(command, impl_->time_);
}

void VehicleHost::release() { impl_->vehicle_.release(); }
void VehicleHost::reset() { impl_->vehicle_.reset(); }

Pose VehicleHost::X_WV() const { return impl_->world_->pose(impl_->body_) * impl_->spec_.X_BV; }

Vec3 VehicleHost::velocity_V() const {
  const physics::World& world = *impl_->world_;
  const Vec3 arm_W = world.pose(impl_->body_).R * impl_->spec_.X_BV.p;
  return X_WV().R.conjugate() *
         (world.velocity(impl_->body_) + world.angular_velocity(impl_->body_).cross(arm_W));
}

Vec3 VehicleHost::angular_velocity_V() const {
  return X_WV().R.conjugate() * impl_->world_->angular_velocity(impl_->body_);
}

Twist VehicleHost::twist() const {
  const Vec3 v_V = velocity_V();
  return {v_V.x(), v_V.y(), angular_velocity_V().z()};
}

Pose VehicleHost::hub_pose_V(std::size_t i) const {
  const Vec3 p_V = impl_->layout().wheels[i].position_V + Vec3(0, 0, impl_->wheels_[i].compression);
  return {axis_angle(Vec3::UnitZ(), impl_->vehicle_.wheels()[i].yaw), p_V};
}

Pose VehicleHost::wheel_pose_V(std::size_t i) const {
  return hub_pose_V(i) *
         Pose::rotation(axis_angle(Vec3::UnitY(), impl_->vehicle_.wheels()[i].angle));
}

void VehicleHost::substep(double time, double dt) { impl_->substep(time, dt); }

void VehicleHost::before_step() { impl_->collided_ = false; }
void VehicleHost::after_step(double time) { impl_->time_ = time; }

void VehicleHost::visit_state(StateArchive& archive) { impl_->visit_state(archive); }

void VehicleHost::touched(physics::BodyId other, int solid) { impl_->touched(other, solid); }

}  // namespace protobeam
