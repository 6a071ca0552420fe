// What a VehicleHost is made of. For vehicle_host.cpp and vehicle_substep.cpp only.
#pragma once

#include <string>
#include <vector>

#include "sim/vehicle/suspension.h"
#include "sim/vehicle/vehicle_host.h"
#include "sim/vehicle/wheel_probe.h"

namespace protobeam {

class VehicleHost::Impl {
 public:
  Impl(VehicleSpec spec, Vehicle vehicle);

  const VehicleLayout& layout() const { return vehicle_.layout(); }
  void attach(physics::World& world, physics::BodyId body, const Vec3& gravity_W,
              const PropertyRegions& regions);
  void substep(double time, double dt);
  void touched(physics::BodyId other, int solid);
  void visit_state(StateArchive& archive) {
    archive(vehicle_);
    archive.fixed(wheels_);
    archive(time_, collided_, broken_, tyres_);
  }

  VehicleSpec spec_;
  Vehicle vehicle_;
  physics::World* world_ = nullptr;
  physics::BodyId body_ = physics::kWorldBody;
  std::vector<WheelInWorld> wheels_;
  double time_ = 0;
  bool collided_ = false;
  std::string broken_;

 private:
  struct Push {
    Vec3 force_W = Vec3::Zero(), torque_W = Vec3::Zero();  ///< about the centre of mass

    void visit_state(StateArchive& archive) { archive(force_W, torque_W); }

    void add(const Vec3& f_W, const Vec3& arm_W) {
      force_W += f_W;
      torque_W += arm_W.cross(f_W);
    }
  };
  /// The plane G along which the vehicle moves.
  struct Plane {
    Vec3 x_W, y_W, z_W;
    Vec3 velocity_W;        ///< of the ground
    bool grounded = false;  ///< something carries the vehicle
    bool upright = false;   ///< on an area: it cannot tip

    Vec2 planar(const Vec3& v_W) const { return {x_W.dot(v_W), y_W.dot(v_W)}; }
  };
  /// Which strut a contact is of, and what it stands on.
  struct Carrier {
    std::size_t strut;
    GroundContact ground;
    Vec3 velocity_W = Vec3::Zero();  ///< of the ground there
  };

  void touch_ground();
  void carry(double dt);
  void choose_plane();
  Push drive(double time, double dt);
  double fill_grounds(const Twist& twist);
  double calm();
  void hold_yaw(const Vec2& slope, double torque);
  void damp(double omega, double dt, Push& push) const;
  void steer_to(const Twist& twist, const Vec2& origin, double dt, Push& push) const;
  void push_back() const;

  Vec3 gravity_W_ = Vec3::Zero();
  const PropertyRegions* regions_ = nullptr;
  std::vector<Strut> struts_;  ///< of the wheels, then of the supports

  // Of the substep.
  physics::RigidState state_;
  Pose X_WV_;
  Plane plane_;
  Push tyres_;  ///< of the last one: all but the struts
  physics::Surroundings surroundings_;
  std::vector<physics::NearShape> shapes_;
  std::vector<Vec3> centres_W_;  ///< of struts
  ProbeMemory memory_;
  std::vector<StrutContact> contacts_;
  std::vector<Carrier> carriers_;  ///< of each contact
  std::vector<WheelGround> grounds_;
};

}  // namespace protobeam
