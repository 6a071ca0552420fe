#include "sim/radio.h"

#include <cmath>

#include "base/libm.h"

namespace protobeam {

Radio* RadioMedium::radio_of(int robot, int device) {
  for (auto& radio : model_.radios) {
    if (radio.robot == robot && radio.device == device) return &radio;
  }
  return nullptr;
}

void RadioMedium::send(const Radio& emitter, std::string bytes) {
  sent_.push_back({&emitter, std::move(bytes)});
}

Pose RadioMedium::pose_of(const Radio& radio) const {
  const Device& device = model_.robots[static_cast<std::size_t>(radio.robot)]
                             .devices[static_cast<std::size_t>(radio.device)];
  if (device.body == physics::kWorldBody) return device.X_BD;
  return model_.physics->pose(device.body) * device.X_BD;
}

void RadioMedium::deliver() {
  for (const Sent& packet : sent_) {
    const Radio& emitter = *packet.emitter;
    const Pose X_WE = pose_of(emitter);
    for (std::size_t i = 0; i < model_.radios.size(); ++i) {
      const Radio& receiver = model_.radios[i];
      if (!receiver.receiver || receiver.type != emitter.type) continue;
      const Device& device = model_.robots[static_cast<std::size_t>(receiver.robot)]
                                 .devices[static_cast<std::size_t>(receiver.device)];
      // Channel -1 speaks to all and listens to all.
      const bool channel =
          receiver.channel == emitter.channel || receiver.channel == -1 || emitter.channel == -1;
      if (device.period == 0 || !channel) continue;
      const Pose X_WR = pose_of(receiver);
      const Vec3 p_R = X_WR.inverse() * X_WE.p;  // the emitter, seen by the receiver
      const double distance = p_R.norm();
      if (emitter.range >= 0 && distance > emitter.range) continue;
      if (emitter.type == "infra-red") {
        // Cones about each one's x axis.
        const Vec3 p_E = X_WE.inverse() * X_WR.p;
        const auto outside = [&](double aperture, const Vec3& p) {
          return aperture > 0 && libm::atan2(libm::hypot(p.y(), p.z()), p.x()) > aperture / 2;
        };
        if (outside(emitter.aperture, p_E) || outside(receiver.aperture, p_R)) continue;
      }
      auto& queue = queues_[i];
      if (receiver.buffer_size >= 0) {
        std::size_t used = 0;
        for (const auto& waiting : queue) used += waiting.bytes.size();
        if (used + packet.bytes.size() > static_cast<std::size_t>(receiver.buffer_size)) continue;
      }
      RadioPacket arrived;
      arrived.tag = static_cast<std::uint16_t>(receiver.device + 1);
      arrived.bytes = packet.bytes;
      arrived.signal_strength = distance > 0 ? 1 / (distance * distance) : HUGE_VAL;
      const Vec3 direction = distance > 0 ? Vec3(p_R / distance) : Vec3::Zero();
      for (int k = 0; k < 3; ++k) arrived.direction[k] = direction[k];
      queue.push_back(std::move(arrived));
    }
  }
  sent_.clear();
}

std::vector<RadioPacket> RadioMedium::take(int robot) {
  std::vector<RadioPacket> packets;
  for (std::size_t i = 0; i < model_.radios.size(); ++i) {
    if (model_.radios[i].robot != robot) continue;
    for (auto& packet : queues_[i]) packets.push_back(std::move(packet));
    queues_[i].clear();
  }
  return packets;
}

}  // namespace protobeam
