// LiftDrag: forces of a fluid that fills the world and is at rest on an airfoil, a fin or a blade.
//
// It stands in a Solid, in whose frame `centerOfPressure`, `forward` f and `upward` u are; of u
// only what is perpendicular to f counts. With v the velocity of the centre of pressure without its
// part along the span s = f x u, q = density |v|^2 / 2 and the angle of attack
//
//   a = attackOffset + the angle from f to the flow, positive where v points against u,
//
// within +-pi/2, it exerts (gz-sim, LiftDrag; Gazebo Classic, LiftDragPlugin)
//
//   lift    cl q area along s x v,   drag  |cd| q area along -v,   moment  cm q area about s
//
// where each coefficient is its slope times a, and beyond `stallAngle` what it is there plus the
// slope after stall times the rest; that of lift and of moment does not change its sign by that.
// All are less by the square of the cosine of the angle between the whole velocity and the plane of
// f and u. A motor of a control surface at the position p adds controlLift p to cl and
// controlMoment p to cm.
//
// Without `reversible` there is no force where the centre moves against f, nor is there one below
// 0.01 m/s.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/libm.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "vehicle/require.h"

namespace protobeam {
namespace {

constexpr double kSlowest = 0.01;  // m/s

DeviceType declaration() {
  using enum FieldType;
  return {
      .node = {"LiftDrag",
               "BodyDevice",
               "Lift, drag and moment of the air or water on the body that it stands in.",
               {{"forward", kVec3f, "1 0 0", "", {}, "Along the chord; in the Solid around"},
                {"upward", kVec3f, "0 0 1", "", {}, "Where lift points"},
                {"centerOfPressure", kVec3f, "0 0 0", "m", {}, "Where the forces act"},
                {"area", kFloat, "1", "m^2", Range::at_least(0), "Of the wing"},
                {"density", kFloat, "1.2041", "kg/m^3", Range::at_least(0), "Of the fluid"},
                {"attackOffset", kFloat, "0", "rad", {}, "Is added to the angle of attack"},
                {"liftSlope", kFloat, "1", "1/rad", {}, "Coefficient of lift by angle of attack"},
                {"dragSlope", kFloat, "0.01", "1/rad", {}, "Coefficient of drag by it"},
                {"momentSlope", kFloat, "0", "m/rad", {}, "Coefficient of the moment by it"},
                {"stallAngle", kFloat, "1.5708", "rad", Range::at_least(0), "Where it stalls"},
                {"stalledLiftSlope", kFloat, "0", "1/rad", {}, "liftSlope beyond the stallAngle"},
                {"stalledDragSlope", kFloat, "1", "1/rad", {}, "dragSlope beyond it"},
                {"stalledMomentSlope", kFloat, "0", "m/rad", {}, "momentSlope beyond it"},
                {"radialSymmetry",
                 kBool,
                 "FALSE",
                 "",
                 {},
                 "It is the same on all sides of forward: upward is where the flow comes from"},
                {"reversible", kBool, "FALSE", "", {}, "It acts on its way back, too"},
                {"controlMotors", kMFString, "[ ]", "", {}, "The motor of its control surface"},
                {"controlLift", kFloat, "4", "1/rad", {}, "Coefficient of lift by its position"},
                {"controlMoment", kFloat, "0", "m/rad", {}, "Coefficient of the moment by it"}}},
      .forces = true,
      .motors = {"controlMotors"},
      .motors_may_slide = true,
  };
}

/// A coefficient by the angle of attack.
struct Slope {
  double before = 0, beyond = 0, stall = 0;
  bool keeps_sign = true;

