// One substep of a vehicle: ground, suspension, tyres.
#include <algorithm>
#include <cmath>

#include "sim/vehicle/vehicle_host_impl.h"

namespace protobeam {
namespace {

// Ground pushes against the motion of a wheel as if it leaned by 60 degrees at most.
constexpr double kSteepest = 0.5;
// Wheels that correct a sideways motion by this much of it in a step leave 0.8 of it, the other
// way.
constexpr double kCalm = 1.8;

/// Three points that do not lie in one line on the map hold a body upright.
bool span_an_area(std::span<const StrutContact> contacts) {
  Vec3 widest = Vec3::Zero();
  for (const StrutContact& c : contacts) {
    const Vec3 arm = c.arm_W - contacts[0].arm_W;
    if (arm.squaredNorm() > widest.squaredNorm()) widest = arm;
  }
  const double length = widest.squaredNorm();
  return std::any_of(contacts.begin(), contacts.end(), [&](const StrutContact& c) {
    return widest.cross(c.arm_W - contacts[0].arm_W).squaredNorm() > 1e-6 * length * length;
  });
}

}  // namespace

VehicleHost::Impl::Impl(VehicleSpec spec, Vehicle vehicle)
    : spec_(std::move(spec)),
      vehicle_(std::move(vehicle)),
      wheels_(vehicle_.layout().wheels.size()) {}

void VehicleHost::Impl::attach(physics::World& world, physics::BodyId body, const Vec3& gravity_W,
                               const PropertyRegions& regions) {
  world_ = &world;
  body_ = body;
  gravity_W_ = gravity_W;
  regions_ = &regions;
  surroundings_ = {};
  const physics::RigidState state = world.rigid_state(body);
  const Vec3 centre_V = (state.X_WB * spec_.X_BV).inverse() * state.centre_W;
  struts_ =
      make_struts(layout(), spec_.supports_V, centre_V, state.mass * gravity_W.norm(), spec_.tilts);
  grounds_.resize(wheels_.size());
}

void VehicleHost::Impl::substep(double time, double dt) {
  time_ = time;
  if (!broken_.empty()) return;
  state_ = world_->rigid_state(body_);
  X_WV_ = state_.X_WB * spec_.X_BV;
  touch_ground();
  carry(dt);
  choose_plane();
  const Push push = drive(time, dt);
  const auto spins = vehicle_.wheels();
  if (!push.force_W.allFinite() || !push.torque_W.allFinite()) {
    broken_ = "the force of the ground";
  } else if (std::any_of(spins.begin(), spins.end(),
                         [](const WheelState& wheel) { return !std::isfinite(wheel.spin); })) {
    broken_ = "the spin of a wheel";
  }
  if (!broken_.empty()) {
    vehicle_.reset();
    std::fill(wheels_.begin(), wheels_.end(), WheelInWorld{});
    return;
  }
  world_->push(body_, push.force_W, push.torque_W);
  push_back();
}

void VehicleHost::Impl::touched(physics::BodyId other, int solid) {
  const bool ground = std::any_of(wheels_.begin(), wheels_.end(), [&](const WheelInWorld& wheel) {
    return wheel.ground.touches && wheel.ground.body == other && wheel.ground.solid == solid;
  });
  if (!ground) collided_ = true;
}

/// Which struts touch, where, and how far the ground presses them in.
void VehicleHost::Impl::touch_ground() {
  const Vec3 up_W = X_WV_.R * Vec3::UnitZ();
  Vec3 low_W = Vec3::Constant(std::numeric_limits<double>::infinity()), high_W = -low_W;
  centres_W_.clear();
  for (const Strut& strut : struts_) {
    const Vec3& p_W = centres_W_.emplace_back(X_WV_ * strut.position_V);
    const Vec3 around = Vec3::Constant(strut.radius + strut.travel);
    low_W = low_W.cwiseMin(p_W - around);
    high_W = high_W.cwiseMax(p_W + around);
  }
  world_->shapes_near(low_W, high_W, body_, surroundings_, shapes_);
  contacts_.clear();
  carriers_.clear();
  for (std::size_t i = 0; i < struts_.size(); ++i) {
    const Strut& strut = struts_[i];
    const bool wheel = i < wheels_.size();
    ProbeDisc disc;
    disc.centre_W = centres_W_[i];
    disc.up_W = up_W;
    const Vec2 heading_V = wheel ? vehicle_.wheels()[i].heading_V : Vec2::UnitX();
    disc.forward_W = X_WV_.R * Vec3(heading_V.x(), heading_V.y(), 0);
    disc.radius = strut.radius;
    disc.clearance = wheel ? 2 * strut.radius : struts_[0].radius;
    disc.reach = strut.droop();
    const auto contact = probe(*world_, shapes_, disc, memory_);
    if (wheel) wheels_[i] = {.compression = -disc.reach};
    if (!contact) continue;
    if (wheel) wheels_[i].compression = contact->lift;
    StrutContact& c = contacts_.emplace_back();
    c.strut = &strut;
    c.compression = contact->lift;
    c.arm_W = contact->point_W - state_.centre_W;
    // The wheel moves up and down only: the steeper the ground, the more it pushes back.
    c.push_W = contact->normal_W / std::max(contact->normal_W.dot(up_W), kSteepest);
    carriers_.push_back(
        {i,
         {true, contact->point_W, contact->normal_W, contact->shape->body, contact->shape->owner}});
  }
}

/// The forces of the struts; those that are slack touch nothing.
void VehicleHost::Impl::carry(double dt) {
  // The tyres push as in the last substep, as far as the struts can know.
  const Vec3 v_W = state_.v_W + dt * (gravity_W_ + tyres_.force_W / state_.mass);
  const Vec3 w_W = state_.w_W + dt * (state_.inverse_inertia_W * tyres_.torque_W);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    StrutContact& c = contacts_[k];
    const Vec3 ground_W =
        world_->point_velocity(carriers_[k].ground.body, carriers_[k].ground.point_W);
    carriers_[k].velocity_W = ground_W;
    c.rate = -c.push_W.dot(v_W + w_W.cross(c.arm_W) - ground_W);
  }
  solve_struts(contacts_, {1 / state_.mass, state_.inverse_inertia_W}, dt);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    if (!(contacts_[k].force > 0)) continue;
    contacts_[kept] = contacts_[k];
    carriers_[kept++] = carriers_[k];
  }
  contacts_.resize(kept);
  carriers_.resize(kept);
  for (std::size_t k = 0; k < kept; ++k) {
    const std::size_t i = carriers_[k].strut;
    if (i >= wheels_.size()) continue;
    wheels_[i].ground = carriers_[k].ground;
    wheels_[i].suspension_force = contacts_[k].force * contacts_[k].push_W.norm();
  }
}

