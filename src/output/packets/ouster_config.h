// The configuration parameters of an Ouster, and which of them can be changed here ("HTTP API
// Reference Guide" and "Configurable parameters" of firmware 2.5, static.ouster.dev/sensor-docs).
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace protobeam {

struct OusterConfigFacts {
  int columns = 1024;
  double frequency = 10;  ///< Hz
  std::string profile;    ///< of the lidar packets
  std::string destination;
  int lidar_port = 7502, imu_port = 7503;
};

inline constexpr const char* kOusterProfile = "RNG19_RFL8_SIG16_NIR16";
inline constexpr const char* kOusterLegacy = "LEGACY";

/// All of them, with what the factory sets where nothing else is said.
nlohmann::ordered_json ouster_config(const OusterConfigFacts& facts);

/// "" or why the parameter cannot have this value. What the simulated device does not change while
/// it runs has to stay as it is in `now`. `check_destination` says what is wrong with an address.
std::string check_ouster_parameter(
    const nlohmann::ordered_json& now, const std::string& name, const nlohmann::ordered_json& value,
    const std::function<std::string(const std::string&)>& check_destination);

}  // namespace protobeam
