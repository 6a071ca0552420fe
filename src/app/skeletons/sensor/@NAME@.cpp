// @NAME@: ranges along a horizontal fan of beams.
//
// Frame: the device's own; the fan lies in its xy plane, centred on x, the first beam at the left.
// The sample is one range (m) a beam; a beam that meets nothing within maxRange reads +inf.
// It sees what lidars see: Shapes. Cast through in.solid_ray instead to feel boundingObjects.
#include <cstring>
#include <vector>

#include "base/libm.h"
#include "base/rng.h"
#include "sensor/plugin.h"
#include "sensor/sensor.h"

namespace {

using namespace protobeam;

NodeSchema schema() {
  return {
      "@NAME@",
      "Solid",
      "Ranges along a horizontal fan of beams.",
      {
          {"name", FieldType::kString, "\"@NAME@\"", "", Range::any(), "name for the controller"},
          {"numberOfBeams", FieldType::kInt32, "5", "", Range::between(1, 10000), "beams in the fan"},
          {"fieldOfView", FieldType::kFloat, "1", "rad", Range::between(0, 2 * kPi),
           "angle between the first and the last beam"},
          {"maxRange", FieldType::kFloat, "5", "m", Range::positive(), "farthest range"},
          {"noise", FieldType::kFloat, "0", "m", Range::at_least(0),
           "standard deviation of each range"},
      }};
}

class @NAME@ final : public Sensor {
 public:
  explicit @NAME@(const Fields& fields)
      : beams_(static_cast<std::size_t>(fields.integer("numberOfBeams"))),
        fov_(fields.number("fieldOfView")),
        max_range_(fields.number("maxRange")),
        noise_(fields.number("noise")),
        ranges_(beams_) {
    for (std::size_t i = 0; i < beams_; ++i) {
      const double t = beams_ > 1 ? static_cast<double>(i) / static_cast<double>(beams_ - 1) : 0.5;
      const double azimuth = fov_ * (0.5 - t);
      dx_.push_back(static_cast<float>(libm::cos(azimuth)));
      dy_.push_back(static_cast<float>(libm::sin(azimuth)));
      dz_.push_back(0);
    }
  }

  // What the controller and `protobeam info` may ask.
  Properties properties() const override {
    return {{"fieldOfView", fov_}, {"maxRange", max_range_}};
  }

  std::size_t data_size() const override { return beams_ * sizeof(double); }

  void sample(const SensorInput& in, std::span<std::byte> out) override {
    RayBatch batch;
    batch.X_WS = in.X_WS;
    batch.dx = dx_.data();
    batch.dy = dy_.data();
    batch.dz = dz_.data();
    batch.count = beams_;
    batch.t_far = static_cast<float>(max_range_);
    // Blocks come from several threads, each for beams of its own.
    in.visible->cast(batch, [this](const RayBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) ranges_[block.first + i] = block.range[i];
    });
    // Noise is numbered by the beam, so that the same run gives the same bytes. +inf stays +inf.
    for (std::size_t i = 0; i < beams_; ++i) ranges_[i] += noise_ * gaussian(in.noise, i);
    std::memcpy(out.data(), ranges_.data(), out.size());
  }

 private:
  std::size_t beams_;
  double fov_, max_range_, noise_;
  std::vector<float> dx_, dy_, dz_;
  std::vector<double> ranges_;
};

}  // namespace

PROTOBEAM_SENSOR_PLUGIN(schema(), @NAME@)
