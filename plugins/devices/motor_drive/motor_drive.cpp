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
//   ackermann:     (vx -+ w' b / 2) / r, and steers by atan(w L / vx)
//   tricycle:      vx / cos(s) / r with s = atan(w L / vx)
// with a from the front to the rear axle; of a mecanum wheel the first sign, before vy, is - for
// the front left and the rear right one, whose rollers seen from above run from the middle of the
// robot outwards to its front and rear: an X (K. Lynch, F. Park, "Modern Robotics", Cambridge
// University Press 2017, section 13.2.1, (13.10)).
// A car with the wheelbase L has V between its driven wheels behind. It turns by w' = vx tan(s) /
// L, where s is the angle of a steered wheel in the middle as the joints have it just then, so that
// wheels do not scrub while it steers (ros2_controllers, steering_controllers_library; Gazebo's
// AckermannSteering). Of two, each is steered about the point about which the car turns. A car that
// is told to turn on the spot steers as far as it can and stands. With twistSteers, w is s itself,
// and -s backwards (gazebo_ros_pkgs, gazebo_ros_ackermann_drive).
// The front wheel of a tricycle is steered and driven, V lies between the other two. It turns on
// the spot where it may steer across, and goes slowly while its angle is not yet the wanted one
// (ros2_controllers, tricycle_controller).
//
// Tracks drive as wheels of 1 m do whose motors are LinearMotors: by the speeds of their belts.
//
// The odometry is the twist that the wheels' turns give by the same equations, in the mean of the
// wheels of a side, added up step by step.
//
// Wheels with rollers need contacts that slip along the rollers' axes, and hovering robots have no
// wheels. Both are pushed: before each substep the body gets the acceleration that takes it to the
// twist of the wheels (mecanum) or to the commanded one (planar), beyond what has resisted so far,
// which is how much the last push fell short. Gazebo's plugin planar_move does so by setting the
// velocity. The odometry of a planar drive is where its frame has gone.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/libm.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/values.h"
#include "motor_drive_declaration.h"
#include "vehicle/ackermann.h"
#include "vehicle/drive.h"
#include "vehicle/drive_command.h"
#include "vehicle/require.h"
#include "vehicle/twist_limits.h"

namespace protobeam {
namespace {

class MotorDrive final : public DeviceModel, public KeepsState {
 public:
  explicit MotorDrive(const Fields& fields)
      : mecanum_(fields.string("kinematics") == "mecanum"),
        tricycle_(fields.string("kinematics") == "tricycle"),
        ackermann_(tricycle_ || fields.string("kinematics") == "ackermann"),
        planar_(fields.string("kinematics") == "planar"),
        pushes_(planar_ || (mecanum_ && fields.boolean("pushesRobot"))),
        radius_(fields.number("wheelRadius")),
        arm_(fields.number("wheelSeparation") / 2 +
             (mecanum_ ? fields.number("wheelbase") / 2 : 0)),
        separation_(fields.number("wheelSeparation")),
        wheelbase_(fields.number("wheelbase")),
        steering_separation_(fields.number("steeringSeparation") > 0
                                 ? fields.number("steeringSeparation")
                                 : separation_),
        max_steering_(fields.number("maxSteeringAngle")),
        acceleration_(fields.number("maxAcceleration")),
        max_velocity_(fields.number("maxVelocity")),
        max_yaw_rate_(fields.number("maxYawRate")),
        twist_steers_(fields.boolean("twistSteers")),
        limiter_(fields),
        clock_(fields.number("commandTimeout")) {
    for (const std::string_view field : {std::string_view("leftMotors"), kRight}) {
      const std::size_t count = fields.strings(field).size();
      require(!mecanum_ || count == 2, "field '", field,
              "' of MotorDrive must name two motors, front and rear, got ", count);
      const bool none = planar_ || (ackermann_ && field == kRight);
      require(none || count > 0, "field '", field,
              "' of MotorDrive must name the motors of these wheels");
      const std::size_t driven = field == kRight ? 0 : 1;
      require(!tricycle_ || count == driven, "field '", field, "' of MotorDrive must name ",
              driven ? "the motor" : "none", " where its kinematics is tricycle, got ", count);
    }
    const std::size_t steering = fields.strings("steeringMotors").size();
    require(!tricycle_ || steering == 1,
            "field 'steeringMotors' of MotorDrive must name the motor that steers where its "
            "kinematics is tricycle, got ",
            steering);
    require(
        ackermann_ ? steering == 1 || steering == 2 : steering == 0,
        "field 'steeringMotors' of MotorDrive must name ",
        ackermann_ ? "one motor or two, left and right" : "none unless its kinematics is ackermann",
        ", got ", steering);
  }

