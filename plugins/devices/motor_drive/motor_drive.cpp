// MotorDrive: drives a robot by the motors of its wheels. It takes twists and tells odometry.
//
// For robots whose wheels hang on joints with RotationalMotors, as those of Webots and of URDF. It
// does what ROS' diff_drive_controller and mecanum_drive_controller do, and Gazebo's plugins
// DiffDrive and MecanumDrive. V, the frame of the node, lies between the wheels with x ahead; a
// wheel that turns by a positive speed rolls to +x.
//
// Of a robot with wheels of radius r whose left and right ones are b apart, a twist (vx, vy, w)
// turns a wheel by
//   differential:  (vx -+ w b / 2) / r             - left, + right; vy has no effect
//   mecanum:       (vx -+ vy -+ w (a + b) / 2) / r
// with a from the front to the rear axle; of a mecanum wheel the first sign, before vy, is - for
// the front left and the rear right one, whose rollers seen from above run from the middle of the
// robot outwards to its front and rear: an X (K. Lynch, F. Park, "Modern Robotics", Cambridge
// University Press 2017, section 13.2.1, (13.10)).
// The odometry is the twist that the wheels' turns give by the same equations, in the mean of the
// wheels of a side, added up step by step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/values.h"
#include "vehicle/drive_command.h"
#include "vehicle/require.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  using enum FieldType;
  const Range positive_or_none = Range::positive().or_special(-1);
  return {
      .node =
          {"MotorDrive",
           "Device",
           "Drives a robot by the motors of its wheels: twists in, odometry out. Its frame lies "
           "between the wheels, x ahead.",
           {{"name", kString, "\"drive\"", "", {}, "Name for the controller"},
            {"kinematics",
             kString,
             "\"differential\"",
             "",
             {},
             "What wheels it has",
             "differential|mecanum"},
            {"leftMotors",
             kMFString,
             "[ ]",
             "",
             {},
             "Names of the RotationalMotors of the left wheels; mecanum: front, rear"},
            {"rightMotors",
             kMFString,
             "[ ]",
             "",
             {},
             "Those of the right ones; mecanum: front, rear"},
            {"wheelRadius", kFloat, "0.05", "m", Range::positive(), "Of each wheel"},
            {"wheelSeparation", kFloat, "0.3", "m", Range::positive(),
             "From the left to the right wheels"},
            {"wheelbase", kFloat, "0.3", "m", Range::positive(),
             "From the front to the rear wheels; mecanum only"},
            {"maxAcceleration", kFloat, "-1", "m/s^2", positive_or_none,
             "Of the rim of a wheel; -1: none"},
            {"commandTimeout", kFloat, "1", "s", Range::any(),
             "A twist that nobody renews for so long stops the robot; 0 or less: it holds"}}},
      .channels = {{"odometry_twist",
                    ElementType::kFloat64,
                    {3},
                    "m/s, m/s, rad/s",
                    "device",
                    "",
                    "vx, vy and yaw rate as the wheels tell"},
                   {"odometry_pose",
                    ElementType::kFloat64,
                    {3},
                    "m, m, rad",
                    "start",
                    "",
                    "x, y and yaw as the wheels tell, from where it started"}},
      .commands = {{"twist",
                    {{"vx", "m/s"}, {"vy", "m/s"}, {"yaw rate", "rad/s"}},
                    "set-point; vy: mecanum only"}},
      .properties = {{"takes", "", "twist"},
                     {"wheelRadius", "m", "of each wheel"},
                     {"wheelSeparation", "m", "from the left to the right wheels"}},
      .forces = true,
      .motors = {"leftMotors", "rightMotors"},
  };
}

class MotorDrive final : public DeviceModel, public KeepsState {
 public:
  explicit MotorDrive(const Fields& fields)
      : mecanum_(fields.string("kinematics") == "mecanum"),
        radius_(fields.number("wheelRadius")),
        arm_(fields.number("wheelSeparation") / 2 +
             (mecanum_ ? fields.number("wheelbase") / 2 : 0)),
        separation_(fields.number("wheelSeparation")),
        acceleration_(fields.number("maxAcceleration")),
        clock_(fields.number("commandTimeout")) {
    for (const char* field : {"leftMotors", "rightMotors"}) {
      const std::size_t count = fields.strings(field).size();
      require(!mecanum_ || count == 2, "field '", field,
              "' of MotorDrive must name two motors, front and rear, got ", count);
      require(count > 0, "field '", field, "' of MotorDrive must name the motors of these wheels");
    }
  }

  void attach(const DeviceContext& context) override {
    robot_ = context.robot;
    for (std::size_t side = 0; side < context.motors.size(); ++side) {
      const auto& tags = context.motors[side];
      for (std::size_t i = 0; i < tags.size(); ++i) {
        Wheel wheel;
        wheel.tag = tags[i];
        wheel.side = side == 0 ? -1 : 1;
        wheel.across = (i == 0) == (side == 0) ? -1 : 1;
        wheel.share = 1.0 / static_cast<double>(tags.size());
        wheels_.push_back(wheel);
      }
    }
  }

  Properties properties() const override {
    return {{"takes", std::string("twist")},
            {"wheelRadius", radius_},
            {"wheelSeparation", separation_}};
  }

  std::string command(std::size_t, std::span<const double> n, std::string_view) override {
    clock_.give(Twist{n[0], n[1], n[2]}, now_);
    return "";
  }
  void release() override { clock_.expire(); }

