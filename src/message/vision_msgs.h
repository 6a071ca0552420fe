// vision_msgs (ros-perception/vision_msgs): noetic's in ROS 1, version 4 in ROS 2. There a class is
// a text and a detection has an id, in ROS 1 the class is a number and the detection has its data
// with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "message/sensor_msgs.h"

namespace protobeam::message {

struct Pose2D {
  static constexpr MessageName kName{"geometry_msgs", "Pose2D"};
  double x = 0;
  double y = 0;
  double theta = 0;
  static void each(auto& m, auto&& f) {
    f("x", m.x);
    f("y", m.y);
    f("theta", m.theta);
  }
};

struct Point2D {
  static constexpr MessageName kName{"vision_msgs", "Point2D"};
  double x = 0;
  double y = 0;
  static void each(auto& m, auto&& f) {
    f("x", m.x);
    f("y", m.y);
  }
};

/// Of ROS 2.
struct ImagePose2D {
  static constexpr MessageName kName{"vision_msgs", "Pose2D"};
  Point2D position;
  double theta = 0;
  static void each(auto& m, auto&& f) {
    f("position", m.position);
    f("theta", m.theta);
  }
};

struct BoundingBox2D {
  static constexpr MessageName kName{"vision_msgs", "BoundingBox2D"};
  Pose2D pose;         ///< px, of the centre, in ROS 1
  ImagePose2D center;  ///< px, in ROS 2
  double size_x = 0;   ///< px
  double size_y = 0;
  static void each(auto& m, auto&& f) {
    f({"center", nullptr}, m.pose);
    f({nullptr, "center"}, m.center);
    f("size_x", m.size_x);
    f("size_y", m.size_y);
  }
};

struct BoundingBox3D {
  static constexpr MessageName kName{"vision_msgs", "BoundingBox3D"};
  Pose center;
  Vector3 size;
  static void each(auto& m, auto&& f) {
    f("center", m.center);
    f("size", m.size);
  }
};

struct ObjectHypothesis {
  static constexpr MessageName kName{"vision_msgs", "ObjectHypothesis"};
  std::string class_id;
  double score = 0;
  static void each(auto& m, auto&& f) {
    f("class_id", m.class_id);
    f("score", m.score);
  }
};

struct ObjectHypothesisWithPose {
  static constexpr MessageName kName{"vision_msgs", "ObjectHypothesisWithPose"};
  std::int64_t id = 0;
  double score = 0;
  ObjectHypothesis hypothesis;
  PoseWithCovariance pose;
  static void each(auto& m, auto&& f) {
    f({"id", nullptr}, m.id);
    f({"score", nullptr}, m.score);
    f({nullptr, "hypothesis"}, m.hypothesis);
    f("pose", m.pose);
  }
};

struct Detection2D {
  static constexpr MessageName kName{"vision_msgs", "Detection2D"};
  Header header;
  std::vector<ObjectHypothesisWithPose> results;
  BoundingBox2D bbox;
  Image source_img;
  std::string id;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("results", m.results);
    f("bbox", m.bbox);
    f({"source_img", nullptr}, m.source_img);
    f({nullptr, "id"}, m.id);
  }
};

struct Detection2DArray {
  static constexpr MessageName kName{"vision_msgs", "Detection2DArray"};
  Header header;
  std::vector<Detection2D> detections;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("detections", m.detections);
  }
};

struct Detection3D {
  static constexpr MessageName kName{"vision_msgs", "Detection3D"};
  Header header;
  std::vector<ObjectHypothesisWithPose> results;
  BoundingBox3D bbox;
  PointCloud2 source_cloud;
  std::string id;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("results", m.results);
    f("bbox", m.bbox);
    f({"source_cloud", nullptr}, m.source_cloud);
    f({nullptr, "id"}, m.id);
  }
};

struct Detection3DArray {
  static constexpr MessageName kName{"vision_msgs", "Detection3DArray"};
  Header header;
  std::vector<Detection3D> detections;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("detections", m.detections);
  }
};

}  // namespace protobeam::message
