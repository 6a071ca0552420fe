// sensor_msgs (ros2/common_interfaces; ros/common_msgs where ROS 1 differs).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "message/geometry_msgs.h"

namespace protobeam::message {

struct LaserScan {
  static constexpr MessageName kName{"sensor_msgs", "LaserScan"};
  Header header;
  float angle_min = 0;
  float angle_max = 0;
  float angle_increment = 0;
  float time_increment = 0;  ///< s between beams
  float scan_time = 0;  ///< s between scans
  float range_min = 0;
  float range_max = 0;
  std::vector<float> ranges;
  std::vector<float> intensities;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("angle_min", m.angle_min);
    f("angle_max", m.angle_max);
    f("angle_increment", m.angle_increment);
    f("time_increment", m.time_increment);
    f("scan_time", m.scan_time);
    f("range_min", m.range_min);
    f("range_max", m.range_max);
    f("ranges", m.ranges);
    f("intensities", m.intensities);
  }
};

struct PointField {
  static constexpr MessageName kName{"sensor_msgs", "PointField"};
  static constexpr Constant kConstants[] = {
      {"uint8", "INT8", "1"},
      {"uint8", "UINT8", "2"},
      {"uint8", "INT16", "3"},
      {"uint8", "UINT16", "4"},
      {"uint8", "INT32", "5"},
      {"uint8", "UINT32", "6"},
      {"uint8", "FLOAT32", "7"},
      {"uint8", "FLOAT64", "8"},
  };
  std::string name;
  std::uint32_t offset = 0;
  std::uint8_t datatype = 0;
  std::uint32_t count = 0;
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("offset", m.offset);
    f("datatype", m.datatype);
    f("count", m.count);
  }
};

struct PointCloud2 {
  static constexpr MessageName kName{"sensor_msgs", "PointCloud2"};
  Header header;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::vector<PointField> fields;
  bool is_bigendian = false;
  std::uint32_t point_step = 0;
  std::uint32_t row_step = 0;
  std::vector<std::uint8_t> data;
  bool is_dense = false;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("height", m.height);
    f("width", m.width);
    f("fields", m.fields);
    f("is_bigendian", m.is_bigendian);
    f("point_step", m.point_step);
    f("row_step", m.row_step);
    f("data", m.data);
    f("is_dense", m.is_dense);
  }
};

struct ChannelFloat32 {
  static constexpr MessageName kName{"sensor_msgs", "ChannelFloat32"};
  std::string name;
  std::vector<float> values;
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("values", m.values);
  }
};

struct PointCloud {
  static constexpr MessageName kName{"sensor_msgs", "PointCloud"};
  Header header;
  std::vector<Point32> points;
  std::vector<ChannelFloat32> channels;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("points", m.points);
    f("channels", m.channels);
  }
};

struct Image {
  static constexpr MessageName kName{"sensor_msgs", "Image"};
  Header header;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::string encoding;  ///< sensor_msgs/image_encodings.hpp
  std::uint8_t is_bigendian = 0;
  std::uint32_t step = 0;  ///< bytes of a row
  std::vector<std::uint8_t> data;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("height", m.height);
    f("width", m.width);
    f("encoding", m.encoding);
    f("is_bigendian", m.is_bigendian);
    f("step", m.step);
    f("data", m.data);
  }
};

struct CompressedImage {
  static constexpr MessageName kName{"sensor_msgs", "CompressedImage"};
  Header header;
  std::string format;
  std::vector<std::uint8_t> data;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("format", m.format);
    f("data", m.data);
  }
};

struct RegionOfInterest {
  static constexpr MessageName kName{"sensor_msgs", "RegionOfInterest"};
  std::uint32_t x_offset = 0;
  std::uint32_t y_offset = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  bool do_rectify = false;
  static void each(auto& m, auto&& f) {
    f("x_offset", m.x_offset);
    f("y_offset", m.y_offset);
    f("height", m.height);
    f("width", m.width);
    f("do_rectify", m.do_rectify);
  }
};

struct CameraInfo {
  static constexpr MessageName kName{"sensor_msgs", "CameraInfo"};
  Header header;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::string distortion_model;
  std::vector<double> d;
  std::array<double, 9> k{};
  std::array<double, 9> r{};
  std::array<double, 12> p{};
  std::uint32_t binning_x = 0;
  std::uint32_t binning_y = 0;
  RegionOfInterest roi;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("height", m.height);
    f("width", m.width);
    f("distortion_model", m.distortion_model);
    f({"D", "d"}, m.d);
    f({"K", "k"}, m.k);
    f({"R", "r"}, m.r);
    f({"P", "p"}, m.p);
    f("binning_x", m.binning_x);
    f("binning_y", m.binning_y);
    f("roi", m.roi);
  }
};

