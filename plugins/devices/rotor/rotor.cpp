// Rotor: what the propeller that it stands in does to it, turned by a motor of the robot.
//
// Its z axis is where the thrust points. w is `speedRatio` times the speed of the motor, positive
// the way in which it pushes along +z: about the motor's axis, or against it when `clockwise`. With
// the velocity v of its origin, the part V of it along z and the rest u, it exerts
//
//   thrust  T = t1 |w| w - t2 |w| V  along z, at its origin
//   torque  torquePerThrust T  about z, against the rotation
//   drag    -dragConstant |w| u  and a moment  -rollingConstant |w| u
//
// (P. Martin and E. Salaun, "The True Role of Accelerometer Feedback in Quadrotor Control", ICRA
// 2010, and gz-sim, MulticopterMotorModel, whose motors turn slower than their rotors by
// <rotorVelocitySlowdownSim>.) It is told w, which the motor reaches with a time constant for
// speeding up and one for slowing down; or the thrust, which it exerts at once, the motor at the
// speed that goes with it (gz-sim, Thruster). With a `gain` the motor exerts that times what it
// lacks in speed.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "base/libm.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "message/std_msgs.h"
#include "message/vendor_msgs.h"
#include "vehicle/require.h"

namespace protobeam {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

DeviceType declaration() {
  using enum FieldType;
  return {
      .node = {"Rotor",
               "Device",
               "Thrust, torque and drag of the propeller that it stands in, along its z axis.",
               {{"name", kString, "\"rotor\"", "", {}, "Name for the controller"},
                {"motors", kMFString, "[ ]", "", {}, "Name of the motor that turns it"},
                {"quantity",
                 kString,
                 "\"velocity\"",
                 "",
                 {},
                 "What it is told: its speed w or its thrust T",
                 "velocity|thrust"},
                {"clockwise", kBool, "FALSE", "", {}, "It pushes along z turning against the axis"},
                {"thrustConstants",
                 kVec2f,
                 "1 0",
                 "N s^2, N s^2/m",
                 {},
                 "t1 and t2 of T = t1 |w| w - t2 |w| V"},
                {"torquePerThrust", kFloat, "0", "m", {}, "Against the rotation"},
                {"dragConstant", kFloat, "0", "N s^2/m", Range::at_least(0),
                 "Of motion across the axis"},
                {"rollingConstant", kFloat, "0", "N s^2", {}, "Of the moment by such motion"},
                {"speedRatio", kFloat, "1", "", Range::positive(),
                 "Speed of the rotor by that of the motor"},
                {"timeConstants",
                 kVec2f,
                 "0 0",
                 "s",
                 {},
                 "Of speeding up and of slowing down, of a rotor that is told its speed"},
                {"commandLimits",
                 kMFFloat,
                 "[ ]",
                 "rad/s or N",
                 {},
                 "Least and greatest command; empty: none"},
                {"deadband", kFloat, "0", "N", Range::at_least(0), "Less thrust is none"},
                {"gain", kFloat, "0", "N m s", Range::at_least(0),
                 "Torque of the motor by the speed that it lacks; 0: it turns by velocities"},
                {"actuator", kInt32, "-1", "", Range::at_least(-1),
                 "Its place among the velocities of messages of actuators; -1: it takes none"}}},
      .channels = {{"speed", ElementType::kFloat64, {}, "rad/s", "", "", "w"},
                   {"thrust", ElementType::kFloat64, {}, "N", "", "", "T of the last substep"}},
      .commands = {{"set point", {{"set point", "rad/s or N"}}, "speed or thrust"}},
      .forces = true,
      .motors = {"motors"},
  };
}

class Rotor final : public DeviceModel, public KeepsState {
 public:
  explicit Rotor(const Fields& fields)
      : by_thrust_(fields.string("quantity") == "thrust"),
        sense_(fields.boolean("clockwise") ? -1 : 1),
        constants_(fields.vec2("thrustConstants")),
        torque_per_thrust_(fields.number("torquePerThrust")),
        drag_(fields.number("dragConstant")),
        rolling_(fields.number("rollingConstant")),
        ratio_(fields.number("speedRatio")),
        time_constants_(fields.vec2("timeConstants")),
        deadband_(fields.number("deadband")),
        gain_(fields.number("gain")),
        actuator_(static_cast<int>(fields.number("actuator"))) {
    require(fields.strings("motors").size() == 1, "field 'motors' of Rotor must name one motor");
    require(!by_thrust_ || constants_.x() != 0,
            "the first of 'thrustConstants' of a Rotor that is told its thrust must not be 0");
    require(time_constants_.minCoeff() >= 0, "field 'timeConstants' of Rotor must not be negative");
    const std::vector<double> limits = fields.numbers("commandLimits");
    require(limits.empty() || (limits.size() == 2 && limits[0] <= limits[1]),
            "field 'commandLimits' of Rotor must be empty or the least and the greatest");
    if (!limits.empty()) least_ = limits[0], greatest_ = limits[1];
  }

