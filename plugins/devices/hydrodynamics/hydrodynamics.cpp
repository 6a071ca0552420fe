// Hydrodynamics: added mass and damping of a body in water (T. I. Fossen, "Guidance and Control of
// Ocean Vehicles", Wiley 1994, 2.4; gz-sim, Hydrodynamics).
//
// All is in the Solid S that it stands in: nu = (v, w) is the velocity of S's origin relative to
// the current and the angular velocity of the body. The water exerts at that origin
//
//   -MA d(nu)/dt - C(MA, nu) nu - D nu,   D = DL + DQ |nu|
//
// with the added mass MA, the linear damping DL, the quadratic damping DQ, whose columns count with
// the magnitudes of nu, and, unless `coriolis` is FALSE,
//
//   C(M, nu) nu = ( w x a, v x a + w x b ),  (a, b) = M nu.
//
// The water is there wherever the body is; what carries it is a Fluid.
//
// Added mass may be greater than the body's: a force by the acceleration of the last substep would
// diverge. So each substep finds the velocity nu' at its end of the body and its water together,
// T = M + MA with the inertia M of the body, and pushes as it takes the body to get there:
//
//   T (nu* - nu) = -dt C(T, m) m,  m = (nu + nu*) / 2,   which keeps the kinetic energy as it is,
//   (T + D dt) nu' = T nu* + F dt,                       which never adds to it without F.
//
// F is what others exert on the body. It is not known before the substep: it is what they exerted
// in the one before, as the change of the velocities tells. Two Hydrodynamics on one body are
// others to each other: they are stable where the damping of a substep, D dt, is less than M.
#include <Eigen/Dense>
#include <string>
#include <utility>
#include <vector>

#include "base/state_archive.h"
#include "device/plugin.h"
#include "vehicle/require.h"

namespace protobeam {
namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

constexpr int kRounds = 3;  // of an iteration whose error falls with dt each time

DeviceType declaration() {
  using enum FieldType;
  return {
      .node =
          {"Hydrodynamics",
           "BodyDevice",
           "Added mass and damping of the water around the body that it stands in.",
           {{"addedMass",
             kMFFloat,
             "[ ]",
             "kg, kg m, kg m^2",
             {},
             "Along x, y and z of the Solid around, and about them through its origin: 6 numbers, "
             "or 36 by rows; empty: none"},
            {"linearDamping",
             kMFFloat,
             "[ ]",
             "N s/m, N s, N m s",
             {},
             "Force and torque by velocity and angular velocity, likewise"},
            {"quadraticDamping",
             kMFFloat,
             "[ ]",
             "N s^2/m^2, N s^2, N m s^2",
             {},
             "By their squares, likewise"},
            {"coriolis", kBool, "TRUE", "", {}, "Whether added mass has Coriolis forces"},
            {"current", kVec3f, "0 0 0", "m/s", {}, "Of the water, world frame"}}},
      .forces = true,
  };
}

Mat6 matrix(const Fields& fields, const char* field) {
  const std::vector<double> numbers = fields.numbers(field);
  require(numbers.empty() || numbers.size() == 6 || numbers.size() == 36, "field '", field,
          "' of Hydrodynamics must have 6 or 36 numbers");
  Mat6 out = Mat6::Zero();
  const std::size_t stride = numbers.size() == 6 ? 7 : 1;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto place = static_cast<Eigen::Index>(i * stride);
    out(place / 6, place % 6) = numbers[i];
  }
  require(out.diagonal().minCoeff() >= 0, "field '", field,
          "' of Hydrodynamics must not be negative along or about an axis: it is what resists");
  return out;
}

Mat3 cross(const Vec3& v) {
  Mat3 out;
  out << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return out;
}

Vec6 joined(const Vec3& linear, const Vec3& angular) {
  Vec6 out;
  out << linear, angular;
  return out;
}

/// Of a rigid body about S's origin, with its centre c.
Mat6 inertia(double mass, const Vec3& c, const Mat3& about_centre) {
  const Mat3 arm = cross(c);
  Mat6 out;
  out.topLeftCorner<3, 3>() = mass * Mat3::Identity();
  out.topRightCorner<3, 3>() = -mass * arm;
  out.bottomLeftCorner<3, 3>() = mass * arm;
  out.bottomRightCorner<3, 3>() = about_centre - mass * arm * arm;
  return out;
}

/// C(M, nu), skew-symmetric.
Mat6 coriolis(const Mat6& M, const Vec6& nu) {
  const Vec6 momentum = M * nu;
  Mat6 out = Mat6::Zero();
  out.topRightCorner<3, 3>() = out.bottomLeftCorner<3, 3>() = -cross(momentum.head<3>());
  out.bottomRightCorner<3, 3>() = -cross(momentum.tail<3>());
  return out;
}

