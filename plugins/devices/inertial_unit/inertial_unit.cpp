// InertialUnit: attitude of the device in the world.
//
// Roll, pitch and yaw (rad) about x, y and z with R_WS = Rz(yaw) Ry(pitch) Rx(roll): roll and yaw
// in
// (-pi, pi], pitch in [-pi/2, pi/2]; then the same attitude as a quaternion x, y, z, w, with
// the sign that it has in Webots.
// In a world of coordinateSystem "NUE", where y is up, yaw is about y and pitch about z:
// R_WS = Ry(yaw) Rz(pitch) Rx(roll) (Webots, src/controller/c/inertial_unit.c).
// Noise and resolution act on the three angles; the quaternion follows them. The standard deviation
// is pi times `noise`, as in Webots (WbInertialUnit::computeValue). There is always a value; an
// angle that is switched off reads NaN, the quaternion stays whole.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/libm.h"
#include "base/rng.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/values.h"
#include "message/sensor_msgs.h"

namespace protobeam {
namespace {

enum Channel { kRollPitchYaw, kQuaternion };

DeviceType declaration() {
  return {
      .node = {
      "InertialUnit",
      "Device",
      "Roll, pitch and yaw of the device in the world.",
      {
          {"name", FieldType::kString, "\"inertial unit\"", "", Range::any(),
           "name for the controller"},
          {"xAxis", FieldType::kBool, "TRUE", "", Range::any(), "report roll; FALSE reports NaN"},
          {"yAxis", FieldType::kBool, "TRUE", "", Range::any(), "report pitch; FALSE reports NaN"},
          {"zAxis", FieldType::kBool, "TRUE", "", Range::any(), "report yaw; FALSE reports NaN"},
          {"resolution", FieldType::kFloat, "-1", "rad", Range::positive().or_special(-1),
           "smallest step of the angles; -1: none"},
          {"noise", FieldType::kFloat, "0", "pi rad", Range::at_least(0),
           "standard deviation of each angle"},
          {"lookupTable", FieldType::kMFVec3f, "[ ]", "", Range::any(),
           "of worlds before Webots R2021; ignored, use noise", "", nullptr, true},
      }},
      .channels = {{"roll_pitch_yaw", ElementType::kFloat64, {3}, "rad", "world", "nan",
                    "R_WS = Rz(yaw) Ry(pitch) Rx(roll); in NUE worlds Ry(yaw) Rz(pitch) Rx(roll)"},
                   {"quaternion", ElementType::kFloat64, {4}, "", "world", "",
                    "the same attitude: x, y, z, w"}},
      .properties = {{"noise", "pi rad", "standard deviation of each angle"},
                     {"resolution", "rad", "smallest step of the angles; -1: none"}},
      .webots_node = 46,
  };
}

Vec3 roll_pitch_yaw(const Quat& R) {
  const Mat3 m = R.toRotationMatrix();
  const double pitch = libm::asin(std::clamp(-m(2, 0), -1.0, 1.0));
  // Looking straight up or down, roll and yaw turn about the same axis: all of it is called yaw.
  if (libm::hypot(m(2, 1), m(2, 2)) < 1e-9) return {0, pitch, libm::atan2(-m(0, 1), m(1, 1))};
  return {libm::atan2(m(2, 1), m(2, 2)), pitch, libm::atan2(m(1, 0), m(0, 0))};
}

Quat from_roll_pitch_yaw(const Vec3& angles) {
  return axis_angle(Vec3::UnitZ(), angles.z()) * axis_angle(Vec3::UnitY(), angles.y()) *
         axis_angle(Vec3::UnitX(), angles.x());
}

/// -q is the attitude of q. Webots (WbMatrix3::toQuaternion) has that of which w, or beyond 120 degrees
/// the largest of x, y and z, is positive.
bool has_other_sign(const Quat& q) {
  if (std::abs(q.w()) >= 0.5) return q.w() < 0;
  const Vec3 size = q.vec().cwiseAbs();
  if (size.x() > size.y() && size.x() > size.z()) return q.x() < 0;
  return size.y() > size.z() ? q.y() < 0 : q.z() < 0;
}

class InertialUnit final : public DeviceModel, public Stateless {
 public:
  explicit InertialUnit(const Fields& fields)
      : enabled_{fields.boolean("xAxis"), fields.boolean("yAxis"), fields.boolean("zAxis")},
        resolution_(fields.number("resolution")),
        noise_(fields.number("noise")),
        deviation_(kPi * noise_) {}

  void attach(const DeviceContext& context) override {
    y_up_ = context.north_up_east;
    if (y_up_) R_ZW_ = axis_angle(Vec3::UnitX(), kPi / 2);
  }
  Properties properties() const override {
    return {{"noise", noise_}, {"resolution", resolution_}};
  }

  /// An Imu that measures nothing else.
  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::Imu>("imu", "", [this](const TopicInput& in) {
      const auto q = channel<double>(in.data, kQuaternion);
      message::Imu imu;
      imu.header = in.header;
      imu.orientation = {q[0], q[1], q[2], q[3]};
      for (const std::size_t i : {0u, 4u, 8u})
        imu.orientation_covariance[i] = deviation_ * deviation_;
      imu.angular_velocity_covariance[0] = imu.linear_acceleration_covariance[0] = -1;
      return imu;
    })};
  }

  void sample(const SampleInput& in, Sample& out) override {
    Vec3 angles = angles_of(in.X_WS.R);
    Quat q = in.X_WS.R;
    if (deviation_ > 0 || resolution_ > 0) {
      const Vec3 n(gaussian(in.noise, 0), gaussian(in.noise, 1), gaussian(in.noise, 2));
      angles = quantised(angles + deviation_ * n, resolution_);
      q = rotation_of(angles);
    }
    if (has_other_sign(q)) q.coeffs() = -q.coeffs();
    for (int axis = 0; axis < 3; ++axis) {
      if (!enabled_[axis]) angles[axis] = std::numeric_limits<double>::quiet_NaN();
    }
    write_values(out.channel<double>(kRollPitchYaw), angles);
    write_values<4>(out.channel<double>(kQuaternion), {q.x(), q.y(), q.z(), q.w()});
  }

 private:
  // Z is the world rotated so that z is up: a rotation about y or -z of W is one about z or y of Z.
  Vec3 angles_of(const Quat& R_WS) const {
    const Vec3 angles = roll_pitch_yaw(R_ZW_ * R_WS * R_ZW_.conjugate());
    return {angles.x(), y_up_ ? -angles.y() : angles.y(), angles.z()};
  }
  Quat rotation_of(const Vec3& angles) const {
    const Quat R = from_roll_pitch_yaw({angles.x(), y_up_ ? -angles.y() : angles.y(), angles.z()});
    return R_ZW_.conjugate() * R * R_ZW_;
  }

  bool y_up_ = false;
  Quat R_ZW_ = Quat::Identity();
  std::array<bool, 3> enabled_;
  double resolution_, noise_;
  double deviation_;  // rad
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::InertialUnit)
