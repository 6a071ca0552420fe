// geometry_msgs, tf2_msgs, nav_msgs (ros2/common_interfaces, ros2/geometry2; the same in ROS 1).
// Quaternions have their scalar last. Covariances are row-major, of x, y, z and turns about them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "message/std_msgs.h"

namespace protobeam::message {

struct Vector3 {
  static constexpr MessageName kName{"geometry_msgs", "Vector3"};
  double x = 0;
  double y = 0;
  double z = 0;
  static void each(auto& m, auto&& f) {
    f("x", m.x);
    f("y", m.y);
    f("z", m.z);
  }
};

struct Point {
  static constexpr MessageName kName{"geometry_msgs", "Point"};
  double x = 0;
  double y = 0;
  double z = 0;
  static void each(auto& m, auto&& f) {
    f("x", m.x);
    f("y", m.y);
    f("z", m.z);
  }
};

struct PointStamped {
  static constexpr MessageName kName{"geometry_msgs", "PointStamped"};
  Header header;
  Point point;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("point", m.point);
  }
};

struct Point32 {
  static constexpr MessageName kName{"geometry_msgs", "Point32"};
  float x = 0;
  float y = 0;
  float z = 0;
  static void each(auto& m, auto&& f) {
    f("x", m.x);
    f("y", m.y);
    f("z", m.z);
  }
};

struct Quaternion {
  static constexpr MessageName kName{"geometry_msgs", "Quaternion"};
  double x = 0;
  double y = 0;
  double z = 0;
  double w = 1;
  static void each(auto& m, auto&& f) {
    f("x", m.x);
    f("y", m.y);
    f("z", m.z);
    f("w", m.w);
  }
};

struct Polygon {
  static constexpr MessageName kName{"geometry_msgs", "Polygon"};
  std::vector<Point32> points;
  static void each(auto& m, auto&& f) {
    f("points", m.points);
  }
};

struct Pose {
  static constexpr MessageName kName{"geometry_msgs", "Pose"};
  Point position;
  Quaternion orientation;
  static void each(auto& m, auto&& f) {
    f("position", m.position);
    f("orientation", m.orientation);
  }
};

struct PoseStamped {
  static constexpr MessageName kName{"geometry_msgs", "PoseStamped"};
  Header header;
  Pose pose;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("pose", m.pose);
  }
};

struct PoseArray {
  static constexpr MessageName kName{"geometry_msgs", "PoseArray"};
  Header header;
  std::vector<Pose> poses;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("poses", m.poses);
  }
};

struct PoseWithCovariance {
  static constexpr MessageName kName{"geometry_msgs", "PoseWithCovariance"};
  Pose pose;
  std::array<double, 36> covariance{};
  static void each(auto& m, auto&& f) {
    f("pose", m.pose);
    f("covariance", m.covariance);
  }
};

struct PoseWithCovarianceStamped {
  static constexpr MessageName kName{"geometry_msgs", "PoseWithCovarianceStamped"};
  Header header;
  PoseWithCovariance pose;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("pose", m.pose);
  }
};

struct Twist {
  static constexpr MessageName kName{"geometry_msgs", "Twist"};
  Vector3 linear;
  Vector3 angular;
  static void each(auto& m, auto&& f) {
    f("linear", m.linear);
    f("angular", m.angular);
  }
};

struct TwistStamped {
  static constexpr MessageName kName{"geometry_msgs", "TwistStamped"};
  Header header;
  Twist twist;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("twist", m.twist);
  }
};

struct Wrench {
  static constexpr MessageName kName{"geometry_msgs", "Wrench"};
  Vector3 force;   ///< N
  Vector3 torque;  ///< N m
  static void each(auto& m, auto&& f) {
    f("force", m.force);
    f("torque", m.torque);
  }
};

struct WrenchStamped {
  static constexpr MessageName kName{"geometry_msgs", "WrenchStamped"};
  Header header;
  Wrench wrench;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("wrench", m.wrench);
  }
};

struct TwistWithCovariance {
  static constexpr MessageName kName{"geometry_msgs", "TwistWithCovariance"};
  Twist twist;
  std::array<double, 36> covariance{};
  static void each(auto& m, auto&& f) {
    f("twist", m.twist);
    f("covariance", m.covariance);
  }
};

struct Accel {
  static constexpr MessageName kName{"geometry_msgs", "Accel"};
  Vector3 linear;
  Vector3 angular;
  static void each(auto& m, auto&& f) {
    f("linear", m.linear);
    f("angular", m.angular);
  }
};

struct Transform {
  static constexpr MessageName kName{"geometry_msgs", "Transform"};
  Vector3 translation;
  Quaternion rotation;
  static void each(auto& m, auto&& f) {
    f("translation", m.translation);
    f("rotation", m.rotation);
  }
};

struct TransformStamped {
  static constexpr MessageName kName{"geometry_msgs", "TransformStamped"};
  Header header;
  std::string child_frame_id;
  Transform transform;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("child_frame_id", m.child_frame_id);
    f("transform", m.transform);
  }
};

struct TFMessage {
  static constexpr MessageName kName{"tf2_msgs", "TFMessage"};
  std::vector<TransformStamped> transforms;
  static void each(auto& m, auto&& f) {
    f("transforms", m.transforms);
  }
};

struct Odometry {
  static constexpr MessageName kName{"nav_msgs", "Odometry"};
  Header header;
  std::string child_frame_id;
  PoseWithCovariance pose;
  TwistWithCovariance twist;  ///< in child_frame_id
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("child_frame_id", m.child_frame_id);
    f("pose", m.pose);
    f("twist", m.twist);
  }
};

struct MapMetaData {
  static constexpr MessageName kName{"nav_msgs", "MapMetaData"};
  Time map_load_time;
  float resolution = 0;  ///< m
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  Pose origin;  ///< of the lower left corner of the cell (0, 0)
  static void each(auto& m, auto&& f) {
    f("map_load_time", m.map_load_time);
    f("resolution", m.resolution);
    f("width", m.width);
    f("height", m.height);
    f("origin", m.origin);
  }
};

struct OccupancyGrid {
  static constexpr MessageName kName{"nav_msgs", "OccupancyGrid"};
  Header header;
  MapMetaData info;
  std::vector<std::int8_t> data;  ///< row by row from the lowest y; 0..100, -1: unknown
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("info", m.info);
    f("data", m.data);
  }
};

}  // namespace protobeam::message
