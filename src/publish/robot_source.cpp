#include "publish/robot_source.h"

#include <cmath>
#include <map>

#include "message/visualization_msgs.h"
#include "publish/rate.h"
#include "publish/robot_state.h"
#include "publish/vehicle_source.h"

namespace protobeam {
namespace {

using message::Odometry;
using message::TFMessage;
using message::type_of;

class RobotSource final : public Source {
 public:
  RobotSource(const Simulation& simulation, const RobotInfo& robot, const RobotTopics& topics,
              const PublishSettings& settings, StreamTable& table)
      : simulation_(simulation),
        state_(simulation, robot),
        fake_localization_(settings.fake_localization),
        truth_(table.add(topics.name(robot, "base_pose_ground_truth"), type_of<Odometry>())),
        tf_(table.add(topics.name(robot, "tf"), type_of<TFMessage>())),
        tf_static_(table.add(topics.name(robot, "tf_static"), type_of<TFMessage>(), true)),
        rate_(settings.state_rate) {}

  void after_step() override {
    const std::int64_t ns = message::nanoseconds(simulation_.time());
    if (!sent_static_) send_static(ns);
    if (!rate_.due(simulation_.time())) return;
    if (truth_.wanted()) send_truth(ns);
    if (tf_.wanted()) send_transforms(ns);
  }

  const RobotState& state() const { return state_; }
  /// Where odometry says that base_link is; the truth for robots without wheels.
  void set_odometry(const Pose& X_OB) { X_OB_ = X_OB; }

 private:
  static message::Header header(Stream& stream, std::int64_t ns, const char* frame) {
    return {stream.next_sequence(), message::time_of(ns), frame};
  }

  void send_static(std::int64_t ns) {
    sent_static_ = true;
    TFMessage out;
    const message::Header on_base = header(tf_static_, ns, "base_link");
    out.transforms.push_back(transform_stamped(on_base, "base_footprint", state_.footprint_B()));
    for (const FrameOnRobot& frame : state_.frames()) {
      if (frame.moves) continue;
      out.transforms.push_back(transform_stamped(on_base, frame.name, state_.X_BF(frame)));
    }
    if (tf_static_.wanted()) tf_static_.send(ns, std::move(out));
  }

  void send_truth(std::int64_t ns) {
    Odometry out;
    out.header = header(truth_, ns, "map");
    out.child_frame_id = "base_link";
    out.pose.pose = pose_message(state_.X_WB());
    out.twist.twist = {vector_message(state_.v_WB_B()), vector_message(state_.w_WB_B())};
    truth_.send(ns, std::move(out));
  }

  void send_transforms(std::int64_t ns) {
    TFMessage out;
    const message::Header on_odometry = header(tf_, ns, "odom");
    const Pose X_WB = state_.X_WB();
    const Pose X_OB = X_OB_.value_or(X_WB);
    if (fake_localization_) {
      message::Header on_map = on_odometry;
      on_map.frame_id = "map";
      out.transforms.push_back(transform_stamped(on_map, "odom", X_WB * X_OB.inverse()));
    }
    out.transforms.push_back(transform_stamped(on_odometry, "base_link", X_OB));
    message::Header on_base = on_odometry;
    on_base.frame_id = "base_link";
    for (const FrameOnRobot& frame : state_.frames()) {
      if (!frame.moves) continue;
      out.transforms.push_back(transform_stamped(on_base, frame.name, state_.X_BF(frame)));
    }
    tf_.send(ns, std::move(out));
  }

  const Simulation& simulation_;
  RobotState state_;
  bool fake_localization_;
  Stream &truth_, &tf_, &tf_static_;
  Rate rate_;
  bool sent_static_ = false;
  std::optional<Pose> X_OB_;
};

/// A vehicle moves its odometry before its transforms are sent.
class VehicleRobotSource final : public Source {
 public:
  VehicleRobotSource(Simulation& simulation, VehicleHost& vehicle, const RobotInfo& robot,
                     const RobotTopics& topics, const PublishSettings& settings, StreamTable& table)
      : robot_(simulation, robot, topics, settings, table),
        vehicle_(simulation, vehicle, robot_.state(), robot, topics, settings, table) {}

  void receive(const Received& received) override { vehicle_.receive(received); }
  void after_step() override {
    robot_.set_odometry(vehicle_.advance());
    robot_.after_step();
    vehicle_.after_step();
  }

 private:
  RobotSource robot_;
  VehicleSource vehicle_;
};

}  // namespace

std::unique_ptr<Source> make_robot_source(Simulation& simulation, const RobotInfo& robot,
                                          const RobotTopics& topics, const PublishSettings& settings,
                                          StreamTable& table) {
  if (VehicleHost* vehicle = simulation.find_vehicle(robot.name)) {
    return std::make_unique<VehicleRobotSource>(simulation, *vehicle, robot, topics, settings, table);
  }
  return std::make_unique<RobotSource>(simulation, robot, topics, settings, table);
}

}  // namespace protobeam