  double at(double angle) const {
    if (std::abs(angle) <= stall) return before * angle;
    const double side = angle > 0 ? 1 : -1;
    const double out = side * (before * stall + beyond * (std::abs(angle) - stall));
    return keeps_sign && side * out < 0 ? 0 : out;
  }
};

class LiftDrag final : public DeviceModel, public Stateless {
 public:
  explicit LiftDrag(const Fields& fields)
      : forward_S_(fields.vec3("forward")),
        upward_S_(fields.vec3("upward")),
        center_S_(fields.vec3("centerOfPressure")),
        area_(fields.number("area")),
        density_(fields.number("density")),
        offset_(fields.number("attackOffset")),
        lift_(slope(fields, "liftSlope", "stalledLiftSlope")),
        drag_(slope(fields, "dragSlope", "stalledDragSlope")),
        moment_(slope(fields, "momentSlope", "stalledMomentSlope")),
        radial_(fields.boolean("radialSymmetry")),
        reversible_(fields.boolean("reversible")),
        control_lift_(fields.number("controlLift")),
        control_moment_(fields.number("controlMoment")) {
    drag_.keeps_sign = false;
    require(forward_S_.norm() > 0, "field 'forward' of LiftDrag must not be 0 0 0");
    forward_S_.normalize();
    upward_S_ -= upward_S_.dot(forward_S_) * forward_S_;
    require(radial_ || upward_S_.norm() > 1e-6,
            "field 'upward' of LiftDrag must not be along 'forward'");
    if (!radial_) upward_S_.normalize();
    require(fields.strings("controlMotors").size() <= 1,
            "field 'controlMotors' of LiftDrag may name one motor");
  }

  void attach(const DeviceContext& context) override {
    body_ = context.body;
    robot_ = context.robot;
    if (!context.motors.empty() && !context.motors[0].empty()) motor_ = context.motors[0][0];
  }

  void before_substep(double, double) override {
    if (!body_) return;
    const Pose X_WS = body_->X_WS();
    const Vec3 arm_W = X_WS.R * center_S_;
    const Vec3 v_W = body_->v_WS() + body_->w_WS().cross(arm_W);
    const Vec3 v_S = X_WS.R.conjugate() * v_W;
    if (v_S.norm() <= kSlowest || (!reversible_ && v_S.dot(forward_S_) <= 0)) return;
    const Vec3 up = upward(v_S);
    const Vec3 span = forward_S_.cross(up);
    const Vec3 flow = v_S - v_S.dot(span) * span;
    const double speed = flow.norm();
    if (!(speed > 0)) return;
    const double sweep = speed * speed / v_S.squaredNorm();
    double angle = offset_ + libm::atan2(-flow.dot(up), flow.dot(forward_S_));
    while (std::abs(angle) > kPi / 2) angle += angle > 0 ? -kPi : kPi;
    const JointPort* control = motor_ && robot_ ? robot_->axis(motor_) : nullptr;
    const double deflection = control ? control->position() : 0;
    const double cl = sweep * lift_.at(angle) + control_lift_ * deflection;
    const double cd = std::abs(sweep * drag_.at(angle));
    const double cm = sweep * moment_.at(angle) + control_moment_ * deflection;
    const double pressure = 0.5 * density_ * speed * speed * area_;
    const Vec3 ahead = flow / speed;
    body_->apply_force(X_WS.R * (pressure * (cl * span.cross(ahead) - cd * ahead)), X_WS.p + arm_W);
    if (cm != 0) body_->apply_torque(X_WS.R * (pressure * cm * span));
  }

 private:
  static Slope slope(const Fields& fields, const char* before, const char* beyond) {
    return {fields.number(before), fields.number(beyond), fields.number("stallAngle")};
  }

  Vec3 upward(const Vec3& v_S) const {
    if (!radial_) return upward_S_;
    const Vec3 across = v_S.dot(forward_S_) * forward_S_ - v_S;
    return across.norm() > 1e-9 * v_S.norm() ? Vec3(across.normalized())
                                             : Vec3(forward_S_.unitOrthogonal());
  }

  Vec3 forward_S_, upward_S_, center_S_;
  double area_, density_, offset_;
  Slope lift_, drag_, moment_;
  bool radial_, reversible_;
  double control_lift_, control_moment_;
  BodyPort* body_ = nullptr;
  const RobotPort* robot_ = nullptr;
  int motor_ = 0;  ///< tag; 0: none
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::LiftDrag)
