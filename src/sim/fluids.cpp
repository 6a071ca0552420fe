#include "sim/fluids.h"

#include <algorithm>
#include <cmath>

namespace protobeam {

bool Fluid::Basin::contains(const Vec3& p_W) const {
  const Vec3 p_F = X_WF.inverse() * p_W;
  return (p_F.array() >= min_F.array()).all() && (p_F.array() <= max_F.array()).all();
}

namespace {

HalfSpace seen_from(const Pose& X_SW, const HalfSpace& surface_W) {
  const Vec3 normal = X_SW.R * surface_W.normal;
  return {normal, surface_W.offset + normal.dot(X_SW.p)};
}

/// By how much a resistance has to be less, so that it does not turn the motion round in `dt`.
double tamed(double motion, double change) { return change > motion ? motion / change : 1; }

}  // namespace

void Fluids::push(physics::World& world, const Vec3& gravity_W, double dt) const {
  for (const Immersed& solid : solids_) {
    for (const Fluid& fluid : fluids_) {
      if (fluid.name == solid.fluid) push(world, gravity_W, dt, solid, fluid);
    }
  }
}

void Fluids::push(physics::World& world, const Vec3& gravity_W, double dt, const Immersed& solid,
                  const Fluid& fluid) const {
  const physics::RigidState body = world.rigid_state(solid.body);
  const Pose X_WS = body.X_WB * solid.X_BS;
  const Mat3 R_WS = X_WS.R.toRotationMatrix();
  for (const physics::CollisionShape& shape : solid.shapes) {
    for (const Fluid::Basin& basin : fluid.basins) {
      const Pose X_SC = solid.X_BS.inverse() * shape.X_BS;
      const Immersion wet =
          immersion(*shape.geometry, X_SC, seen_from(X_WS.inverse(), basin.surface));
      if (!(wet.volume > 0)) continue;
      const Vec3 centre_W = X_WS * wet.centre;
      if (!basin.contains(centre_W)) continue;
      const Vec3 arm_W = centre_W - body.centre_W;
      const Vec3 v_W = body.v_W + body.w_W.cross(arm_W) - fluid.stream_W;
      const Vec3 w_W = body.w_W;

      Vec3 drag_W, torque_W;
      if (solid.projected) {
        const Vec3 v_S = R_WS.transpose() * v_W, w_S = R_WS.transpose() * w_W;
        const Vec3& area = wet.projected_area;
        Vec3 drag_S, torque_S;
        for (int i = 0; i < 3; ++i) {
          drag_S[i] = -solid.drag[i] * fluid.density * std::abs(v_S[i]) * v_S[i] * area[i];
          torque_S[i] = -solid.drag_torque[i] * fluid.density * std::abs(w_S[i]) * w_S[i] *
                        (area[(i + 1) % 3] + area[(i + 2) % 3]);
        }
        drag_W = R_WS * drag_S;
        torque_W = R_WS * torque_S;
      } else {
        drag_W = -solid.drag.x() * fluid.density * v_W.norm() * wet.area * v_W;
        torque_W = -solid.drag_torque.x() * fluid.density * w_W.norm() * wet.area * w_W;
      }
      const double share = wet.full_area > 0 ? wet.area / wet.full_area : 0;
      drag_W -= share * fluid.viscosity * solid.viscous_force * v_W;
      torque_W -= share * fluid.viscosity * solid.viscous_torque * w_W;
      drag_W *= tamed(v_W.norm(), drag_W.norm() * dt / body.mass);
      torque_W *= tamed(w_W.norm(), (body.inverse_inertia_W * torque_W).norm() * dt);

      const Vec3 force_W = drag_W - fluid.density * wet.volume * gravity_W;
      world.push(solid.body, force_W, torque_W + arm_W.cross(force_W));
    }
  }
}

}  // namespace protobeam
