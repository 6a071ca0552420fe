// What Emitter and Receiver share: fields, and what a signal between them carries.
#pragma once

#include <algorithm>
#include <vector>

#include "device/plugin.h"

namespace protobeam {

/// Signal::numbers of a packet.
enum RadioNumber : std::size_t {
  kChannelNumber,   ///< -1: all channels
  kRangeNumber,     ///< m; -1: unlimited
  kApertureNumber,  ///< rad, of the emitter's cone about its x axis; -1: all round
  kRadioNumbers,
};

/// baudRate and byteSize have an effect where packets are sent only, as in Webots.
inline std::vector<FieldSpec> radio_fields(const char* name, bool sends,
                                           std::vector<FieldSpec> own) {
  using enum FieldType;
  const Range unlimited = Range::at_least(0).or_special(-1);
  const auto speed = [sends](FieldSpec field) {
    field.not_simulated = !sends;
    return field;
  };
  std::vector<FieldSpec> fields = {
      {"name", kString, name, "", {}, "Name for the controller"},
      {"type",
       kString,
       "\"radio\"",
       "",
       {},
       "Medium; both ends need the same",
       "radio|serial|infra-red"},
      {"aperture", kFloat, "-1", "rad", unlimited, "Opening; -1: all round"},
      {"channel", kInt32, "0", "", Range::any(), "-1: all channels"},
      speed({"baudRate", kInt32, "-1", "bit/s", unlimited, "Speed; -1: no delay"}),
      speed({"byteSize", kInt32, "8", "bit", Range::at_least(8), "Bits to send a byte"}),
      {"bufferSize", kInt32, "-1", "byte", unlimited, "Queue; -1: unlimited"},
      {"allowedChannels",
       kMFInt32,
       "[ ]",
       "",
       {},
       "Empty: all; a channel that is not in it: its first"}};
  fields.insert(fields.begin() + 2, own.begin(), own.end());
  return fields;
}

inline PropertySpec allowed_channels() {
  return {"allowedChannels", "", "that the program may set; empty: all"};
}

/// The channel at the start. As in Webots (WbReceiver::updateAllowedChannels), one that is not
/// allowed gives way to the first that is.
inline double first_channel(double channel, const std::vector<double>& allowed) {
  const bool fits = allowed.empty() || std::ranges::find(allowed, channel) != allowed.end();
  return fits ? channel : allowed.front();
}

inline CommandSpec channel_command() {
  return {"channel", {{"channel", "", Range::at_least(-1)}}, "-1: all channels"};
}

}  // namespace protobeam
