// Propeller: thrust and torque of a helix in a fluid that fills the world.
//
// It stands in a Solid, whose body it pushes; `shaftAxis` a and `centerOfThrust` are in that
// Solid's frame. With the motor's angular velocity w and the velocity V of the centre of thrust
// along a, it exerts on the body (Webots reference, Propeller)
//
//   thrust  T a at centerOfThrust,  T = t1 |w| w - t2 |w| V
//   torque -Q a,                    Q = q1 |w| w - q2 |w| V, at most the motor's maxTorque
//
// The torque is the reaction of the fluid: a helix that turns about +a twists its body about -a.
// The motor reaches its speed whatever its load, which is Q. The helix is seen turning about the
// axis through centerOfThrust.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/state_archive.h"
#include "device/plugin.h"

namespace protobeam {
namespace {

enum Turning : std::size_t { kSlow, kFast };

DeviceType declaration() {
  return {
      .node =
          {"Propeller",
           "BodyDevice",
           "Pushes the body that it stands in by a helix that a motor turns.",
           {{"shaftAxis",
             FieldType::kVec3f,
             "1 0 0",
             "",
             {},
             "direction of the thrust, in the frame of the Solid around"},
            {"centerOfThrust", FieldType::kVec3f, "0 0 0", "m", {}, "where the thrust acts"},
            {"thrustConstants",
             FieldType::kVec2f,
             "1 0",
             "N s^2, N s^2/m",
             {},
             "t1 and t2 of T = t1 |w| w - t2 |w| V"},
            {"torqueConstants",
             FieldType::kVec2f,
             "1 0",
             "N m s^2, N s^2",
             {},
             "q1 and q2 of Q = q1 |w| w - q2 |w| V"},
            {"fastHelixThreshold", FieldType::kFloat, "75.4", "rad/s", Range::at_least(0),
             "above this speed fastHelix is seen instead of slowHelix"},
            {"device", FieldType::kNode, "NULL", "", {}, "the motor", "RotationalDevice"},
            {"fastHelix", FieldType::kNode, "NULL", "", {}, "seen while it turns fast", "Solid"},
            {"slowHelix", FieldType::kNode, "NULL", "", {}, "seen otherwise", "Solid"}}},
      .forces = true,
      .hidden = true,
      .own_axis = OwnAxis::kRotational,
      .turning = {{"slowHelix", "shaftAxis", "centerOfThrust"},
                  {"fastHelix", "shaftAxis", "centerOfThrust"}},
  };
}

class Propeller final : public DeviceModel, public Stateless {
 public:
  explicit Propeller(const Fields& fields)
      : axis_S_(fields.vec3("shaftAxis")),
        center_S_(fields.vec3("centerOfThrust")),
        thrust_(fields.vec2("thrustConstants")),
        torque_(fields.vec2("torqueConstants")),
        threshold_(fields.number("fastHelixThreshold")) {
    if (!(axis_S_.norm() > 0)) {
      throw std::invalid_argument("field 'shaftAxis' of Propeller must not be 0 0 0");
    }
    axis_S_.normalize();
  }

  void attach(const DeviceContext& context) override {
    body_ = context.body;
    shaft_ = context.joint;
  }

  void before_substep(double, double) override {
    if (!body_ || !shaft_) return;
    const Pose X_WS = body_->X_WS();
    const Vec3 axis_W = X_WS.R * axis_S_, arm_W = X_WS.R * center_S_;
    const double w = shaft_->velocity(), speed = std::abs(w);
    const double advance = axis_W.dot(body_->v_WS() + body_->w_WS().cross(arm_W));
    const double thrust = thrust_.x() * speed * w - thrust_.y() * speed * advance;
    const double most = shaft_->most_load();
    const double torque =
        std::clamp(torque_.x() * speed * w - torque_.y() * speed * advance, -most, most);
    shaft_->set_load(torque, thrust);
    if (w == 0) return;
    body_->apply_force(thrust * axis_W, X_WS.p + arm_W);
    body_->apply_torque(-torque * axis_W);
  }

  double head_angle() const override { return shaft_ ? shaft_->position() : 0; }
  std::size_t seen_turning() const override {
    return shaft_ && std::abs(shaft_->velocity()) > threshold_ ? kFast : kSlow;
  }
  void append_state(std::vector<double>& state) const override {
    if (shaft_) state.insert(state.end(), {shaft_->position(), shaft_->velocity()});
  }

 private:
  Vec3 axis_S_, center_S_;
  Vec2 thrust_, torque_;
  double threshold_;
  BodyPort* body_ = nullptr;
  JointPort* shaft_ = nullptr;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Propeller)