  void attach(const DeviceContext& context) override {
    robot_ = context.robot;
    body_ = context.body;
    if (planar_) return;
    const bool middle = context.motors[1].empty();
    for (std::size_t side = 0; side < 2; ++side) {
      const auto& tags = context.motors[side];
      for (std::size_t i = 0; i < tags.size(); ++i) {
        Wheel wheel;
        wheel.tag = tags[i];
        wheel.side = middle ? 0 : side == 0 ? -1 : 1;
        wheel.across = (i == 0) == (side == 0) ? -1 : 1;
        wheel.share = (middle ? 2.0 : 1.0) / static_cast<double>(tags.size());
        wheels_.push_back(wheel);
      }
    }
    const auto& steering = context.motors[2];
    for (std::size_t i = 0; i < steering.size(); ++i)
      steered_.push_back({steering[i], steering.size() == 1 ? 0. : i == 0 ? -1. : 1., {}});
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
      if (body_) before_ = body_->X_WS();
      started_ = true;
    }
  }

  void before_substep(double time, double dt) override {
    const bool told = !clock_.waiting() && !clock_.expired(time);
    const Twist asked = told ? limited(std::get<Twist>(clock_.last())) : Twist{};
    const Twist wanted = limiter_.next(asked, dt);
    // Until the first twist the motors are the controller's alone.
    if (!clock_.waiting()) drive(ackermann_ ? steer(wanted) : wanted, dt);
    if (pushes_ && body_) push(planar_ ? Vec3(wanted.vx, wanted.vy, wanted.omega) : rolled_twist(), dt);
  }

  void after_step(double time, double dt, const NoiseKey&) override {
    now_ = time;
    if (planar_) {
      follow_body(dt);
      return;
    }
    double ahead = 0, aside = 0, turn = 0;
    for (Wheel& wheel : wheels_) {
      const double now = position(wheel);
      const double way = radius_ * (now - wheel.position) * wheel.share / 2;
      wheel.position = now;
      ahead += way;
      turn += wheel.side * way / arm_;
      if (mecanum_) aside += wheel.across * way;
    }
    if (tricycle_) {
      const double angle = angle_of(steered_.front());
      turn = ahead * libm::sin(angle) / wheelbase_;
      ahead *= libm::cos(angle);
    } else if (ackermann_) {
      turn = ahead * steered_curvature();
    }
    odometry_.pose.move(ahead, aside, turn);
    odometry_.vx = ahead / dt;
    odometry_.vy = aside / dt;
    odometry_.yaw_rate = turn / dt;
  }

  std::optional<WheelOdometry> odometry() const override { return odometry_; }
  std::optional<DriveOrders> orders() const override {
    DriveOrders out;
    if (!clock_.waiting() && !clock_.expired(now_)) {
      const Twist& last = std::get<Twist>(clock_.last());
      out.twist = Vec3(last.vx, last.vy, last.omega);
    }
    for (const Wheel& wheel : wheels_)
      out.motors.push_back({wheel.tag, wheel.told ? std::optional(wheel.speed) : std::nullopt});
    for (const Steered& steered : steered_) out.motors.push_back({steered.tag, steered.angle});
    return out;
  }

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
    archive(limiter_, before_, aim_, twist_, pushed_, resistance_);
    for (Wheel& wheel : wheels_) archive(wheel.position, wheel.speed, wheel.told);
    for (Steered& steered : steered_) archive(steered.angle);
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
    std::optional<double> most;  ///< rad/s, that its motor can, once it was asked
  };

