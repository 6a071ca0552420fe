// What a device may hold on to in the physical world: its body, its joint, the other devices.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/math.h"
#include "base/motor_spec.h"

namespace protobeam {

/// The body that carries the device. S is the device's frame.
class BodyPort {
 public:
  virtual ~BodyPort() = default;
  virtual Pose X_WS() const = 0;
  virtual Vec3 v_WS() const = 0;       ///< m/s of S's origin, in W
  virtual Vec3 w_WS() const = 0;       ///< rad/s, in W
  virtual double mass() const = 0;     ///< kg of the whole body
  virtual Vec3 centre_W() const = 0;   ///< m, of that mass
  virtual Mat3 inertia_W() const = 0;  ///< kg m^2, about that centre; zero where it is not dynamic
  virtual bool is_dynamic() const = 0;  ///< else forces have no effect
  // For the substep that is about to start; only in DeviceModel::before_substep.
  virtual void apply_force(const Vec3& force_W, const Vec3& point_W) = 0;  ///< N at a point, m
  virtual void apply_torque(const Vec3& torque_W) = 0;                     ///< N m
  /// Pushes as it takes to give S's origin and the body these, m/s^2 and rad/s^2, were it free.
  virtual void accelerate(const Vec3& a_WS, const Vec3& alpha_WS) {}

  /// Likewise with all that joints and links hold on the body, as one rigid thing; no effect where
  /// something holds it.
  virtual void accelerate_assembly(const Vec3& a_WS, const Vec3& alpha_WS) {}

  /// physics::BodyId; -1: the static world.
  virtual int body() const { return -1; }
  /// The surface of the device's own boundingObject runs along belt_S x outward normal, m/s.
  virtual void set_belt(const Vec3& belt_S) {}

  // Between steps (DeviceModel::before_step, after_step): rigid links to other bodies.
  /// Locks `other_body` to this one as they are now. -1: neither of them yields.
  virtual int link(int other_body) { return -1; }
  virtual void unlink(int link) {}
  /// N that the link exerted on this body, averaged over the last step.
  virtual Vec3 link_force_W(int link) const { return Vec3::Zero(); }
  /// Puts S there, and with the body all that joints and links hold on it. False: it is held.
  virtual bool move_to(const Pose& X_WS) { return false; }
};

/// The axis of the joint that the device stands in. Set-points hold until the next one. Values that
/// are not finite are ignored, except the position +inf (velocity control).
class JointPort {
 public:
  virtual ~JointPort() = default;
  virtual bool linear() const = 0;     ///< a SliderJoint: m and N; else rad and N m
  virtual double position() const = 0;
  virtual double velocity() const = 0;
  virtual double motor_effort() const = 0;  ///< N or N m, applied in the last step
  /// The axis has no motor before; only in DeviceModel::attach.
  virtual void add_motor(const MotorSpec& spec) = 0;
  virtual void set_motor_position(double target) = 0;
  virtual void set_motor_velocity(double velocity) = 0;
  virtual void set_motor_acceleration(double acceleration) = 0;
  virtual void set_motor_effort(double effort) = 0;
  virtual void set_motor_available_effort(double effort) = 0;
  virtual void set_motor_pid(double p, double i, double d) = 0;
  /// Those of velocity, effort and position, for the commands from now on.
  virtual void set_motor_limits(const MotorSpec& spec) {}
  virtual void set_brake(double damping_constant) = 0;
  /// Of a device's own axis (DeviceType::own_axis): what its motor works against, N or N m, and the
  /// thrust that it makes by that, N.
  virtual void set_load(double effort, double thrust) {}
  virtual std::optional<double> thrust() const { return std::nullopt; }
  /// The most that this motor exerts; 0 without one.
  virtual double most_load() const { return 0; }
};

/// Where a device of a type that declares `moves_robot` has to be.
struct ImposedMotion {
  Pose X_WS;
  Vec3 v_WS = Vec3::Zero(), w_WS = Vec3::Zero();  ///< of S's origin, in W
};

/// What a device sends to others within a step.
struct Signal {
  std::string medium;           ///< "radio", "infra-red", ...; receivers pick theirs
  Pose X_WS;                    ///< of the sender; the simulation fills it in
  std::vector<double> numbers;  ///< as sender and receiver agree
  std::string bytes;
};

/// A contact of the body that carries the device.
struct BodyContact {
  int other_body = -1;   ///< physics::BodyId; -1: the static world
  int other_solid = -1;  ///< index in WorldModel::solids; -1: none
  bool own_solid = true;  ///< the device's own boundingObject touches, not another of its body's
};

class DeviceModel;

/// The other devices of the device's robot.
class RobotPort {
 public:
  virtual ~RobotPort() = default;
  /// By its tag, from 1 in the order of the world's text; null when there is none.
  virtual DeviceModel* device(int tag) const = 0;
  /// The axis on which that device stands; null when it stands on none.
  virtual const JointPort* axis(int tag) const = 0;
  /// Its last sample; empty while it is not enabled, and for who does not declare Input::kOtherSamples:
  /// it may be at work on it.
  virtual std::span<const std::byte> sample(int tag) const = 0;
};

/// What a device may know for its life; handed over once, before the first step.
struct DeviceContext {
  BodyPort* body = nullptr;    ///< lives as long as the device
  JointPort* joint = nullptr;  ///< or its own axis; else null; lives as long as the device
  const RobotPort* robot = nullptr;  ///< null outside of robots; lives as long as the device
  /// The first of those that DeviceType::coupled_by_name couples to it; null for that one. It has
  /// been attached.
  const DeviceModel* leader = nullptr;
  /// For each field in DeviceType::motors the tags of the motors that it names.
  std::vector<std::vector<int>> motors;
  bool geodetic = false;       ///< the world has geodetic coordinates
  Vec3 north_W = Vec3::UnitY();    ///< unit; WorldInfo.coordinateSystem and gpsRotation
  bool north_up_east = false;      ///< WorldInfo.coordinateSystem is "NUE"
  double basic_time_step = 0.032;  ///< s
};

}  // namespace protobeam