/// The velocity after dt of what has the inertia T and the Coriolis forces of M. By fixed-point
/// iteration, of which each round keeps the energy nu' T nu.
Vec6 turn(const Mat6& T, const Mat6& M, const Vec6& nu, double dt) {
  Vec6 out = nu;
  for (int round = 0; round < kRounds; ++round) {
    const Mat6 C = dt / 2 * coriolis(M, (nu + out) / 2);
    out = Mat6(T + C).partialPivLu().solve(Vec6((T - C) * nu));
  }
  return out;
}

class Hydrodynamics final : public DeviceModel, public KeepsState {
 public:
  explicit Hydrodynamics(const Fields& fields)
      : added_(matrix(fields, "addedMass")),
        linear_(matrix(fields, "linearDamping")),
        quadratic_(matrix(fields, "quadraticDamping")),
        coriolis_(fields.boolean("coriolis")),
        current_W_(fields.vec3("current")) {
    require((added_ - added_.transpose()).norm() <= 1e-9 * added_.norm(),
            "field 'addedMass' of Hydrodynamics must be symmetric");
    const Eigen::SelfAdjointEigenSolver<Mat6> solver(added_, Eigen::EigenvaluesOnly);
    require(solver.eigenvalues().minCoeff() >= -1e-9 * added_.norm(),
            "field 'addedMass' of Hydrodynamics must not be negative in any direction");
  }

  void attach(const DeviceContext& context) override { body_ = context.body; }

  void before_substep(double, double dt) override {
    if (!body_ || !body_->is_dynamic()) return;
    measure_others();
    const Pose X_WS = body_->X_WS();
    const Mat3 R_WS = X_WS.R.toRotationMatrix(), R_SW = R_WS.transpose();
    const Mat3 I_W = body_->inertia_W();
    const Vec3 center_W = body_->centre_W();
    const Vec3 c = R_SW * (center_W - X_WS.p), force = R_SW * others_force_W_;
    const Vec3 v = R_SW * (body_->v_WS() - current_W_), w = R_SW * body_->w_WS();
    const Vec6 nu = joined(v, w), F = joined(force, R_SW * others_torque_W_ + c.cross(force));

    const double mass = body_->mass();
    const Mat6 M = inertia(mass, c, R_SW * I_W * R_WS), T = M + added_;
    const Mat6 D = linear_ + quadratic_ * nu.cwiseAbs().asDiagonal();
    const Vec6 turned = turn(T, coriolis_ ? T : M, nu, dt);
    const Vec6 next = Mat6(T + dt * D).partialPivLu().solve(Vec6(T * turned + dt * F));

    // S will have turned by then.
    const Vec3 v_next = next.head<3>(), w_next = next.tail<3>();
    const Vec3 change =
        axis_angle(w_next, dt * w_next.norm()) * (v_next + w_next.cross(c)) - (v + w.cross(c));
    const Vec3 w_W = body_->w_WS(), gyroscopic_W = w_W.cross(I_W * w_W);
    const Vec3 force_W = mass / dt * (R_WS * change) - others_force_W_;
    const Vec3 torque_W = I_W * (R_WS * (w_next - w)) / dt + gyroscopic_W - others_torque_W_;
    broken_ = !force_W.allFinite() || !torque_W.allFinite();
    if (broken_) return;
    body_->apply_force(force_W, center_W);
    body_->apply_torque(torque_W);
    alone_v_W_ = velocity_W() + dt / mass * force_W;
    alone_w_W_ = w_W + dt * I_W.ldlt().solve(torque_W - gyroscopic_W);
    pushed_for_ = dt;
  }

  /// Between steps, others may give the body any velocity.
  void after_step(double, double, const NoiseKey&) override { measure_others(); }

  std::string broken() const override { return broken_ ? "force" : ""; }
  void append_state(std::vector<double>& state) const override {
    for (const Vec3& v : {others_force_W_, others_torque_W_})
      state.insert(state.end(), v.begin(), v.end());
  }
  void visit_state(StateArchive& archive) override {
    archive(others_force_W_, others_torque_W_, broken_);  // the rest is of a substep
  }

 private:
  /// Of the centre of mass.
  Vec3 velocity_W() const {
    return body_->v_WS() + body_->w_WS().cross(body_->centre_W() - body_->X_WS().p);
  }

  void measure_others() {
    const double dt = std::exchange(pushed_for_, 0);
    if (!(dt > 0)) return;
    others_force_W_ = body_->mass() / dt * (velocity_W() - alone_v_W_);
    others_torque_W_ = body_->inertia_W() * (body_->w_WS() - alone_w_W_) / dt;
  }

  Mat6 added_, linear_, quadratic_;
  bool coriolis_;
  Vec3 current_W_;
  BodyPort* body_ = nullptr;
  /// What others exerted in the last substep, about the centre of mass.
  Vec3 others_force_W_ = Vec3::Zero(), others_torque_W_ = Vec3::Zero();
  /// What the velocities after this substep are if nobody else pushes; of the centre of mass.
  Vec3 alone_v_W_ = Vec3::Zero(), alone_w_W_ = Vec3::Zero();
  double pushed_for_ = 0;  ///< s; 0: these two are of no substep
  bool broken_ = false;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Hydrodynamics)
