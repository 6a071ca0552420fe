// Imu: accelerometer, gyro and attitude in one housing, with the errors of real ones.
//
// Frame: the sensor's, which fields sensorTranslation and sensorRotation place in the node's; x, y,
// z by the right-hand rule. `acceleration` is specific force, acceleration minus gravity: +9.81 on
// the axis that points up at rest, 0 in free fall. `orientation` turns the sensor's frame into
// east, north and up (REP-145), which is the world's frame unless WorldInfo says otherwise, or into
// what orientationReference and orientationFromStart say. There is always a value; the orientation
// is NaN when it is not measured.
//
// Of a rigid body whose node S moves with v, w and a, a sensor that lies at r from S feels
//
//   a_I = a + dw/dt x r + w x (w x r)
//
// (D. Titterton, J. Weston, "Strapdown Inertial Navigation Technology", 2nd ed., IEE 2004, has
// this as the size effect.) The acceleration a is the mean over the last step, dw/dt that since the
// last sample; it is 0 at the first.
//
// Readings of accelerometer and gyro, with the random errors of imu_noise.h:
//
//   f~ = (1 + S_a + M_a) f + b_a + n_a
//   w~ = (1 + S_g + M_g) w + G f + b_g + n_g,   then each axis saturates and is quantised
//
// S are scale errors, M misalignments, G is the sensitivity to g (IEEE Std 1293-1998 for
// accelerometers and 1431-2004 for gyros have these terms). Vibration is part of f and w.
#include <algorithm>
#include <limits>
#include <optional>

#include "base/state_archive.h"
#include "device/east_north_up.h"
#include "device/plugin.h"
#include "device/values.h"
#include "imu_schema.h"
#include "message/sensor_msgs.h"

namespace protobeam {
namespace {

// In the order of the declaration.
enum Channel : std::size_t {
  kAcceleration,
  kAngularVelocity,
  kOrientation,
  kAccelerationBias,
  kAngularVelocityBias
};

NoiseKey with_stream(NoiseKey key, ImuStream stream) {
  key.stream = static_cast<std::uint32_t>(stream);
  return key;
}

class Imu final : public DeviceModel, public KeepsState {
 public:
  explicit Imu(const Fields& fields)
      : X_SI_{fields.rotation("sensorRotation"), fields.vec3("sensorTranslation")},
        measure_orientation_(fields.boolean("measureOrientation")),
        orientation_noise_(fields.number("orientationNoise")),
        reference_(fields.rotation("orientationReference")),
        from_start_(fields.boolean("orientationFromStart")),
        accelerometer_(read_triad(fields, "accelerometer")),
        gyro_(read_triad(fields, "gyro")),
        g_sensitivity_(read_g_sensitivity(fields)),
        noise_(accelerometer_.noise, gyro_.noise) {}

  void attach(const DeviceContext& context) override {
    north_W_ = context.north_W;
    if (context.body) R_WI_start_ = context.body->X_WS().R * X_SI_.R;
  }
  Pose data_frame() const override { return X_SI_; }
  Properties properties() const override {
    return {{"accelerometerRange", accelerometer_.range}, {"gyroRange", gyro_.range}};
  }
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::Imu>("imu", "", [this](const TopicInput& in) {
      return message_of(in);
    })};
  }
  void reset() override {
    noise_.reset();
    last_time_.reset();
  }

