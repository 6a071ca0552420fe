#include "mvsim/world/sensors.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"
#include "base/math.h"
#include "mvsim/world/visuals.h"

namespace protobeam::mvsim {
namespace {

std::string class_of(const Element& sensor) {
  const Text* kind = sensor.attribute("class");
  return kind ? kind->value : std::string();
}

/// A number under its name of today or its old one.
Given<double> either(const Reader& reader, const char* name, const char* old, double fallback) {
  const auto value = reader.at_least(name, 0, fallback);
  return value.written ? value : reader.at_least(old, 0, fallback);
}

std::vector<wbt::NodePtr> imu(Import& import, const Element& sensor) {
  const Reader reader = import.children(sensor);
  const Pose X = sensor_pose(import, sensor);
  const auto axes = [&](const char* type, const char* part, const Given<double>& noise,
                        const char* walk) {
    NodeMaker made = device(import, sensor, type, X, part);
    made.number("noise", noise, noise.place);
    const auto drift = reader.at_least(walk, 0, 0);
    if (drift > 0) made.number("biasWalk", drift, drift.place);
    return made.take();
  };
  std::vector<wbt::NodePtr> out;
  out.push_back(axes(
      "Gyro", " gyro",
      either(reader, "angular_velocity_white_noise_std_noise", "angular_velocity_std_noise", 2e-4),
      "angular_velocity_random_walk_std_noise"));
  out.push_back(axes("Accelerometer", " accelerometer",
                     either(reader, "linear_acceleration_white_noise_std_noise",
                            "linear_acceleration_std_noise", 0.017),
                     "linear_acceleration_random_walk_std_noise"));
  if (reader.boolean("measure_orientation", false)) {
    const auto noise = reader.at_least("orientation_std_noise", 0, 0.005);
    NodeMaker made = device(import, sensor, "InertialUnit", X, " orientation");
    // Ours is of half turns, as in Webots.
    out.push_back(made.number("noise", noise / kPi, noise.place).take());
  }
  return out;
}

wbt::NodePtr gnss(Import& import, const Element& sensor) {
  const Reader reader = import.children(sensor);
  const auto across = reader.at_least("horizontal_std_noise", 0, 2);
  const auto up = reader.at_least("vertical_std_noise", 0, 4);
  return device(import, sensor, "GPS", sensor_pose(import, sensor))
      .number("accuracy", across, across.place)
      .number("verticalAccuracy", up, up.place)
      .take();
}

/// MVSim's cameras look along their z, y down; Webots' along x, z up.
Pose from_optical(const Pose& X) {
  Mat3 R;         // columns: x, y, z of the one in the other
  R << 0, -1, 0,  //
      0, 0, -1,   //
      1, 0, 0;
  return X * Pose::rotation(Quat(R));
}

NodeMaker camera(Import& import, const Element& sensor, const Pose& X) {
  const Reader reader = import.children(sensor);
  const auto pixels = [&](const char* name, int fallback) {
    auto value = reader.integer(name, fallback);
    if (value < 1) {
      reader.error(value.place, reader.subject(name) + " must be at least 1, got " +
                                    std::to_string(value.value));
      value.value = fallback;
    }
    return value;
  };
  const auto columns = pixels("ncols", 640), rows = pixels("nrows", 480);
  const auto fx = reader.positive("fx", 500), fy = reader.positive("fy", 500);
  const auto cx = reader.number("cx", columns.value / 2.0);
  const auto cy = reader.number("cy", rows.value / 2.0);
  const auto near = reader.positive("clip_min", 0.01), far = reader.positive("clip_max", 1e4);
  NodeMaker made = device(import, sensor, "Camera", X, "");
  made.number("fieldOfView", 2 * libm::atan(columns / (2 * fx)), fx.place)
      .number("width", columns, columns.place)
      .number("height", rows, rows.place)
      .number("near", near, near.place)
      .number("far", far, far.place);
  // Half a pixel is what the two ways to count them differ by.
  const bool plain = fx.value == fy.value && std::abs(cx - columns.value / 2.0) <= 0.5 &&
                     std::abs(cy - rows.value / 2.0) <= 0.5;
  if (!plain) {
    made.text("lensModel", "opencv", fx.place)
        .numbers("intrinsics", {fx, fy, cx, cy}, fx.place)
        .numbers("distortion", {0, 0, 0, 0});
  }
  return made;
}

/// Size and intrinsics of one of the two imagers of an rgbd_camera; `prefix` and `ours` are what
/// names begin with in MVSim and in the node.
void add_imager(Import& import, const Element& sensor, const std::string& prefix, bool depth,
                NodeMaker& made) {
  const Reader reader = import.children(sensor);
  const auto pixels = [&](const char* name, int fallback) {
    const std::string tag = prefix + name;
    auto value = reader.integer(tag.c_str(), fallback);
    if (value < 2) {
      reader.error(value.place, reader.subject(tag.c_str()) + " must be at least 2, got " +
                                    std::to_string(value.value));
      value.value = fallback;
    }
    return value;
  };
  const auto columns = pixels("ncols", 640), rows = pixels("nrows", 480);
  const auto fx = reader.positive((prefix + "fx").c_str(), 500);
  const auto fy = reader.positive((prefix + "fy").c_str(), 500);
  const auto cx = reader.positive((prefix + "cx").c_str(), columns.value / 2.0);
  const auto cy = reader.positive((prefix + "cy").c_str(), rows.value / 2.0);
  made.number(depth ? "depthWidth" : "colorWidth", columns, columns.place)
      .number(depth ? "depthHeight" : "colorHeight", rows, rows.place)
      .numbers(depth ? "depthIntrinsics" : "colorIntrinsics", {fx, fy, cx, cy}, fx.place);
}

wbt::NodePtr rgbd(Import& import, const Element& sensor) {
  const Reader reader = import.children(sensor);
  const Pose X = sensor_pose(import, sensor, Pose::translation({0, 0, 0.5}));
  NodeMaker made = device(import, sensor, "RgbdCamera", X, "");
  const auto sense_depth = reader.boolean("sense_depth", true);
  const auto sense_rgb = reader.boolean("sense_rgb", true);
  const auto min = reader.positive("depth_clip_min", 0.1);
  const auto max = reader.positive("depth_clip_max", 15);
  const auto step = reader.positive("depth_resolution", 1e-3);
  const auto noise = reader.at_least("depth_noise_sigma", 0, 1e-3);
  const auto near = reader.positive("rgb_clip_min", 1e-2);
  const auto far = reader.positive("rgb_clip_max", 1e4);
  Pose X_of_rgb = Pose::rotation(rotation_of(-kPi / 2, 0, -kPi / 2));
  if (const auto pose = reader.pose3d("relativePoseIntensityWRTDepth")) {
    X_of_rgb = pose_of(pose->value);
  }
  const Pose X_SC = from_optical(X_of_rgb);
  made.flag("senseDepth", sense_depth)
      .flag("senseColor", sense_rgb)
      .number("minDepth", min, min.place)
      .number("maxDepth", max, max.place)
      .number("depthResolution", step, step.place)
      .number("depthNoise", noise, noise.place)
      .number("colorNear", near, near.place)
      .number("colorFar", far, far.place)
      .vec3("colorTranslation", X_SC.p)
      .rotation("colorRotation", X_SC.R);
  add_imager(import, sensor, "depth_", true, made);
  add_imager(import, sensor, "rgb_", false, made);
  return made.take();
}

}  // namespace

NodeMaker device(Import& import, const Element& sensor, const char* type, const Pose& X,
                 const char* part) {
  NodeMaker made(type, sensor);
  made.pose(X);
  if (const Text* name = sensor.attribute("name"))
    made.text("name", name->value + part, name->place);
  const auto period = import.children(sensor).positive("sensor_period", 0.1);
  // The first step that begins a period after the last sample's or later (SensorBase.cpp,
  // should_simulate_sensor), not the nearest one.
  double rounded = period;
  if (const double step = import.time_step; step > 0) {
    constexpr double kTolerance = 1e-6;
    const double whole = std::max(1.0, std::ceil((period - kTolerance) / step)) * step;
    if (whole > period + kTolerance) rounded = whole;
  }
  made.number("samplingPeriod", rounded * 1000, period.place);
  return made;
}

double sensor_period(Import& import, const Element& sensor) {
  return import.children(sensor).positive("sensor_period", 0.1);
}

std::vector<wbt::NodePtr> sensor_nodes(Import& import, const Element& sensor) {
  import.unsimulated.publish(sensor);
  const std::string kind = class_of(sensor);
  std::vector<wbt::NodePtr> out;
  if (kind == "laser") return {laser_node(import, sensor)};
  if (kind == "lidar3d") return {lidar_node(import, sensor)};
  if (kind == "imu") {
    out = imu(import, sensor);
  } else if (kind == "gnss") {
    out.push_back(gnss(import, sensor));
  } else if (kind == "camera") {
    const Pose usual{rotation_of(kPi / 2, 0, kPi / 2), {0, 0, 0.5}};
    out.push_back(
        camera(import, sensor, from_optical(sensor_pose(import, sensor, usual))).take());
  } else if (kind == "rgbd_camera") {
    out.push_back(rgbd(import, sensor));
  }
  for (const Visual& visual : visuals_of(import, sensor)) {
    out.push_back(posed(visual.node, sensor_pose(import, sensor), sensor));
  }
  return out;
}

wbt::NodePtr lone_sensor_node(Import& import, const Element& sensor) {
  NodeMaker robot("Robot", sensor);
  if (const Text* name = sensor.attribute("name")) robot.text("name", name->value, name->place);
  return robot.text("controller", "<none>").nodes("children", sensor_nodes(import, sensor)).take();
}

}  // namespace protobeam::mvsim
