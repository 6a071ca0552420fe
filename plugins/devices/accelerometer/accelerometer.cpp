// Accelerometer: specific force, that is, acceleration minus gravity, as a real one feels it.
//
// Frame: the device's own. x, y, z in m/s^2. At rest the axis that points up reads +9.81; in free
// fall all read 0. The acceleration is the mean over the last physics step.
// There is always a value; an axis that is switched off reads NaN.
#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/three_axis.h"
#include "message/sensor_msgs.h"
#include "device/values.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  return {
      .node = {"Accelerometer", "Device", "Specific force along three axes.",
               three_axis_fields("\"accelerometer\"", "m/s^2", "m/s^2/sqrt(s)")},
      .channels = {{"acceleration", ElementType::kFloat64, {3}, "m/s^2", "device", "nan",
                    "specific force along x, y and z"}},
      .properties = three_axis_properties(),
      .inputs = Input::kMotion,
      .webots_node = 35,
  };
}

class Accelerometer final : public DeviceModel, public KeepsState {
 public:
  explicit Accelerometer(const Fields& fields) : axes_(fields) {}

  Properties properties() const override { return axes_.properties(); }
  /// An Imu that measures nothing else.
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::Imu>("imu", "", [this](const TopicInput& in) {
      const Vec3 f_S = axes_.before_table(channel<double>(in.data, 0));
      message::Imu imu;
      imu.header = in.header;
      imu.linear_acceleration = {f_S.x(), f_S.y(), f_S.z()};
      imu.orientation_covariance[0] = imu.angular_velocity_covariance[0] = -1;
      return imu;
    })};
  }

  void reset() override { axes_.reset(); }

  void sample(const SampleInput& in, Sample& out) override {
    const Vec3 f_S = in.X_WS.R.conjugate() * (in.a_WS - in.gravity_W);
    write_values(out.channel<double>(0), axes_.measure(f_S, in.time, in.noise));
  }

  void visit_state(StateArchive& archive) override { archive(axes_); }

 private:
  ThreeAxis axes_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Accelerometer)
