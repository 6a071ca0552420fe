// Accelerometer: specific force, that is, acceleration minus gravity, as a real one feels it.
//
// Frame: the device's own. x, y, z in m/s^2. At rest the axis that points up reads +9.81; in free
// fall all read 0. The acceleration is the mean since the last sample, as in Webots
// (WbAccelerometer::computeValue): an impact counts whenever it comes. That of the first sample is
// the mean over the last physics step.
// There is always a value; an axis that is switched off reads NaN.
#include <optional>

#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/three_axis.h"
#include "device/values.h"
#include "message/sensor_msgs.h"

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

  void attach(const DeviceContext& context) override {
    feels_ = context.body && context.body->is_dynamic();
  }
  void reset() override {
    axes_.reset();
    last_time_.reset();
  }

  void sample(const SampleInput& in, Sample& out) override {
    Vec3 a_WS = in.a_WS;
    // One of each step is that of the step, which a supervisor's velocity is not part of.
    const double since = last_time_ ? in.time - *last_time_ : 0;
    if (feels_ && since > 1.5 * in.step) a_WS = (in.v_WS - last_v_WS_) / since;
    last_time_ = in.time;
    last_v_WS_ = in.v_WS;
    const Vec3 f_S = in.X_WS.R.conjugate() * (a_WS - in.gravity_W);
    write_values(out.channel<double>(0), axes_.measure(f_S, in.time, in.noise));
  }

  void visit_state(StateArchive& archive) override { archive(axes_, last_time_, last_v_WS_); }

 private:
  ThreeAxis axes_;
  bool feels_ = false;               ///< not where it has no body that moves
  std::optional<double> last_time_;  ///< s
  Vec3 last_v_WS_ = Vec3::Zero();
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Accelerometer)
