// Gyro: angular velocity of the device relative to the world.
//
// Frame: the device's own. x, y, z in rad/s, right-hand rule. Sampled at the end of the step.
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
      .node = {"Gyro", "Device", "Angular velocity about three axes.",
               three_axis_fields("\"gyro\"", "rad/s", "rad/s/sqrt(s)")},
      .channels = {{"angular_velocity", ElementType::kFloat64, {3}, "rad/s", "device", "nan",
                    "about x, y and z, relative to the world"}},
      .properties = three_axis_properties(),
      .inputs = Input::kMotion,
      .webots_node = 45,
  };
}

class Gyro final : public DeviceModel, public KeepsState {
 public:
  explicit Gyro(const Fields& fields) : axes_(fields) {}

  Properties properties() const override { return axes_.properties(); }
  /// An Imu that measures nothing else.
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::Imu>("imu", "", [this](const TopicInput& in) {
      const Vec3 w_S = axes_.before_table(channel<double>(in.data, 0));
      message::Imu imu;
      imu.header = in.header;
      imu.angular_velocity = {w_S.x(), w_S.y(), w_S.z()};
      imu.orientation_covariance[0] = imu.linear_acceleration_covariance[0] = -1;
      return imu;
    })};
  }

  void reset() override { axes_.reset(); }

  void sample(const SampleInput& in, Sample& out) override {
    const Vec3 w_S = in.X_WS.R.conjugate() * in.w_WS;
    write_values(out.channel<double>(0), axes_.measure(w_S, in.time, in.noise));
  }

  void visit_state(StateArchive& archive) override { archive(axes_); }

 private:
  ThreeAxis axes_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Gyro)