  void before_step(double time) override {
    now_ = time;
    if (!started_) {
      for (Wheel& wheel : wheels_) wheel.position = position(wheel);
      started_ = true;
    }
  }

  void before_substep(double time, double dt) override {
    // Until the first twist the motors are the controller's alone.
    if (clock_.waiting()) return;
    const Twist wanted = clock_.expired(time) ? Twist{} : std::get<Twist>(clock_.last());
    drive(wanted, dt);
  }

  void after_step(double time, double dt, const NoiseKey&) override {
    now_ = time;
    double ahead = 0, aside = 0, turn = 0;
    for (Wheel& wheel : wheels_) {
      const double now = position(wheel);
      const double way = radius_ * (now - wheel.position) * wheel.share / 2;
      wheel.position = now;
      ahead += way;
      turn += wheel.side * way / arm_;
      if (mecanum_) aside += wheel.across * way;
    }
    odometry_.pose.move(ahead, aside, turn);
    odometry_.vx = ahead / dt;
    odometry_.vy = aside / dt;
    odometry_.yaw_rate = turn / dt;
  }

  std::optional<WheelOdometry> odometry() const override { return odometry_; }

  void sample(const SampleInput&, Sample& out) override {
    const OdometryPose& pose = odometry_.pose;
    write_values<3>(out.channel<double>(0), {odometry_.vx, odometry_.vy, odometry_.yaw_rate});
    write_values<3>(out.channel<double>(1), {pose.x, pose.y, pose.yaw});
  }

  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {};
  }  // `odom` is all
  std::vector<DeviceSubscription> subscriptions(const TopicRequest& request) override {
    return {twist_subscription(request, [this](const message::Twist& twist) {
      send_command("twist", {twist.linear.x, twist.linear.y, twist.angular.z});
    })};
  }

  void append_state(std::vector<double>& state) const override {
    const OdometryPose& pose = odometry_.pose;
    state.insert(state.end(), {pose.x, pose.y, pose.yaw});
  }
  void visit_state(StateArchive& archive) override {
    archive(clock_, now_, started_, odometry_.pose.x, odometry_.pose.y, odometry_.pose.yaw,
            odometry_.vx, odometry_.vy, odometry_.yaw_rate);
    for (Wheel& wheel : wheels_) archive(wheel.position, wheel.speed, wheel.told);
  }

 private:
  struct Wheel {
    int tag = 0;          ///< of its motor
    double side = 1;      ///< -1: left
    double across = 1;    ///< mecanum: the sign before vy
    double share = 1;     ///< of its side
    double position = 0;  ///< rad, after the last step
    double speed = 0;     ///< rad/s, that its motor was told
    bool told = false;    ///< it has been told a speed
  };

  double position(const Wheel& wheel) const {
    const JointPort* axis = robot_ ? robot_->axis(wheel.tag) : nullptr;
    return axis ? axis->position() : wheel.position;
  }

  double speed_of(const Wheel& wheel, const Twist& twist) const {
    const double aside = mecanum_ ? wheel.across * twist.vy : 0;
    return (twist.vx + aside + wheel.side * arm_ * twist.omega) / radius_;
  }

  /// All wheels together keep to what the slowest motor and the acceleration allow, so that the
  /// robot goes where it is told to, if later.
  void drive(const Twist& wanted, double dt) {
    double slower = 1, most_change = 0;
    for (const Wheel& wheel : wheels_) {
      const double speed = std::abs(speed_of(wheel, wanted));
      const double most = max_speed(wheel);
      if (speed > most) slower = std::min(slower, most / speed);
    }
    for (const Wheel& wheel : wheels_) {
      const double change = std::abs(slower * speed_of(wheel, wanted) - wheel.speed);
      most_change = std::max(most_change, change);
    }
    const double allowed = acceleration_ > 0 ? acceleration_ * dt / radius_ : most_change;
    const double part = most_change > allowed ? allowed / most_change : 1;
    for (Wheel& wheel : wheels_) {
      const double target = slower * speed_of(wheel, wanted);
      tell(wheel, part < 1 ? wheel.speed + part * (target - wheel.speed) : target);
    }
  }

  double max_speed(const Wheel& wheel) const {
    const DeviceModel* motor = robot_ ? robot_->device(wheel.tag) : nullptr;
    if (!motor) return 0;
    const auto most = motor->facts().find("maxVelocity");
    return most == motor->facts().end() ? std::numeric_limits<double>::infinity()
                                        : std::get<double>(most->second);
  }

  void tell(Wheel& wheel, double speed) {
    if (wheel.told && speed == wheel.speed) return;
    DeviceModel* motor = robot_ ? robot_->device(wheel.tag) : nullptr;
    if (!motor) return;
    if (!wheel.told) motor->send_command("position", {std::numeric_limits<double>::infinity()});
    motor->send_command("velocity", {speed});
    wheel.told = true;
    wheel.speed = speed;
  }

  bool mecanum_;
  double radius_;
  double arm_;  ///< m, what a turn of 1 rad moves a wheel
  double separation_;
  double acceleration_;
  CommandClock clock_;
  const RobotPort* robot_ = nullptr;
  std::vector<Wheel> wheels_;
  WheelOdometry odometry_;
  double now_ = 0;
  bool started_ = false;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::MotorDrive)