/// The plane G along which the vehicle moves: across all that carries it.
void VehicleHost::Impl::choose_plane() {
  Vec3 normal_W = Vec3::Zero();
  plane_.velocity_W.setZero();
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    normal_W += contacts_[k].force * contacts_[k].push_W;
    plane_.velocity_W += carriers_[k].velocity_W;
  }
  plane_.grounded = !contacts_.empty();
  plane_.upright = contacts_.size() >= 3 && span_an_area(contacts_);
  if (plane_.grounded) plane_.velocity_W /= static_cast<double>(contacts_.size());
  const Vec3 up_W = X_WV_.R * Vec3::UnitZ();
  plane_.z_W = plane_.grounded ? Vec3(normal_W.normalized()) : up_W;
  const Vec3 forward_W = X_WV_.R * Vec3::UnitX();
  const Vec3 along_W = forward_W - plane_.z_W * plane_.z_W.dot(forward_W);
  plane_.x_W =
      along_W.squaredNorm() > 1e-6 ? Vec3(along_W.normalized()) : Vec3(plane_.z_W.unitOrthogonal());
  plane_.y_W = plane_.z_W.cross(plane_.x_W);
}

VehicleHost::Impl::Push VehicleHost::Impl::drive(double time, double dt) {
  // The rules of src/vehicle know motion in the plane alone. A vehicle on its wheels pitches and
  // rolls on its suspension, which is no slip; one that tips has the velocity of what touches.
  const double omega = plane_.z_W.dot(state_.w_W);
  const Vec2 origin = plane_.planar(X_WV_.p - state_.centre_W);
  const Vec2 v_centre = plane_.planar(state_.v_W);
  const Twist twist{v_centre.x() - omega * origin.y(), v_centre.y() + omega * origin.x(), omega};
  Push struts, push;
  for (const StrutContact& c : contacts_) struts.add(c.force * c.push_W, c.arm_W);
  const double whole = fill_grounds(twist);
  const Vec2 slope = whole * plane_.planar(gravity_W_);
  hold_yaw(slope, plane_.z_W.dot(struts.torque_W));
  const Vec3 gravity_G(slope.x(), slope.y(), plane_.z_W.dot(gravity_W_));
  const auto imposed = vehicle_.step({time, dt, gravity_G, grounds_});

  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const std::size_t i = carriers_[k].strut;
    if (i >= wheels_.size()) continue;
    const Vec2& force = vehicle_.wheels()[i].force_V;
    wheels_[i].force_W = force.x() * plane_.x_W + force.y() * plane_.y_W;
    Vec3 arm_W = contacts_[k].arm_W;
    if (!spec_.tilts) arm_W -= plane_.z_W * plane_.z_W.dot(arm_W);
    push.add(wheels_[i].force_W, arm_W);
  }
  push.force_W += struts.force_W;
  push.torque_W += struts.torque_W;
  if (imposed && plane_.grounded) {
    steer_to(*imposed, origin, dt, push);
  } else {
    damp(omega, dt, push);
  }
  tyres_ = {push.force_W - struts.force_W, push.torque_W - struts.torque_W};
  return push;
}

