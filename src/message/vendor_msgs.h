// Messages of makers and projects: Livox (Livox-SDK/livox_ros_driver, livox_ros_driver2), Nooploop
// (nooploop-dev/nlink_parser), Edinburgh University Formula Student (eufs_msgs), Formula Electric
// at Berkeley (feb_msgs), Rudis Laboratories (rudislabs/actuator_msgs).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "message/geometry_msgs.h"

namespace protobeam::message {

struct CustomPoint {
  static constexpr MessageName kName{"livox_ros_driver", "CustomPoint", "livox_ros_driver2"};
  std::uint32_t offset_time = 0;  ///< ns after timebase
  float x = 0;
  float y = 0;
  float z = 0;
  std::uint8_t reflectivity = 0;
  std::uint8_t tag = 0;
  std::uint8_t line = 0;
  static void each(auto& m, auto&& f) {
    f("offset_time", m.offset_time);
    f("x", m.x);
    f("y", m.y);
    f("z", m.z);
    f("reflectivity", m.reflectivity);
    f("tag", m.tag);
    f("line", m.line);
  }
};

struct CustomMsg {
  static constexpr MessageName kName{"livox_ros_driver", "CustomMsg", "livox_ros_driver2"};
  Header header;
  std::uint64_t timebase = 0;  ///< ns, of the first point
  std::uint32_t point_num = 0;
  std::uint8_t lidar_id = 0;
  std::array<std::uint8_t, 3> rsvd{};
  std::vector<CustomPoint> points;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("timebase", m.timebase);
    f("point_num", m.point_num);
    f("lidar_id", m.lidar_id);
    f("rsvd", m.rsvd);
    f("points", m.points);
  }
};

struct LinktrackNode2 {
  static constexpr MessageName kName{"nlink_parser", "LinktrackNode2"};
  std::uint8_t role = 0;
  std::uint8_t id = 0;
  float dis = 0;  ///< m
  float fp_rssi = 0;  ///< dBm, of the first path
  float rx_rssi = 0;  ///< dBm
  static void each(auto& m, auto&& f) {
    f("role", m.role);
    f("id", m.id);
    f("dis", m.dis);
    f("fp_rssi", m.fp_rssi);
    f("rx_rssi", m.rx_rssi);
  }
};

struct LinktrackNodeframe3 {
  static constexpr MessageName kName{"nlink_parser", "LinktrackNodeframe3"};
  Header header;
  std::uint8_t role = 0;
  std::uint8_t id = 0;
  std::uint32_t local_time = 0;  ///< ms
  std::uint32_t system_time = 0;  ///< ms
  float voltage = 0;  ///< V
  std::vector<LinktrackNode2> nodes;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("role", m.role);
    f("id", m.id);
    f("local_time", m.local_time);
    f("system_time", m.system_time);
    f("voltage", m.voltage);
    f("nodes", m.nodes);
  }
};

struct ConeWithCovariance {
  static constexpr MessageName kName{"eufs_msgs", "ConeWithCovariance"};
  Point point;
  std::array<double, 4> covariance{};  ///< m^2, x and y
  static void each(auto& m, auto&& f) {
    f("point", m.point);
    f("covariance", m.covariance);
  }
};

struct ConeArrayWithCovariance {
  static constexpr MessageName kName{"eufs_msgs", "ConeArrayWithCovariance"};
  Header header;
  std::vector<ConeWithCovariance> blue_cones;
  std::vector<ConeWithCovariance> yellow_cones;
  std::vector<ConeWithCovariance> orange_cones;
  std::vector<ConeWithCovariance> big_orange_cones;
  std::vector<ConeWithCovariance> unknown_color_cones;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("blue_cones", m.blue_cones);
    f("yellow_cones", m.yellow_cones);
    f("orange_cones", m.orange_cones);
    f("big_orange_cones", m.big_orange_cones);
    f("unknown_color_cones", m.unknown_color_cones);
  }
};

struct ConesCartesian {
  static constexpr MessageName kName{"feb_msgs", "ConesCartesian"};
  Header header;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<std::int8_t> color;  ///< 2 blue, 1 yellow, 0 orange, 3 big orange, -1 unknown
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("x", m.x);
    f("y", m.y);
    f("color", m.color);
  }
};

struct Actuators {
  static constexpr MessageName kName{"actuator_msgs", "Actuators"};
  Header header;
  std::vector<double> position;    ///< rad or m
  std::vector<double> velocity;    ///< rad/s or m/s
  std::vector<double> normalized;  ///< of what is from -1 to 1
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("position", m.position);
    f("velocity", m.velocity);
    f("normalized", m.normalized);
  }
};

}  // namespace protobeam::message