  void attach(const DeviceContext& context) override {
    body_ = context.body;
    robot_ = context.robot;
    motor_ = context.motors.at(0).at(0);
  }

  std::string command(std::size_t, std::span<const double> numbers, std::string_view) override {
    command_ = std::clamp(numbers[0], least_, greatest_);
    return "";
  }
  void release() override { command_ = 0; }

  void before_substep(double, double dt) override {
    const JointPort* axis = robot_ ? robot_->axis(motor_) : nullptr;
    if (!body_ || !axis) return;
    const Pose X_WS = body_->X_WS();
    const Vec3 up = X_WS.R * Vec3::UnitZ(), v = body_->v_WS();
    const double advance = up.dot(v), w = speed(*axis);
    if (by_thrust_) {
      thrust_ = std::abs(command_) < deadband_ ? 0 : command_;
      turn(*axis, speed_for(thrust_, advance));
    } else {
      thrust_ = std::abs(w) * (constants_.x() * w - constants_.y() * advance);
      if (std::abs(thrust_) < deadband_) thrust_ = 0;
      turn(*axis, filtered(dt));
    }
    const Vec3 across = std::abs(w) * (v - advance * up);
    body_->apply_force(thrust_ * up - drag_ * across, X_WS.p);
    body_->apply_torque(-sense_ * torque_per_thrust_ * thrust_ * up - rolling_ * across);
  }

  void sample(const SampleInput&, Sample& out) override {
    const JointPort* axis = robot_ ? robot_->axis(motor_) : nullptr;
    out.channel<double>(0)[0] = axis ? speed(*axis) : 0;
    out.channel<double>(1)[0] = thrust_;
  }

  std::vector<DeviceSubscription> subscriptions(const TopicRequest&) override {
    std::vector<DeviceSubscription> out{subscription_of<message::Float64>(
        "set_point",
        [this](const message::Float64& number) { send_command("set point", {number.data}); })};
    if (actuator_ < 0) return out;
    out.push_back(
        subscription_of<message::Actuators>("actuators", [this](const message::Actuators& all) {
          const auto place = static_cast<std::size_t>(actuator_);
          if (place < all.velocity.size()) send_command("set point", {all.velocity[place]});
        }));
    return out;
  }

  void append_state(std::vector<double>& state) const override {
    state.insert(state.end(), {reached_, thrust_});
  }
  void visit_state(StateArchive& archive) override { archive(command_, reached_, thrust_, told_); }

 private:
  double speed(const JointPort& axis) const { return sense_ * ratio_ * axis.velocity(); }

  /// That exerts the thrust.
  double speed_for(double thrust, double advance) const {
    if (thrust == 0) return 0;
    const double share = thrust / constants_.x(), side = share > 0 ? 1 : -1;
    const double half = side * constants_.y() * advance / constants_.x() / 2;
    return side * (half + std::sqrt(half * half + std::abs(share)));
  }

  /// What it has been told, by the time constants.
  double filtered(double dt) {
    const double constant = command_ > reached_ ? time_constants_.x() : time_constants_.y();
    const double kept = constant > 0 ? libm::exp(-dt / constant) : 0;
    return reached_ = kept * reached_ + (1 - kept) * command_;
  }

  void turn(const JointPort& axis, double w) {
    DeviceModel* motor = robot_->device(motor_);
    if (!motor) return;
    const double wanted = sense_ * w / ratio_;
    if (gain_ > 0) {
      motor->send_command("effort", {gain_ * (wanted - axis.velocity())});
      return;
    }
    if (told_ == wanted) return;
    if (!told_) motor->send_command("position", {kEndless});
    motor->send_command("velocity", {wanted});
    told_ = wanted;
  }

  bool by_thrust_;
  double sense_;
  Vec2 constants_;
  double torque_per_thrust_, drag_, rolling_, ratio_;
  Vec2 time_constants_;
  double deadband_, gain_;
  int actuator_;
  double least_ = -kEndless, greatest_ = kEndless;
  BodyPort* body_ = nullptr;
  const RobotPort* robot_ = nullptr;
  int motor_ = 0;               ///< tag
  double command_ = 0;          ///< rad/s or N
  double reached_ = 0;          ///< rad/s, of the command by now
  double thrust_ = 0;           ///< N
  std::optional<double> told_;  ///< rad/s, that the motor has been told
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Rotor)
