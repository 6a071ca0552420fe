// Bodies and joints as devices reach them.
#pragma once

#include "device/ports.h"
#include "physics/world.h"

namespace protobeam {

class WorldBodyPort final : public BodyPort {
 public:
  /// X_BS: the device in the body; in the world for kWorldBody. `solid` is the device's own, whose
  /// boundingObject belongs to `surface`: its body, or the static one that others bump into.
  WorldBodyPort(physics::World& world, physics::BodyId body, const Pose& X_BS, bool dynamic,
                int solid = -1, physics::BodyId surface = physics::kWorldBody)
      : world_(world),
        body_(body),
        X_BS_(X_BS),
        dynamic_(dynamic),
        solid_(solid),
        surface_(surface) {}

  Pose X_WS() const override;
  Vec3 v_WS() const override;
  Vec3 w_WS() const override;
  double mass() const override;
  Vec3 centre_W() const override;
  Mat3 inertia_W() const override;
  bool is_dynamic() const override { return dynamic_; }
  void apply_force(const Vec3& force_W, const Vec3& point_W) override;
  void apply_torque(const Vec3& torque_W) override;
  void accelerate(const Vec3& a_WS, const Vec3& alpha_WS) override;
  void accelerate_assembly(const Vec3& a_WS, const Vec3& alpha_WS) override;
  int body() const override { return body_; }
  void set_belt(const Vec3& belt_S) override;
  int link(int other_body) override {
    return world_.link(other_body, body_ == physics::kWorldBody ? surface_ : body_);
  }
  void unlink(int link) override { world_.unlink(link); }
  Vec3 link_force_W(int link) const override { return world_.link_force(link); }
  bool move_to(const Pose& X_WS) override;
  /// The device stands elsewhere now.
  void place(const Pose& X_BS) { X_BS_ = X_BS; }

 private:
  physics::World& world_;
  physics::BodyId body_;
  Pose X_BS_;
  bool dynamic_;
  int solid_;
  physics::BodyId surface_;
};

struct Device;

class WorldRobotPort final : public RobotPort {
 public:
  /// All devices of the robot, which stay where they are until follow() says where they are now.
  WorldRobotPort(std::span<const Device> devices, bool reads_samples)
      : devices_(devices), reads_samples_(reads_samples) {}
  void follow(std::span<const Device> devices) { devices_ = devices; }
  DeviceModel* device(int tag) const override;
  const JointPort* axis(int tag) const override;
  std::span<const std::byte> sample(int tag) const override;

 private:
  const Device* find(int tag) const;

  std::span<const Device> devices_;
  bool reads_samples_;
};

class WorldJointPort final : public JointPort {
 public:
  WorldJointPort(physics::World& world, physics::JointId joint, int axis, bool linear)
      : world_(world), joint_(joint), axis_(axis), linear_(linear) {}

  bool linear() const override { return linear_; }
  double position() const override { return world_.joint_position(joint_, axis_); }
  double velocity() const override { return world_.joint_velocity(joint_, axis_); }
  double motor_effort() const override { return world_.motor_effort(joint_, axis_); }
  void add_motor(const MotorSpec& spec) override { world_.add_motor(joint_, axis_, spec); }
  void set_motor_position(double target) override {
    world_.set_motor_position(joint_, axis_, target);
  }
  void set_motor_velocity(double velocity) override {
    world_.set_motor_velocity(joint_, axis_, velocity);
  }
  void set_motor_acceleration(double acceleration) override {
    world_.set_motor_acceleration(joint_, axis_, acceleration);
  }
  void set_motor_effort(double effort) override { world_.set_motor_effort(joint_, axis_, effort); }
  void set_motor_available_effort(double effort) override {
    world_.set_motor_available_effort(joint_, axis_, effort);
  }
  void set_motor_pid(double p, double i, double d) override {
    world_.set_motor_pid(joint_, axis_, p, i, d);
  }
  void set_motor_limits(const MotorSpec& spec) override {
    world_.set_motor_limits(joint_, axis_, spec);
  }
  void set_brake(double damping_constant) override {
    world_.set_brake(joint_, axis_, damping_constant);
  }

 private:
  physics::World& world_;
  physics::JointId joint_;
  int axis_;
  bool linear_;
};

}  // namespace protobeam
