// JointServo: moves motors to a set-point by a control law, as Gazebo's plugins for joints do.
//
// Its set-point is a position, a velocity or an effort of the first motor's axis, which all of them
// get. With the error e = wanted - measured and the gains p, i and d the effort is
//
//   offset + p e + I + d de/dt,   dI/dt = i e
//
// with I within integralLimits and all of it within outputLimits (gz-math, PID; gz-sim,
// JointPositionController and JointController with <use_force_commands>). Where `by` is "velocity",
// axes turn as the set-point says, to a position at once or at most at maxVelocity. An effort is
// exerted as it is (ApplyJointForce). Unlike a motor by itself, which holds its axis, a servo of
// efforts lets it go from the start.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "base/state_archive.h"
#include "device/plugin.h"
#include "message/std_msgs.h"
#include "vehicle/require.h"

namespace protobeam {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

DeviceType declaration() {
  using enum FieldType;
  return {
      .node = {"JointServo",
               "Device",
               "Moves motors to a set-point by a control law.",
               {{"name", kString, "\"servo\"", "", {}, "Name for the controller"},
                {"motors", kMFString, "[ ]", "", {}, "Names of its motors; the first is measured"},
                {"quantity",
                 kString,
                 "\"position\"",
                 "",
                 {},
                 "What the set-point is",
                 "position|velocity|effort"},
                {"by",
                 kString,
                 "\"effort\"",
                 "",
                 {},
                 "How the motors get there: by efforts of the control law or by velocities",
                 "effort|velocity"},
                {"setPoint", kFloat, "0", "rad, rad/s, N m; or m, m/s, N", {}, "At the start"},
                {"controlPID", kVec3f, "1 0.1 0.01", "", {}, "Gains of the efforts"},
                {"integralLimits",
                 kMFFloat,
                 "[ -1 1 ]",
                 "N m or N",
                 {},
                 "Least and greatest share of the integral; empty: none"},
                {"outputLimits",
                 kMFFloat,
                 "[ ]",
                 "N m or N",
                 {},
                 "Least and greatest effort; empty: none"},
                {"offset", kFloat, "0", "N m or N", {}, "Is added to the effort"},
                {"maxVelocity", kFloat, "-1", "rad/s or m/s", Range::positive().or_special(-1),
                 "Of a position by velocities; -1: it is there after some steps"}}},
      .channels = {{"error",
                    ElementType::kFloat64,
                    {},
                    "rad, rad/s; or m, m/s",
                    "",
                    "",
                    "what the first axis lacks; 0 for efforts"}},
      .commands = {{"set point", {{"set point", "rad, rad/s, N m; or m, m/s, N"}}, "where to"}},
      .forces = true,
      .motors = {"motors"},
      .motors_may_slide = true,
  };
}

class JointServo final : public DeviceModel, public KeepsState {
 public:
  explicit JointServo(const Fields& fields)
      : quantity_(fields.string("quantity") == "position"   ? Quantity::kPosition
                  : fields.string("quantity") == "velocity" ? Quantity::kVelocity
                                                            : Quantity::kEffort),
        by_velocity_(fields.string("by") == "velocity"),
        wanted_(fields.number("setPoint")),
        gains_(fields.vec3("controlPID")),
        integral_limits_(limits(fields, "integralLimits")),
        output_limits_(limits(fields, "outputLimits")),
        offset_(fields.number("offset")),
        max_velocity_(fields.number("maxVelocity")) {
    require(!fields.strings("motors").empty(), "field 'motors' of JointServo must name a motor");
    require(!by_velocity_ || quantity_ != Quantity::kEffort,
            "field 'by' of JointServo must be \"effort\" for a quantity \"effort\"");
  }

  void attach(const DeviceContext& context) override {
    robot_ = context.robot;
    motors_ = context.motors[0];
  }

  std::string command(std::size_t, std::span<const double> n, std::string_view) override {
    wanted_ = n[0];
    return "";
  }

  void before_substep(double, double dt) override {
    if (quantity_ == Quantity::kEffort)
      exert(wanted_);
    else if (!by_velocity_)
      exert(law(dt));
    else
      turn(quantity_ == Quantity::kVelocity ? wanted_ : towards(dt));
  }

  void sample(const SampleInput&, Sample& out) override { out.channel<double>(0)[0] = error(); }

  std::vector<DeviceTopic> topics(const TopicRequest&) const override { return {}; }
  std::vector<DeviceSubscription> subscriptions(const TopicRequest&) override {
    return {subscription_of<message::Float64>("set_point", [this](const message::Float64& number) {
      send_command("set point", {number.data});
    })};
  }

  void append_state(std::vector<double>& state) const override { state.push_back(integral_); }
  void visit_state(StateArchive& archive) override {
    archive(wanted_, integral_, last_error_, velocity_);
  }

 private:
  /// Of the error a substep: motors turn by what they were told a substep before, and with more
  /// than this they would swing.
  static constexpr double kShare = 0.25;
  static constexpr double kMostStep = 0.5;  ///< rad or m: bodies turn by no more in a substep

  enum class Quantity { kPosition, kVelocity, kEffort };
  struct Limits {
    double least = -kEndless, greatest = kEndless;
  };

  static Limits limits(const Fields& fields, const char* field) {
    const std::vector<double> both = fields.numbers(field);
    if (both.empty()) return {};
    require(both.size() == 2 && both[0] <= both[1], "field '", field,
            "' of JointServo must be empty or the least and the greatest");
    return {both[0], both[1]};
  }

  const JointPort* axis() const { return robot_ ? robot_->axis(motors_.front()) : nullptr; }

  double error() const {
    const JointPort* measured = axis();
    if (!measured || quantity_ == Quantity::kEffort) return 0;
    return wanted_ -
           (quantity_ == Quantity::kPosition ? measured->position() : measured->velocity());
  }

  double law(double dt) {
    const double now = error();
    integral_ = std::clamp(integral_ + gains_.y() * now * dt, integral_limits_.least,
                           integral_limits_.greatest);
    const double rate = (now - last_error_) / dt;
    last_error_ = now;
    return std::clamp(offset_ + gains_.x() * now + integral_ + gains_.z() * rate,
                      output_limits_.least, output_limits_.greatest);
  }

  double towards(double dt) const {
    const double most =
        max_velocity_ > 0 ? std::min(max_velocity_, kMostStep / dt) : kMostStep / dt;
    return std::clamp(kShare * error() / dt, -most, most);
  }

  void exert(double effort) {
    for (const int tag : motors_) {
      if (DeviceModel* motor = robot_ ? robot_->device(tag) : nullptr)
        motor->send_command("effort", {effort});
    }
  }

  void turn(double velocity) {
    if (velocity_ == velocity) return;
    for (const int tag : motors_) {
      DeviceModel* motor = robot_ ? robot_->device(tag) : nullptr;
      if (!motor) continue;
      if (!velocity_) motor->send_command("position", {kEndless});
      motor->send_command("velocity", {velocity});
    }
    velocity_ = velocity;
  }

  Quantity quantity_;
  bool by_velocity_;
  double wanted_;
  Vec3 gains_;
  Limits integral_limits_, output_limits_;
  double offset_, max_velocity_;
  const RobotPort* robot_ = nullptr;
  std::vector<int> motors_;  ///< tags
  double integral_ = 0, last_error_ = 0;
  std::optional<double> velocity_;  ///< that the motors were told
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::JointServo)
