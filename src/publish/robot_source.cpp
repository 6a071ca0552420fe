#include "publish/robot_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/math.h"
#include "message/sensor_msgs.h"
#include "message/std_msgs.h"
#include "message/visualization_msgs.h"
#include "publish/rate.h"
#include "publish/robot_state.h"
#include "publish/topic_names.h"
#include "publish/vehicle_source.h"
#include "sim/robot_urdf.h"

namespace protobeam {
namespace {

using message::Odometry;
using message::TFMessage;
using message::type_of;

/// What tells the robot's odometry; null without one.
const Device* odometer_of(const RobotInfo& robot) {
  const auto tells = [](const Device& device) { return device.model && device.model->odometry(); };
  const auto found = std::ranges::find_if(robot.devices, tells);
  return found == robot.devices.end() ? nullptr : &*found;
}

class RobotSource final : public Source {
 public:
  RobotSource(const Simulation& simulation, const RobotInfo& robot, const RobotTopics& topics,
              const PublishSettings& settings, StreamTable& table, const MeshFile& mesh_file)
      : simulation_(simulation),
        state_(simulation, robot, topics.frame_prefix(robot)),
        fake_localization_(settings.fake_localization),
        tf_(table.add(topics.name(robot, "tf"), type_of<TFMessage>())),
        tf_static_(table.add(topics.name(robot, "tf_static"), type_of<TFMessage>(), true)),
        description_(
            table.add(topics.name(robot, "robot_description"), type_of<message::String>(), true)),
        name_(robot.name),
        robot_(robot.index),
        mesh_file_(mesh_file),
        odometer_(odometer_of(robot)),
        rate_(settings.state_rate) {
    const TopicSettings truth = truth_of(robot);
    truth_rate_ = Rate(truth.rate);
    truth_child_ = child_of(robot, truth);
    if (!truth.frame.empty()) truth_frame_ = ros_name(truth.frame);
    if (truth_frame_ != kMapFrame && truth_frame_ != kWorldFrame)
      truth_frame_ = state_.in_messages(truth_frame_);
    if (truth.enabled)
      truth_ = &table.add(topics.name(robot, truth.name.empty() ? kTruth : truth.name),
                          type_of<Odometry>());
    // What has no wheels stands in the frame of its odometry as it does in the world.
    if (!odometer_ && !truth.frame.empty()) odometry_frame_ = truth_frame_;
    if (odometer_ || truth.frame.empty()) odometry_frame_ = state_.in_messages(kOdometryFrame);
    if (odometer_) {
      const auto setting = [&, all = topics.of(robot, *odometer_)](const char* message) {
        const auto found = std::ranges::find(all, message, &TopicSettings::message);
        return found == all.end() ? TopicSettings() : *found;
      };
      tells_transform_ = setting(kOdometryTransform).enabled;
      const TopicSettings own = setting(kOdometry);
      const std::string name = own.name.empty() ? kOdometry : own.name;
      odometry_rate_ = Rate(own.rate);
      if (!own.frame.empty()) odometry_frame_ = state_.in_messages(ros_name(own.frame));
      child_ = child_of(robot, own);
      if (own.enabled) odometry_ = &table.add(topics.name(robot, name), type_of<Odometry>());
      // That of a vehicle is of its base.
      if (!simulation.find_vehicle(robot.name))
        X_BD_ = state_.X_WB().inverse() * simulation.pose_of(*odometer_);
    }
    for (const RobotJoint& joint : state_.links().joints()) {
      if (joint.kind != RobotJoint::Kind::kFixed) joints_.push_back(moving(joint));
    }
    if (joints_.empty()) return;
    joint_states_ = &table.add(topics.name(robot, "joint_states"), type_of<message::JointState>());
  }

  void after_step() override {
    const std::int64_t ns = message::nanoseconds(simulation_.time());
    const bool first = !sent_static_;
    if (first) send_static(ns);
    const bool tells_joints = joint_states_ && joint_states_->wanted();
    if (tells_joints) follow_joints();
    const bool due = rate_.due(simulation_.time());
    // From the first step on, so that samples before the first period can be transformed, too.
    if (tf_.wanted() && (due || first)) send_transforms(ns);
    if (!due) return;
    if (truth_ && truth_->wanted() && truth_rate_.due(simulation_.time())) send_truth(ns);
    if (odometry_ && odometry_->wanted() && odometry_rate_.due(simulation_.time()))
      send_odometry(ns);
    if (tells_joints) send_joint_states(ns);
  }

  std::string key() const override { return "robot " + name_; }
  void take_over(Source& before) override {
    const auto& other = dynamic_cast<const RobotSource&>(before);
    rate_ = other.rate_;
    odometry_rate_ = other.odometry_rate_;
    truth_rate_ = other.truth_rate_;
    for (MovingJoint& one : joints_) {
      if (one.joint->position == RobotJoint::Position::kBodies) continue;
      for (const MovingJoint& old : other.joints_) {
        if (old.joint->name != one.joint->name) continue;
        const RobotJoint* joint = std::exchange(one, old).joint;
        one.joint = joint;
      }
    }
  }

