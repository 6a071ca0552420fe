// What MVSim's ROS node publishes of a vehicle besides its odometry.
#pragma once

#include <vector>

#include "publish/publisher.h"
#include "publish/rate.h"
#include "publish/robot_state.h"
#include "publish/robot_topics.h"
#include "sim/vehicle/vehicle_rows.h"

namespace protobeam {

class VehicleSource final : public Source {
 public:
  /// All must live longer.
  VehicleSource(Simulation& simulation, VehicleHost& vehicle, const RobotState& state,
                const RobotInfo& robot, const RobotTopics& topics, const PublishSettings& settings,
                StreamTable& table);

  /// After each step, before after_step().
  void advance();
  void after_step() override;
  void take_over(Source& before) override;

 private:
  struct Log {
    std::vector<Stream*> pose;
    std::vector<std::vector<Stream*>> wheels;
  };
  message::Header header(Stream& stream, std::int64_t ns, const std::string& frame) const;
  void send_shape(std::int64_t ns);
  void send_localization(std::int64_t ns);
  void send_log(std::int64_t ns);

  Simulation& simulation_;
  VehicleHost& vehicle_;
  const RobotState& state_;
  Stream &collision_, &markers_, &polygon_;
  Stream *amcl_ = nullptr, *particles_ = nullptr;
  Log log_;
  Rate rate_;
  OdometryPath path_;  ///< of the log: by the wheels alone
  bool collided_ = false;  ///< since the last message
  std::vector<Vec2> outline_;
  bool sent_polygon_ = false;
};

}  // namespace protobeam
