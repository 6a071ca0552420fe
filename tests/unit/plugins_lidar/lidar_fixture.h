// A lidar plugin in a ray scene of its own.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "raycast/ray_scene.h"
#include "tests/unit/support/plugin.h"

namespace protobeam::test {

inline constexpr float kInf = std::numeric_limits<float>::infinity();

class LidarInScene {
 public:
  explicit LidarInScene(std::map<std::string, std::string> fields, int threads = 1)
      : scene(make_embree_scene({threads})), sensor_(make_sensor("Lidar", std::move(fields))) {
    bytes_.resize(sensor_->layout().size);
    width_ = std::size_t(std::get<double>(sensor_->properties().at("horizontalResolution")));
    in.time = 1;
    in.step = in.period = 0.032;
    in.noise = {7, 3, 0, 0};
    in.visible = scene.get();
  }

  void add(Geometry geometry, const Pose& X_WB = {}) {
    scene->add({{std::make_shared<Geometry>(std::move(geometry)), {}}}, X_WB);
  }
  BeamSensor& sensor() { return dynamic_cast<BeamSensor&>(*sensor_); }
  int layers() { return sensor().layers(); }
  int columns() { return sensor().columns(); }

  /// Takes the next sample; time and frame advance.
  void sample() {
    in.noise.frame = in.frame;
    take_sample(*sensor_, in, bytes_);
    ++in.frame;
    in.time += in.step;
  }
  float range(int layer, int column) {
    float r;
    std::memcpy(&r, bytes_.data() + 4 * index(layer, column), 4);
    return r;
  }
  LidarPoint point(int layer, int column) {
    LidarPoint p;
    const std::size_t beams = std::size_t(layers()) * width_;
    std::memcpy(&p, bytes_.data() + 4 * beams + sizeof(p) * index(layer, column), sizeof(p));
    return p;
  }
  std::string command(std::string_view name, double number) {
    return sensor_->send_command(name, {number});
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  /// What the sensor finds there before its next sample.
  void set_range(int layer, int column, float r) {
    std::memcpy(bytes_.data() + 4 * index(layer, column), &r, 4);
  }

  SampleInput in;
  std::unique_ptr<RayScene> scene;

 private:
  std::size_t index(int layer, int column) {
    return std::size_t(layer) * width_ + std::size_t(column);
  }

  std::unique_ptr<DeviceModel> sensor_;
  std::vector<std::byte> bytes_;
  std::size_t width_ = 0;  ///< columns of the image
};

}  // namespace protobeam::test
