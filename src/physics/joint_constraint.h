// A joint between two of Bullet's bodies, any kind: the rows that lock it and, for each axis, those
// of its motor, spring, friction and stops.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "physics/bullet.h"
#include "physics/joint_kinematics.h"
#include "physics/motor.h"

namespace protobeam::physics {

class JointConstraint : public btTypedConstraint {
 public:
  struct Axis {
    JointAxis spec;
    std::optional<Motor> motor;
    double brake = 0;
    double position = 0, velocity = 0;
    double motor_impulse = 0;  ///< N s or N m s, of this step

    void visit_state(StateArchive& archive) {
      if (motor) motor->visit_state(archive);
      archive(brake, position, velocity, motor_impulse);
    }
  };

  /// X_AP: the parent's frame in Bullet's body A; X_BC: the child's in B.
  JointConstraint(const JointSpec& spec, btRigidBody& a, const Pose& X_AP, btRigidBody& b,
                  const Pose& X_BC);

  Axis& axis(int i) { return axes_[i]; }
  const Axis& axis(int i) const { return axes_[i]; }
  const JointKinematics& kinematics() const { return kinematics_; }

  /// Positions and velocities of the axes as the bodies are now.
  void measure();
  /// How the next rows are made: substep, and the fraction of an error to remove in it.
  void set_rules(double h, double erp) { h_ = h, erp_ = erp; }

  /// After a substep. While the bodies sleep, motors hold them as they did last.
  void add_up_motors();

  /// A step begins: its impulse is zero.
  void start_step() { step_impulse_W_.setZero(); }
  /// N s that all rows have made on B in the substeps that add_up_motors() has added up.
  const Vec3& step_impulse_W() const { return step_impulse_W_; }

  // For the solver. The entry `cfm` of a row is its whole softness: velocity per impulse.
  int row_count() const { return static_cast<int>(rows_.size()); }
  void keep_impulses(const btSolverConstraint* rows);

  void getInfo1(btConstraintInfo1* info) override;
  void getInfo2(btConstraintInfo2* info) override;
  void setParam(int, btScalar, int) override {}
  btScalar getParam(int, int) const override { return 0; }

  void visit_state(StateArchive& archive) { archive(axes_, impulses_, impulse_W_, step_impulse_W_); }

 private:
  // Where a row's impulse is kept from substep to substep.
  enum Slot {
    kLocks = 0,
    kAxes = 6,
    kMotor = 0,
    kSpring,
    kFriction,
    kMinStop,
    kMaxStop,
    kMaxVelocity,
    kPerAxis
  };

  struct Row {
    int slot = 0;
    Vec3 linear = Vec3::Zero();  ///< direction of B's motion, seen from A, in W
    Vec3 angular_a = Vec3::Zero(), angular_b = Vec3::Zero();
    double velocity = 0;                             ///< wanted
    double softness = 0;                             ///< velocity per impulse
    double lower = -kUnlimited, upper = kUnlimited;  ///< N s
    bool lock = false;                               ///< rigid, both ways
    double spring = 0, damping = 0, stretch = 0;  ///< if any: decides the four above, see soften()
  };

  Row linear_row(const Vec3& n_W) const;
  static Row angular_row(const Vec3& dual_W);
  void add_locks();
  void add_axis_rows(int i, const Row& along);
  void decouple();
  void soften(Row& row) const;
  /// How much velocity along `row` an impulse along `other` makes.
  double coupling(const Row& row, const Row& other) const;

  JointKinematics kinematics_;
  std::array<Axis, 3> axes_;
  Pose X_AP_, X_BC_;
  bool suspended_;
  double suspension_spring_, suspension_damping_;
  Vec3 suspension_axis_P_;
  double h_ = 0.001, erp_ = 0.2;

  Pose X_WP_, X_WC_;
  Mat3 basis_W_;          ///< see JointKinematics::basis_P
  Vec3 anchor_W_;         ///< of the child
  Vec3 from_a_, from_b_;  ///< from the bodies' centres to anchor_W_
  std::vector<Row> rows_;
  std::array<double, kAxes + 3 * kPerAxis> impulses_{};
  Vec3 impulse_W_ = Vec3::Zero();  ///< N s on B, of the last substep in which it did not sleep
  Vec3 step_impulse_W_ = Vec3::Zero();
};

}  // namespace protobeam::physics
