#include "sim/vehicle/vehicle_device.h"

#include "vehicle/drive_type.h"

namespace protobeam {

std::string VehicleDevice::command(std::size_t index, std::span<const double> n, std::string_view) {
  DriveCommand wanted;
  switch (static_cast<DriveCommandIndex>(index)) {
    case DriveCommandIndex::kTwist:
      wanted = Twist{n[0], n[1], n[2]};
      break;
    case DriveCommandIndex::kSpeed:
      wanted = SpeedCommand{n[0], n[1]};
      break;
    case DriveCommandIndex::kTorques:
      wanted = TorqueCommand{{n.begin() + 1, n.end()}, n[0]};
      break;
  }
  const std::string problem = host_->command(wanted);
  // A program that repeats its mistake in each step is told once.
  const bool repeated = problem == refused_;
  refused_ = problem;
  return repeated ? "" : problem;
}

void VehicleDevice::after_step(double time, double dt, const NoiseKey& noise) {
  host_->after_step(time);
  feedback_.step(*host_, dt, noise);
}

std::vector<DeviceSubscription> VehicleDevice::subscriptions(const TopicRequest& request) {
  return {twist_subscription(request, [this](const message::Twist& twist) {
    host_->command(Twist{twist.linear.x, twist.linear.y, twist.angular.z});
  })};
}

void VehicleDevice::append_state(std::vector<double>& state) const {
  for (const WheelState& wheel : host_->vehicle().wheels()) {
    state.insert(state.end(), {wheel.spin, wheel.yaw});
  }
}

}  // namespace protobeam
