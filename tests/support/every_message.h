// Messages of every type with a value of its own in every field, for tests of what writes them.
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <string>

#include "message/control_msgs.h"
#include "message/sensor_msgs.h"
#include "message/trajectory_msgs.h"
#include "message/vendor_msgs.h"
#include "message/vision_msgs.h"
#include "message/visualization_msgs.h"

namespace protobeam::message {

/// Calls action.template operator()<M>() for each type in src/message.
template <class Action>
void for_each_message_type(const Action& action) {
  const auto all = [&action]<class... M>() { (action.template operator()<M>(), ...); };
  all.template operator()<Header, Bool, Float64, String, MultiArrayDimension, MultiArrayLayout,
                          Float64MultiArray, ColorRGBA, Clock>();
  all.template
  operator()<Vector3, Point, PointStamped, Point32, Quaternion, Polygon, Pose, PoseStamped,
             PoseArray, PoseWithCovariance, PoseWithCovarianceStamped, Twist, TwistStamped, Wrench,
             WrenchStamped, TwistWithCovariance, Accel, Transform, TransformStamped, TFMessage,
             Odometry, MapMetaData, OccupancyGrid>();
  all.template
  operator()<LaserScan, PointField, PointCloud2, ChannelFloat32, PointCloud, Image, CompressedImage,
             RegionOfInterest, CameraInfo, Imu, NavSatStatus, NavSatFix, MagneticField,
             FluidPressure, Range, Illuminance, JointState, BatteryState>();
  all.template operator()<CustomPoint, CustomMsg, LinktrackNode2, LinktrackNodeframe3, ConeWithCovariance,
                          ConeArrayWithCovariance, ConesCartesian, Actuators>();
  all.template operator()<JointTrajectoryPoint, JointTrajectory, MultiDOFJointTrajectoryPoint,
                          MultiDOFJointTrajectory, JointTrajectoryControllerState,
                          SteeringControllerStatus, MecanumDriveControllerState>();
  all.template operator()<UVCoordinate, MeshFile, Marker, MarkerArray>();
  all.template operator()<Pose2D, Point2D, ImagePose2D, BoundingBox2D, BoundingBox3D,
                          ObjectHypothesis, ObjectHypothesisWithPose, Detection2D, Detection2DArray,
                          Detection3D, Detection3DArray>();
}

/// Numbers one after another in the order of the fields; sequences have three elements.
class Filler {
 public:
  explicit Filler(int first) : next_(first) {}

  template <class T>
  void operator()(FieldName, T& value) {
    fill(value);
  }
  template <Message M>
  void fill(M& message) {
    M::each(message, *this);
  }
  void fill(bool& value) { value = next_++ % 2 == 1; }
  template <std::integral T>
  void fill(T& value) {
    // Beyond the middle of an unsigned type, below 0 in a signed one.
    value = static_cast<T>(~next_++);
  }
  template <std::floating_point T>
  void fill(T& value) {
    value = static_cast<T>(next_++) + static_cast<T>(0.1);
  }
  void fill(std::string& text) { text = "text " + std::to_string(next_++) + " \"ä\", \n"; }
  void fill(Time& time) { time = {next_++, 123'456'789}; }
  void fill(Duration& duration) { duration = {-next_++, 987'654'321}; }
  template <class T, std::size_t N>
  void fill(std::array<T, N>& values) {
    for (T& value : values) fill(value);
  }
  template <class T>
  void fill(std::vector<T>& values) {
    values.resize(3);
    for (T& value : values) fill(value);
  }

 private:
  int next_;
};

template <Message M>
M filled(int first = 1) {
  M message;
  Filler(first).fill(message);
  return message;
}

/// The values by the names that ROS 1 or ROS 2 has for them; times as {"secs", "nsecs"}.
template <class T>
nlohmann::json json_of(const T& value, bool ros2 = false) {
  if constexpr (Message<T>) {
    nlohmann::json object = nlohmann::json::object();
    T::each(value, [&object, ros2](FieldName name, const auto& field) {
      if (const char* own = ros2 ? name.ros2 : name.ros1) object[own] = json_of(field, ros2);
    });
    return object;
  } else if constexpr (std::is_same_v<T, Time> || std::is_same_v<T, Duration>) {
    return {{"secs", value.sec}, {"nsecs", value.nanosec}};
  } else if constexpr (ExtentOf<T>::kExtent != Extent::kOne) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& element : value) list.push_back(json_of(element, ros2));
    return list;
  } else {
    return value;
  }
}

}  // namespace protobeam::message
