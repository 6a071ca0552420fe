#include "output/packets/ouster_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace protobeam {
namespace {

using Json = nlohmann::ordered_json;

struct Choice {
  std::string_view name;
  std::vector<std::string_view> values;
};
struct ValueRange {
  std::string_view name;
  std::int64_t least, most;
};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> kChoices = {
      {"operating_mode", {"NORMAL", "STANDBY"}},
      {"udp_profile_lidar", {kOusterLegacy, kOusterProfile}},
      {"nmea_baud_rate", {"BAUD_9600", "BAUD_115200"}},
      {"nmea_in_polarity", {"ACTIVE_HIGH", "ACTIVE_LOW"}},
      {"sync_pulse_in_polarity", {"ACTIVE_HIGH", "ACTIVE_LOW"}},
      {"sync_pulse_out_polarity", {"ACTIVE_HIGH", "ACTIVE_LOW"}},
  };
  return kChoices;
}

// Without a cable for pulses and sentences, theirs may be set as on a device that has none.
constexpr ValueRange kRanges[] = {
    {"udp_port_lidar", 1, 65535},
    {"udp_port_imu", 1, 65535},
    {"phase_lock_offset", 0, 360000},  // 0.001 deg
    {"nmea_ignore_valid_char", 0, 1},
    {"nmea_leap_seconds", 0, 1000},
    {"sync_pulse_out_angle", 0, 360},
    {"sync_pulse_out_frequency", 1, 1000},
    {"sync_pulse_out_pulse_width", 0, 1000},
};

/// What was sent may be long and deep: a few words of it.
std::string words(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  constexpr std::size_t kLongest = 60;
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

}  // namespace

Json ouster_config(const OusterConfigFacts& facts) {
  return {{"azimuth_window", {0, 360000}},
          {"columns_per_packet", 16},
          {"lidar_mode", fmt::format("{}x{}", facts.columns, facts.frequency)},
          {"multipurpose_io_mode", "OFF"},
          {"nmea_baud_rate", "BAUD_9600"},
          {"nmea_ignore_valid_char", 0},
          {"nmea_in_polarity", "ACTIVE_HIGH"},
          {"nmea_leap_seconds", 0},
          {"operating_mode", "NORMAL"},
          {"phase_lock_enable", false},
          {"phase_lock_offset", 0},
          {"signal_multiplier", 1},
          {"sync_pulse_in_polarity", "ACTIVE_HIGH"},
          {"sync_pulse_out_angle", 360},
          {"sync_pulse_out_frequency", 1},
          {"sync_pulse_out_polarity", "ACTIVE_HIGH"},
          {"sync_pulse_out_pulse_width", 10},
          {"timestamp_mode", "TIME_FROM_INTERNAL_OSC"},
          {"udp_dest", facts.destination},
          {"udp_port_imu", facts.imu_port},
          {"udp_port_lidar", facts.lidar_port},
          {"udp_profile_imu", kOusterLegacy},
          {"udp_profile_lidar", facts.profile}};
}

std::string check_ouster_parameter(
    const Json& now, const std::string& name, const Json& value,
    const std::function<std::string(const std::string&)>& check_destination) {
  const auto current = now.find(name);
  if (current == now.end()) return "there is no such parameter";
  if (name == "udp_dest") {
    if (!value.is_string()) return fmt::format("is {}, must be an address", words(value));
    const std::string why = check_destination(value.get<std::string>());
    return why.empty() ? "" : fmt::format("is {}: {}", words(value), why);
  }
  for (const Choice& choice : choices()) {
    if (choice.name != name) continue;
    const bool known = value.is_string() && std::ranges::any_of(choice.values, [&](auto word) {
                         return value.get_ref<const std::string&>() == word;
                       });
    return known ? ""
                 : fmt::format("is {}, must be {}", words(value), fmt::join(choice.values, " or "));
  }
  for (const ValueRange& range : kRanges) {
    if (range.name != name) continue;
    const bool fits = value.is_number_integer() && value >= range.least && value <= range.most;
    return fits ? ""
                : fmt::format("is {}, must be {} to {}", words(value), range.least, range.most);
  }
  if (value == *current) return "";
  return fmt::format("is {}: the simulated sensor keeps {} while it runs", words(value),
                     current->dump());
}

}  // namespace protobeam
