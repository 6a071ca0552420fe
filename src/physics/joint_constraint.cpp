#include "physics/joint_constraint.h"

#include <algorithm>
#include <cmath>

namespace protobeam::physics {
namespace {

/// First column along v.
Mat3 basis_along(const Vec3& v) {
  const double length = v.norm();
  Mat3 basis;
  basis.col(0) = length > 0 ? Vec3(v / length) : Vec3::UnitX();
  basis.col(1) = basis.col(0).unitOrthogonal();
  basis.col(2) = basis.col(0).cross(basis.col(1));
  return basis;
}

void write(btScalar* where, const Vec3& v) {
  for (int i = 0; i < 3; ++i) where[i] = v[i];
}

}  // namespace

JointConstraint::JointConstraint(const JointSpec& spec, btRigidBody& a, const Pose& X_AP,
                                 btRigidBody& b, const Pose& X_BC)
    : btTypedConstraint(D6_CONSTRAINT_TYPE, a, b),
      kinematics_(spec),
      X_AP_(X_AP),
      X_BC_(X_BC),
      suspended_((spec.kind == JointKind::kHinge || spec.kind == JointKind::kHinge2) &&
                 spec.pitch == 0 && (spec.suspension_spring > 0 || spec.suspension_damping > 0)),
      suspension_spring_(spec.suspension_spring),
      suspension_damping_(spec.suspension_damping),
      suspension_axis_P_(spec.suspension_axis_P.normalized()) {
  for (int i = 0; i < 3; ++i) {
    axes_[i].spec = spec.axes[i];
    axes_[i].position = spec.axes[i].position;
  }
  measure();
}

void JointConstraint::measure() {
  X_WP_ = from_bullet(m_rbA.getWorldTransform()) * X_AP_;
  X_WC_ = from_bullet(m_rbB.getWorldTransform()) * X_BC_;
  const Pose X_PC = X_WP_.inverse() * X_WC_;
  JointPositions q;
  for (int i = 0; i < 3; ++i) q[i] = axes_[i].position;
  q = kinematics_.positions(X_PC, q);
  for (int i = 0; i < kinematics_.axis_count(); ++i) axes_[i].position = q[i];

  anchor_W_ = X_WC_ * kinematics_.anchor_C();
  basis_W_ = kinematics_.measures_distance()
                 ? basis_along(anchor_W_ - X_WP_ * kinematics_.anchor_P())
                 : Mat3(X_WP_.R.toRotationMatrix() * kinematics_.basis_P(q));
  from_a_ = anchor_W_ - from_bullet(m_rbA.getWorldTransform().getOrigin());
  from_b_ = anchor_W_ - from_bullet(m_rbB.getWorldTransform().getOrigin());

  const Vec3 w_A = from_bullet(m_rbA.getAngularVelocity());
  const Vec3 w_B = from_bullet(m_rbB.getAngularVelocity());
  const Vec3 motion = kinematics_.translates()
                          ? Vec3(from_bullet(m_rbB.getLinearVelocity()) + w_B.cross(from_b_) -
                                 from_bullet(m_rbA.getLinearVelocity()) - w_A.cross(from_a_))
                          : Vec3(w_B - w_A);
  const Vec3 rates = basis_W_.inverse() * motion;
  for (int i = 0; i < kinematics_.axis_count(); ++i) axes_[i].velocity = rates[i];
}

JointConstraint::Row JointConstraint::linear_row(const Vec3& n_W) const {
  Row row;
  row.linear = n_W;
  row.angular_a = from_a_.cross(n_W);
  row.angular_b = from_b_.cross(n_W);
  return row;
}

JointConstraint::Row JointConstraint::angular_row(const Vec3& dual_W) {
  Row row;
  row.angular_a = row.angular_b = dual_W;
  return row;
}

void JointConstraint::add_locks() {
  const double per_second = erp_ / h_;
  const Mat3 dual_W = basis_W_.inverse();
  const auto lock = [&](int slot, Row row, double error) {
    row.slot = kLocks + slot;
    row.velocity = -per_second * error;
    row.lock = true;
    rows_.push_back(row);
  };

  if (kinematics_.measures_distance()) {
    const Axis& axis = axes_[0];
    if (axis.spec.min_stop == axis.spec.max_stop)
      lock(0, linear_row(basis_W_.col(0)), axis.position - axis.spec.max_stop);
    return;
  }
  const Vec3 apart_W = anchor_W_ - X_WP_ * kinematics_.anchor_P();
  Mat3 directions_W = basis_W_;
  int first = 0;
  if (kinematics_.translates()) {
    first = 1;
  } else if (suspended_) {
    directions_W.col(0) = X_WP_.R * suspension_axis_P_;
    directions_W.col(1) = directions_W.col(0).unitOrthogonal();
    directions_W.col(2) = directions_W.col(0).cross(directions_W.col(1));
    Row row = linear_row(directions_W.col(0));
    row.slot = kLocks;
    row.spring = suspension_spring_;
    row.damping = suspension_damping_;
    row.stretch = directions_W.col(0).dot(apart_W);
    rows_.push_back(row);
    first = 1;
  } else if (kinematics_.pitch() != 0) {
    Row row = linear_row(directions_W.col(0));
    row.angular_a -= kinematics_.pitch() * directions_W.col(0);
    row.angular_b -= kinematics_.pitch() * directions_W.col(0);
    lock(0, row, directions_W.col(0).dot(apart_W) - kinematics_.pitch() * axes_[0].position);
    first = 1;
  } else {
    directions_W.setIdentity();
  }
  for (int i = first; i < 3; ++i)
    lock(i, linear_row(directions_W.col(i)), directions_W.col(i).dot(apart_W));

  JointPositions q;
  for (int i = 0; i < 3; ++i) q[i] = axes_[i].position;
  const Vec3 error_W = X_WP_.R * kinematics_.rotation_error_P(X_WP_.inverse() * X_WC_, q);
  const int first_locked = kinematics_.translates() ? 0 : kinematics_.axis_count();
  for (int i = first_locked; i < 3; ++i)
    lock(3 + i, angular_row(dual_W.row(i)), dual_W.row(i).dot(error_W));
}

void JointConstraint::add_axis_rows(int i, const Row& along) {
  Axis& axis = axes_[i];
  const JointAxis& spec = axis.spec;
  const auto add = [&](int slot, double velocity, double lower, double upper) -> Row& {
    Row& row = rows_.emplace_back(along);
    row.slot = kAxes + i * kPerAxis + slot;
    row.velocity = velocity;
    row.lower = lower;
    row.upper = upper;
    return row;
  };

  const double damping = spec.damping_constant + axis.brake;
  if (spec.spring_constant > 0 || damping > 0) {
    Row& row = add(kSpring, 0, -kUnlimited, kUnlimited);
    row.spring = spec.spring_constant;
    row.damping = damping;
    row.stretch =
        axis.position - (kinematics_.measures_distance() ? spec.max_stop : spec.spring_reference);
  }
  // What drives to a velocity does so in the row that friction would brake in: the greater of the
  // two limits counts (Webots, WbHingeJoint::prePhysicsStep).
  const double friction = spec.static_friction * h_;
  if (axis.motor && !axis.motor->effort()) {
    const double most = std::max(friction, axis.motor->available_effort() * h_);
    add(kMotor, axis.motor->velocity(), -most, most);
  } else {
    if (friction > 0) add(kFriction, 0, -friction, friction);
    if (axis.motor) add(kMotor, 0, *axis.motor->effort() * h_, *axis.motor->effort() * h_);
  }
  if (spec.min_stop != spec.max_stop) {
    // A stop that is still apart lets the joint reach it within the substep, no further.
    const double reach = 0.1 + 2 * std::abs(axis.velocity) * h_;
    const auto wanted = [&](double apart, bool beyond) { return apart * (beyond ? erp_ : 1) / h_; };
    const double below = spec.min_stop - axis.position, above = spec.max_stop - axis.position;
    if (below > -reach) add(kMinStop, wanted(below, below > 0), 0, kUnlimited);
    if (above < reach) add(kMaxStop, wanted(above, above < 0), -kUnlimited, 0);
  }
  // Below half of the limit a substep does not go beyond it, or the next one takes that back.
  if (2 * std::abs(axis.velocity) > spec.max_velocity) {
    const bool forward = axis.velocity > 0;
    add(kMaxVelocity, forward ? spec.max_velocity : -spec.max_velocity, forward ? -kUnlimited : 0,
        forward ? 0 : kUnlimited);
  }
}

double JointConstraint::coupling(const Row& row, const Row& other) const {
  const auto angular = [](const btRigidBody& body, const Vec3& u, const Vec3& v) {
    return to_bullet(u).dot(body.getInvInertiaTensorWorld() * to_bullet(v));
  };
  return (m_rbA.getInvMass() + m_rbB.getInvMass()) * row.linear.dot(other.linear) +
         angular(m_rbA, row.angular_a, other.angular_a) +
         angular(m_rbB, row.angular_b, other.angular_b);
}

// Rows of one joint that push each other make the solver's sweeps converge slowly, or not at all
// for a light body on a long arm. What is locked stays locked if rows are exchanged for sums of
// rows: so every lock is made independent of those before it, and the axes of all locks. An axis
// row keeps its impulse's meaning, since locks do no work.
void JointConstraint::decouple() {
  std::array<const Row*, 6> locks{};
  std::array<double, 6> mobility{};
  int count = 0;
  const auto remove_locks = [&](Row& row) {
    for (int i = 0; i < count; ++i) {
      const double share = coupling(row, *locks[i]) / mobility[i];
      row.linear -= share * locks[i]->linear;
      row.angular_a -= share * locks[i]->angular_a;
      row.angular_b -= share * locks[i]->angular_b;
      row.velocity -= share * locks[i]->velocity;
    }
  };
  for (Row& row : rows_) {
    if (!row.lock) continue;
    remove_locks(row);
    locks[count] = &row;
    mobility[count++] = coupling(row, row);
  }
  for (Row& row : rows_)
    if (!row.lock) remove_locks(row);
  for (Row& row : rows_) soften(row);
}

// Spring and damper as a velocity row (Catto, "Soft Constraints", GDC 2011). The damper acts on the
// new velocity. So does a stiff spring, to be stable; a soft one acts where it is (symplectic
// Euler), so that it loses no energy.
void JointConstraint::soften(Row& row) const {
  if (!(row.spring > 0) && !(row.damping > 0)) return;
  const bool stiff = h_ * h_ * row.spring * coupling(row, row) > 1;
  const double resistance = row.damping + (stiff ? h_ * row.spring : 0);
  if (resistance > 0) {
    row.softness = 1 / (h_ * resistance);
    row.velocity -= row.spring * row.stretch / resistance;
  } else {
    row.lower = row.upper = -h_ * row.spring * row.stretch;
  }
}

void JointConstraint::getInfo1(btConstraintInfo1* info) {
  measure();
  rows_.clear();
  add_locks();
  const Mat3 dual_W = basis_W_.inverse();
  for (int i = 0; i < kinematics_.axis_count(); ++i) {
    const Vec3 direction_W = dual_W.row(i);
    add_axis_rows(i, kinematics_.translates() ? linear_row(direction_W) : angular_row(direction_W));
  }
  decouple();
  info->m_numConstraintRows = row_count();
  info->nub = 0;
}

void JointConstraint::getInfo2(btConstraintInfo2* info) {
  for (int i = 0; i < row_count(); ++i) {
    const Row& row = rows_[i];
    const int at = i * info->rowskip;
    write(info->m_J1linearAxis + at, -row.linear);
    write(info->m_J1angularAxis + at, -row.angular_a);
    write(info->m_J2linearAxis + at, row.linear);
    write(info->m_J2angularAxis + at, row.angular_b);
    info->m_constraintError[at] = row.velocity;
    info->cfm[at] = row.softness;
    info->m_lowerLimit[at] = row.lower;
    info->m_upperLimit[at] = row.upper;
  }
}

void JointConstraint::keep_impulses(const btSolverConstraint* rows) {
  impulses_.fill(0);
  impulse_W_.setZero();
  for (int i = 0; i < row_count(); ++i) {
    impulses_[rows_[i].slot] = rows[i].m_appliedImpulse;
    impulse_W_ += rows[i].m_appliedImpulse * rows_[i].linear;
  }
}

void JointConstraint::add_up_motors() {
  for (int i = 0; i < kinematics_.axis_count(); ++i)
    axes_[i].motor_impulse += impulses_[kAxes + i * kPerAxis + kMotor];
  step_impulse_W_ += impulse_W_;
}

}  // namespace protobeam::physics
