// What the programs of this folder record and publish: message number i of each topic was made at
// i * 10 ms and has values that follow from i. check_values.js knows the same.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "message/sensor_msgs.h"
#include "message/vendor_msgs.h"
#include "output/message_sink.h"

namespace protobeam {

struct SampleTopic {
  std::shared_ptr<const Topic> topic;
  std::function<message::AnyMessage(std::uint32_t)> make;
};

inline message::Header sample_header(std::uint32_t i, const char* frame) {
  return {0, message::time_of(i * 10'000'000LL), frame};
}

inline message::AnyMessage sample_imu(std::uint32_t i) {
  message::Imu imu;
  imu.header = sample_header(i, "car/imu");
  imu.orientation = {0, 0, 0.6, 0.8};
  imu.orientation_covariance[0] = -1;
  imu.angular_velocity = {1, 2, i * 0.5};
  imu.linear_acceleration = {i * -0.25, 0, 9.81};
  return imu;
}

/// `points` points of 16 bytes: x, y, z, intensity.
inline message::PointCloud2 sample_cloud(std::uint32_t i, std::uint32_t points) {
  message::PointCloud2 cloud;
  cloud.header = sample_header(i, "car/lidar");
  cloud.height = 1;
  cloud.width = points;
  const char* names[] = {"x", "y", "z", "intensity"};
  for (std::uint32_t k = 0; k < 4; ++k) cloud.fields.push_back({names[k], 4 * k, 7, 1});
  cloud.point_step = 16;
  cloud.row_step = 16 * points;
  std::vector<float> values;
  for (std::uint32_t k = 0; k < points; ++k) {
    // As noisy as ranges of a lidar in millimetres.
    const std::uint32_t noise = (k * 2654435761u + i * 40503u) >> 20;
    const float range = 10 + static_cast<float>(noise % 64) * 1e-3f;
    values.insert(values.end(), {range, static_cast<float>(k), static_cast<float>(i),
                                 static_cast<float>(noise % 256)});
  }
  cloud.data.resize(values.size() * 4);
  std::memcpy(cloud.data.data(), values.data(), cloud.data.size());
  cloud.is_dense = true;
  return cloud;
}

inline message::AnyMessage sample_image(std::uint32_t i) {
  message::Image image;
  image.header = sample_header(i, "car/camera");
  image.height = 30;
  image.width = 40;
  image.encoding = "rgb8";
  image.step = 120;
  for (std::uint32_t k = 0; k < 3600; ++k) image.data.push_back(static_cast<std::uint8_t>(i + k));
  return image;
}

inline message::AnyMessage sample_info(std::uint32_t i) {
  message::CameraInfo info;
  info.header = sample_header(i, "car/camera");
  info.height = 30;
  info.width = 40;
  info.distortion_model = "plumb_bob";
  info.d = {0.1, -0.2, 0, 0, 0.05};
  info.k = {50, 0, 20, 0, 51, 15, 0, 0, 1};
  info.p[0] = 50.0 + i;
  info.roi.do_rectify = true;
  return info;
}

inline message::AnyMessage sample_tf(std::uint32_t i) {
  message::TFMessage tf;
  for (int k = 0; k < 2; ++k) {
    message::TransformStamped one;
    one.header = sample_header(i, "car");
    one.child_frame_id = k ? "car/imu" : "car/lidar";
    one.transform.translation = {0.5 * k, 0, 1.5};
    tf.transforms.push_back(one);
  }
  return tf;
}

inline message::AnyMessage sample_odometry(std::uint32_t i) {
  message::Odometry odometry;
  odometry.header = sample_header(i, "odom");
  odometry.child_frame_id = "car";
  odometry.pose.pose.position = {i * 0.1, -2, 0.25};
  odometry.pose.covariance[35] = 0.125;
  odometry.twist.twist.linear.x = 10;
  return odometry;
}

inline message::AnyMessage sample_livox(std::uint32_t i) {
  message::CustomMsg custom;
  custom.header = sample_header(i, "car/avia");
  custom.timebase = i * 10'000'000ULL;
  custom.point_num = 3;
  custom.lidar_id = 7;
  for (std::uint32_t k = 0; k < 3; ++k) {
    custom.points.push_back(
        {k * 1000, 1.5f, -static_cast<float>(i), 0.25f, 200, 16, static_cast<std::uint8_t>(k)});
  }
  return custom;
}

template <message::Message M>
SampleTopic sample_topic(const char* name, std::function<message::AnyMessage(std::uint32_t)> make,
                         bool latched = false) {
  return {std::make_shared<Topic>(Topic{name, &message::type_of<M>(), latched, 0}),
          std::move(make)};
}

inline std::vector<SampleTopic> sample_topics() {
  using namespace message;
  auto topics = std::vector<SampleTopic>{
      sample_topic<TFMessage>("/tf_static", sample_tf, true),
      sample_topic<Imu>("/car/imu", sample_imu),
      sample_topic<PointCloud2>("/car/points",
                                [](std::uint32_t i) { return sample_cloud(i, 500); }),
      sample_topic<Image>("/car/image", sample_image),
      sample_topic<CameraInfo>("/car/camera_info", sample_info),
      sample_topic<Odometry>("/car/odom", sample_odometry),
      sample_topic<CustomMsg>("/car/livox", sample_livox)};
  std::uint32_t number = 0;
  for (SampleTopic& one : topics) {
    Topic topic = *one.topic;
    topic.number = number++;
    one.topic = std::make_shared<Topic>(topic);
  }
  return topics;
}

}  // namespace protobeam