  const RobotState& state() const { return state_; }

 private:
  struct MovingJoint {
    const RobotJoint* joint;
    double position, time;  ///< of the last message
    double now, now_time;   ///< of the last step; a wheel's with all turns
  };

  MovingJoint moving(const RobotJoint& joint) const {
    const double position = state_.links().position(joint), time = simulation_.time();
    return {&joint, position, time, position, time};
  }

  void follow_joints() {
    for (MovingJoint& one : joints_) {
      if (!state_.links().removed(*one.joint)) follow(one);
    }
  }

  /// Wheels forget whole turns, which those who count the way by them need.
  void follow(MovingJoint& one) const {
    const double position = state_.links().position(*one.joint), time = simulation_.time();
    if (one.joint->position == RobotJoint::Position::kSpin) {
      const double spin = state_.links().velocity(*one.joint).value_or(0);
      const double expected = one.now + spin * (time - one.now_time);
      one.now = position + kTurn * std::round((expected - position) / kTurn);
    } else {
      one.now = position;
    }
    one.now_time = time;
  }

  /// Whose pose an Odometry tells.
  struct Child {
    std::string frame;         ///< in messages
    std::optional<Pose> X_BC;  ///< of that, if it is not the base

    /// Of the base as one of the child, with velocities in its frame.
    void fill(Odometry& out, const Pose& X_FB, Vec3 v_B, Vec3 w_B) const {
      out.child_frame_id = frame;
      out.pose.pose = pose_message(X_BC ? X_FB * *X_BC : X_FB);
      if (X_BC) {
        const Quat R_CB = X_BC->R.conjugate();
        v_B = R_CB * (v_B + w_B.cross(X_BC->p));
        w_B = R_CB * w_B;
      }
      out.twist.twist = {vector_message(v_B), vector_message(w_B)};
    }
  };
  Child child_of(const RobotInfo& robot, const TopicSettings& setting) const {
    const std::string base = state_.base_frame();
    if (setting.child_frame.empty() || setting.child_frame == base)
      return {state_.in_messages(base), {}};
    std::vector<std::string> fixed = {base};
    for (const RobotLink& link : state_.links().links()) {
      if (state_.links().moves(link)) continue;
      if (link.name == setting.child_frame)
        return {state_.in_messages(link.name), state_.X_WB().inverse() * state_.links().X_WL(link)};
      fixed.push_back(link.name);
    }
    throw std::invalid_argument(fmt::format("{}robot '{}' has no fixed part '{}'{}",
                                            place_prefix(setting.place), robot.name,
                                            setting.child_frame, hint(setting.child_frame, fixed)));
  }

  static message::Header header(Stream& stream, std::int64_t ns, const std::string& frame) {
    return {stream.next_sequence(), message::time_of(ns), frame};
  }

  void send_static(std::int64_t ns) {
    sent_static_ = true;
    TFMessage out;
    const message::Header on_base = header(tf_static_, ns, state_.in_messages(state_.base_frame()));
    if (state_.has_footprint() && !state_.tilts()) add_footprint(out, on_base);
    for (const FrameOnRobot& frame : state_.frames()) {
      if (frame.moves) continue;
      out.transforms.push_back(
          transform_stamped(on_base, state_.in_messages(frame.name), state_.X_BF(frame)));
    }
    add_links(out, on_base, false);
    if (description_.wanted())
      description_.send(
          ns, message::String{robot_urdf(simulation_, robot_, state_.links(), mesh_file_)});
    if (tf_static_.wanted()) tf_static_.send(ns, std::move(out));
  }

  void send_truth(std::int64_t ns) {
    Odometry out;
    out.header = header(*truth_, ns, truth_frame_);
    truth_child_.fill(out, state_.X_WB(), state_.v_WB_B(), state_.w_WB_B());
    truth_->send(ns, std::move(out));
  }

  /// Where odometry says that the base is.
  Pose X_OB(const WheelOdometry& odometry) const {
    const Pose X = odometry.pose.pose();
    return X_BD_ ? *X_BD_ * X * X_BD_->inverse() : X;
  }

  void send_odometry(std::int64_t ns) {
    const WheelOdometry own = odometer_->model->odometry().value();
    Odometry out;
    out.header = header(*odometry_, ns, odometry_frame_);
    constexpr std::size_t kRows[] = {0, 1, 5};  // of x, y and yaw among those of ROS
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        out.pose.covariance[6 * kRows[i] + kRows[j]] = own.pose.covariance(i, j);
    }
    Vec3 v_B(own.vx, own.vy, 0);
    if (X_BD_) v_B = X_BD_->R * v_B + own.yaw_rate * X_BD_->p.cross(Vec3::UnitZ());
    child_.fill(out, X_OB(own), v_B, Vec3(0, 0, own.yaw_rate));
    odometry_->send(ns, std::move(out));
  }

