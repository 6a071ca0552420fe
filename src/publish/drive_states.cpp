#include "publish/drive_states.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "message/control_msgs.h"
#include "publish/controller_manager.h"
#include "publish/rate.h"
#include "publish/topic_names.h"

namespace protobeam {
namespace {

using message::MecanumDriveControllerState;
using message::SteeringControllerStatus;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();  // as interfaces have it

const Device* drive_of(const RobotInfo& robot) {
  const auto drives = [](const Device& one) { return one.model && one.model->orders(); };
  const auto found = std::ranges::find_if(robot.devices, drives);
  return found == robot.devices.end() ? nullptr : &*found;
}

/// The joints of interfaces "JOINT/kind"; empty when the robot has no motor for one of them.
std::vector<int> tags_of(const RobotInfo& robot, const std::vector<std::string>& interfaces,
                         const std::string& kind) {
  std::vector<int> out;
  for (const std::string& one : interfaces) {
    if (!one.ends_with("/" + kind)) continue;
    const std::string joint = one.substr(0, one.size() - kind.size() - 1);
    const auto found = std::ranges::find_if(robot.devices, [&](const Device& device) {
      return device.name == joint && device.joint >= 0;
    });
    if (found == robot.devices.end()) return {};
    out.push_back(static_cast<int>(found - robot.devices.begin()) + 1);
  }
  return out;
}

/// Of a controller whose wheels turn by a drive.
class DriveState : public Source {
 public:
  DriveState(const Simulation& simulation, const RobotInfo& robot, const Device& drive,
             std::string frame, double rate, Stream& stream)
      : stream_(stream),
        simulation_(simulation),
        robot_(robot),
        drive_(drive),
        frame_(std::move(frame)),
        rate_(rate) {}

  void after_step() override {
    const double time = simulation_.time();
    if (!stream_.wanted() || !rate_.due(time)) return;
    const std::int64_t ns = message::nanoseconds(time);
    send(ns, {stream_.next_sequence(), message::time_of(ns), frame_},
         drive_.model->orders().value());
  }
  std::string key() const override { return "state " + stream_.topic().name; }
  void take_over(Source& before) override { rate_ = dynamic_cast<DriveState&>(before).rate_; }

 protected:
  virtual void send(std::int64_t ns, message::Header header, const DriveOrders& orders) = 0;

  double position(int tag) const {
    const Device& motor = device(tag);
    return simulation_.model().physics->joint_position(motor.joint, motor.axis);
  }
  double velocity(int tag) const {
    const Device& motor = device(tag);
    return simulation_.model().physics->joint_velocity(motor.joint, motor.axis);
  }
  Stream& stream_;

 private:
  const Device& device(int tag) const { return robot_.devices[static_cast<std::size_t>(tag - 1)]; }

  const Simulation& simulation_;
  const RobotInfo& robot_;
  const Device& drive_;
  const std::string frame_;
  Rate rate_;
};

class SteeringState final : public DriveState {
 public:
  template <class... Rest>
  SteeringState(std::vector<int> driving, std::vector<int> steering, bool feeds_position,
                Rest&&... rest)
      : DriveState(std::forward<Rest>(rest)...),
        driving_(std::move(driving)),
        steering_(std::move(steering)),
        feeds_position_(feeds_position) {}

 private:
  void send(std::int64_t ns, message::Header header, const DriveOrders& orders) override {
    const auto order = [&](int tag, double otherwise) {
      const auto found = std::ranges::find(orders.motors, tag, &DriveOrders::Motor::tag);
      return found == orders.motors.end() ? otherwise : found->order.value_or(otherwise);
    };
    SteeringControllerStatus out;
    out.header = std::move(header);
    for (const int tag : driving_) {
      if (feeds_position_)
        out.traction_wheels_position.push_back(position(tag));
      else
        out.traction_wheels_velocity.push_back(velocity(tag));
      out.linear_velocity_command.push_back(order(tag, 0));
    }
    for (const int tag : steering_) {
      out.steer_positions.push_back(position(tag));
      out.steering_angle_command.push_back(order(tag, kNothing));
    }
    stream_.send(ns, std::move(out));
  }

  const std::vector<int> driving_, steering_;
  const bool feeds_position_;
};

class MecanumState final : public DriveState {
 public:
  /// Wheels as the importer has them: front and rear left ones, front and rear right ones.
  template <class... Rest>
  explicit MecanumState(const std::vector<int>& wheels, Rest&&... rest)
      : DriveState(std::forward<Rest>(rest)...),
        wheels_{wheels[0], wheels[1], wheels[2], wheels[3]} {}

 private:
  void send(std::int64_t ns, message::Header header, const DriveOrders& orders) override {
    MecanumDriveControllerState out;
    out.header = std::move(header);
    out.front_left_wheel_velocity = velocity(wheels_[0]);
    out.back_left_wheel_velocity = velocity(wheels_[1]);
    out.front_right_wheel_velocity = velocity(wheels_[2]);
    out.back_right_wheel_velocity = velocity(wheels_[3]);
    const Vec3 twist = orders.twist.value_or(Vec3::Constant(kNothing));
    out.reference_velocity.linear.x = twist.x();
    out.reference_velocity.linear.y = twist.y();
    out.reference_velocity.angular.z = twist.z();
    stream_.send(ns, std::move(out));
  }

  const std::array<int, 4> wheels_;
};

/// What its odometry is in.
std::string odometry_frame(const RobotInfo& robot, const Device& drive, const RobotTopics& topics) {
  const std::vector<TopicSettings> all = topics.of(robot, drive);
  const auto own = std::ranges::find(all, kOdometry, &TopicSettings::message);
  const bool named = own != all.end() && !own->frame.empty();
  return with_prefix(topics.frame_prefix(robot), named ? ros_name(own->frame) : kOdometryFrame);
}

}  // namespace

std::vector<std::unique_ptr<Source>> make_drive_states(const Simulation& simulation,
                                                       const RobotInfo& robot,
                                                       const RobotTopics& topics,
                                                       StreamTable& table) {
  std::vector<std::unique_ptr<Source>> out;
  const Device* drive = drive_of(robot);
  if (!drive) return out;
  for (ControllerSettings one : robot.ros2_controllers) {
    const bool mecanum = one.type == "mecanum_drive_controller/MecanumDriveController";
    const bool steers = one.type.find("_steering_controller/") != std::string::npos;
    if (!(mecanum || steers) || one.state_rate <= 0) continue;
    const std::vector<int> driving = tags_of(robot, one.commands, "velocity"),
                           steering = tags_of(robot, one.commands, "position");
    if (driving.empty() || (mecanum ? driving.size() != 4 : steering.empty())) continue;
    one.manager = topics.name(robot, one.manager);
    const std::string topic = state_topic(one), frame = odometry_frame(robot, *drive, topics);
    if (mecanum) {
      out.push_back(std::make_unique<MecanumState>(
          driving, simulation, robot, *drive, frame, one.state_rate,
          table.add(topic, message::type_of<MecanumDriveControllerState>())));
      continue;
    }
    const bool feeds_position = tags_of(robot, one.states, "position").size() > steering.size();
    out.push_back(std::make_unique<SteeringState>(
        driving, steering, feeds_position, simulation, robot, *drive, frame, one.state_rate,
        table.add(topic, message::type_of<SteeringControllerStatus>())));
  }
  return out;
}

}  // namespace protobeam
