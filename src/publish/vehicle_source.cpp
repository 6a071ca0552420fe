#include "publish/vehicle_source.h"

#include "message/visualization_msgs.h"

namespace protobeam {
namespace {

using message::type_of;

message::Marker closed_line(const message::Header& header, const std::string& space, int id,
                            const std::vector<Vec2>& corners) {
  constexpr int kLineStrip = 4;
  message::Marker marker;
  marker.header = header;
  marker.ns = space;
  marker.id = id;
  marker.type = kLineStrip;
  marker.scale = {0.05, 0.05, 0.02};
  marker.color = {0.9F, 0.9F, 0.9F, 0.9F};
  marker.frame_locked = true;
  for (std::size_t i = 0; i <= corners.size() && !corners.empty(); ++i) {
    const Vec2& corner = corners[i % corners.size()];
    marker.points.push_back({corner.x(), corner.y(), 0});
  }
  return marker;
}

}  // namespace

VehicleSource::VehicleSource(Simulation& simulation, VehicleHost& vehicle, const RobotState& state,
                             const RobotInfo& robot, const RobotTopics& topics,
                             const PublishSettings& settings, StreamTable& table)
    : simulation_(simulation),
      vehicle_(vehicle),
      state_(state),
      collision_(table.add(topics.name(robot, "collision"), type_of<message::Bool>())),
      markers_(
          table.add(topics.name(robot, "chassis_markers"), type_of<message::MarkerArray>(), true)),
      polygon_(table.add(topics.name(robot, "chassis_polygon"), type_of<message::Polygon>(), true)),
      rate_(settings.state_rate),
      outline_(state.outline_B()) {
  if (settings.fake_localization) {
    amcl_ = &table.add(topics.name(robot, "amcl_pose"), type_of<message::PoseWithCovarianceStamped>(), true);
    particles_ = &table.add(topics.name(robot, "particlecloud"), type_of<message::PoseArray>());
  }
  if (settings.log_topics) {
    const auto streams = [&](const std::string& folder, const auto& row) {
      std::vector<Stream*> out;
      for (const NamedNumber& one : row) {
        const std::string name = folder + "/" + one.name;
        out.push_back(&table.add(topics.name(robot, name), type_of<message::Float64>()));
      }
      return out;
    };
    log_.pose = streams("log/pose", pose_row(vehicle, path_, 0));
    for (std::size_t i = 0; i < vehicle.wheels().size(); ++i) {
      log_.wheels.push_back(streams("log/wheel_" + std::to_string(i + 1), wheel_row(vehicle, i, 0)));
    }
  }
}

message::Header VehicleSource::header(Stream& stream, std::int64_t ns,
                                      const std::string& frame) const {
  return {stream.next_sequence(), message::time_of(ns), frame};
}

void VehicleSource::take_over(Source& before) {
  const auto& other = dynamic_cast<const VehicleSource&>(before);
  rate_ = other.rate_;
  path_ = other.path_;
  collided_ = other.collided_;
}

void VehicleSource::advance() {
  if (!log_.pose.empty()) path_.advance(vehicle_.odometry(), simulation_.model().basic_time_step);
  collided_ = collided_ || vehicle_.collided();
}

void VehicleSource::after_step() {
  if (!rate_.due(simulation_.time())) return;
  const std::int64_t ns = message::nanoseconds(simulation_.time());
  if (collision_.wanted()) collision_.send(ns, message::Bool{collided_});
  collided_ = false;
  send_shape(ns);
  if (amcl_) send_localization(ns);
  if (!log_.pose.empty()) send_log(ns);
}

void VehicleSource::send_shape(std::int64_t ns) {
  if (!sent_polygon_ && polygon_.wanted()) {
    message::Polygon polygon;
    for (const Vec2& corner : outline_) {
      polygon.points.push_back({static_cast<float>(corner.x()), static_cast<float>(corner.y()), 0});
    }
    polygon_.send(ns, std::move(polygon));
  }
  sent_polygon_ = true;
  if (!markers_.wanted()) return;
  message::MarkerArray out;
  const message::Header on_base = header(markers_, ns, state_.in_messages(state_.base_frame()));
  out.markers.push_back(closed_line(on_base, "protobeam.chassis_shape", vehicle_.robot(), outline_));
  const auto& wheels = vehicle_.vehicle().layout().wheels;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const double x = wheels[i].diameter / 2, y = wheels[i].width / 2;
    message::Marker marker =
        closed_line(on_base, "protobeam.chassis_shape.wheel" + std::to_string(i), vehicle_.robot(),
                    {{x, y}, {-x, y}, {-x, -y}, {x, -y}});
    marker.pose = pose_message(vehicle_.hub_pose_V(i));
    marker.color = {0.2F, 0.2F, 0.2F, 1};
    out.markers.push_back(std::move(marker));
  }
  markers_.send(ns, std::move(out));
}

void VehicleSource::send_localization(std::int64_t ns) {
  const message::Pose truth = pose_message(state_.X_WB());
  if (amcl_->wanted()) {
    message::PoseWithCovarianceStamped pose;
    pose.header = header(*amcl_, ns, "map");
    pose.pose.pose = truth;
    amcl_->send(ns, std::move(pose));
  }
  if (particles_->wanted()) {
    message::PoseArray particles;
    particles.header = header(*particles_, ns, "map");
    particles.poses.push_back(truth);
    particles_->send(ns, std::move(particles));
  }
}

void VehicleSource::send_log(std::int64_t ns) {
  const double time = simulation_.time();
  const auto send = [ns](const std::vector<Stream*>& streams, const auto& row) {
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i]->wanted()) streams[i]->send(ns, message::Float64{row[i].value});
    }
  };
  send(log_.pose, pose_row(vehicle_, path_, time));
  for (std::size_t i = 0; i < log_.wheels.size(); ++i) {
    send(log_.wheels[i], wheel_row(vehicle_, i, time));
  }
}

}  // namespace protobeam
