// Gyro: angular velocity of the device relative to the world.
//
// Frame: the device's own. x, y, z in rad/s, right-hand rule. Sampled at the end of the step.
// There is always a value; an axis that is switched off reads NaN.
#include "sensor/plugin.h"
#include "sensor/sensor.h"
#include "sensor/three_axis.h"
#include "sensor/values.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  return {"Gyro", "Device", "Angular velocity about three axes.",
          three_axis_fields("\"gyro\"", "rad/s", "rad/s/sqrt(s)")};
}

class Gyro final : public Sensor {
 public:
  explicit Gyro(const Fields& fields) : axes_(fields) {}

  DeviceKind kind() const override { return DeviceKind::kGyro; }
  Properties properties() const override { return axes_.properties(); }
  std::size_t data_size() const override { return 3 * sizeof(double); }

  void reset() override { axes_.reset(); }

  void sample(const SensorInput& in, std::span<std::byte> out) override {
    const Vec3 w_S = in.X_WS.R.conjugate() * in.w_WS;
    write_values(out, axes_.measure(w_S, in.time, in.noise));
  }

 private:
  ThreeAxis axes_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_SENSOR_PLUGIN(protobeam::schema(), protobeam::Gyro)