/// A covariance that begins with -1 belongs to something that is not measured.
struct Imu {
  static constexpr MessageName kName{"sensor_msgs", "Imu"};
  Header header;
  Quaternion orientation;
  std::array<double, 9> orientation_covariance{};
  Vector3 angular_velocity;
  std::array<double, 9> angular_velocity_covariance{};
  Vector3 linear_acceleration;
  std::array<double, 9> linear_acceleration_covariance{};
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("orientation", m.orientation);
    f("orientation_covariance", m.orientation_covariance);
    f("angular_velocity", m.angular_velocity);
    f("angular_velocity_covariance", m.angular_velocity_covariance);
    f("linear_acceleration", m.linear_acceleration);
    f("linear_acceleration_covariance", m.linear_acceleration_covariance);
  }
};

struct NavSatStatus {
  static constexpr MessageName kName{"sensor_msgs", "NavSatStatus"};
  static constexpr Constant kConstants[] = {
      {"int8", "STATUS_NO_FIX", "-1"},
      {"int8", "STATUS_FIX", "0"},
      {"int8", "STATUS_SBAS_FIX", "1"},
      {"int8", "STATUS_GBAS_FIX", "2"},
      {"uint16", "SERVICE_GPS", "1"},
      {"uint16", "SERVICE_GLONASS", "2"},
      {"uint16", "SERVICE_COMPASS", "4"},
      {"uint16", "SERVICE_GALILEO", "8"},
  };
  std::int8_t status = 0;
  std::uint16_t service = 0;
  static void each(auto& m, auto&& f) {
    f("status", m.status);
    f("service", m.service);
  }
};

struct NavSatFix {
  static constexpr MessageName kName{"sensor_msgs", "NavSatFix"};
  static constexpr Constant kConstants[] = {
      {"uint8", "COVARIANCE_TYPE_UNKNOWN", "0"},
      {"uint8", "COVARIANCE_TYPE_APPROXIMATED", "1"},
      {"uint8", "COVARIANCE_TYPE_DIAGONAL_KNOWN", "2"},
      {"uint8", "COVARIANCE_TYPE_KNOWN", "3"},
  };
  Header header;
  NavSatStatus status;
  double latitude = 0;  ///< degrees
  double longitude = 0;
  double altitude = 0;  ///< m above the WGS 84 ellipsoid
  std::array<double, 9> position_covariance{};  ///< m^2, east, north, up
  std::uint8_t position_covariance_type = 0;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("status", m.status);
    f("latitude", m.latitude);
    f("longitude", m.longitude);
    f("altitude", m.altitude);
    f("position_covariance", m.position_covariance);
    f("position_covariance_type", m.position_covariance_type);
  }
};

struct MagneticField {
  static constexpr MessageName kName{"sensor_msgs", "MagneticField"};
  Header header;
  Vector3 magnetic_field;  ///< T
  std::array<double, 9> magnetic_field_covariance{};
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("magnetic_field", m.magnetic_field);
    f("magnetic_field_covariance", m.magnetic_field_covariance);
  }
};

struct FluidPressure {
  static constexpr MessageName kName{"sensor_msgs", "FluidPressure"};
  Header header;
  double fluid_pressure = 0;  ///< Pa
  double variance = 0;        ///< Pa^2
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("fluid_pressure", m.fluid_pressure);
    f("variance", m.variance);
  }
};

struct Range {
  static constexpr MessageName kName{"sensor_msgs", "Range"};
  static constexpr Constant kConstants[] = {
      {"uint8", "ULTRASOUND", "0"},
      {"uint8", "INFRARED", "1"},
  };
  Header header;
  std::uint8_t radiation_type = 0;
  float field_of_view = 0;  ///< rad
  float min_range = 0;
  float max_range = 0;
  float range = 0;  ///< m; +inf for nothing
  float variance = 0;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("radiation_type", m.radiation_type);
    f("field_of_view", m.field_of_view);
    f("min_range", m.min_range);
    f("max_range", m.max_range);
    f("range", m.range);
    f({nullptr, "variance"}, m.variance);
  }
};

struct Illuminance {
  static constexpr MessageName kName{"sensor_msgs", "Illuminance"};
  Header header;
  double illuminance = 0;
  double variance = 0;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("illuminance", m.illuminance);
    f("variance", m.variance);
  }
};

struct JointState {
  static constexpr MessageName kName{"sensor_msgs", "JointState"};
  Header header;
  std::vector<std::string> name;
  std::vector<double> position;
  std::vector<double> velocity;
  std::vector<double> effort;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("name", m.name);
    f("position", m.position);
    f("velocity", m.velocity);
    f("effort", m.effort);
  }
};

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
