// sensor_msgs/BatteryState (ros2/common_interfaces; ros/common_msgs).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "message/std_msgs.h"

namespace protobeam::message {

/// What is not known is NaN.
struct BatteryState {
  static constexpr MessageName kName{"sensor_msgs", "BatteryState"};
  static constexpr Constant kConstants[] = {
      {"uint8", "POWER_SUPPLY_STATUS_UNKNOWN", "0"},
      {"uint8", "POWER_SUPPLY_STATUS_CHARGING", "1"},
      {"uint8", "POWER_SUPPLY_STATUS_DISCHARGING", "2"},
      {"uint8", "POWER_SUPPLY_STATUS_NOT_CHARGING", "3"},
      {"uint8", "POWER_SUPPLY_STATUS_FULL", "4"},
      {"uint8", "POWER_SUPPLY_HEALTH_UNKNOWN", "0"},
      {"uint8", "POWER_SUPPLY_HEALTH_GOOD", "1"},
      {"uint8", "POWER_SUPPLY_HEALTH_OVERHEAT", "2"},
      {"uint8", "POWER_SUPPLY_HEALTH_DEAD", "3"},
      {"uint8", "POWER_SUPPLY_HEALTH_OVERVOLTAGE", "4"},
      {"uint8", "POWER_SUPPLY_HEALTH_UNSPEC_FAILURE", "5"},
      {"uint8", "POWER_SUPPLY_HEALTH_COLD", "6"},
      {"uint8", "POWER_SUPPLY_HEALTH_WATCHDOG_TIMER_EXPIRE", "7"},
      {"uint8", "POWER_SUPPLY_HEALTH_SAFETY_TIMER_EXPIRE", "8"},
      {"uint8", "POWER_SUPPLY_TECHNOLOGY_UNKNOWN", "0"},
      {"uint8", "POWER_SUPPLY_TECHNOLOGY_NIMH", "1"},
      {"uint8", "POWER_SUPPLY_TECHNOLOGY_LION", "2"},
      {"uint8", "POWER_SUPPLY_TECHNOLOGY_LIPO", "3"},
      {"uint8", "POWER_SUPPLY_TECHNOLOGY_LIFE", "4"},
      {"uint8", "POWER_SUPPLY_TECHNOLOGY_NICD", "5"},
      {"uint8", "POWER_SUPPLY_TECHNOLOGY_LIMN", "6"},
  };
  static constexpr std::uint8_t kDischarging = 2, kNotCharging = 3;
  static constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
  Header header;
  float voltage = 0;
  float temperature = kUnknown;
  float current = kUnknown;  ///< A, negative when it discharges
  float charge = kUnknown;   ///< Ah
  float capacity = kUnknown;
  float design_capacity = kUnknown;
  float percentage = kUnknown;  ///< 0 to 1
  std::uint8_t power_supply_status = 0;
  std::uint8_t power_supply_health = 0;
  std::uint8_t power_supply_technology = 0;
  bool present = false;
  std::vector<float> cell_voltage;
  std::vector<float> cell_temperature;
  std::string location;
  std::string serial_number;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("voltage", m.voltage);
    f("temperature", m.temperature);
    f("current", m.current);
    f("charge", m.charge);
    f("capacity", m.capacity);
    f("design_capacity", m.design_capacity);
    f("percentage", m.percentage);
    f("power_supply_status", m.power_supply_status);
    f("power_supply_health", m.power_supply_health);
    f("power_supply_technology", m.power_supply_technology);
    f("present", m.present);
    f("cell_voltage", m.cell_voltage);
    f("cell_temperature", m.cell_temperature);
    f("location", m.location);
    f("serial_number", m.serial_number);
  }
};

}  // namespace protobeam::message