  struct Steered {
    int tag = 0;                  ///< of its motor
    double side = 0;              ///< -1: left
    std::optional<double> angle;  ///< rad, that its motor was told
  };

  /// rad, that the joint has.
  double angle_of(const Steered& steered) const {
    const JointPort* axis = robot_ ? robot_->axis(steered.tag) : nullptr;
    return axis ? axis->position() : 0;
  }

  /// 1/m, to the left, by the angles that the steered wheels have: of two the mean. Joints may turn
  /// further than the drive steers: nobody turns about a point between the driven wheels.
  double steered_curvature() const {
    double sum = 0;
    for (const Steered& steered : steered_) {
      const double angle = std::clamp(angle_of(steered), -kSideways, kSideways);
      const double tan = libm::tan(angle);
      const double offset = steered.side * steering_separation_ / 2;
      const double most = 2 / separation_;
      sum +=
          std::clamp(tan / std::max(wheelbase_ - offset * tan, kLeast * wheelbase_), -most, most);
    }
    return sum / static_cast<double>(steered_.size());
  }

  Twist limited(Twist wanted) const {
    const double speed = libm::hypot(wanted.vx, wanted.vy);
    if (max_velocity_ > 0 && speed > max_velocity_) {
      wanted.vx *= max_velocity_ / speed;
      wanted.vy *= max_velocity_ / speed;
    }
    if (max_yaw_rate_ > 0 && !twist_steers_)
      wanted.omega = std::clamp(wanted.omega, -max_yaw_rate_, max_yaw_rate_);
    return wanted;
  }

  /// Steers; the twist that the wheels are to drive by.
  Twist steer(const Twist& wanted) {
    double angle = 0;
    if (twist_steers_)
      angle = std::copysign(1, wanted.vx) * wanted.omega;
    else if (wanted.vx != 0)
      angle = libm::atan(wheelbase_ * wanted.omega / wanted.vx);
    else if (wanted.omega != 0)
      angle = std::copysign(max_steering_, wanted.omega);
    angle = std::clamp(angle, -max_steering_, max_steering_);
    const FrontAngles both = ackermann_angles(angle, wheelbase_, steering_separation_);
    for (Steered& steered : steered_) {
      const double its = steered.side == 0 ? angle : steered.side < 0 ? both.left : both.right;
      DeviceModel* motor = robot_ ? robot_->device(steered.tag) : nullptr;
      if (!motor || steered.angle == its) continue;
      motor->send_command("position", {its});
      steered.angle = its;
    }
    if (tricycle_) return {rim_speed(wanted, angle), 0, 0};
    return {wanted.vx, 0, wanted.vx * steered_curvature()};
  }