  void send_transforms(std::int64_t ns) {
    TFMessage out;
    const message::Header on_odometry = header(tf_, ns, odometry_frame_);
    const Pose X_WB = state_.X_WB();
    // The truth for robots without wheels, and with wheels on a part of them only.
    const bool on_base = odometer_ && (X_BD_ || state_.vehicle());
    const Pose X_OB = on_base ? this->X_OB(*odometer_->model->odometry()) : X_WB;
    // Who tells the transform from odom has an odom of his own.
    if (tells_transform_ && fake_localization_) {
      message::Header on_map = on_odometry;
      on_map.frame_id = kMapFrame;
      out.transforms.push_back(transform_stamped(on_map, odometry_frame_, X_WB * X_OB.inverse()));
    }
    if (tells_transform_)
      out.transforms.push_back(
          transform_stamped(on_odometry, state_.in_messages(state_.base_frame()), X_OB));
    message::Header in_base = on_odometry;
    in_base.frame_id = state_.in_messages(state_.base_frame());
    for (const FrameOnRobot& frame : state_.frames()) {
      if (!frame.moves) continue;
      out.transforms.push_back(
          transform_stamped(in_base, state_.in_messages(frame.name), state_.X_BF(frame)));
    }
    add_links(out, in_base, true);
    if (state_.has_footprint() && state_.tilts()) add_footprint(out, in_base);
    tf_.send(ns, std::move(out));
  }

  void add_footprint(TFMessage& out, const message::Header& on_base) const {
    out.transforms.push_back(
        transform_stamped(on_base, state_.in_messages(kFootprintFrame), state_.footprint_B()));
  }

  void add_links(TFMessage& out, const message::Header& on_base, bool moving) const {
    const RobotLinks& links = state_.links();
    const Pose X_BW = state_.X_WB().inverse();
    for (const RobotLink* link : state_.other_links()) {
      if (links.moves(*link) != moving || links.removed(*link)) continue;
      out.transforms.push_back(
          transform_stamped(on_base, state_.in_messages(link->name), X_BW * links.X_WL(*link)));
    }
  }

  void send_joint_states(std::int64_t ns) {
    message::JointState out;
    out.header = header(*joint_states_, ns, "");
    const double time = simulation_.time();
    for (MovingJoint& one : joints_) {
      const RobotJoint& joint = *one.joint;
      if (state_.links().removed(joint)) continue;
      const double position = one.now;
      const double changed = time > one.time ? (position - one.position) / (time - one.time) : 0;
      out.name.push_back(joint.name);
      out.position.push_back(position);
      out.velocity.push_back(state_.links().velocity(joint).value_or(changed));
      one.position = position;
      one.time = time;
    }
    joint_states_->send(ns, std::move(out));
  }

  const Simulation& simulation_;
  RobotState state_;
  bool fake_localization_;
  Stream* truth_ = nullptr;
  Stream &tf_, &tf_static_, &description_;
  Stream* joint_states_ = nullptr;
  std::string name_;
  int robot_;
  const MeshFile& mesh_file_;
  const Device* odometer_;
  Stream* odometry_ = nullptr;
  Rate odometry_rate_{0}, truth_rate_{0};
  bool tells_transform_ = true;  ///< from odom to the base
  std::string odometry_frame_ = kOdometryFrame;
  std::string truth_frame_ = kMapFrame;
  Child child_, truth_child_;
  std::optional<Pose> X_BD_;  ///< of what tells the odometry, if that is not the base
  std::vector<MovingJoint> joints_;
  Rate rate_;
  bool sent_static_ = false;
};

class VehicleRobotSource final : public Source {
 public:
  VehicleRobotSource(Simulation& simulation, VehicleHost& vehicle, const RobotInfo& robot,
                     const RobotTopics& topics, const PublishSettings& settings, StreamTable& table,
                     const MeshFile& mesh_file)
      : robot_(simulation, robot, topics, settings, table, mesh_file),
        vehicle_(simulation, vehicle, robot_.state(), robot, topics, settings, table) {}

  std::string key() const override { return "vehicle of " + robot_.key(); }
  void take_over(Source& before) override {
    auto& other = dynamic_cast<VehicleRobotSource&>(before);
    robot_.take_over(other.robot_);
    vehicle_.take_over(other.vehicle_);
  }
  void after_step() override {
    vehicle_.advance();
    robot_.after_step();
    vehicle_.after_step();
  }

 private:
  RobotSource robot_;
  VehicleSource vehicle_;
};

}  // namespace

std::unique_ptr<Source> make_robot_source(Simulation& simulation, const RobotInfo& robot,
                                          const RobotTopics& topics,
                                          const PublishSettings& settings, StreamTable& table,
                                          const MeshFile& mesh_file) {
  if (VehicleHost* vehicle = simulation.find_vehicle(robot.name)) {
    return std::make_unique<VehicleRobotSource>(simulation, *vehicle, robot, topics, settings,
                                                table, mesh_file);
  }
  return std::make_unique<RobotSource>(simulation, robot, topics, settings, table, mesh_file);
}

}  // namespace protobeam