  void sample(const SampleInput& in, Sample& out) override {
    const double dt = last_time_ ? in.time - *last_time_ : 0;
    const Quat R_WI = in.X_WS.R * X_SI_.R, R_IW = R_WI.conjugate();
    if (!R_WI_start_) R_WI_start_ = R_WI;
    Vec3 f = R_IW * (acceleration(in, dt) - in.gravity_W);
    Vec3 w = R_IW * in.w_WS;
    last_time_ = in.time;
    last_w_WS_ = in.w_WS;

    f += accelerometer_.vibration.at(in.time,
                                     with_stream(in.noise, ImuStream::kAccelerometerVibration));
    w += gyro_.vibration.at(in.time, with_stream(in.noise, ImuStream::kGyroVibration));
    // A test bench has no period; then samples stand for the time since the last one.
    noise_.advance(dt, in.period > 0 ? in.period : dt, in.noise);
    const TriadErrors &a_errors = noise_.accelerometer(), &w_errors = noise_.gyro();
    const Vec3 f_read = accelerometer_.gain * f + a_errors.bias() + a_errors.white;
    const Vec3 w_read = gyro_.gain * w + g_sensitivity_ * f + w_errors.bias() + w_errors.white;
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      out.channel<double>(kAcceleration)[i] = accelerometer_.limited(f_read[axis]);
      out.channel<double>(kAngularVelocity)[i] = gyro_.limited(w_read[axis]);
    }
    write_orientation(in, R_WI, out.channel<double>(kOrientation));
    write_values(out.channel<double>(kAccelerationBias), a_errors.bias());
    write_values(out.channel<double>(kAngularVelocityBias), w_errors.bias());
  }

  void visit_state(StateArchive& archive) override {
    archive(noise_, last_time_, last_w_WS_, R_WI_start_);
  }

 private:
  message::Imu message_of(const TopicInput& in) const {
    message::Imu imu;
    imu.header = in.header;
    const auto q = channel<double>(in.data, kOrientation);
    if (measure_orientation_) {
      imu.orientation = {q[0], q[1], q[2], q[3]};
      const double variance = orientation_noise_ * orientation_noise_;
      for (const std::size_t i : {0u, 4u, 8u}) imu.orientation_covariance[i] = variance;
    } else {
      imu.orientation_covariance[0] = -1;  // as the message's definition has it: not measured
    }
    const auto a = channel<double>(in.data, kAcceleration), w = channel<double>(in.data, kAngularVelocity);
    imu.linear_acceleration = {a[0], a[1], a[2]};
    imu.angular_velocity = {w[0], w[1], w[2]};
    return imu;
  }

  /// Of the sensor's origin, `dt` after the last sample.
  Vec3 acceleration(const SampleInput& in, double dt) const {
    if (X_SI_.p.isZero(0)) return in.a_WS;
    const Vec3 r_W = in.X_WS.R * X_SI_.p, w = in.w_WS;
    Vec3 a = in.a_WS + w.cross(w.cross(r_W));
    if (dt > 0) a += ((w - last_w_WS_) / dt).cross(r_W);
    return a;
  }

  void write_orientation(const SampleInput& in, const Quat& R_WI, std::span<double> out) const {
    if (!measure_orientation_) {
      std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
      return;
    }
    Quat q = from_start_
                 ? Quat(R_WI_start_->conjugate() * R_WI)
                 : Quat(reference_.conjugate() * to_east_north_up(north_W_, in.up_W) * R_WI);
    if (orientation_noise_ > 0) {
      const NoiseKey key = with_stream(in.noise, ImuStream::kOrientation);
      const Vec3 turn =
          orientation_noise_ * Vec3(gaussian(key, 0), gaussian(key, 1), gaussian(key, 2));
      q = q * axis_angle(turn, turn.norm());
    }
    if (q.w() < 0) q.coeffs() = -q.coeffs();
    write_values<4>(out, {q.x(), q.y(), q.z(), q.w()});
  }

  Pose X_SI_;
  bool measure_orientation_;
  double orientation_noise_;
  Quat reference_;
  bool from_start_;
  std::optional<Quat> R_WI_start_;
  ImuTriad accelerometer_, gyro_;
  Mat3 g_sensitivity_;
  ImuNoise noise_;
  Vec3 north_W_ = Vec3::UnitY();
  std::optional<double> last_time_;
  Vec3 last_w_WS_ = Vec3::Zero();
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::imu_declaration(), protobeam::Imu)