  /// Of the driven wheel of a tricycle, which is to have that angle.
  double rim_speed(const Twist& wanted, double angle) const {
    const double lack = std::abs(angle - angle_of(steered_.front()));
    const double part = lack < kPi / 6 ? 1 : lack > kPi / 2 ? kLeast : libm::cos(lack);
    const bool across = max_steering_ >= kSideways;
    if (wanted.vx == 0) return across ? part * std::abs(wanted.omega) * wheelbase_ : 0;
    return part * wanted.vx / libm::cos(angle);
  }

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
    for (Wheel& wheel : wheels_) {
      if (!wheel.most) wheel.most = max_speed(wheel);
      const double speed = std::abs(speed_of(wheel, wanted));
      if (speed > *wheel.most) slower = std::min(slower, *wheel.most / speed);
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

  /// vx, vy and yaw rate by which the wheels turn.
  Vec3 rolled_twist() const {
    Vec3 out = Vec3::Zero();
    for (const Wheel& wheel : wheels_) {
      const JointPort* axis = robot_ ? robot_->axis(wheel.tag) : nullptr;
      const double speed = axis ? radius_ * axis->velocity() * wheel.share / 2 : 0;
      out += speed * Vec3(1, wheel.across, wheel.side / arm_);
    }
    return out;
  }

  /// Accelerates the body towards the twist; its height and tilt are those of its contacts.
  void push(const Vec3& wanted, double dt) {
    const Vec3 change = wanted - aim_;
    const double allowed = acceleration_ * dt;
    const double most = std::max(change.head<2>().norm(), arm_ * std::abs(change.z()));
    const bool slowly = planar_ && acceleration_ > 0 && most > allowed;
    aim_ += slowly ? Vec3(allowed / most * change) : change;

    const Mat3 R_WS = body_->X_WS().R.toRotationMatrix();
    const Vec3 v_S = R_WS.transpose() * body_->v_WS(), w_S = R_WS.transpose() * body_->w_WS();
    const Vec3 twist(v_S.x(), v_S.y(), w_S.z());
    if (pushed_) resistance_ += kTrust * (*pushed_ - (twist - twist_) / dt - resistance_);
    twist_ = twist;
    Vec3 wish = (aim_ - twist) / dt + resistance_;
    const double effort =
        std::max(wish.head<2>().norm() / kMostPush, std::abs(wish.z()) / kMostTurn);
    if (effort > 1) wish /= effort;
    pushed_ = wish;
    body_->accelerate(R_WS * Vec3(wish.x(), wish.y(), 0), R_WS * Vec3(0, 0, wish.z()));
  }

  void follow_body(double dt) {
    const Pose now = body_->X_WS(), moved = before_.inverse() * now;
    before_ = now;
    const Mat3 R = moved.R.toRotationMatrix();
    const double turn = libm::atan2(R(1, 0), R(0, 0));
    const double c = libm::cos(turn / 2), s = libm::sin(turn / 2);
    // move() wants it along the chord.
    const double ahead = c * moved.p.x() + s * moved.p.y();
    const double aside = c * moved.p.y() - s * moved.p.x();
    odometry_.pose.move(ahead, aside, turn);
    odometry_.vx = ahead / dt;
    odometry_.vy = aside / dt;
    odometry_.yaw_rate = turn / dt;
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

  static constexpr std::string_view kRight = "rightMotors";
  static constexpr double kSideways = 1.55;  ///< rad: a wheel that is steered across
  static constexpr double kLeast = 0.01;
  static constexpr double kMostPush = 20;   ///< m/s^2
  static constexpr double kMostTurn = 200;  ///< rad/s^2
  static constexpr double kTrust = 0.3;     ///< in how much the last push fell short

  bool mecanum_;
  bool tricycle_;
  bool ackermann_;  ///< or a tricycle
  bool planar_;
  bool pushes_;
  double radius_;
  double arm_;  ///< m, what a turn of 1 rad moves a wheel
  double separation_;
  double wheelbase_, steering_separation_;
  double max_steering_;  ///< rad
  double acceleration_;
  double max_velocity_, max_yaw_rate_;  ///< m/s, rad/s; <= 0: none
  bool twist_steers_;
  TwistLimiter limiter_;
  CommandClock clock_;
  const RobotPort* robot_ = nullptr;
  BodyPort* body_ = nullptr;
  std::vector<Wheel> wheels_;
  std::vector<Steered> steered_;
  // Of the push, as vx, vy and yaw rate in the frame.
  Vec3 aim_ = Vec3::Zero();         ///< twist
  Vec3 twist_ = Vec3::Zero();       ///< before the last push
  std::optional<Vec3> pushed_;      ///< the last push, accelerations
  Vec3 resistance_ = Vec3::Zero();  ///< accelerations
  Pose before_;                     ///< X_WS after the last step
  WheelOdometry odometry_;
  double now_ = 0;
  bool started_ = false;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::motor_drive_declaration(), protobeam::MotorDrive)
