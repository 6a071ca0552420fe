// Accelerometer: specific force, that is, acceleration minus gravity, as a real one feels it.
//
// Frame: the device's own. x, y, z in m/s^2. At rest the axis that points up reads +9.81; in free
// fall all read 0. The acceleration is the mean over the last physics step.
// There is always a value; an axis that is switched off reads NaN.
#include "sensor/plugin.h"
#include "sensor/sensor.h"
#include "sensor/three_axis.h"
#include "sensor/values.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  return {"Accelerometer", "Device", "Specific force along three axes.",
          three_axis_fields("\"accelerometer\"", "m/s^2", "m/s^2/sqrt(s)")};
}

class Accelerometer final : public Sensor {
 public:
  explicit Accelerometer(const Fields& fields) : axes_(fields) {}

  DeviceKind kind() const override { return DeviceKind::kAccelerometer; }
  Properties properties() const override { return axes_.properties(); }
  std::size_t data_size() const override { return 3 * sizeof(double); }

  void reset() override { axes_.reset(); }

  void sample(const SensorInput& in, std::span<std::byte> out) override {
    const Vec3 f_S = in.X_WS.R.conjugate() * (in.a_WS - in.gravity_W);
    write_values(out, axes_.measure(f_S, in.time, in.noise));
  }

 private:
  ThreeAxis axes_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_SENSOR_PLUGIN(protobeam::schema(), protobeam::Accelerometer)
