// Magnetometer: the magnetic field of the Earth, T.
//
// Frame: the device's own, x, y, z by the right-hand rule. The field is the same everywhere in the
// world: a vector in east, north and up. Its default is that of SDFormat (world/magnetic_field),
// 48.5 uT that point 60.9 degrees down. Iron in the robot and currents are not modelled; what they
// add is `offset` or a turn-on bias. There is always a value.
#include "base/state_archive.h"
#include "device/east_north_up.h"
#include "device/plugin.h"
#include "device/reading_errors.h"
#include "device/values.h"
#include "message/sensor_msgs.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  std::vector<FieldSpec> fields = {
      {"name", FieldType::kString, "\"magnetometer\"", "", Range::any(), "name for the controller"},
      {"field", FieldType::kVec3f, "5.5645e-6 22.8758e-6 -42.3884e-6", "T", Range::any(),
       "of the Earth, in east, north and up"},
  };
  const auto errors = ReadingErrors::fields("T");
  fields.insert(fields.end(), errors.begin(), errors.end());
  return {
      .node = {"Magnetometer", "Device", "Magnetic field of the Earth, along three axes.",
               std::move(fields)},
      .channels = {{"field", ElementType::kFloat64, {3}, "T", "device", "", "along x, y and z"}},
  };
}

class Magnetometer final : public DeviceModel, public Stateless {
 public:
  explicit Magnetometer(const Fields& fields) : field_E_(fields.vec3("field")), errors_(fields) {}

  void attach(const DeviceContext& context) override { north_W_ = context.north_W; }

  void sample(const SampleInput& in, Sample& out) override {
    const Quat R_SE = in.X_WS.R.conjugate() * to_east_north_up(north_W_, in.up_W).conjugate();
    const Vec3 field_S = R_SE * field_E_;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      out.channel<double>(0)[axis] = errors_.apply(field_S[static_cast<int>(axis)], in.noise, axis);
    }
  }

  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::MagneticField>("magnetic_field", "", [this](const TopicInput& in) {
      const auto field = channel<double>(in.data, 0);
      message::MagneticField out;
      out.header = in.header;
      out.magnetic_field = {field[0], field[1], field[2]};
      for (const std::size_t i : {0u, 4u, 8u})
        out.magnetic_field_covariance[i] = errors_.variance();
      return out;
    })};
  }

 private:
  Vec3 field_E_;
  ReadingErrors errors_;
  Vec3 north_W_ = Vec3::UnitY();
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Magnetometer)