/// Returns by what gravity has to grow that the wheels hold the whole vehicle on a slope.
double VehicleHost::Impl::fill_grounds(const Twist& twist) {
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    const Vec2 velocity_V = velocity_at(twist, layout().wheels[i].planar());
    grounds_[i] = {velocity_V, layout().carried_mass(i), 0, {}, {}};
  }
  double force = 0, share = 0;
  std::size_t rolling = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const std::size_t i = carriers_[k].strut;
    if (i >= wheels_.size()) continue;
    ++rolling;
    force += contacts_[k].force;
    share += grounds_[i].mass;
  }
  // Wheels in the air leave their share to the others.
  const double taken_over = rolling < wheels_.size() ? state_.mass / share : 1;
  double moved = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const std::size_t i = carriers_[k].strut;
    if (i >= wheels_.size()) continue;
    WheelGround& ground = grounds_[i];
    if (!plane_.upright) {
      ground.velocity_V = plane_.planar(state_.v_W + state_.w_W.cross(contacts_[k].arm_W));
    }
    ground.velocity_V -= plane_.planar(carriers_[k].velocity_W);
    const bool equal = spec_.wheel_load == WheelLoad::kStatic;
    const double carried =
        equal ? ground.mass * taken_over : state_.mass * contacts_[k].force / force;
    ground.normal_load = equal ? carried * gravity_W_.norm() : wheels_[i].suspension_force;
    // While the vehicle tips, a force moves less than that, for it turns the vehicle, too.
    ground.mass = plane_.upright ? carried : std::min(carried, ground.mass);
    moved += ground.mass;
    wheels_[i].normal_load = ground.normal_load;
    const Vec3& p_W = carriers_[k].ground.point_W;
    ground.friction = regions_->friction_at(p_W);
    ground.rolling_resistance = regions_->rolling_resistance_at(p_W);
  }
  const double kept = plane_.upright && spec_.calm ? calm() : 1;
  const bool whole = plane_.upright && kept == 1;
  return moved > 0 && !whole ? state_.mass / (kept * moved) : 1;
}

/// Each wheel stops the sideways motion of its own share as if the others did nothing. Of a vehicle
/// whose wheels reach far beyond its inertia all of them together would turn it the other way, more
/// in each step: they get a smaller share. Returns what they get of it; 1 for all vehicles that
/// MVSim's rules move calmly.
double VehicleHost::Impl::calm() {
  // Corrections of lateral speed and yaw rate in one step, as a matrix of both.
  double lateral = 0, mixed = 0, yaw = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const std::size_t i = carriers_[k].strut;
    if (i >= wheels_.size()) continue;
    const double mass = grounds_[i].mass;
    const double lever = vehicle_.wheels()[i].heading_V.dot(plane_.planar(contacts_[k].arm_W));
    lateral += mass;
    mixed += mass * lever;
    yaw += mass * lever * lever;
  }
  const double inverse_inertia = plane_.z_W.dot(state_.inverse_inertia_W * plane_.z_W);
  lateral /= state_.mass;
  mixed *= std::sqrt(inverse_inertia / state_.mass);
  yaw *= inverse_inertia;
  const double largest =
      (lateral + yaw + std::sqrt((lateral - yaw) * (lateral - yaw) + 4 * mixed * mixed)) / 2;
  if (!(largest > kCalm)) return 1;
  for (WheelGround& ground : grounds_) ground.mass /= largest;
  return 1 / largest;
}

