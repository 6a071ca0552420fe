// What the functions of emitters and receivers share.
#pragma once

#include <webots/types.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "controller/device_access.h"

namespace protobeam::controller {

struct RadioAccess : Access {
  using Access::Access;

  /// Of an Emitter with a baud rate: what has not left yet.
  struct Packet {
    int channel;
    double range;
    std::string bytes;
  };
  struct SendQueue {
    std::deque<Packet> packets;
    std::size_t bytes = 0;  ///< of all of them
    double credit = 0;      ///< bytes that may leave now
  };
  /// What the program has asked for last, or a supervisor has set since.
  struct Commands {
    int channel = 0;
    double range = -1;
    SendQueue waiting;
    int told = -1;  ///< Device::told when channel and range were read
  };
  Commands& last() const {
    auto& commands = state<Commands>([] { return Commands{}; });
    if (std::exchange(commands.told, (*this)->told) != (*this)->told) {
      commands.channel = static_cast<int>(number("channel"));
      commands.range = number("range", -1);
    }
    return commands;
  }
  int channel() const { return *this ? last().channel : -1; }
  void set_channel(int channel) const {
    if (!*this) return;
    const auto allowed = list("allowedChannels");
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), channel) == allowed.end()) {
      return complain("called with channel " + std::to_string(channel) +
                      ", which is not in allowedChannels of '" + (*this)->record.name + "'");
    }
    if (command("channel", {static_cast<double>(channel)})) last().channel = channel;
  }
};

}  // namespace protobeam::controller
