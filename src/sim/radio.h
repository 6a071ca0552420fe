// Packets between Emitters and Receivers.
#pragma once

#include <vector>

#include "sim/model.h"

namespace protobeam {

/// The air: what was sent in one step arrives with the next one, in the order of sending.
class RadioMedium {
 public:
  explicit RadioMedium(WorldModel& model) : model_(model), queues_(model.radios.size()) {}

  /// Null when the device is no radio.
  Radio* radio_of(int robot, int device);
  void send(const Radio& emitter, std::string bytes);
  /// Carries what was sent to the receivers that are enabled and in range; called once a step.
  void deliver();
  /// Takes the packets that have arrived for a robot's receivers.
  std::vector<RadioPacket> take(int robot);

 private:
  struct Sent {
    const Radio* emitter;
    std::string bytes;
  };
  Pose pose_of(const Radio& radio) const;

  WorldModel& model_;
  std::vector<Sent> sent_;
  std::vector<std::vector<RadioPacket>> queues_;  ///< by radio
};

}  // namespace protobeam