/// Shares `torque`, by which the struts turn the vehicle in the plane, among the wheels, and that
/// of the slope on wheels that stand about something else than the centre of mass. What is held
/// still is held without turning.
void VehicleHost::Impl::hold_yaw(const Vec2& slope, double torque) {
  Vec2 middle = Vec2::Zero();
  double mass = 0, inertia = 0;
  const auto each_wheel = [&](const auto& look) {
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      const std::size_t i = carriers_[k].strut;
      if (i < wheels_.size()) look(grounds_[i], plane_.planar(contacts_[k].arm_W));
    }
  };
  each_wheel([&](const WheelGround& ground, const Vec2& arm) {
    middle += ground.mass * arm;
    mass += ground.mass;
    torque -= ground.mass * (arm.x() * slope.y() - arm.y() * slope.x());
  });
  if (mass > 0) middle /= mass;
  each_wheel([&](const WheelGround& ground, const Vec2& arm) {
    inertia += ground.mass * (arm - middle).squaredNorm();
  });
  if (!(inertia > 0)) return;
  each_wheel([&](WheelGround& ground, const Vec2& arm) {
    const Vec2 from_middle = arm - middle;
    ground.pull_V = torque / inertia * Vec2(-from_middle.y(), from_middle.x());
  });
}

/// Adds what makes speed along the plane and yaw rate v = (v + dt a) / (1 + dt damping).
void VehicleHost::Impl::damp(double omega, double dt, Push& push) const {
  const double linear = spec_.linear_damping / (1 + dt * spec_.linear_damping);
  const double angular = spec_.angular_damping / (1 + dt * spec_.angular_damping);
  const Vec3 momentum_W = state_.mass * (state_.v_W - plane_.velocity_W) +
                          dt * (push.force_W + state_.mass * gravity_W_);
  push.force_W -= linear * (momentum_W - plane_.z_W * plane_.z_W.dot(momentum_W));
  const double yaw_rate = omega + dt * plane_.z_W.dot(state_.inverse_inertia_W * push.torque_W);
  push.torque_W -= angular * yaw_rate * (state_.inverse_inertia_W.inverse() * plane_.z_W);
}

/// Makes the vehicle move with the twist in the plane at the end of the step.
void VehicleHost::Impl::steer_to(const Twist& twist, const Vec2& origin, double dt,
                                 Push& push) const {
  const Vec2 v = velocity_at(twist, -origin);
  const Vec3 wanted_W = v.x() * plane_.x_W + v.y() * plane_.y_W + plane_.velocity_W;
  const Vec3 missing_W =
      state_.mass * (wanted_W - state_.v_W) / dt - (push.force_W + state_.mass * gravity_W_);
  push.force_W += missing_W - plane_.z_W * plane_.z_W.dot(missing_W);
  const double omega = plane_.z_W.dot(state_.w_W + dt * (state_.inverse_inertia_W * push.torque_W));
  push.torque_W += (twist.omega - omega) / dt * (state_.inverse_inertia_W.inverse() * plane_.z_W);
}

/// What stands on something that moves pushes it.
void VehicleHost::Impl::push_back() const {
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const GroundContact& ground = carriers_[k].ground;
    if (!(world_->mass(ground.body) > 0)) continue;
    Vec3 force_W = contacts_[k].force * contacts_[k].push_W;
    const std::size_t i = carriers_[k].strut;
    if (i < wheels_.size()) force_W += wheels_[i].force_W;
    const Vec3 arm_W = ground.point_W - world_->rigid_state(ground.body).centre_W;
    world_->push(ground.body, -force_W, -arm_W.cross(force_W));
  }
}

}  // namespace protobeam
